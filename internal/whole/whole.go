// Package whole owns how a small file of this program gets onto the disk: as a
// whole or not at all, and there to stay; and what counts as a file there ([Plain]).
//
// It knows nothing of what a file means, and nothing of locks: where several
// processes write one name, the caller holds the lock. Files of the user's
// project are the business of package workspace, which works below an open
// folder and keeps owners and attributes.
//
// The flow of a write: a temporary file beside the name, with its final mode
// before it has any content; content, sync, rename, sync of the folder.
//
// Laws:
//
//   - Whoever reads the name finds the old content or the new one, also after
//     a crash or a power cut; after an error the old one.
//   - What a killed writer left behind is removed: at once by [Sweep], and by
//     any later write in the place of that name when it is older than an hour;
//     by one of a new name too, where the folder holds no more than a glance.
//   - A new file costs the same in a folder of many as in an empty one.
//   - An error names the file, never the temporary one.
package whole

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// private is the mode of a new file for which none is given, and folders that
// of a folder that is made.
const (
	private fs.FileMode = 0o600
	folders fs.FileMode = 0o700
)

// Replace puts data under a name, in the place of the file that may be there.
// Mode 0 keeps the permissions of that file, and is 0600 for a new one. A link
// is replaced itself; who wants its target written resolves it first. The
// folder must be there.
func Replace(name string, data []byte, mode fs.FileMode) error {
	if mode == 0 {
		mode = private
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			mode = info.Mode().Perm()
		}
	}
	return put(name, data, mode, rename)
}

// Claim puts data under a name that is free; the error is fs.ErrExist when it
// is taken. Of several that claim one name at once, one gets it. Mode 0 is
// 0600.
func Claim(name string, data []byte, mode fs.FileMode) error {
	if mode == 0 {
		mode = private
	}
	return put(name, data, mode, give)
}

// put writes the temporary file and has it given its name.
func put(name string, data []byte, mode fs.FileMode, give func(temp, name string) error) error {
	most := glance // what a folder of artifacts holds is not looked through for each of them
	if _, err := os.Lstat(name); err == nil {
		most = everything
	}
	_ = sweep(name, most, aged(stale)) // the next write tries again
	temp := tempPrefix(name) + rand.Text()[:12]
	err := spill(temp, data, mode)
	if err == nil {
		err = give(temp, name)
	}
	if err != nil {
		if left := os.Remove(temp); left != nil && !errors.Is(left, fs.ErrNotExist) {
			return errors.Join(about(name, err), about(name, left))
		}
		return about(name, err)
	}
	SyncFolder(filepath.Dir(name))
	return nil
}

// spill makes a new file and brings its content to the disk.
func spill(temp string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
	if err != nil {
		return err
	}
	if mode != private {
		err = f.Chmod(mode) // whatever the umask says
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// give gives a finished file a name that is free.
func give(temp, name string) error {
	err := os.Link(temp, name)
	if err == nil {
		_ = os.Remove(temp) // it has its name; the other is only left over
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return fs.ErrExist
	}
	// A file system without links: the name is taken first, and empty until the
	// file is there.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), rename(temp, name)); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// about makes an error of the system one of the file that was to be written.
func about(name string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write %s: %w", name, fs.ErrExist)
	}
	cause := err
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		cause = path.Err
	case errors.As(err, &link):
		cause = link.Err
	}
	return &fs.PathError{Op: "write", Path: name, Err: cause}
}

// Mkdir makes a folder and those above it that are not there, for the user
// alone, and brings every one that it made to the disk.
func Mkdir(dir string) error {
	names := above(dir)
	if err := os.MkdirAll(dir, folders); err != nil {
		return err
	}
	for _, in := range names {
		SyncFolder(in)
	}
	return nil
}

// above lists the folders in which a name will be made when a folder and those
// above it are.
func above(dir string) (list []string) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		_, err := os.Stat(at)
		if !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			return list
		}
		list = append(list, filepath.Dir(at))
	}
}

// SyncFolder makes a new name in a folder, or the end of one, last. Not every
// system can; the file itself is safe in any case.
func SyncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
