package workspace

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// nameless makes a file without a name in a folder: when this program is
// killed before the file is whole, the system takes it back. Not every file
// system can do that.
func nameless(dir *os.Root, perm fs.FileMode) (*os.File, error) {
	return dir.OpenFile(".", os.O_WRONLY|unix.O_TMPFILE, perm)
}

// christen gives a nameless file a name in its folder.
func christen(dir *os.Root, f *os.File, name string) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", f.Fd()), int(d.Fd()), name, unix.AT_SYMLINK_FOLLOW)
}
