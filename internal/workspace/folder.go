package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is an open folder of a root.
type folder struct {
	*os.Root
	owned bool // false for the root's own handle
}

func (f folder) close() {
	if f.owned {
		_ = f.Close() // a folder has nothing to lose
	}
}

// parent opens the folder that holds a real path and gives the path's last
// part. With create, missing folders are made; made lists them, outermost
// first.
func (w *Workspace) parent(p Path, real string, create bool) (dir folder, base string, made []string, err error) {
	if p.Root < 0 || p.Root >= len(w.roots) {
		return folder{}, "", nil, ErrOutside
	}
	rest, ok := below(w.roots[p.Root].real, real)
	if !ok {
		return folder{}, "", nil, ErrOutside
	}
	if rest == "" {
		return folder{Root: w.roots[p.Root].handle}, ".", nil, nil
	}
	inner, base := filepath.Split(rest)
	dir, made, err = w.folder(p.Root, inner, create)
	return dir, base, made, err
}

// folder opens a folder of a root one part at a time. Each part must be a
// folder and no link at the moment after it was opened, so what is opened is
// what the path names, whatever is swapped meanwhile.
func (w *Workspace) folder(i int, rel string, create bool) (folder, []string, error) {
	at := folder{Root: w.roots[i].handle}
	where := w.roots[i].real
	var made []string
	for _, part := range split(rel) {
		where = filepath.Join(where, part)
		next, fresh, err := enter(at.Root, part, create)
		at.close()
		if fresh {
			made = append(made, where)
		}
		if err != nil {
			w.unmake(i, made)
			return folder{}, nil, err
		}
		at = folder{Root: next, owned: true}
	}
	return at, made, nil
}

// enter opens one part of a path, which must be a folder. A folder that was
// replaced meanwhile by another is opened anew, as openFile does with files.
func enter(dir *os.Root, part string, create bool) (next *os.Root, made bool, err error) {
	for range openTries {
		var fresh bool
		next, fresh, err = enterNamed(dir, part, create)
		made = made || fresh
		if !errors.Is(err, errReplaced) {
			return next, made, err
		}
	}
	return nil, made, ErrChanged
}

// enterNamed is one try of enter.
func enterNamed(dir *os.Root, part string, create bool) (next *os.Root, made bool, err error) {
	named, err := dir.Lstat(part)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err = dir.Mkdir(part, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, false, err
		}
		made = err == nil
		named, err = dir.Lstat(part)
	}
	if err != nil {
		return nil, made, err
	}
	if !named.IsDir() {
		if kindOf(named.Mode()) == KindLink {
			return nil, made, ErrChanged // links were followed when the path was resolved
		}
		return nil, made, errNotFolder
	}
	if next, err = dir.OpenRoot(part); err != nil {
		return nil, made, err
	}
	opened, err := next.Stat(".")
	if err == nil {
		named, err = dir.Lstat(part)
	}
	if err == nil && (!named.IsDir() || !os.SameFile(opened, named)) {
		err = errReplaced
	}
	if err != nil {
		_ = next.Close() // not what was asked for
		return nil, made, err
	}
	return next, made, nil
}

// errNotFolder says that a part of a path that must be a folder is a file.
var errNotFolder = errors.New("a part of the path is a file, not a folder")

// unmake removes folders that were made for a change that failed or was taken
// back, innermost first, as long as they are empty.
func (w *Workspace) unmake(i int, made []string) {
	if i < 0 {
		return
	}
	for n := len(made) - 1; n >= 0; n-- {
		rest, ok := below(w.roots[i].real, made[n])
		if !ok {
			return
		}
		inner, base := filepath.Split(rest)
		dir, _, err := w.folder(i, inner, false)
		if err != nil {
			return
		}
		err = removeEmpty(dir.Root, base)
		dir.close()
		if err != nil {
			return
		}
	}
}

// removeEmpty removes a folder, never a file; the system refuses when it is
// not empty.
func removeEmpty(dir *os.Root, base string) error {
	info, err := dir.Lstat(base)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errNotFolder
	}
	return dir.Remove(base)
}
