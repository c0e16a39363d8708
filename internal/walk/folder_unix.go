//go:build unix

package walk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// folder is an open folder.
type folder struct {
	file *os.File
	fd   int
}

func openTop(root *os.Root) (*folder, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &folder{f, int(f.Fd())}, nil
}

// enter opens a folder in this one, no link to one.
func (f *folder) enter(name string) (*folder, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(f.fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	// The name is used only where a file system does not tell types.
	return &folder{os.NewFile(uintptr(fd), filepath.Join(f.file.Name(), name)), fd}, nil
}

func (f *folder) list() ([]fs.DirEntry, error) { return f.file.ReadDir(-1) }

func (f *folder) close() { _ = f.file.Close() } // a folder has nothing to lose

// read reads a regular file. It is opened so that it can neither wait nor be a
// link. A first read that fills less than the buffer tells the size, so that
// most files cost four system calls.
func (f *folder) read(name string, buf []byte, most int64) ([]byte, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(f.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(fd) }() // it was only read
	if cap(buf) < 512 {
		buf = make([]byte, 0, 16<<10)
	}
	buf = buf[:0]
	for {
		n, err := retry(func() (int, error) { return unix.Read(fd, buf[len(buf):cap(buf)]) })
		switch {
		case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EISDIR):
			return nil, ErrNotRegular
		case err != nil:
			return nil, err
		case n == 0:
			return buf, nil
		}
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > most {
			return nil, ErrTooLarge
		}
		if len(buf) == cap(buf) {
			if buf, err = grow(fd, buf, most); err != nil {
				return nil, err
			}
		}
	}
}

// grow makes room for the rest of a file that did not fit.
func grow(fd int, buf []byte, most int64) ([]byte, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, ErrNotRegular
	}
	if st.Size > most {
		return nil, ErrTooLarge
	}
	size := min(max(st.Size+512, 2*int64(cap(buf))), most+512)
	return append(make([]byte, 0, size), buf...), nil
}

func (f *folder) stat(name string) (int64, time.Time, error) {
	var st unix.Stat_t
	_, err := retry(func() (int, error) { return 0, unix.Fstatat(f.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return 0, time.Time{}, err
	}
	return st.Size, modified(&st), nil
}

// retry repeats a call that a signal broke off.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
