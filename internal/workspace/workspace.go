package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Options opens a workspace.
type Options struct {
	// Root is the main root, from which relative paths are read. It is made
	// absolute and real; empty means the current folder.
	Root string
	// Extra are further roots that file tools may touch.
	Extra []string
	// Home is what "~" stands for; empty means the user's home folder.
	Home string
}

// Workspace is the user's folders, held open by handles that cannot be walked
// out of. Its methods may be called from several goroutines; changes are made
// one at a time.
type Workspace struct {
	roots []root
	home  string
	walk  walker

	changes sync.Mutex // held over each change, so that Undo sees them in order
	undo    *Undo
}

// root is one folder: its handle, its real path, and the spelling that the
// user gave, under which paths may be named as well.
type root struct {
	handle      *os.Root
	real, given string
}

// Open opens a handle for each root. It does not scan them.
func Open(o Options) (*Workspace, error) {
	w := &Workspace{home: o.Home, walk: disk()}
	if w.home == "" {
		if home, err := os.UserHomeDir(); err == nil {
			w.home = home
		}
	}
	for _, name := range append([]string{o.Root}, o.Extra...) {
		r, err := w.openRoot(name)
		if err != nil {
			_ = w.Close() // the error of opening is the one to tell
			return nil, err
		}
		w.roots = append(w.roots, r)
	}
	return w, nil
}

func (w *Workspace) openRoot(name string) (root, error) {
	given := name
	if given != "" {
		given = native(w.expand(name), "")
	}
	given, err := filepath.Abs(given)
	if err != nil {
		return root{}, fmt.Errorf("open workspace root %q: %w", name, err)
	}
	at, err := w.walk.follow(given)
	if err != nil {
		return root{}, fmt.Errorf("open workspace root %q: %w", name, err)
	}
	if !at.exists {
		return root{}, &missingRootError{name}
	}
	if !at.info.IsDir() {
		return root{}, fmt.Errorf("open workspace root %q: it is no folder", name)
	}
	handle, err := os.OpenRoot(at.real)
	if err != nil {
		return root{}, fmt.Errorf("open workspace root %q: %w", name, cause(err))
	}
	return root{handle, at.real, given}, nil
}

// Close gives the handles back.
func (w *Workspace) Close() error {
	var errs []error
	for _, r := range w.roots {
		errs = append(errs, r.handle.Close())
	}
	return errors.Join(errs...)
}

// Root is the real absolute path of the main root.
func (w *Workspace) Root() string { return w.roots[0].real }

// Roots are the real absolute paths of all roots, the main one first.
func (w *Workspace) Roots() []string {
	list := make([]string, len(w.roots))
	for i, r := range w.roots {
		list[i] = r.real
	}
	return list
}

// Record lets u keep what every later change overwrites; nil stops that.
func (w *Workspace) Record(u *Undo) {
	w.changes.Lock()
	defer w.changes.Unlock()
	w.undo = u
}

// below reports whether p is dir or lies in it, and gives the rest of p
// without a leading separator.
func below(dir, p string) (string, bool) {
	if p == dir {
		return "", true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.CutPrefix(p, dir)
}
