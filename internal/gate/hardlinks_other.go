//go:build !unix

package gate

import (
	"io/fs"
	"time"
)

// linkCount is not known here.
func linkCount(fs.FileInfo) int { return 1 }

// identity is not known here.
func identity(fs.FileInfo) (id fileID, changed time.Time, ok bool) {
	return fileID{}, time.Time{}, false
}
