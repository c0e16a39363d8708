package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/workspace"
)

func TestResolveFollowsNames(t *testing.T) {
	t.Parallel()
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill(t, outside, map[string]string{"secret": "s", "sub/deep": "d"})
	w, dir := open(t, map[string]string{"src/a.go": "a", "src/b/c.go": "c", "new\nline": "n", "~tilde/x": "x"})
	link(t, "src", filepath.Join(dir, "in"))
	link(t, filepath.Join(dir, "src"), filepath.Join(dir, "inabs"))
	link(t, outside, filepath.Join(dir, "out"))
	link(t, filepath.Join(outside, "sub"), filepath.Join(dir, "outsub"))
	link(t, "missing.txt", filepath.Join(dir, "dangling"))
	link(t, "loop2", filepath.Join(dir, "loop1"))
	link(t, "loop1", filepath.Join(dir, "loop2"))
	link(t, "in/b", filepath.Join(dir, "chain"))

	for _, c := range []struct {
		name, in, dir string
		rel, real     string // relative to the root; real empty: the same
		root          int
		exists        bool
	}{
		{name: "plain", in: "src/a.go", rel: "src/a.go", exists: true},
		{name: "dots", in: "./src/../src//a.go", rel: "src/a.go", exists: true},
		{name: "absolute", in: dir + "/src/a.go", rel: "src/a.go", exists: true},
		{name: "the root itself", in: ".", rel: ".", exists: true},
		{name: "empty", in: "", rel: ".", exists: true},
		{name: "below a folder", in: "c.go", dir: "src/b", rel: "src/b/c.go", exists: true},
		{name: "missing", in: "no/such/file", rel: "no/such/file"},
		{name: "up from missing", in: "no/../src/a.go", rel: "src/a.go", exists: true},
		{name: "a file as a folder", in: "src/a.go/x", rel: "src/a.go/x"},
		{name: "line end in the name", in: "new\nline", rel: "new\nline", exists: true},
		{name: "no user of that name", in: "~tilde/x", rel: "~tilde/x", exists: true},
		{name: "link inside", in: "in/a.go", rel: "in/a.go", real: "src/a.go", exists: true},
		{name: "absolute link inside", in: "inabs/a.go", rel: "inabs/a.go", real: "src/a.go", exists: true},
		{name: "link over link", in: "chain/c.go", rel: "chain/c.go", real: "src/b/c.go", exists: true},
		{name: "new file below a link", in: "in/new.go", rel: "in/new.go", real: "src/new.go"},
		{name: "dangling link", in: "dangling", rel: "dangling", real: "missing.txt"},
		{name: "up and out", in: "../x", rel: "../x", root: -1},
		{name: "a system file", in: "/etc/hostname", rel: "", root: -1},
		{name: "home", in: "~/x", rel: "", root: -1},
		{name: "link outside", in: "out/secret", rel: "out/secret", real: "!", root: -1, exists: true},
		{name: "new file below a link outside", in: "out/new", rel: "out/new", real: "!", root: -1},
		{name: "parent of a linked folder", in: "outsub/../secret", rel: "secret", real: "!", root: -1, exists: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := w.Resolve(c.in, c.dir)
			if err != nil {
				t.Fatal(err)
			}
			if p.Root != c.root || c.name != "a system file" && p.Exists != c.exists {
				t.Errorf("root %d, exists %v; want %d, %v (%+v)", p.Root, p.Exists, c.root, c.exists, p)
			}
			if c.rel != "" && p.Rel != c.rel {
				t.Errorf("Rel %q, want %q", p.Rel, c.rel)
			}
			want := c.real
			if want == "" {
				want = c.rel
			}
			if want != "" && want != "!" && p.RealRel != want {
				t.Errorf("RealRel %q, want %q", p.RealRel, want)
			}
			if want == "!" && !strings.HasPrefix(p.Real, outside) {
				t.Errorf("Real %q, want it below %q", p.Real, outside)
			}
			if p.Root < 0 {
				refusesAll(t, w, p)
			}
		})
	}
	t.Run("loop", func(t *testing.T) {
		t.Parallel()
		if _, err := w.Resolve("loop1/x", ""); !errors.Is(err, workspace.ErrLoop) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("zero byte", func(t *testing.T) {
		t.Parallel()
		if _, err := w.Resolve("a\x00b", ""); !errors.Is(err, workspace.ErrName) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("endless part", func(t *testing.T) {
		t.Parallel()
		if _, err := w.Resolve(strings.Repeat("x", 300), ""); !errors.Is(err, workspace.ErrName) {
			t.Errorf("got %v", err)
		}
	})
}

// refusesAll checks that a path outside is of no use.
func refusesAll(t *testing.T, w *workspace.Workspace, p workspace.Path) {
	t.Helper()
	inside, err := w.Resolve("src/a.go", "")
	if err != nil {
		t.Fatal(err)
	}
	_, read := w.Read(p, 0)
	_, stat := w.Stat(p)
	_, list := w.List(p)
	for what, err := range map[string]error{
		"read": read, "stat": stat, "list": list,
		"write": w.Write(p, []byte("x"), 0), "remove": w.Remove(p),
		"move from": w.Move(p, inside), "move to": w.Move(inside, p),
	} {
		if !errors.Is(err, workspace.ErrOutside) {
			t.Errorf("%s: got %v, want ErrOutside", what, err)
		}
	}
}

func TestResolveRoots(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill(t, base, map[string]string{"real/a": "a", "extra/b": "b", "home/c": "c"})
	link(t, "real", filepath.Join(base, "alias"))
	w := openAt(t, workspace.Options{
		Root: filepath.Join(base, "alias"), Extra: []string{filepath.Join(base, "extra"), "~"}, Home: filepath.Join(base, "home"),
	})
	if w.Root() != filepath.Join(base, "real") {
		t.Errorf("root is %q", w.Root())
	}
	for _, c := range []struct {
		in, rel string
		root    int
	}{
		{"a", "a", 0},
		{filepath.Join(base, "alias/a"), "a", 0}, // as the user spells the root
		{filepath.Join(base, "real/a"), "a", 0},
		{"../extra/b", "../extra/b", 1},
		{"~/c", "../home/c", 2},
		{"~/../extra/b", "../extra/b", 1},
	} {
		p := resolve(t, w, c.in)
		if p.Root != c.root || p.Rel != c.rel || p.RealRel != c.rel {
			t.Errorf("%s: %+v", c.in, p)
		}
		if _, err := w.Read(p, 0); err != nil {
			t.Errorf("read %s: %v", c.in, err)
		}
	}
	if _, err := workspace.Open(workspace.Options{Root: filepath.Join(base, "no")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing root: %v", err)
	}
	if _, err := workspace.Open(workspace.Options{Root: filepath.Join(base, "real/a")}); err == nil {
		t.Error("a file was opened as a root")
	}
}

func TestTopAsRoot(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill(t, dir, map[string]string{"a": "a"})
	w := openAt(t, workspace.Options{Root: filepath.VolumeName(dir) + string(filepath.Separator)})
	p := resolve(t, w, filepath.Join(dir, "a"))
	if p.Root != 0 || p.Rel != filepath.ToSlash(strings.TrimPrefix(dir, w.Root()))+"/a" {
		t.Errorf("%+v", p)
	}
	if err := w.Write(p, []byte("b"), 0); err != nil || content(t, dir, "a") != "b" {
		t.Errorf("write: %v", err)
	}
	if up := resolve(t, w, "../../.."); up.Real != w.Root() {
		t.Errorf("above the top: %+v", up)
	}
}

func TestNamesThatAreNoText(t *testing.T) {
	t.Parallel()
	w, dir := open(t, nil)
	name := "bad\xff\xfename"
	if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
		t.Skipf("the file system takes no such names: %v", err)
	}
	entries, err := w.List(resolve(t, w, "."))
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Fatalf("list: %v %v", entries, err)
	}
	p, err := w.Child(resolve(t, w, "."), entries[0])
	if err != nil || !p.Exists || p.Dir {
		t.Fatalf("child: %+v %v", p, err)
	}
	write(t, w, p.Written, "y")
	if content(t, dir, name) != "y" {
		t.Error("not written")
	}
}

func TestChildFollowsLinks(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	w, dir := open(t, map[string]string{"sub/a": "a"})
	link(t, outside, filepath.Join(dir, "out"))
	link(t, "sub/a", filepath.Join(dir, "short"))
	entries, err := w.List(resolve(t, w, ""))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]workspace.Path{}
	for _, e := range entries {
		p, err := w.Child(resolve(t, w, ""), e)
		if err != nil {
			t.Fatal(err)
		}
		again, err := w.Resolve(e.Name(), "")
		if err != nil || again != p {
			t.Errorf("Child and Resolve differ:\n%+v\n%+v", p, again)
		}
		got[p.Written] = p
	}
	if got["out"].Root != -1 || got["short"].RealRel != "sub/a" || !got["short"].Link || !got["sub"].Dir {
		t.Errorf("%+v", got)
	}
}
