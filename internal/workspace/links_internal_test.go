package workspace

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/unicode/norm"
)

// folding is a walker over a file system for which names that differ in case
// or normal form are one.
func folding(files fstest.MapFS) walker {
	find := func(name string) (string, error) {
		at := "."
		for _, part := range split(filepath.ToSlash(name)) {
			entries, err := fs.ReadDir(files, at)
			if err != nil {
				return "", err
			}
			next := ""
			for _, e := range entries {
				if strings.EqualFold(norm.NFC.String(e.Name()), norm.NFC.String(part)) {
					next = path.Join(at, e.Name())
				}
			}
			if next == "" {
				return "", fs.ErrNotExist
			}
			at = next
		}
		return at, nil
	}
	type named struct {
		fs.FileInfo
		at string
	}
	return walker{
		lstat: func(name string) (fs.FileInfo, error) {
			at, err := find(name)
			if err != nil {
				return nil, err
			}
			info, err := fs.Lstat(files, at)
			return named{info, at}, err
		},
		readlink: func(name string) (string, error) {
			at, err := find(name)
			if err != nil {
				return "", err
			}
			return files.ReadLink(at)
		},
		names: func(dir string) ([]string, error) {
			at, err := find(dir)
			if err != nil {
				return nil, err
			}
			entries, err := fs.ReadDir(files, at)
			var list []string
			for _, e := range entries {
				list = append(list, e.Name())
			}
			return list, err
		},
		same: func(a, b fs.FileInfo) bool { return a.(named).at == b.(named).at },
	}
}

// SEC-05: a name in another case or normal form, or through a link, is judged
// as the folder spells it, so that no spelling of .git/hooks is missed.
func TestTrueSpelling(t *testing.T) {
	t.Parallel()
	k := folding(fstest.MapFS{
		"ws/.git/hooks/pre-commit":       {},
		"ws/Caf\u00e9.txt":               {},
		"ws/\u304b\u3099/x":              {}, // decomposed, without case
		"ws/link":                        {Mode: fs.ModeSymlink, Data: []byte(".GIT/Hooks")},
		"ws/node_modules/Pkg/index.js":   {},
		"ws/node_modules/Pkg/other/z.js": {},
	})
	for in, want := range map[string]string{
		"/ws/.GIT/hooks/Pre-Commit":     "/ws/.git/hooks/pre-commit",
		"/WS/.git/HOOKS/new":            "/ws/.git/hooks/new",
		"/ws/cafe\u0301.TXT":            "/ws/Caf\u00e9.txt",
		"/ws/\u304c/x":                  "/ws/\u304b\u3099/x",
		"/ws/LINK/PRE-COMMIT":           "/ws/.git/hooks/pre-commit",
		"/ws/node_modules/Pkg/index.js": "/ws/node_modules/Pkg/index.js",
		"/ws/Node_Modules/nope/../pkg":  "/ws/node_modules/Pkg",
	} {
		at, err := k.follow(filepath.FromSlash(in))
		if err != nil || filepath.ToSlash(at.real) != want {
			t.Errorf("%q leads to %q (%v), want %q", in, at.real, err, want)
		}
	}
}
