//go:build !windows

package whole

import "os"

// rename gives a file another's name, in its place; who has that one open
// keeps the old file.
func rename(from, to string) error { return os.Rename(from, to) }
