// Package medium owns the words for what a disk says when a file cannot be
// reached.
//
// It knows no file: its caller names the call that failed and the path, once.
// Its law: what the error is stays known to errors.Is.
package medium

import (
	"errors"
	"io/fs"
	"syscall"
)

// Plain is a fault of the medium in words for people, without the call that
// failed and the path. what is the thing that was looked for: file, folder,
// file or folder. Other errors stay as they are.
func Plain(err error, what string) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &worded{"there is no such " + what, err}
	case errors.Is(err, syscall.EISDIR):
		return &worded{"it is a folder", err}
	case errors.As(err, &path):
		return path.Err
	}
	return err
}

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

func (w *worded) Error() string { return w.text }

func (w *worded) Unwrap() error { return w.err }
