package files

import (
	"errors"
	"fmt"
	"io/fs"

	"assent/internal/amount"
	"assent/internal/edit"
	"assent/internal/gate"
	"assent/internal/workspace"
)

// stage holds what a patch would leave of each file, before anything is
// written.
type stage struct {
	tools
	hands gate.Hands
	files []*staged // in order of first mention
	links []*unlinked
	// warnings are for the result, if there is one.
	warnings []string
}

// staged is one file of a patch: as it was found, and as it is to be.
type staged struct {
	name string // as the patch spells it; a name that is no link where it has one
	real string
	link bool // the name is a link

	existed bool
	read    bool // found is what it held
	found   workspace.File
	stale   bool
	was     string
	knew    bool

	exists bool
	// own says that data is its content; else it is what was found, here or in
	// the file that is to be renamed to this one, and need not be read.
	own  bool
	data []byte
	mode fs.FileMode // for a new file; 0 is the default
	// from is the file that is to be renamed to this one.
	from *staged
	// gone says that this file is the source of such a rename.
	gone bool
}

// file is the staged file that a name leads to, looked for on disk when it is
// first mentioned.
func (s *stage) file(name string) (*staged, error) {
	p, err := s.hands.Resolve(name)
	if err != nil {
		return nil, err
	}
	if l := s.made(p); l != nil {
		name, p = l.name, l.path
	} else if err := s.vacated(name, p); err != nil {
		return nil, err
	}
	for _, f := range s.files {
		if f.real == p.Real {
			if f.link && !p.Link {
				f.name, f.link = name, false // the file itself, which may be renamed and deleted
			}
			return f, nil
		}
	}
	if p.Exists && p.Dir {
		return nil, explain(name, &workspace.KindError{Path: name, Kind: workspace.KindDirectory})
	}
	f := &staged{name: name, real: p.Real, link: p.Link, existed: p.Exists, exists: p.Exists}
	s.files = append(s.files, f)
	return f, nil
}

// load reads what a staged file holds, where that is not known yet.
func (s *stage) load(f *staged) error {
	if f.own {
		return nil
	}
	if f.from != nil {
		err := s.load(f.from)
		f.own, f.data = err == nil, f.from.data
		return err
	}
	found, err := s.hands.Read(f.name, maxFile)
	if err != nil {
		return explain(f.name, err)
	}
	f.read, f.own, f.found, f.data = true, true, found, found.Data
	if hash, ok := s.hands.Seen(f.name); ok && hash != gate.Hash(found.Data) {
		f.stale = true
		f.was, f.knew = s.memory.get(hash)
	}
	return nil
}

// document is a staged file as text.
func (s *stage) document(f *staged) (document, error) {
	if err := s.load(f); err != nil {
		return document{}, err
	}
	text, err := workspace.Decode(f.data)
	if err != nil {
		return document{}, fmt.Errorf("%s (%s): %w", f.name, size(len(f.data)), err)
	}
	return document{File: f.found, text: text, stale: f.stale, was: f.was, knew: f.knew}, nil
}

// replaceable is a staged file that other content may take the place of, by the
// rules of write_file.
func (s *stage) replaceable(f *staged, content string) (document, error) {
	d, err := s.document(f)
	if denied, ok := errors.AsType[*gate.DeniedError](err); ok {
		// A free name is taken without being read, so this says that it is not.
		return d, fmt.Errorf("%s is not replaced: it may not be read (%s)", f.name, denied.Reason)
	}
	if _, ok := errors.AsType[*workspace.BinaryError](err); ok {
		return d, fmt.Errorf("%w, and was left as it is; delete it first if something is to take its place", err)
	}
	if err == nil && f.stale {
		err = fmt.Errorf("%s changed since you read it, so it is not replaced.%s", f.name, changed(d, content))
	}
	return d, err
}

