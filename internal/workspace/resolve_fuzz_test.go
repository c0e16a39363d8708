package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/workspace"
)

// FuzzResolve: any name leads to one place. What is said to be inside of a root
// is below it, also when the place is named again by its real path.
func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a", "../x", "link/../a", "out/x", "~", "~nobody-of-this-name/x", "/", "a//b/./c", "a/", "loop/x", "a\x00", "\xff", "link/missing/..", " a ", ".git/config"} {
		f.Add(s, "")
	}
	f.Add("a", "link")
	f.Add("..", "out")
	top := f.TempDir()
	root := filepath.Join(top, "root")
	for _, dir := range []string{"root/dir", "outside"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o700); err != nil {
			f.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": "dir", "out": "../outside", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			f.Skip(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "a"), nil, 0o600); err != nil {
		f.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Options{Root: root, Home: filepath.Join(top, "home")})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = ws.Close() })
	f.Fuzz(func(t *testing.T, name, dir string) {
		p, err := ws.Resolve(name, dir)
		if err != nil {
			return
		}
		if !filepath.IsAbs(p.Abs) || !filepath.IsAbs(p.Real) || p.Abs != filepath.Clean(p.Abs) || p.Real != filepath.Clean(p.Real) {
			t.Fatalf("%q in %q: %q, really %q", name, dir, p.Abs, p.Real)
		}
		below := p.Real == ws.Root() || strings.HasPrefix(p.Real, ws.Root()+string(filepath.Separator))
		if below != (p.Root == 0) {
			t.Fatalf("%q in %q leads to %q, root %d", name, dir, p.Real, p.Root)
		}
		again, err := ws.Resolve(p.Real, "")
		if err != nil || again.Real != p.Real || again.Root != p.Root || again.RealRel != p.RealRel || again.Exists != p.Exists {
			t.Fatalf("%q in %q is %+v, its real path %+v, %v", name, dir, p, again, err)
		}
	})
}
