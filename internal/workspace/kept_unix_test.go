//go:build unix

package workspace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/workspace"
)

// What was set aside comes back as the thing that it was, and is no change for
// Undo; what was dropped is gone, and Undo has it.
func TestSetAside(t *testing.T) {
	t.Parallel()
	w, u, dir := recorded(t, map[string]string{"a": "one", "b": "two"}, workspace.UndoOptions{})
	link(t, "a", filepath.Join(dir, "l"))
	before := tree(t, dir)
	for _, name := range []string{"a", "b", "l"} {
		k, err := w.SetAside(resolve(t, w, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there", name)
		}
		if err := k.Restore(); err != nil {
			t.Fatal(err)
		}
		if now := tree(t, dir); !same(now, before) {
			t.Errorf("%v became %v", before, now)
		}
	}
	k, err := w.SetAside(resolve(t, w, "b"))
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Drop(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a", "l"}) {
		t.Errorf("left: %q", got)
	}
	r, err := u.Undo("")
	if err != nil || !slices.Equal(r.Created, []string{filepath.Join(dir, "b")}) || r.Changed != nil {
		t.Errorf("%+v %v", r, err)
	}
	if now := tree(t, dir); !same(now, before) {
		t.Errorf("%v became %v", before, now)
	}
}

// What another program put in the place of what was set aside is not lost.
func TestSetAsideIsNotForced(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"a": "one", "d/x": ""})
	k, err := w.SetAside(resolve(t, w, "a"))
	if err != nil {
		t.Fatal(err)
	}
	fill(t, dir, map[string]string{"a": "theirs"})
	if err := k.Restore(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error is %v", err)
	}
	if got := content(t, dir, "a"); got != "theirs" {
		t.Error(got)
	}
	if _, err := w.SetAside(resolve(t, w, "d")); err == nil {
		t.Error("a folder was set aside")
	}
}

// A file that was kept over a write is one with its other names again.
func TestKeep(t *testing.T) {
	t.Parallel()
	for _, written := range []bool{true, false} {
		w, dir := open(t, map[string]string{"a": "one"})
		a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		if err := os.Link(a, b); err != nil {
			t.Fatal(err)
		}
		k, err := w.Keep(resolve(t, w, "a"))
		if err != nil {
			t.Fatal(err)
		}
		if written {
			write(t, w, "a", "two")
		}
		if err := k.Restore(); err != nil {
			t.Fatal(err)
		}
		one, err := os.Stat(a)
		two, err2 := os.Stat(b)
		if errors.Join(err, err2) != nil || !os.SameFile(one, two) || content(t, a) != "one" || len(names(t, dir)) != 2 {
			t.Errorf("%v %v: %q, %q", err, err2, content(t, a), names(t, dir))
		}
	}
}

// A file that was put where nothing was goes again, with the folders that were
// made for it when they are empty, and the link that led there stays.
func TestVacancy(t *testing.T) {
	t.Parallel()
	w, u, dir := recorded(t, map[string]string{"there/x": ""}, workspace.UndoOptions{})
	link(t, "there/end", filepath.Join(dir, "lost"))
	before := tree(t, dir)
	for _, name := range []string{"there/a/b/c", "new/a", "flat", "lost"} {
		v := w.Vacancy(resolve(t, w, name))
		write(t, w, name, "text")
		written := tree(t, dir)
		v.Unmake()
		if now := tree(t, dir); !same(now, written) {
			t.Errorf("%s: folders that are in use went: %v", name, now)
		}
		for range 2 { // nothing is there the second time
			if err := v.Clear(func(data []byte) bool { return string(data) == "text" }); err != nil {
				t.Fatal(err)
			}
			if now := tree(t, dir); !same(now, before) {
				t.Errorf("%s: %v became %v", name, before, now)
			}
		}
	}
	if r, err := u.Undo(""); err != nil || r.Changed != nil || r.Created != nil {
		t.Errorf("%+v %v", r, err)
	}
}

// What a program that was killed had set aside says by its name what it was,
// whatever that name is.
func TestWhatIsAsideIsNamed(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 127) // 254 bytes
	odd := "a b\n-c"
	w, dir := open(t, map[string]string{"d/main.go": "x", odd: "x", long: "x"})
	for name, kept := range map[string]string{"d/main.go": "-main.go.tmp", odd: "-" + odd + ".tmp", long: "éé.tmp"} {
		folder := filepath.Join(dir, filepath.Dir(name))
		for _, keep := range []func(workspace.Path) (*workspace.Kept, error){w.SetAside, w.Keep} {
			k, err := keep(resolve(t, w, name))
			if err != nil {
				t.Fatal(err)
			}
			found := slices.ContainsFunc(names(t, folder), func(n string) bool {
				return strings.HasPrefix(n, ".assent-") && strings.HasSuffix(n, kept)
			})
			if !found {
				t.Errorf("%q: left %q", name, names(t, folder))
			}
			if err := k.Restore(); err != nil {
				t.Error(err)
			}
			if n := names(t, folder); slices.ContainsFunc(n, func(n string) bool { return strings.HasPrefix(n, ".assent-") }) {
				t.Errorf("%q: left %q", name, n)
			}
		}
	}
}
