package workspace

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Write puts data into the file that the path leads to, whole or not at all:
// a temporary file in the same folder is written, synced and renamed over it.
// Missing folders are made. A link is followed and stays a link. Mode 0 keeps
// the file's permissions (0644 less the umask for a new file); another value
// sets them. Of a file with several hard links only this name gets the new
// content; File.HardLinks tells.
func (w *Workspace) Write(p Path, data []byte, mode fs.FileMode) error {
	return w.write(p, data, mode, basis{})
}

// Replace is Write of content that was made from a file as it was read, nil for
// none. When the file holds something else by now nothing is written, and the
// error is ErrMeanwhile. Programs that use it do not lose each other's edits;
// one that writes without it can be seen until just before the file is replaced.
func (w *Workspace) Replace(p Path, data []byte, mode fs.FileMode, was *File) error {
	b := basis{known: true}
	if was != nil {
		b.there, b.data = true, was.Data
	}
	return w.write(p, data, mode, b)
}

// basis is what new content was made from.
type basis struct {
	known bool // else the file is replaced whatever it holds
	there bool // there was a file
	data  []byte
}

func (w *Workspace) write(p Path, data []byte, mode fs.FileMode, was basis) error {
	w.changes.Lock()
	defer w.changes.Unlock()
	if p.Root < 0 {
		return failed("write", p, ErrOutside)
	}
	if err := w.undo.before(w, p.Root, p.Real, fileState(data, mode)); err != nil {
		return failed("keep the former content of", p, err)
	}
	made, err := w.put(p, data, mode, was)
	if err != nil {
		return failed("write", p, errors.Join(err, w.undo.settle(w, p.Root, p.Real)))
	}
	return done(w.undo.made(p.Real, made))
}

// put is Write without the memory of Undo. It gives the folders it made.
func (w *Workspace) put(p Path, data []byte, mode fs.FileMode, was basis) (made []string, err error) {
	dir, base, made, err := w.parent(p, p.Real, true)
	if err != nil {
		return nil, err
	}
	defer dir.close()
	if err := replace(dir.Root, base, p, data, mode, was); err != nil {
		w.unmake(p.Root, made) // what is not empty stays
		return nil, err
	}
	return made, nil
}

// replace puts data into a file of an open folder. All who replace files there
// take turns from looking at the old one until the new one has its name.
func replace(dir *os.Root, base string, p Path, data []byte, mode fs.FileMode, was basis) error {
	old, err := standing(dir, base, p, writable)
	if err != nil {
		return err
	}
	temp, err := spill(dir, bytes.NewReader(data), old, mode)
	if err != nil {
		return err
	}
	unlock := lockFolder(dir)
	err = was.check(dir, base, p)
	switch {
	case err != nil:
	case was.known && !was.there:
		if err = rename(dir, temp, dir, base, false); errors.Is(err, fs.ErrExist) {
			err = ErrMeanwhile
		}
	default:
		err = dir.Rename(temp, base)
	}
	unlock()
	if err != nil {
		_ = dir.Remove(temp) // why it was not used is the error to tell
		return err
	}
	return done(syncFolder(dir))
}

// check is the error when a file does not hold any more what it held.
func (b basis) check(dir *os.Root, base string, p Path) error {
	if !b.known || !b.there {
		return nil // of what is not to be there the rename says it
	}
	f, info, err := openFile(dir, base, p)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrMeanwhile
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info.Size() != int64(len(b.data)) {
		return ErrMeanwhile
	}
	now, err := io.ReadAll(f)
	if err == nil && !bytes.Equal(now, b.data) {
		err = ErrMeanwhile
	}
	return err
}

// standing is the file that data would replace, nil for none. The error says
// why it cannot be replaced; may asks the system for its permission.
func standing(dir *os.Root, base string, p Path, may func(*os.Root, string) error) (*former, error) {
	info, err := dir.Lstat(base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if err := regular(info, p); err != nil {
		return nil, err
	}
	if err := may(dir, base); err != nil {
		return nil, err
	}
	return &former{dir, base, info}, nil
}

// writable asks the system whether the file itself may be written, which a
// rename over it would not: a file that is read-only stays as it is.
func writable(dir *os.Root, base string) error {
	f, err := dir.OpenFile(base, os.O_WRONLY|openFlags, 0)
	if errors.Is(err, errBusy) { // a running program: a rename is the right way
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// former is a file whose owner, attributes and mode a new one takes over: the
// one that it replaces, or the one that it is a copy of.
type former struct {
	dir  *os.Root
	base string
	info fs.FileInfo
}

// spill writes what r gives to a new temporary file of the folder, syncs it and gives
// its name. On failure nothing is left. Where the system can, the file has no
// name before it is whole, so that a program that is killed meanwhile leaves
// nothing either.
func spill(dir *os.Root, r io.ReadSeeker, old *former, mode fs.FileMode) (string, error) {
	name := tempName()
	create := mode
	switch {
	case old != nil:
		create = 0o600 // until it has the mode of the file that it replaces
	case mode == 0:
		create = 0o644
	}
	if f, err := nameless(dir, create.Perm()); err == nil {
		err = fill(f, r, old, mode)
		if err != nil {
			return "", errors.Join(err, f.Close())
		}
		if christen(dir, f, name) == nil {
			if err := f.Close(); err != nil {
				return "", errors.Join(err, dir.Remove(name))
			}
			return name, nil
		}
		_ = f.Close() // it vanishes, and the way with a name is taken
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return "", err
		}
	}
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, create.Perm())
	if err != nil {
		return "", err
	}
	if err := errors.Join(fill(f, r, old, mode), f.Close()); err != nil {
		return "", errors.Join(err, dir.Remove(name))
	}
	return name, nil
}

// fill makes a new file hold what r gives, with the owner, attributes and mode that it
// shall have, and syncs it.
func fill(f *os.File, r io.Reader, old *former, mode fs.FileMode) error {
	if _, err := io.Copy(f, r); err != nil {
		return err
	}
	if old != nil {
		keepOwner(f, old.info)
		keepAttributes(old.dir, old.base, f)
		if mode == 0 {
			mode = old.info.Mode()
		}
	}
	if mode != 0 {
		if err := f.Chmod(mode.Perm()); err != nil {
			return err
		}
	}
	return f.Sync()
}
