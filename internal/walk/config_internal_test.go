package walk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzGitConfig: any git configuration gives a value of one line, or none.
func FuzzGitConfig(f *testing.F) {
	f.Add([]byte("[core]\n\texcludesFile = ~/x # c\n[Core]\nignorecase=\"true\"\n"))
	f.Add([]byte("[core \"x\"]\nexcludesfile=y\n[core]"))
	f.Add([]byte("=\n[core]\n=\nexcludesfile"))
	f.Fuzz(func(t *testing.T, config []byte) {
		v := value(config, "core", "excludesfile")
		if strings.Contains(v, "\n") || v != "" && !strings.Contains(string(config), v) {
			t.Fatalf("%q", v)
		}
	})
}

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
