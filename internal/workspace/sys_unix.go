//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// openFlags keep an open from waiting for the other end of a FIFO and from
// taking a terminal as its own, should one have taken the place of a file.
const openFlags = unix.O_NONBLOCK | unix.O_NOCTTY

// shortNames says that the system gives files a second, shortened name.
const shortNames = false

const (
	errBusy        = unix.ETXTBSY
	errCrossDevice = unix.EXDEV
)

// maxName is the longest name of one part, in bytes, on every usual file system.
const maxName = 255

// storedName: the system cannot be asked; the folder is read where it matters.
func storedName(string) (string, bool) { return "", false }

// native is a name as programs of this system spell it: as it is.
func native(name, _ string) string { return name }

// readings: a name is the name of one file here.
func readings(string, string) []string { return nil }

// checkName refuses what can be no name here.
func checkName(name string) error {
	for _, part := range split(name) {
		if len(part) > maxName {
			return fmt.Errorf("%w: a part of it is longer than %d bytes", ErrName, maxName)
		}
	}
	return nil
}

// hardLinks is the number of names of a file.
func hardLinks(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 1
}

// keepOwner gives f the owner and group of the file that it will replace, as
// far as this process may.
func keepOwner(f *os.File, old fs.FileInfo) {
	was, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	if info, err := f.Stat(); err == nil {
		if is, ok := info.Sys().(*syscall.Stat_t); ok && is.Uid == was.Uid && is.Gid == was.Gid {
			return
		}
	}
	if f.Chown(int(was.Uid), int(was.Gid)) != nil {
		_ = f.Chown(-1, int(was.Gid)) // at least the group, which its members may give
	}
}

// syncFolder makes a rename or removal last. File systems that cannot sync a
// folder say EINVAL, and a folder that may be written but not read cannot be
// opened for it; there is nothing more to do on them.
func syncFolder(dir *os.Root) error {
	f, err := dir.Open(".")
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return nil
}

// mayWrite is writable without opening the file: whoever watches it would take
// the end of that for a change, and it could not be started meanwhile.
func mayWrite(dir *os.Root, base string) error {
	f, err := dir.Open(".")
	if err != nil {
		return nil // a folder that may not be read can be asked nothing
	}
	defer f.Close()
	return unix.Faccessat(int(f.Fd()), base, unix.W_OK, unix.AT_EACCESS|unix.AT_SYMLINK_NOFOLLOW)
}

// lockFolder lets the programs that replace files of a folder take turns, as far
// as its file system knows locks. One that holds the folder for long, for a
// purpose of its own, is waited for briefly only.
func lockFolder(dir *os.Root) (unlock func()) {
	f, err := dir.Open(".")
	if err != nil {
		return func() {}
	}
	for range 200 {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return func() { _ = f.Close() } // which gives the lock up
}

// rename moves a name from one open folder to another, so that no link that
// appears on either path is followed. Without replace an existing name is
// fs.ErrExist.
func rename(dir *os.Root, base string, into *os.Root, newBase string, replace bool) error {
	from, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := into.Open(".")
	if err != nil {
		return err
	}
	defer to.Close()
	if !replace {
		err = renameExclusive(int(from.Fd()), base, int(to.Fd()), newBase)
		if !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, unix.EINVAL) {
			return err
		}
	}
	return unix.Renameat(int(from.Fd()), base, int(to.Fd()), newBase)
}
