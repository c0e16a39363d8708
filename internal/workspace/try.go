package workspace

import (
	"errors"
	"io/fs"
)

// TryWrite is the error with which Write would fail, as far as that can be
// known without a change; nil promises nothing.
func (w *Workspace) TryWrite(p Path) error {
	w.changes.Lock()
	defer w.changes.Unlock()
	dir, base, _, err := w.parent(p, p.Real, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it would be made
	}
	if err != nil {
		return failed("write", p, err)
	}
	defer dir.close()
	if _, err := standing(dir.Root, base, p, mayWrite); err != nil {
		return failed("write", p, err)
	}
	return nil
}

// TryMove is the error with which Move would fail, as TryWrite is Write's.
func (w *Workspace) TryMove(from, to Path) error {
	w.changes.Lock()
	defer w.changes.Unlock()
	if to.Root < 0 {
		return failed("move to", to, ErrOutside)
	}
	name, err := nameOf(from)
	if err != nil {
		return failed("move", from, err)
	}
	dir, base, _, err := w.parent(from, name, false)
	if err != nil {
		return failed("move", from, err)
	}
	defer dir.close()
	info, err := loose(dir.Root, base, from)
	if err != nil {
		return failed("move", from, err)
	}
	into, newBase, _, err := w.parent(to, targetOf(from, to), false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it would be made
	}
	if err != nil {
		return failed("move to", to, err)
	}
	defer into.close()
	return vacant(into.Root, newBase, info, from, to)
}

// TryRemove is the error with which Remove would fail, as TryWrite is Write's.
func (w *Workspace) TryRemove(p Path) error {
	w.changes.Lock()
	defer w.changes.Unlock()
	name, err := nameOf(p)
	if err != nil {
		return failed("delete", p, err)
	}
	dir, base, _, err := w.parent(p, name, false)
	if err != nil {
		return failed("delete", p, err)
	}
	defer dir.close()
	if _, err := loose(dir.Root, base, p); err != nil {
		return failed("delete", p, err)
	}
	return nil
}
