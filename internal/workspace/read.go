package workspace

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
)

// DefaultMax is the size limit of Read in bytes when none is given.
const DefaultMax = 64 << 20

// File is a regular file that was read.
type File struct {
	Path Path
	Data []byte
	// Mode is the file's mode, Size its length in bytes.
	Mode fs.FileMode
	Size int64
	// Link says that the name was a symbolic link to the file.
	Link bool
	// HardLinks is the number of names that the file has; 1 for most.
	HardLinks int
}

// Read reads a regular file of at most max bytes (0: DefaultMax). Anything else
// is a *KindError, found out without opening it, so that reading never waits.
func (w *Workspace) Read(p Path, max int64) (File, error) {
	if max <= 0 {
		max = DefaultMax
	}
	dir, base, _, err := w.parent(p, p.Real, false)
	if err != nil {
		return File{}, failed("read", p, err)
	}
	defer dir.close()
	f, info, err := openFile(dir.Root, base, p)
	if err != nil {
		return File{}, failed("read", p, err)
	}
	defer f.Close()
	tooLarge := &KindError{Path: p.name(), Kind: KindTooLarge, Size: info.Size(), Max: max}
	if info.Size() > max {
		return File{}, failed("read", p, tooLarge)
	}
	data, err := io.ReadAll(io.LimitReader(f, max+1))
	if err != nil {
		return File{}, failed("read", p, err)
	}
	if int64(len(data)) > max { // it grew, or does not know its size
		tooLarge.Size = int64(len(data))
		return File{}, failed("read", p, tooLarge)
	}
	return File{
		Path: p, Data: data, Mode: info.Mode(), Size: int64(len(data)),
		Link: p.Link, HardLinks: hardLinks(info),
	}, nil
}

// openTries is how often a name is opened that other programs keep replacing.
// One try takes some ten microseconds and a save a hundred at least, so that
// two in a row are rare; a name that changes a hundred times in a row is a game.
const openTries = 100

// openFile opens a regular file of a folder for reading. What was opened is
// compared with what the name stands for, so that a link that took its place
// is not followed. A file that was saved meanwhile, which gives the name to
// another file, is opened anew.
func openFile(dir *os.Root, base string, p Path) (f *os.File, info fs.FileInfo, err error) {
	for range openTries {
		f, info, err = openNamed(dir, base, p)
		if !errors.Is(err, errReplaced) {
			return f, info, err
		}
	}
	return nil, nil, ErrChanged
}

// errReplaced says that a name stood for another thing once it was open.
var errReplaced = errors.New("the name was given to something else")

// openNamed is one try of openFile.
func openNamed(dir *os.Root, base string, p Path) (*os.File, fs.FileInfo, error) {
	named, err := dir.Lstat(base)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(named, p); err != nil {
		return nil, nil, err
	}
	f, err := dir.OpenFile(base, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		named, err = dir.Lstat(base)
	}
	if err == nil && !os.SameFile(info, named) {
		err = errReplaced
	}
	if err == nil {
		err = regular(info, p)
	}
	if err != nil {
		_ = f.Close() // only read from
		return nil, nil, err
	}
	return f, info, nil
}

// regular refuses what is not a regular file.
func regular(info fs.FileInfo, p Path) error {
	switch kind := kindOf(info.Mode()); kind {
	case "":
		return nil
	case KindLink:
		return ErrChanged // links were followed when the path was resolved
	default:
		return &KindError{Path: p.name(), Kind: kind, Size: info.Size()}
	}
}

// Stat describes what the path leads to, links followed.
func (w *Workspace) Stat(p Path) (fs.FileInfo, error) {
	dir, base, _, err := w.parent(p, p.Real, false)
	if err != nil {
		return nil, failed("look at", p, err)
	}
	defer dir.close()
	info, err := dir.Lstat(base)
	if err != nil {
		return nil, failed("look at", p, err)
	}
	if kindOf(info.Mode()) == KindLink {
		return nil, failed("look at", p, ErrChanged)
	}
	return info, nil
}

// List gives the entries of a folder, sorted by name. Links are entries of
// their own and are not followed.
func (w *Workspace) List(p Path) ([]fs.DirEntry, error) {
	if p.Root < 0 || p.Root >= len(w.roots) {
		return nil, failed("list", p, ErrOutside)
	}
	rest, ok := below(w.roots[p.Root].real, p.Real)
	if !ok {
		return nil, failed("list", p, ErrOutside)
	}
	dir, _, err := w.folder(p.Root, rest, false)
	if err != nil {
		return nil, failed("list", p, err)
	}
	defer dir.close()
	f, err := dir.Open(".")
	if err != nil {
		return nil, failed("list", p, err)
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, failed("list", p, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, nil
}