// add stages a new file. One that exists is replaced. The note says what the
// result must say of it.
func (s *stage) add(p edit.FilePatch) (note string, err error) {
	f, err := s.file(p.Path)
	if err != nil {
		return "", err
	}
	data := []byte(p.Content)
	if f.exists {
		d, err := s.replaceable(f, p.Content)
		if err != nil {
			return "", err
		}
		if data, err = d.text.Encode(like(d.text, p.Content)); err != nil {
			return "", fmt.Errorf("%s: %w", p.Path, err)
		}
		note = replaced(d)
		s.warn(p.Path, d.text.Content, p.Content)
	}
	f.exists, f.own, f.data = true, true, data
	return note, nil
}

// replaced says what a file held that another took the place of.
func replaced(d document) string {
	return "replaced a file of " + amount.Of(lineCount(d.text.Content), "line")
}

// warn notes a rewrite that lost its line breaks.
func (s *stage) warn(name, old, text string) {
	if warning := collapsed(old, text); warning != "" {
		s.warnings = append(s.warnings, name+": "+warning)
	}
}

func (s *stage) remove(p edit.FilePatch) error {
	at, err := s.hands.Resolve(p.Path)
	if err != nil {
		return err
	}
	if at.Link {
		return s.unlink(p.Path, at)
	}
	if s.made(at) != nil {
		return remade(p.Path)
	}
	f, err := s.file(p.Path)
	if err != nil {
		return err
	}
	if !f.exists {
		return explain(p.Path, fs.ErrNotExist)
	}
	_ = s.load(f) // only to show it: what cannot be read can be deleted all the same
	f.exists, f.own, f.data = false, false, nil
	return nil
}

// update stages the changes of a file, and its new name when it gets one.
func (s *stage) update(p edit.FilePatch) (a edit.Applied, note string, err error) {
	a.Tier = edit.Exact
	at, err := s.hands.Resolve(p.Path)
	if err != nil {
		return a, "", err
	}
	var f *staged
	if !at.Link || len(p.Chunks) > 0 { // a link can be renamed that leads nowhere
		if f, err = s.file(p.Path); err != nil {
			return a, "", err
		}
		if !f.exists && !f.existed && len(p.Chunks) > 0 {
			return a, "", s.load(f) // which says so, unless it may not be read
		}
		if !f.exists {
			return a, "", explain(p.Path, fs.ErrNotExist)
		}
	}
	if len(p.Chunks) > 0 {
		if a, err = s.change(f, p); err != nil {
			return a, "", err
		}
		for _, c := range p.Chunks {
			s.warn(p.Path, c.Text("-"), c.Text("+"))
		}
	}
	switch {
	case p.MoveTo == "":
	case at.Link:
		err = s.relink(p.Path, at, p.MoveTo)
	case s.made(at) != nil:
		err = remade(p.Path)
	default:
		note, err = s.rename(f, p.MoveTo)
	}
	return a, note, err
}

// change stages the changes of a file.
func (s *stage) change(f *staged, p edit.FilePatch) (edit.Applied, error) {
	d, err := s.document(f)
	if err != nil {
		return edit.Applied{}, err
	}
	a, err := edit.Apply(p, d.text.Content, normal)
	if err != nil {
		if f.stale {
			err = fmt.Errorf("%w\nThe file changed since you read it.%s", err, changed(d, ""))
		}
		return a, err
	}
	data, err := d.text.Encode(a.Content)
	if err != nil {
		return a, fmt.Errorf("%s: %w", p.Path, err)
	}
	f.data = data
	return a, nil
}

// rename stages a new name. Where nothing else touches the two names it is a
// rename on disk as well, which keeps all that belongs to the file. A file that
// has the name is replaced.
func (s *stage) rename(f *staged, name string) (note string, err error) {
	to, err := s.file(name)
	if err != nil {
		return "", err
	}
	if to == f {
		return "", fmt.Errorf("%s and %s are the same file", f.name, name)
	}
	if f.existed && f.from == nil && !to.existed && !to.exists && !to.link {
		to.from, f.gone = f, true
	} else if err := s.load(f); err != nil {
		return "", err
	}
	if to.exists {
		d, err := s.replaceable(to, "")
		if err != nil {
			return "", err
		}
		note = replaced(d)
	}
	to.exists, to.own, to.data, to.mode = true, f.own, f.data, f.found.Mode.Perm()
	f.exists, f.own, f.data = false, false, nil
	return note, nil
}
