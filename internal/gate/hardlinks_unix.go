//go:build unix

package gate

import (
	"io/fs"
	"syscall"
	"time"
)

// linkCount is the number of names that a file has.
func linkCount(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 1
}

// identity is which file it is, and when anything of it changed last: unlike
// the time of its content, nobody can set that.
func identity(info fs.FileInfo) (id fileID, changed time.Time, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}, time.Time{}, false
	}
	return fileID{uint64(s.Dev), uint64(s.Ino)}, statusChange(s), true //nolint:gosec,unconvert // of another size on other systems
}
