//go:build unix

package walk

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestRulesOfAPipe: a project may bring a pipe in the place of a file of git.
// Nothing waits for somebody to write to it.
func TestRulesOfAPipe(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".git", ".git/config", ".git/info/exclude"} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ignored := Rules(dir, Setting{}); ignored {
			t.Errorf("%s: it is ignored", name)
		}
	}
}
