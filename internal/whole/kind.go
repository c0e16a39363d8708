package whole

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// KindError says that something else than an ordinary file has the name of
// one.
type KindError struct {
	Path string
	Mode fs.FileMode
}

// Error says what it is and what to do.
func (e *KindError) Error() string {
	what := "a special file"
	switch {
	case e.Mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case e.Mode.IsDir():
		what = "a folder"
	case e.Mode&fs.ModeNamedPipe != 0:
		what = "a named pipe"
	case e.Mode&fs.ModeDevice != 0:
		what = "a device"
	case e.Mode&fs.ModeSocket != 0:
		what = "a socket"
	}
	return fmt.Sprintf("%s is %s and no file; move it away", e.Path, what)
}

// Plain refuses what has the name of a file and is something else, a link
// among it; a missing file is fs.ErrNotExist. Opening a pipe waits for somebody
// at its other end, and a link leads elsewhere, so this is asked before.
func Plain(path string) error { return kind(path, os.Lstat) }

// Free is Plain for a name that may be free.
func Free(path string) error {
	if err := Plain(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Open opens a file for reading. A link to a file is followed; anything else
// that is no file is a *KindError.
func Open(path string) (*os.File, error) {
	if err := kind(path, os.Stat); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Target refuses what is neither a file, a link to one, nor a free name.
func Target(path string) error {
	err := kind(path, os.Stat)
	if errors.Is(err, fs.ErrNotExist) {
		return Free(path) // a link to nothing is not free
	}
	return err
}

func kind(path string, look func(string) (fs.FileInfo, error)) error {
	info, err := look(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &KindError{Path: path, Mode: info.Mode()}
	}
	return nil
}
