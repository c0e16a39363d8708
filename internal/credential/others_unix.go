//go:build unix

package credential

import "io/fs"

// others says whether anybody but the owner of a file may read or write it.
func others(mode fs.FileMode) bool { return mode.Perm()&0o077 != 0 }
