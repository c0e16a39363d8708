package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"assent/internal/workspace"
)

// open opens a workspace over a fresh real folder holding files.
func open(t *testing.T, files map[string]string) (*workspace.Workspace, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill(t, dir, files)
	return openAt(t, workspace.Options{Root: dir, Home: "/nowhere"}), dir
}

func openAt(t *testing.T, o workspace.Options) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func fill(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func resolve(t *testing.T, w *workspace.Workspace, name string) workspace.Path {
	t.Helper()
	p, err := w.Resolve(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, w *workspace.Workspace, name, text string) {
	t.Helper()
	if err := w.Write(resolve(t, w, name), []byte(text), 0); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, elem ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// names lists a folder's entries.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
