package gate

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"time"

	"assent/internal/policy"
	"assent/internal/walk"
	"assent/internal/workspace"
)

// Found is a file of a sweep. Read and Info work until the function that was
// given it returns.
type Found struct {
	// Rel is the path relative to the swept folder, slash separated; of a file
	// that was swept by itself its name.
	Rel string
	// Link says that it is a symbolic link; it is not followed.
	Link bool

	sweep *sweep
	entry walk.Entry
	alone bool
}

// Name is the path to give to Hands.Read, relative to the workspace root
// (absolute in an extra root).
func (f Found) Name() string {
	if f.alone {
		return name(f.sweep.root)
	}
	if n := name(f.sweep.root); n != "." {
		return n + "/" + f.Rel
	}
	return f.Rel
}

// Read reads a regular file of at most so many bytes into buf, or a larger
// buffer.
func (f Found) Read(buf []byte, most int64) ([]byte, error) {
	switch {
	case f.sweep.span.closed.Load():
		return nil, ErrClosed
	case !f.alone:
		return f.entry.Read(buf, most)
	}
	file, err := f.sweep.span.gate.options.Workspace.Read(f.sweep.root, most)
	if k, ok := errors.AsType[*workspace.KindError](err); ok && k.Kind == workspace.KindTooLarge {
		err = walk.ErrTooLarge
	}
	return file.Data, err
}

// Info tells size and time of the entry itself.
func (f Found) Info() (size int64, modified time.Time, err error) {
	switch {
	case f.sweep.span.closed.Load():
		return 0, time.Time{}, ErrClosed
	case !f.alone:
		return f.entry.Info()
	}
	info, err := f.sweep.span.gate.options.Workspace.Stat(f.sweep.root)
	if err != nil {
		return 0, time.Time{}, err
	}
	return info.Size(), info.ModTime(), nil
}

// sweep is one run of Sweep.
type sweep struct {
	span           *span
	only           func(Found) bool
	root           workspace.Path
	rules          policy.Rules
	disk           paths
	secret, denied atomic.Int64
}

// Sweep is Walk for searches: it shows the files below a planned tree from
// several goroutines at once and in no order, reaching each through the handle
// of its folder. The same is left out and counted as by Walk. A root that is a
// file is shown alone. Only is asked about each file first, from several
// goroutines as well: what it does not take is not judged, counted or shown. It
// may use Rel and Name; nil takes all. With an error of the context what was
// shown so far stands.
func (h Hands) Sweep(ctx context.Context, root string, o WalkOptions, only func(Found) bool, fn func(Found) error) (Skipped, error) {
	p, err := h.tree(root)
	if err != nil {
		return Skipped{}, err
	}
	s := &sweep{
		span: h.s, only: only, root: p, rules: h.s.gate.current(),
		disk: h.s.gate.disk(),
	}
	if !p.Dir {
		f := Found{Rel: filepath.Base(p.Abs), sweep: s, alone: true}
		if only != nil && !only(f) || s.hidden(s.disk.place(p)) {
			return s.skipped(walk.Counts{}), nil
		}
		err = fn(f)
		if errors.Is(err, fs.SkipAll) {
			err = nil
		}
		return s.skipped(walk.Counts{}), err
	}
	handle, err := h.s.gate.options.Workspace.Handle(p)
	if err != nil {
		return Skipped{}, err
	}
	defer handle.Close()
	w := walk.Options{Depth: o.Depth, Skip: s.skip}
	if !o.Ignored {
		w.Rules, _ = h.s.gate.rulesIn(p) // an ignored folder that is named is shown
	}
	counts, err := walk.Walk(ctx, handle, w, func(e walk.Entry) error {
		return fn(Found{Rel: e.Rel, Link: e.Type&fs.ModeSymlink != 0, sweep: s, entry: e})
	})
	return s.skipped(counts), err
}

// skip judges an entry.
func (s *sweep) skip(rel string, typ fs.FileMode) bool {
	if s.only != nil && !typ.IsDir() && !s.only(Found{Rel: rel, sweep: s}) {
		return true
	}
	if typ&fs.ModeSymlink == 0 {
		return s.hidden(s.place(rel))
	}
	// A link is judged by where it leads as well.
	p, err := s.disk.Resolve(filepath.Join(s.root.Abs, filepath.FromSlash(rel)), "")
	return err != nil || s.hidden(s.disk.place(p))
}

// place is what a path below the root stands for: no link is on the way.
func (s *sweep) place(rel string) policy.Place {
	native := string(filepath.Separator) + filepath.FromSlash(rel)
	place := policy.Place{Spellings: []policy.Spelling{s.disk.spell(join(s.root.Rel, rel), s.root.Abs+native)}}
	if s.root.Real != s.root.Abs {
		place.Spellings = append(place.Spellings, s.disk.spell(join(s.root.RealRel, rel), s.root.Real+native))
	}
	return place
}

func (s *sweep) hidden(p policy.Place) bool {
	j, denied := s.rules.ReadDenied(s.span.request.Tool, p)
	switch {
	case !denied:
	case j.By == policy.ByDefault:
		s.secret.Add(1)
	default:
		s.denied.Add(1)
	}
	return denied
}

func (s *sweep) skipped(c walk.Counts) Skipped {
	return Skipped{Secret: int(s.secret.Load()), Denied: int(s.denied.Load()), Ignored: c.Ignored, Unreadable: c.Unreadable}
}
