//go:build !linux

package workspace

import (
	"errors"
	"io/fs"
	"os"
)

// nameless: only Linux has files without a name that can get one.
func nameless(*os.Root, fs.FileMode) (*os.File, error) { return nil, errors.ErrUnsupported }

func christen(*os.Root, *os.File, string) error { return errors.ErrUnsupported }
