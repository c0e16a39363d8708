package walk

import (
	"io"
	"io/fs"
	"os"
	"time"
)

// folder is an open folder.
type folder struct {
	root  *os.Root
	owned bool
}

func openTop(root *os.Root) (*folder, error) { return &folder{root, false}, nil }

// enter opens a folder in this one, no link to one.
func (f *folder) enter(name string) (*folder, error) {
	named, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !named.IsDir() {
		return nil, ErrNotRegular
	}
	sub, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := sub.Stat(".")
	if err == nil && !os.SameFile(named, opened) {
		err = fs.ErrNotExist // swapped for a link meanwhile
	}
	if err != nil {
		_ = sub.Close() // not what was asked for
		return nil, err
	}
	return &folder{sub, true}, nil
}

func (f *folder) list() ([]fs.DirEntry, error) {
	d, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }() // it was only read
	return d.ReadDir(-1)
}

func (f *folder) close() {
	if f.owned {
		_ = f.root.Close() // a folder has nothing to lose
	}
}

func (f *folder) read(name string, buf []byte, most int64) ([]byte, error) {
	info, err := f.root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, ErrNotRegular
	case info.Size() > most:
		return nil, ErrTooLarge
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	if int64(cap(buf)) <= info.Size() {
		buf = make([]byte, 0, info.Size()+512)
	}
	buf = buf[:cap(buf)]
	n, err := io.ReadFull(io.LimitReader(file, most+1), buf)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return buf[:n], err
}

func (f *folder) stat(name string) (int64, time.Time, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return 0, time.Time{}, err
	}
	return info.Size(), info.ModTime(), nil
}
