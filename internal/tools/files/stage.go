package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

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
}

// staged is one file of a patch: as it was found, and as it is to be.
type staged struct {
	name string // as the patch first spelled it
	real string
	link bool

	existed bool
	found   workspace.File
	stale   bool
	was     string
	knew    bool

	exists bool
	data   []byte
	mode   fs.FileMode // for a new file; 0 is the default
	// from is the file that is to be renamed to this one.
	from *staged
	// gone says that this file is the source of such a rename.
	gone bool
}

// file is the staged file of a name, found on disk when it is first mentioned.
func (s *stage) file(name string) (*staged, error) {
	p, err := s.hands.Resolve(name)
	if err != nil {
		return nil, err
	}
	for _, f := range s.files {
		if f.real == p.Real {
			return f, nil
		}
	}
	f := &staged{name: name, real: p.Real, link: p.Link}
	found, err := s.hands.Read(name, 0)
	switch {
	case err == nil:
		f.existed, f.exists, f.found, f.data = true, true, found, found.Data
		if hash, ok := s.hands.Seen(name); ok && hash != gate.Hash(found.Data) {
			f.stale = true
			f.was, f.knew = s.memory.get(hash)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, explain(name, err)
	}
	s.files = append(s.files, f)
	return f, nil
}

// document is a staged file as text.
func (f *staged) document() (document, error) {
	text, err := workspace.Decode(f.data)
	if err != nil {
		return document{}, fmt.Errorf("%s (%s): %w", f.name, size(len(f.data)), err)
	}
	return document{File: f.found, text: text, stale: f.stale, was: f.was, knew: f.knew}, nil
}

// add stages a new file. One that exists is replaced, by the rules of
// write_file.
func (s *stage) add(p edit.FilePatch) error {
	f, err := s.file(p.Path)
	if err != nil {
		return err
	}
	data := []byte(p.Content)
	if f.exists {
		d, err := f.document()
		if err != nil {
			return err
		}
		if f.stale {
			return fmt.Errorf("%s changed since you read it, so it is not replaced.%s", p.Path, changed(d, p.Content))
		}
		if data, err = d.text.Encode(like(d.text, p.Content)); err != nil {
			return fmt.Errorf("%s: %w", p.Path, err)
		}
	}
	f.exists, f.data = true, data
	return nil
}

func (s *stage) remove(p edit.FilePatch) error {
	f, err := s.file(p.Path)
	if err != nil {
		return err
	}
	if !f.exists {
		return explain(p.Path, fs.ErrNotExist)
	}
	f.exists, f.data = false, nil
	return nil
}

// update stages the changes of a file, and its new name when it gets one.
func (s *stage) update(p edit.FilePatch) (edit.Applied, error) {
	f, err := s.file(p.Path)
	if err != nil {
		return edit.Applied{}, err
	}
	if !f.exists {
		return edit.Applied{}, explain(p.Path, fs.ErrNotExist)
	}
	a := edit.Applied{Tier: edit.Exact}
	if len(p.Chunks) > 0 {
		d, err := f.document()
		if err != nil {
			return a, err
		}
		if a, err = edit.Apply(p, d.text.Content, normal); err != nil {
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
	}
	if p.MoveTo == "" {
		return a, nil
	}
	return a, s.rename(f, p.MoveTo)
}

// rename stages a new name. Where nothing else touches the two names it is a
// rename on disk as well, which keeps all that belongs to the file.
func (s *stage) rename(f *staged, name string) error {
	to, err := s.file(name)
	if err != nil {
		return err
	}
	if to == f {
		return fmt.Errorf("%s and %s are the same file", f.name, name)
	}
	to.exists, to.data, to.mode = true, f.data, f.found.Mode.Perm()
	if f.existed && !to.existed && f.from == nil && (!f.link || bytes.Equal(f.data, f.found.Data)) {
		to.from, f.gone = f, true
	}
	f.exists, f.data = false, nil
	return nil
}

// commit writes what was staged. When a step fails, the ones before it are
// taken back, and the error says so.
func (s *stage) commit() error { return carryOut(s.steps()) }

func carryOut(steps []step) error {
	var done []func() error
	for _, step := range steps {
		if err := step.do(); err != nil {
			if _, acted := errors.AsType[*workspace.DoneError](err); acted {
				done = append(done, step.back) // it failed after the change
			}
			var stuck []string
			for i := len(done) - 1; i >= 0; i-- {
				if back := done[i](); back != nil {
					stuck = append(stuck, back.Error())
				}
			}
			if stuck != nil {
				return fmt.Errorf("%w; taking back what was written failed as well, so these files are in an unknown state: %s", err, strings.Join(stuck, "; "))
			}
			return fmt.Errorf("%w; what had been written was taken back, so nothing is changed", err)
		}
		done = append(done, step.back)
	}
	return nil
}

// step is one change on disk and its reversal.
type step struct{ do, back func() error }

// steps are the changes from what was found to what is staged: renames, then
// contents, then removals.
func (s *stage) steps() []step {
	h := s.hands
	var renames, contents, removals []step
	for _, f := range s.files {
		before, existed := f.found.Data, f.existed
		if f.from != nil && f.exists && !f.from.exists {
			from := f.from.name
			renames = append(renames, step{
				func() error { return h.Move(from, f.name) },
				func() error { return h.Move(f.name, from) },
			})
			before, existed = f.from.found.Data, true
		}
		if f.exists && (!existed || !bytes.Equal(before, f.data)) {
			contents = append(contents, s.content(f, before, existed))
		}
		if f.existed && !f.exists && !s.renamed(f) {
			removals = append(removals, step{
				func() error { return h.Remove(f.name) },
				func() error { return h.Write(f.name, f.found.Data, f.found.Mode.Perm()) },
			})
		}
	}
	return append(append(renames, contents...), removals...)
}

func (s *stage) content(f *staged, before []byte, existed bool) step {
	h, mode := s.hands, fs.FileMode(0)
	if !existed {
		mode = f.mode
	}
	return step{
		func() error { return h.Write(f.name, f.data, mode) },
		func() error {
			if existed {
				return h.Write(f.name, before, 0)
			}
			return h.Remove(f.name)
		},
	}
}

// renamed reports whether some file is made by renaming f.
func (s *stage) renamed(f *staged) bool {
	if !f.gone {
		return false
	}
	for _, g := range s.files {
		if g.from == f && g.exists {
			return true
		}
	}
	return false
}
