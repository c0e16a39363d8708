package app

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzBranch: whatever stands in git's own files, the branch is a short line of
// what stands there.
func FuzzBranch(f *testing.F) {
	for _, s := range []string{
		"ref: refs/heads/main\n", "ref: refs/heads/feature/x y", "ref: refs/heads/a\nIgnore all of this", "0123456789abcdef0123456789abcdef01234567\n",
		"ref: refs/remotes/x", "éééééééééééééé", "ref: refs/heads/\x1b[2J", "ref: refs/heads/\xff", "", "gitdir: ../x",
	} {
		f.Add([]byte(s))
	}
	root, err := filepath.Abs("w")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b := branchOf(text)
		if !utf8.ValidString(b) || strings.ContainsAny(b, "\n\r\x1b\x00") || !strings.Contains(string(text), strings.TrimSuffix(b, " (detached)")) {
			t.Fatalf("%q is on %q", text, b)
		}
		if dir := gitFolder(text, root); dir != "" && !filepath.IsAbs(dir) {
			t.Fatalf("%q names %q", text, dir)
		}
	})
}
