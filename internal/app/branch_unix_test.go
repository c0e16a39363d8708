//go:build unix

package app

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A project may bring a pipe in the place of a file of git: nothing waits for
// somebody to write to it.
func TestBranchOfAPipe(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".git", ".git/HEAD"} {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := branch(root); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
