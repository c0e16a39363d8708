package workspace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// Kept is what stood at a name before a change, held under another name in the
// same folder until the change is final. It is the thing itself, not a copy: a
// link stays a link, a file keeps its other names and all that belongs to it.
// One of Restore and Drop ends it.
type Kept struct {
	w *Workspace
	p Path
	// real is where it stood, aside the last part of the name that it has now.
	real, aside string
	// away says that it left its name; else it only got the other one as well.
	away bool
}

// SetAside takes a file or a link (not what it leads to) away from its name,
// as Remove does, so that it can be brought back.
func (w *Workspace) SetAside(p Path) (*Kept, error) {
	w.changes.Lock()
	defer w.changes.Unlock()
	if p.Root < 0 {
		return nil, failed("delete", p, ErrOutside)
	}
	name, err := nameOf(p)
	if err != nil {
		return nil, failed("delete", p, err)
	}
	if err := w.undo.before(w, p.Root, name, absent); err != nil {
		return nil, failed("keep the former content of", p, err)
	}
	k := &Kept{w: w, p: p, real: name, aside: asideName(name), away: true}
	if err := k.leave(); err != nil {
		return nil, failed("delete", p, errors.Join(err, w.undo.settle(w, p.Root, name)))
	}
	return k, nil
}

// leave renames what stands at the name, for good or not at all.
func (k *Kept) leave() error {
	dir, base, _, err := k.w.parent(k.p, k.real, false)
	if err != nil {
		return err
	}
	defer dir.close()
	if _, err := loose(dir.Root, base, k.p); err != nil {
		return err
	}
	if err := rename(dir.Root, base, dir.Root, k.aside, false); err != nil {
		return err
	}
	if err := syncFolder(dir.Root); err != nil {
		return errors.Join(err, rename(dir.Root, k.aside, dir.Root, base, false))
	}
	return nil
}

// Keep gives the regular file that the path leads to a second name, so that it
// can be brought back after a Write, which would part it from its other names.
func (w *Workspace) Keep(p Path) (*Kept, error) {
	w.changes.Lock()
	defer w.changes.Unlock()
	k := &Kept{w: w, p: p, real: p.Real, aside: asideName(p.Real)}
	dir, base, _, err := w.parent(p, p.Real, false)
	if err != nil {
		return nil, failed("keep", p, err)
	}
	defer dir.close()
	info, err := dir.Lstat(base)
	if err == nil {
		err = regular(info, p)
	}
	if err == nil {
		err = dir.Link(base, k.aside)
	}
	if err != nil {
		return nil, failed("keep", p, err)
	}
	return k, nil
}

// Restore brings it back to its name. What another program put there meanwhile
// is not replaced (fs.ErrExist) where it had left the name.
func (k *Kept) Restore() error {
	k.w.changes.Lock()
	defer k.w.changes.Unlock()
	dir, base, _, err := k.w.parent(k.p, k.real, false)
	if err != nil {
		return failed("bring back", k.p, err)
	}
	defer dir.close()
	if err := rename(dir.Root, k.aside, dir.Root, base, !k.away); err != nil {
		return failed("bring back", k.p, err)
	}
	// Where both names were still one file the rename did nothing.
	err = errors.Join(gone(dir.Root, k.aside), syncFolder(dir.Root), k.w.undo.settle(k.w, k.p.Root, k.real))
	if err != nil {
		return failed("bring back", k.p, err)
	}
	return nil
}

// Drop gives up what was kept.
func (k *Kept) Drop() error {
	k.w.changes.Lock()
	defer k.w.changes.Unlock()
	dir, _, _, err := k.w.parent(k.p, k.real, false)
	if err == nil {
		defer dir.close()
		err = gone(dir.Root, k.aside)
	}
	if err != nil {
		return failed("remove the former content ("+k.aside+") of", k.p, err)
	}
	return nil
}

// Vacancy is a place where no file is.
type Vacancy struct {
	w    *Workspace
	p    Path
	list []string // real paths of the folders that it lacks, outermost first
}

// Vacancy notes that nothing is where the path leads, and which folders would
// be made for a file there.
func (w *Workspace) Vacancy(p Path) Vacancy {
	v := Vacancy{w: w, p: p}
	if p.Root < 0 {
		return v
	}
	top := w.roots[p.Root]
	for dir := filepath.Dir(p.Real); ; dir = filepath.Dir(dir) {
		rel, ok := below(top.real, dir)
		if !ok || rel == "" {
			break
		}
		if _, err := top.handle.Lstat(rel); !isMissing(err) {
			break
		}
		v.list = append([]string{dir}, v.list...)
	}
	return v
}

// Clear removes the file that was put there, through a link or not, and the
// folders that were made for it. A file that holds something else than what
// ours knows stays; the error is ErrMeanwhile.
func (v Vacancy) Clear(ours func(data []byte) bool) error {
	if v.w == nil {
		return nil
	}
	v.w.changes.Lock()
	defer v.w.changes.Unlock()
	f, err := v.w.Read(v.p, 0)
	switch {
	case isMissing(err):
		err = nil
	case err == nil && !ours(f.Data):
		err = ErrMeanwhile
	case err == nil:
		err = v.w.remove(v.p, v.p.Real)
	}
	v.w.unmake(v.p.Root, v.list)
	if err = errors.Join(err, v.w.undo.settle(v.w, v.p.Root, v.p.Real)); err != nil {
		return failed("take back", v.p, err)
	}
	return nil
}

// Unmake removes the folders that it lacked, as far as they are empty.
func (v Vacancy) Unmake() {
	if v.w == nil {
		return
	}
	v.w.changes.Lock()
	defer v.w.changes.Unlock()
	v.w.unmake(v.p.Root, v.list)
}

// gone removes a name that may be gone already.
func gone(dir *os.Root, base string) error {
	if err := dir.Remove(base); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// tempName is a name of this program's own for what is not final.
func tempName() string { return ".assent-" + rand.Text()[:16] + ".tmp" }

// asideName is one for what stood at a path. When this program is killed before
// the change is final, it tells whoever finds the file whose content it is.
func asideName(path string) string {
	const own = len(".assent-") + 16 + len("-") + len(".tmp")
	base := filepath.Base(path)
	for len(base)+own > mostOfName {
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
	return ".assent-" + rand.Text()[:16] + "-" + base + ".tmp"
}

// mostOfName is the longest name in bytes that every usual file system takes.
const mostOfName = 255
