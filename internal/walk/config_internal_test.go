package walk

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzWorkTree: whatever stands in the file .git of a further work tree, the
// rules of the folder are read.
func FuzzWorkTree(f *testing.F) {
	f.Add([]byte("gitdir: ../x\n"))
	f.Add([]byte("gitdir: \x00"))
	f.Add([]byte("gitdir: ."))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, ".git"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if top, git := repository(dir); top != dir || git == "" {
			t.Fatalf("%q: %q, %q", text, top, git)
		}
		Rules(dir, Setting{})
	})
}
