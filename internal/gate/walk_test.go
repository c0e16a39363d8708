package gate_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/workspace"
)

// walk returns the names that a walk shows.
func walk(t testing.TB, h gate.Hands, root string, o gate.WalkOptions) (string, gate.Skipped) {
	t.Helper()
	var names []string
	skipped, err := h.Walk(context.Background(), root, o, func(e gate.Entry) error {
		name := e.Name
		if e.Dir {
			name += "/"
		}
		if e.Link {
			name += "@"
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " "), skipped
}

// TestWalk covers PERM-22 and PERM-23: what may not be read is left out of
// every search and counted.
func TestWalk(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{
		"global.txt": "g", ".git/HEAD": "x", ".git/info/exclude": "excluded.txt\n", ".gitignore": "*.o\n/build\n!keep.o\n/out/\n", "out/x.txt": "x", "a.txt": "a", "b/c.txt": "c", "b/d.o": "o",
		"b/keep.o": "k", "build/x.txt": "x", "b/.gitignore": "local.txt\n", "b/local.txt": "l", "b/sub/local.txt": "l",
		".env": "K=1", "b/id_rsa": "k", "b/.env.example": "K=", "private/p.txt": "p", "private/q/r.txt": "r", ".github/w.yml": "w",
		"excluded.txt": "x", ".assentignore": "own.txt\n!build/keep/\n", "own.txt": "o", "build/keep/k.txt": "k",
	})
	for link, target := range map[string]string{"b/link.txt": "../a.txt", "b/links": "../private", "b/secret.txt": "../.env", "b/out": "/etc/hostname", "zdir": "b"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	put(t, filepath.Join(home, ".config/git/ignore"), "global.txt\n")
	g := gate.New(gate.Options{Workspace: ws, Home: home, Rules: rules(t, "deny read_file(private/*)")})
	h := granted(t, g, searching("."))

	got, skipped := walk(t, h, ".", gate.WalkOptions{})
	if want := ".assentignore .github/w.yml .gitignore a.txt b/.env.example b/.gitignore b/c.txt b/keep.o b/link.txt@ b/out@ build/keep/k.txt zdir@"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// .env, b/id_rsa and b/secret.txt; private and the link to it; b/d.o, both
	// local.txt, build/x.txt, out, excluded, global, own.
	if want := (gate.Skipped{Secret: 3, Denied: 2, Ignored: 8}); skipped != want {
		t.Errorf("skipped %+v, want %+v", skipped, want)
	}
	got, skipped = walk(t, h, "b", gate.WalkOptions{Ignored: true, Dirs: true})
	if want := "b/.env.example b/.gitignore b/c.txt b/d.o b/keep.o b/link.txt@ b/local.txt b/out@ b/sub/ b/sub/local.txt"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if skipped.Secret != 2 || skipped.Denied != 1 || skipped.Ignored != 0 {
		t.Errorf("skipped %+v", skipped)
	}
	if got, _ := walk(t, h, ".", gate.WalkOptions{Depth: 1, Dirs: true}); got != ".assentignore .github/ .gitignore a.txt b/ zdir@" {
		t.Errorf("depth 1: %s", got)
	}
	if got, _ := walk(t, h, "out", gate.WalkOptions{}); got != "out/x.txt" {
		t.Errorf("an ignored folder that is asked for by name: %s", got)
	}
	if got, skipped := walk(t, h, ".env", gate.WalkOptions{}); got != "" || skipped.Secret != 1 {
		t.Errorf("a secret file as root: %q, %+v", got, skipped)
	}
	if got, _ := walk(t, h, "a.txt", gate.WalkOptions{}); got != "a.txt" {
		t.Errorf("a file as root: %q", got)
	}
	if got, _ := walk(t, h, "b/sub", gate.WalkOptions{}); got != "" {
		t.Errorf("rules of folders above the root: %q", got)
	}
	if (gate.Skipped{Secret: 1, Denied: 2}).Add(gate.Skipped{Ignored: 3, Unreadable: 4}) != (gate.Skipped{Secret: 1, Denied: 2, Ignored: 3, Unreadable: 4}) {
		t.Error("sums do not add up")
	}
	for rel, want := range map[string]bool{
		"b/d.o": true, "a.txt": false, "build": true, "build/x.txt": true, "b/local.txt": true, ".": false, "../x": false,
		"new.o": true, "b/new/x.o": true, "global.txt": true, "b/keep.o": false, "\x00": false,
	} {
		if g.Ignored(rel) != want {
			t.Errorf("ignored(%s) is %v", rel, !want)
		}
	}
	if gate.New(gate.Options{}).Ignored("x") {
		t.Error("ignored without a workspace")
	}
}

func TestWalkEnds(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a/1": "1", "a/2": "2", "b/3": "3", "c": "c"})
	g := gate.New(gate.Options{Workspace: ws})
	h := granted(t, g, searching("."))
	count := func(ctx context.Context, o gate.WalkOptions, fn func(gate.Entry) error) (string, error) {
		var names []string
		_, err := h.Walk(ctx, ".", o, func(e gate.Entry) error {
			names = append(names, e.Rel)
			return fn(e)
		})
		return strings.Join(names, " "), err
	}
	if got, err := count(t.Context(), gate.WalkOptions{}, func(gate.Entry) error { return fs.SkipAll }); got != "a/1" || err != nil {
		t.Errorf("skip all: %s, %v", got, err)
	}
	if got, err := count(t.Context(), gate.WalkOptions{}, func(gate.Entry) error { return fs.SkipDir }); got != "a/1 b/3 c" || err != nil {
		t.Errorf("skip the rest of a folder: %s, %v", got, err)
	}
	got, err := count(t.Context(), gate.WalkOptions{Dirs: true}, func(e gate.Entry) error {
		if e.Dir {
			return fs.SkipDir
		}
		return nil
	})
	if got != "a b c" || err != nil {
		t.Errorf("skip folders: %s, %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := count(t.Context(), gate.WalkOptions{}, func(gate.Entry) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	got, err = count(ctx, gate.WalkOptions{}, func(gate.Entry) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || strings.Contains(got, "c") {
		t.Errorf("cancelled: %s, %v", got, err)
	}
	if _, err := h.Walk(t.Context(), "none", gate.WalkOptions{}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a root that is not there: %v", err)
	}
	if _, err := granted(t, g, reading("c")).Walk(t.Context(), "c", gate.WalkOptions{}, nil); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("a walk of what was planned to be read: %v", err)
	}
	if _, err := granted(t, g, reading("c")).Walk(t.Context(), ".", gate.WalkOptions{}, nil); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("a walk that was not planned: %v", err)
	}
}

func TestEntriesAreRead(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "aa", "b/c.txt": "ccc"})
	if err := os.Symlink("b/c.txt", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	g := gate.New(gate.Options{Workspace: ws})
	h := granted(t, g, searching("."))
	var kept []gate.Entry
	if _, err := h.Walk(t.Context(), ".", gate.WalkOptions{}, func(e gate.Entry) error {
		kept = append(kept, e)
		f, err := e.Read(0)
		size, modified, infoErr := e.Info()
		if err != nil || infoErr != nil || int64(len(f.Data)) != size || modified.IsZero() {
			t.Errorf("%s: %q, %d, %v, %v", e.Name, f.Data, size, err, infoErr)
		}
		again, err := h.Read(e.Name, 0)
		if err != nil || string(again.Data) != string(f.Data) {
			t.Errorf("%s by name: %q, %v", e.Name, again.Data, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(kept) != 3 {
		t.Fatalf("%d entries", len(kept))
	}
	h.Close()
	for _, e := range append(kept, gate.Entry{Name: "a.txt"}) {
		if _, err := e.Read(0); !errors.Is(err, gate.ErrClosed) {
			t.Errorf("%s after the call: %v", e.Name, err)
		}
		if _, _, err := e.Info(); !errors.Is(err, gate.ErrClosed) {
			t.Errorf("%s after the call: %v", e.Name, err)
		}
	}
}

// TestExtraRootsAndAbove: ignore rules and names in further roots, and of a
// repository whose top is above the workspace.
func TestExtraRootsAndAbove(t *testing.T) {
	t.Parallel()
	_, extra := open(t, map[string]string{".gitignore": "x.txt\n", "x.txt": "x", "y.txt": "y"})
	_, top := open(t, map[string]string{
		"pkg/a.txt": "a", "pkg/b.o": "b", "pkg/c/d.o": "d", "pkg/excl": "e", ".git/info/exclude": "/pkg/excl\n", ".gitignore": "/pkg/**/*.o\n",
	})
	ws, err := workspace.Open(workspace.Options{Root: filepath.Join(top, "pkg"), Extra: []string{extra}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	if got, skipped := walk(t, granted(t, g, searching(".")), ".", gate.WalkOptions{}); got != "a.txt" || skipped.Ignored != 3 {
		t.Errorf("got %s, %+v", got, skipped)
	}
	if !g.Ignored("c/new.o") || g.Ignored("c/new.c") {
		t.Error("the rules above do not count for single paths")
	}
	want := filepath.Join(extra, ".gitignore") + " " + filepath.Join(extra, "y.txt")
	if got, _ := walk(t, granted(t, g, searching(extra)), extra, gate.WalkOptions{}); got != want {
		t.Errorf("got %s", got)
	}
}
