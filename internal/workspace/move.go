package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Move renames a regular file or a link; it never replaces anything (the error
// is fs.ErrExist) and makes missing folders. Between two roots or file systems
// the content is copied and the old file removed.
func (w *Workspace) Move(from, to Path) error {
	w.changes.Lock()
	defer w.changes.Unlock()
	if from.Root < 0 {
		return failed("move", from, ErrOutside)
	}
	if to.Root < 0 {
		return failed("move to", to, ErrOutside)
	}
	name, err := nameOf(from)
	if err != nil {
		return failed("move", from, err)
	}
	target := targetOf(from, to)
	if w.undo != nil {
		after, _, err := w.state(from.Root, name, 0)
		if err == nil {
			err = errors.Join(w.undo.before(w, from.Root, name, absent), w.undo.before(w, to.Root, target, after))
		}
		if err != nil {
			return failed("keep the former content of", from, err)
		}
	}
	made, err := w.move(from, name, to, target)
	if err != nil {
		return errors.Join(err, w.undo.settle(w, from.Root, name), w.undo.settle(w, to.Root, target))
	}
	return done(w.undo.made(target, made))
}

// respelled reports whether only the spelling of a name changes (Readme to
// README) on a file system for which the two are one file.
func respelled(from, to Path) bool {
	return from.Real == to.Real && from.Abs != to.Abs && !from.Link
}

// targetOf is the real place that a file gets.
func targetOf(from, to Path) string {
	if respelled(from, to) {
		return filepath.Join(filepath.Dir(to.Real), filepath.Base(to.Abs))
	}
	return to.Real
}

func (w *Workspace) move(from Path, name string, to Path, target string) (made []string, err error) {
	dir, base, _, err := w.parent(from, name, false)
	if err != nil {
		return nil, failed("move", from, err)
	}
	defer dir.close()
	info, err := loose(dir.Root, base, from)
	if err != nil {
		return nil, failed("move", from, err)
	}
	into, newBase, made, err := w.parent(to, target, true)
	if err != nil {
		return nil, failed("move to", to, err)
	}
	defer into.close()
	if err := exchange(dir.Root, base, into.Root, newBase, info, from, to); err != nil {
		w.unmake(to.Root, made)
		return nil, err
	}
	if err := done(errors.Join(syncFolder(into.Root), syncFolder(dir.Root))); err != nil {
		return made, failed("move", from, err)
	}
	return made, nil
}

// loose describes a file or link that may get another name or go.
func loose(dir *os.Root, base string, p Path) (fs.FileInfo, error) {
	info, err := dir.Lstat(base)
	if err != nil {
		return nil, err
	}
	if kind := kindOf(info.Mode()); kind != "" && kind != KindLink {
		return nil, &KindError{Path: p.name(), Kind: kind}
	}
	return info, nil
}

// vacant says that a name is taken by another file than the one that is to get
// it.
func vacant(into *os.Root, newBase string, info fs.FileInfo, from, to Path) error {
	if there, err := into.Lstat(newBase); err == nil && (!os.SameFile(there, info) || !respelled(from, to)) {
		return fmt.Errorf("move to %s: %w", to.name(), fs.ErrExist)
	}
	return nil
}

// exchange gives a file of one open folder a name in another.
func exchange(dir *os.Root, base string, into *os.Root, newBase string, info fs.FileInfo, from, to Path) error {
	if err := vacant(into, newBase, info, from, to); err != nil {
		return err
	}
	err := rename(dir, base, into, newBase, respelled(from, to))
	if errors.Is(err, errCrossDevice) {
		err = carry(dir, base, into, newBase, info, from, syncFolder)
	}
	if err != nil {
		return failed("move", from, err)
	}
	return nil
}

// carry moves a file to another file system: the copy is whole and its name is
// safe, by sync, before the old name goes. It goes itself when the old name
// stays. The content is not held in memory.
func carry(dir *os.Root, base string, into *os.Root, newBase string, info fs.FileInfo, p Path, sync func(*os.Root) error) error {
	if err := copyTo(dir, base, into, newBase, info, p); err != nil {
		return err
	}
	err := sync(into)
	if err == nil {
		err = dir.Remove(base)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) { // gone, whoever took it
		return nil
	}
	if still := into.Remove(newBase); still != nil {
		return fmt.Errorf("%w; the copy stays as well: %w", cause(err), cause(still))
	}
	return err
}

// copyTo makes a copy of a file or link under a name that is free.
func copyTo(dir *os.Root, base string, into *os.Root, newBase string, info fs.FileInfo, p Path) error {
	if kindOf(info.Mode()) == KindLink {
		target, err := dir.Readlink(base)
		if err != nil {
			return err
		}
		return into.Symlink(target, newBase)
	}
	f, info, err := openFile(dir, base, p)
	if err != nil {
		return err
	}
	defer f.Close()
	temp, err := spill(into, f, &former{dir, base, info}, 0)
	if err != nil {
		return err
	}
	if err := rename(into, temp, into, newBase, false); err != nil {
		_ = into.Remove(temp) // the rename's error is the one to tell
		return err
	}
	return nil
}

// Remove removes a regular file, or a link (not what it leads to), never a
// folder.
func (w *Workspace) Remove(p Path) error {
	w.changes.Lock()
	defer w.changes.Unlock()
	if p.Root < 0 {
		return failed("delete", p, ErrOutside)
	}
	name, err := nameOf(p)
	if err != nil {
		return failed("delete", p, err)
	}
	if err := w.undo.before(w, p.Root, name, absent); err != nil {
		return failed("keep the former content of", p, err)
	}
	if err := w.remove(p, name); err != nil {
		return failed("delete", p, errors.Join(err, w.undo.settle(w, p.Root, name)))
	}
	return nil
}

func (w *Workspace) remove(p Path, name string) error {
	dir, base, _, err := w.parent(p, name, false)
	if err != nil {
		return err
	}
	defer dir.close()
	if _, err := loose(dir.Root, base, p); err != nil {
		return err
	}
	if err := dir.Remove(base); err != nil {
		return err
	}
	return done(syncFolder(dir.Root))
}

// nameOf is the real place of the name itself, which for a link is not what it
// leads to. A link that is reached through another link stands in a folder that
// nobody judged, so it is refused.
func nameOf(p Path) (string, error) {
	if !p.Link {
		return p.Real, nil
	}
	if p.entry != p.Abs {
		return "", ErrUnnamed
	}
	return p.entry, nil
}
