//go:build unix

package gate

import (
	"io/fs"
	"syscall"
)

// linkCount is the number of names that a file has.
func linkCount(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 1
}
