package workspace_test

import (
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/workspace"
)

func bench(b *testing.B) *workspace.Workspace {
	b.Helper()
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	w, err := workspace.Open(workspace.Options{Root: dir})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = w.Close() })
	p, err := w.Resolve("a/b/c/d.go", "")
	if err != nil {
		b.Fatal(err)
	}
	if err := w.Write(p, []byte(strings.Repeat("a line of code\n", 200)), 0); err != nil {
		b.Fatal(err)
	}
	return w
}

func BenchmarkResolve(b *testing.B) {
	w := bench(b)
	for b.Loop() {
		if _, err := w.Resolve("a/b/c/d.go", ""); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	w := bench(b)
	p, _ := w.Resolve("a/b/c/d.go", "")
	for b.Loop() {
		if _, err := w.Read(p, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	w := bench(b)
	p, _ := w.Resolve("a/b/c/d.go", "")
	data := []byte(strings.Repeat("another line\n", 200))
	for b.Loop() {
		if err := w.Write(p, data, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	data := []byte(strings.Repeat("a line of code, caf\xE9\r\n", 10_000))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := workspace.Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
