//go:build linux || darwin

package workspace

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes copies the extended attributes (access lists among them) of a
// file that will be replaced, as far as this process may. Capabilities and
// integrity marks belong to the old content and are left out, as the system
// does when a file is written.
func keepAttributes(dir *os.Root, base string, f *os.File) {
	old, err := dir.OpenFile(base, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return
	}
	defer old.Close()
	size, err := unix.Flistxattr(int(old.Fd()), nil)
	if err != nil || size <= 0 {
		return
	}
	list := make([]byte, size)
	if size, err = unix.Flistxattr(int(old.Fd()), list); err != nil {
		return
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list[:size]), "\x00"), "\x00") {
		if name == "security.capability" || name == "security.ima" || name == "security.evm" {
			continue
		}
		n, err := unix.Fgetxattr(int(old.Fd()), name, nil)
		if err != nil || n < 0 {
			continue
		}
		value := make([]byte, n)
		if n, err = unix.Fgetxattr(int(old.Fd()), name, value); err == nil {
			_ = unix.Fsetxattr(int(f.Fd()), name, value[:n], 0) // best effort, see above
		}
	}
}
