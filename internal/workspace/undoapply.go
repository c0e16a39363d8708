package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Undo takes back what a turn (empty: the newest that stands) did to files,
// the last changed first. A file that does not hold what the turn left in it
// is reported and left alone.
func (u *Undo) Undo(id string) (Report, error) {
	u.w.changes.Lock()
	defer u.w.changes.Unlock()
	u.mu.Lock()
	defer u.mu.Unlock()
	var t *turn
	for i := len(u.turns) - 1; i >= 0 && t == nil; i-- {
		if c := u.turns[i]; !c.undone && (id == "" || c.id == id) {
			t = c
		}
	}
	if t == nil {
		return Report{}, fmt.Errorf("undo: %w", ErrNothing)
	}
	r := Report{Turn: t.id}
	var errs []error
	for i := len(t.files) - 1; i >= 0; i-- {
		c := t.files[i]
		errs = append(errs, u.turnTo(&r, c, &c.after, c.before))
	}
	for i := len(t.files) - 1; i >= 0; i-- {
		c := t.files[i]
		u.w.unmake(u.w.place(c.path, c.path, found{real: c.path}).Root, c.made)
	}
	return r, errors.Join(append(errs, u.mark(t, markUndone))...)
}

// Redo makes the changes again of the turn that was undone last. It is nothing
// (ErrNothing) once a later turn changed files, or when id names another turn.
func (u *Undo) Redo(id string) (Report, error) {
	u.w.changes.Lock()
	defer u.w.changes.Unlock()
	u.mu.Lock()
	defer u.mu.Unlock()
	n := len(u.undone)
	if n == 0 || id != "" && u.undone[n-1].id != id {
		return Report{}, fmt.Errorf("redo: %w", ErrNothing)
	}
	t := u.undone[n-1]
	r := Report{Turn: t.id}
	var errs []error
	for _, c := range t.files {
		errs = append(errs, u.turnTo(&r, c, &c.before, c.after))
	}
	return r, errors.Join(append(errs, u.mark(t, markRedone))...)
}

func (u *Undo) mark(t *turn, mark string) error {
	e := entry{Turn: t.id, Mark: mark}
	if err := u.store.append(e); err != nil {
		return err
	}
	u.replay(e)
	return nil
}

// turnTo brings a file from one state to another, if it is in the first, and
// keeps the first (with the mode that the file has by now) for the way back.
func (u *Undo) turnTo(r *Report, c *change, from *state, to state) error {
	p, err := u.w.Resolve(c.path, "")
	if err != nil {
		return err
	}
	link := from.Kind == kindLink || to.Kind == kindLink
	if p.Root < 0 && !link || p.Real != c.path && (!link || p.entry != c.path) {
		r.Changed = append(r.Changed, c.path) // a folder on its way is a link now
		return nil
	}
	if p.Root < 0 || link {
		p = u.w.place(c.path, c.path, found{real: c.path, entry: c.path})
	}
	now, data, err := u.w.state(p.Root, c.path, u.store.maxFile)
	switch {
	case err != nil:
		return failed("look at", p, err)
	case now.same(to):
		return nil
	case !now.same(*from):
		r.Changed = append(r.Changed, c.path)
		return nil
	}
	if now.Kind == kindFile {
		if err := u.store.put(now.Hash, data); err != nil {
			return failed("keep", p, err)
		}
	}
	*from = now
	return u.bring(r, p, c, now, to)
}

// bring puts a state on disk and reports it.
func (u *Undo) bring(r *Report, p Path, c *change, now, to state) error {
	if to.Kind == kindAbsent {
		if err := u.w.remove(p, c.path); err != nil {
			return failed("remove", p, err)
		}
		r.Removed = append(r.Removed, c.path)
		return nil
	}
	if to.Kind == kindLink || now.Kind == kindLink {
		return u.bringLink(r, p, c, now, to)
	}
	data, err := u.store.get(to.Hash)
	if err != nil {
		r.Lost = append(r.Lost, c.path)
		return nil //nolint:nilerr // reported as lost
	}
	if _, err := u.w.put(p, data, to.Mode, basis{}); err != nil {
		return failed("restore", p, err)
	}
	if now.Kind == kindAbsent {
		r.Created = append(r.Created, c.path)
	} else {
		r.Restored = append(r.Restored, c.path)
	}
	return nil
}

// bringLink brings back a link that was removed or moved away. Nothing in the
// workspace turns a file into a link or back, so only absence is replaced.
func (u *Undo) bringLink(r *Report, p Path, c *change, now, to state) error {
	if now.Kind != kindAbsent {
		r.Changed = append(r.Changed, c.path)
		return nil
	}
	dir, base, _, err := u.w.parent(p, c.path, true)
	if err != nil {
		return failed("restore", p, err)
	}
	defer dir.close()
	if err := dir.Symlink(filepath.FromSlash(string(to.Target)), base); err != nil {
		return failed("restore", p, err)
	}
	r.Created = append(r.Created, c.path)
	return nil
}
