package whole

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// stale is how old a temporary file is that nobody can be writing any more.
const stale = time.Hour

// How many names of a folder a sweep looks at.
const (
	glance     = 1000
	everything = -1
)

// Sweep removes what writers of a name left behind that were killed. The
// caller holds the lock of that name, so that nobody writes meanwhile.
func Sweep(name string) error { return sweep(name, everything, aged(0)) }

func sweep(name string, most int, over func(fs.FileInfo) bool) error {
	prefix := filepath.Base(tempPrefix(name))
	err := removeOld(filepath.Dir(name), most, func(n string) bool { return strings.HasPrefix(n, prefix) }, over)
	if err != nil {
		return fmt.Errorf("remove what a write of %s left behind: %w", name, err)
	}
	return nil
}

// SweepFolder removes what writers left behind in a folder, whatever the name
// that they wrote, when it is so old that nobody writes it any more. Age 0 is
// for a caller who alone writes there.
func SweepFolder(dir string, age time.Duration) error {
	if err := removeOld(dir, everything, temporary, aged(age)); err != nil {
		return fmt.Errorf("remove what writes in %s left behind: %w", dir, err)
	}
	return nil
}

// temporary says that a name of a folder is that of a file which is being
// written, or that its writer was killed.
func temporary(name string) bool {
	i := strings.LastIndex(name, infix)
	return strings.HasPrefix(name, ".") && i > 0 && len(name) > i+len(infix)
}

// aged tells files that were not written since so long.
func aged(age time.Duration) func(fs.FileInfo) bool {
	before := time.Now().Add(-age)
	return func(info fs.FileInfo) bool { return age == 0 || info.ModTime().Before(before) }
}

// removeOld removes the regular files of a folder whose name and state are meant.
func removeOld(dir string, most int, meant func(name string) bool, over func(fs.FileInfo) bool) error {
	d, err := os.Open(dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	names, err := d.Readdirnames(most)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	err = errors.Join(err, d.Close())
	for _, n := range names {
		if !meant(n) {
			continue
		}
		path := filepath.Join(dir, n)
		info, gone := os.Lstat(path)
		if gone != nil || !info.Mode().IsRegular() || !over(info) {
			continue
		}
		if left := os.Remove(path); left != nil && !errors.Is(left, fs.ErrNotExist) {
			err = errors.Join(err, left)
		}
	}
	return err
}

// infix stands between a file's name and what makes its temporary ones unique.
const infix = ".new-"

// tempPrefix is how the names of a file's temporary ones begin.
func tempPrefix(name string) string {
	return filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+infix)
}
