package gate_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/workspace"
)

// TestReplaceMeanwhile covers a file that another program changed between the
// read that a change was made from and its write: what is there stays.
func TestReplaceMeanwhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		held   bool // the file was there when it was read
		change func(t *testing.T, file string)
		stays  string // "" when nothing is there
	}{
		"written":  {true, func(t *testing.T, file string) { put(t, file, "theirs") }, "theirs"},
		"appended": {true, func(t *testing.T, file string) { put(t, file, "ours, theirs") }, "ours, theirs"},
		"replaced": {true, func(t *testing.T, file string) {
			put(t, file+".new", "theirs")
			if err := os.Rename(file+".new", file); err != nil {
				t.Fatal(err)
			}
		}, "theirs"},
		"removed": {true, func(t *testing.T, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"made": {false, func(t *testing.T, file string) { put(t, file, "theirs") }, "theirs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws, dir := open(t, nil)
			file := filepath.Join(dir, "a.txt")
			if c.held {
				put(t, file, "ours")
			}
			h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), writing("a.txt"))
			var was *workspace.File
			if c.held {
				f, err := h.Read("a.txt", 0)
				if err != nil {
					t.Fatal(err)
				}
				was = &f
			}
			c.change(t, file)
			if err := h.Replace("a.txt", []byte("new"), 0, was); !errors.Is(err, workspace.ErrMeanwhile) {
				t.Errorf("error is %v", err)
			}
			if got, err := os.ReadFile(file); string(got) != c.stays || (err == nil) != (c.stays != "") {
				t.Errorf("the file holds %q, %v", got, err)
			}
			if _, ok := h.Seen("a.txt"); ok {
				t.Error("what was not written counts as seen")
			}
			// Read again it is written, and nothing else is left beside it.
			was = nil
			if c.stays != "" {
				f, err := h.Read("a.txt", 0)
				if err != nil {
					t.Fatal(err)
				}
				was = &f
			}
			if err := h.Replace("a.txt", []byte("new"), 0, was); err != nil {
				t.Error(err)
			}
			if got := listed(t, dir); strings.Count(got, ".txt") != 1 {
				t.Errorf("left are %s", got)
			}
		})
	}
}

// TestKeptMeanwhile covers what is kept of a file that is gone by then, and
// what comes back of a name that another program took.
func TestKeptMeanwhile(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a", "b.txt": "b"})
	h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), writing("a.txt", "b.txt", "new/deep/c.txt"))
	if err := os.Remove(filepath.Join(dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	for _, keep := range []func(string) (gate.Kept, error){h.SetAside, h.Keep} {
		if _, err := keep("b.txt"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a file that is gone was kept: %v", err)
		}
	}
	// Dropped, it is gone for good, with all that was kept of it.
	k, err := h.SetAside("a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Drop(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	// Folders that were made for a file go with it, but not what another
	// program put into them.
	v, err := h.Vacant("new/deep/c.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, theirs := range []string{"", "new/theirs.txt"} {
		if err := h.Write("new/deep/c.txt", []byte("c"), 0); err != nil {
			t.Fatal(err)
		}
		if theirs != "" {
			put(t, filepath.Join(dir, theirs), "t")
		}
		if err := h.Remove("new/deep/c.txt"); err != nil {
			t.Fatal(err)
		}
		if err := v.Restore(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "new")); (err == nil) != (theirs != "") {
			t.Errorf("with %q: %v", theirs, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "new/deep")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("with %q: %v", theirs, err)
		}
	}
}

// TestGoneWhileWalked covers what another program takes away while it is
// shown: it is counted, or an error of that one file, and the walk goes on.
func TestGoneWhileWalked(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a", "b/c.txt": "c", "z.txt": "z"})
	h := granted(t, gate.New(gate.Options{Workspace: ws}), searching("."))
	var shown []string
	skipped, err := h.Walk(t.Context(), ".", gate.WalkOptions{}, func(e gate.Entry) error {
		shown = append(shown, e.Rel)
		if e.Rel == "a.txt" {
			if err := errors.Join(os.Remove(filepath.Join(dir, "a.txt")), os.RemoveAll(filepath.Join(dir, "b"))); err != nil {
				t.Error(err)
			}
			if _, err := e.Read(10); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("read of a file that is gone: %v", err)
			}
		}
		return nil
	})
	if got := strings.Join(shown, " "); err != nil || got != "a.txt z.txt" || skipped.Unreadable != 1 {
		t.Errorf("shown %s, skipped %+v, %v", got, skipped, err)
	}
	if _, err := h.Sweep(t.Context(), "z.txt", gate.WalkOptions{}, nil, func(f gate.Found) error {
		if err := os.Remove(filepath.Join(dir, "z.txt")); err != nil {
			t.Error(err)
		}
		_, _, info := f.Info()
		_, read := f.Read(nil, 10)
		if !errors.Is(info, fs.ErrNotExist) || !errors.Is(read, fs.ErrNotExist) {
			t.Errorf("of a file that is gone: %v, %v", info, read)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	for _, walk := range []func() error{
		func() error {
			_, err := h.Walk(t.Context(), "b", gate.WalkOptions{}, func(gate.Entry) error { return nil })
			return err
		},
		func() error {
			_, err := h.Sweep(t.Context(), "b", gate.WalkOptions{}, nil, func(gate.Found) error { return nil })
			return err
		},
	} {
		if err := walk(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a root that is gone: %v", err)
		}
	}
}

// TestEndedWhileFetched: hands that end while a page is on its way follow no
// redirect any more.
func TestEndedWhileFetched(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	f := &ending{}
	h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true, Fetch: f}), fetching("https://a.example/"))
	f.end = h.Close
	if _, err := h.Fetch(t.Context(), "https://a.example/", 1); !errors.Is(err, gate.ErrClosed) {
		t.Errorf("error is %v", err)
	}
}

// TestExpansionHasABound: what a pattern stands for is known whole or not at
// all, so no file goes by unseen.
func TestExpansionHasABound(t *testing.T) {
	t.Parallel()
	files := map[string]string{"few/a.txt": ""}
	for i := range 101 {
		for j := range 101 {
			files[fmt.Sprintf("many/%d/%d.txt", i, j)] = ""
		}
	}
	ws, _ := open(t, files)
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)", "deny read_file(many/100/*)")})
	for command, want := range map[string]policy.Verdict{
		"cat few/*": policy.Allow, "cat few/*/x": policy.Allow, "cat many/9/*": policy.Allow, "cat many/100/*": policy.Deny,
		"cat many/*/*": policy.Ask, "cat [a-/x*": policy.Ask, "cat few/a.txt/*": policy.Allow,
	} {
		if d := g.Explain(t.Context(), bash(command)); d.Verdict != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
}
