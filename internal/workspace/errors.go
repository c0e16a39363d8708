package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Errors of a path, returned (wrapped) by Resolve and by whatever opens it.
var (
	// ErrOutside says that a path leads out of every root.
	ErrOutside = errors.New("the path is outside the workspace")
	// ErrChanged says that a folder or file on the way was replaced (by a link,
	// say) between the decision about the path and its use.
	ErrChanged = errors.New("the path changed while it was being opened")
	// ErrName says that no file can have this name here.
	ErrName = errors.New("not a usable file name")
	// ErrLoop says that links lead in a circle.
	ErrLoop = errors.New("too many symbolic links")
	// ErrUnnamed says that a link is reached through another link and so can be
	// neither moved nor removed under that name.
	ErrUnnamed = errors.New("a symbolic link below a linked folder; name it by its real folder")
)

// ErrMeanwhile says that a file no longer holds what new content for it was made
// from, so that the new content was not written.
var ErrMeanwhile = errors.New("another program changed the file meanwhile; read it again and try again")

// DoneError says that a change was made, and that something after it failed:
// the change may not outlast a power failure, or cannot be undone.
type DoneError struct{ Err error }

func (e *DoneError) Error() string {
	return "it is done, but may not outlast a power failure: " + cause(e.Err).Error()
}

// Unwrap gives what failed afterwards.
func (e *DoneError) Unwrap() error { return e.Err }

// done marks an error that came after a change was made; nil stays nil.
func done(err error) error {
	if err == nil {
		return nil
	}
	return &DoneError{err}
}

// missingRootError says that a root is not there; it is fs.ErrNotExist.
type missingRootError struct{ name string }

func (e *missingRootError) Error() string {
	return fmt.Sprintf("open workspace root %q: there is no such folder", e.name)
}

func (e *missingRootError) Is(target error) bool { return target == fs.ErrNotExist }

// KindError says that a path leads to something else than a regular file of
// acceptable size.
type KindError struct {
	// Path is the path as it was written.
	Path string
	// Kind is directory, fifo, device, socket, too large, symbolic link or
	// special file.
	Kind string
	// Size is in bytes, for what has one.
	Size int64
	// Max is the limit that a too large file broke.
	Max int64
}

// The kinds of KindError.
const (
	KindDirectory = "directory"
	KindFIFO      = "fifo"
	KindDevice    = "device"
	KindSocket    = "socket"
	KindLink      = "symbolic link"
	KindSpecial   = "special file"
	KindTooLarge  = "too large"
)

func (e *KindError) Error() string {
	switch e.Kind {
	case KindTooLarge:
		return fmt.Sprintf("%s is too large (%d bytes, at most %d)", e.Path, e.Size, e.Max)
	case KindDirectory:
		return e.Path + " is a directory"
	default:
		return fmt.Sprintf("%s is a %s, not a regular file", e.Path, e.Kind)
	}
}

// kindOf names what a mode stands for; empty for a regular file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return KindDirectory
	case m&fs.ModeNamedPipe != 0:
		return KindFIFO
	case m&fs.ModeSocket != 0:
		return KindSocket
	case m&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		return KindDevice
	case m&fs.ModeSymlink != 0:
		return KindLink
	default:
		return KindSpecial
	}
}

// cause strips the operation and the partial name that the os package puts
// around an error; the caller names the path that the user knows.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	if s, ok := errors.AsType[*os.SyscallError](err); ok {
		return s.Err
	}
	return err
}

// failed puts what was attempted, and with which path, before an error.
func failed(attempt string, p Path, err error) error {
	if k, ok := errors.AsType[*KindError](err); ok {
		return fmt.Errorf("%s: %w", attempt, k) // it names the path itself
	}
	if _, ok := errors.AsType[*DoneError](err); ok {
		return fmt.Errorf("%s %s: %w", attempt, p.name(), err) // the cause alone would hide it
	}
	return fmt.Errorf("%s %s: %w", attempt, p.name(), cause(err))
}

// isMissing reports whether an error says that there is no such file.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
