package files

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"assent/internal/gate"
	"assent/internal/workspace"
)

// step is one change on disk and its reversal. End, where there is one, gives
// up what the reversal needs, when all steps are done.
type step struct{ do, back, end func() error }

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
	var left []error
	for _, step := range steps {
		if step.end != nil {
			left = append(left, step.end())
		}
	}
	if err := errors.Join(left...); err != nil {
		return fmt.Errorf("all of it was done, but something was left behind: %w", err)
	}
	return nil
}

// steps are the changes from what was found to what is staged: renames, then
// contents, then removals, then what becomes of links, through which contents
// may have been written.
func (s *stage) steps() []step {
	var renames, contents, last []step
	for _, f := range s.files {
		away := s.renamed(f) // and what has the name by then is another file
		before, existed, known := f.found, f.existed && !away, f.read
		if f.from != nil && f.exists {
			renames = append(renames, s.move(f.from.name, f.name))
			before, existed, known = f.from.found, true, f.from.read
		}
		if f.exists && f.own && (!existed || !known || !bytes.Equal(before.Data, f.data)) {
			contents = append(contents, s.content(f, before, existed, known))
		}
		if f.existed && !f.exists && !away {
			last = append(last, s.removal(f.name))
		}
	}
	for _, l := range s.links {
		if l.to == "" {
			last = append(last, s.removal(l.name))
		} else {
			last = append(last, s.move(l.name, l.to))
		}
	}
	return append(append(renames, contents...), last...)
}

// move renames. Folders that are made for it go when it is taken back.
func (s *stage) move(from, to string) step {
	var vacant gate.Vacancy
	return step{
		do: func() (err error) {
			if vacant, err = s.hands.Vacant(to); err != nil {
				return err
			}
			return s.hands.Move(from, to)
		},
		back: func() error {
			err := s.hands.Move(to, from)
			vacant.Unmake()
			return err
		},
	}
}

// addition makes a file where none is.
func (s *stage) addition(f *staged) step {
	var vacant gate.Vacancy
	return step{
		do: func() (err error) {
			if vacant, err = s.hands.Vacant(f.name); err != nil {
				return err
			}
			return s.hands.Replace(f.name, f.data, f.mode, nil)
		},
		back: func() error { return vacant.Restore() },
	}
}

// removal takes a name away; what stood there is kept aside until all is done.
func (s *stage) removal(name string) step {
	var kept gate.Kept
	return step{
		do: func() (err error) {
			kept, err = s.hands.SetAside(name)
			return err
		},
		back: func() error { return kept.Restore() },
		end:  func() error { return kept.Drop() },
	}
}

// content writes a file. Where its former bytes written back are not all of what
// it was, because it has other names or was not read, it is kept meanwhile.
func (s *stage) content(f *staged, before workspace.File, existed, known bool) step {
	h := s.hands
	write := func() error { return h.Replace(f.name, f.data, 0, &before) }
	switch {
	case !existed:
		return s.addition(f)
	case known && before.HardLinks < 2:
		return step{do: write, back: func() error { return h.Replace(f.name, before.Data, 0, &workspace.File{Data: f.data}) }}
	case !known:
		write = func() error { return h.Write(f.name, f.data, 0) }
	}
	return s.keeping(f, before, known, write)
}

// keeping is the step of a write whose file is kept meanwhile. Where the system
// gives it no second name, what was read of it is written back.
func (s *stage) keeping(f *staged, before workspace.File, known bool, write func() error) step {
	var kept gate.Kept
	var lone error // why it is not kept
	return step{
		do: func() error {
			if kept, lone = s.hands.Keep(f.name); lone != nil && !known {
				return lone
			}
			err := write()
			if _, acted := errors.AsType[*workspace.DoneError](err); err != nil && !acted {
				err = errors.Join(err, kept.Drop())
			}
			return err
		},
		back: func() error {
			if lone != nil {
				return s.hands.Replace(f.name, before.Data, 0, &workspace.File{Data: f.data})
			}
			return kept.Restore()
		},
		end: func() error { return kept.Drop() },
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
