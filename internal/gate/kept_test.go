package gate_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"assent/internal/gate"
	"assent/internal/workspace"
)

// What is kept needs what a write needs: a plan, and hands that live.
func TestKeptIsPlanned(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a", "b.txt": "b"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	before := listed(t, dir)
	h := granted(t, g, writing("a.txt"))
	_, aside := h.SetAside("b.txt")
	_, keep := h.Keep("b.txt")
	replace := h.Replace("b.txt", []byte("x"), 0, nil)
	_, vacant := h.Vacant("b.txt")
	for _, err := range []error{aside, keep, replace, vacant} {
		if !errors.Is(err, gate.ErrNotPlanned) {
			t.Errorf("error is %v", err)
		}
	}
	read := granted(t, g, reading("a.txt"))
	if _, err := read.SetAside("a.txt"); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("a call that reads set aside: %v", err)
	}
	k, err := h.SetAside("a.txt")
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	if _, err := h.Keep("b.txt"); !errors.Is(err, gate.ErrClosed) {
		t.Errorf("kept by hands that ended: %v", err)
	}
	if err := k.Restore(); err != nil { // what was begun comes back all the same
		t.Error(err)
	}
	if after := listed(t, dir); after != before {
		t.Errorf("%s became %s", before, after)
	}
}

// What is brought back is known to the conversation as it was before.
func TestKeptIsSeenAgain(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	before := listed(t, dir)
	h := granted(t, g, writing("a.txt"))
	h.MarkSeen("a.txt", []byte("a"))
	hash, _ := h.Seen("a.txt")
	for name, keep := range map[string]func(string) (gate.Kept, error){"aside": h.SetAside, "kept": h.Keep} {
		k, err := keep("a.txt")
		if err != nil {
			t.Fatal(name, err)
		}
		if name == "kept" {
			if err := h.Write("a.txt", []byte("new"), 0); err != nil {
				t.Fatal(err)
			}
		} else if _, ok := h.Seen("a.txt"); ok {
			t.Error("what is gone is still known")
		}
		if err := k.Restore(); err != nil {
			t.Fatal(name, err)
		}
		if now, ok := h.Seen("a.txt"); !ok || now != hash {
			t.Errorf("%s: known as %q, was %q", name, now, hash)
		}
		if after := listed(t, dir); after != before {
			t.Errorf("%s: %s became %s", name, before, after)
		}
	}
}

// A trial keeps nothing and says what the call would.
func TestATrialKeepsNothing(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	before := listed(t, dir)
	r := writing("a.txt", "gone")
	grant := g.Try(r)
	h, err := grant.Spend(r.Tool, grant.Input())
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range []func(string) (gate.Kept, error){h.SetAside, h.Keep} {
		k, err := keep("a.txt")
		if err = errors.Join(err, k.Restore(), k.Drop()); err != nil {
			t.Error(err)
		}
	}
	if err := h.Replace("a.txt", []byte("x"), 0, &workspace.File{Data: []byte("a")}); err != nil {
		t.Error(err)
	}
	if _, err := h.SetAside("gone"); err == nil {
		t.Error("nothing was set aside without an error")
	}
	if after := listed(t, dir); after != before {
		t.Errorf("%s became %s", before, after)
	}
}

// What others put in a vacant place, or changed there, is not taken away with
// what the call put there.
func TestVacantTakesBackItsOwnOnly(t *testing.T) {
	t.Parallel()
	for name, there := range map[string]func(h gate.Hands, file string) error{
		"theirs": func(_ gate.Hands, file string) error { put(t, file, "theirs"); return nil },
		"changed": func(h gate.Hands, file string) error {
			err := h.Write("new", []byte("mine"), 0)
			put(t, file, "theirs")
			return err
		},
		"": func(h gate.Hands, _ string) error { return h.Write("new", []byte("mine"), 0) },
	} {
		ws, dir := open(t, nil)
		h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), writing("new"))
		k, err := h.Vacant("new")
		if err = errors.Join(err, there(h, filepath.Join(dir, "new"))); err != nil {
			t.Fatal(err)
		}
		h.Close()
		err = k.Restore()
		text, gone := os.ReadFile(filepath.Join(dir, "new"))
		if name == "" {
			if err != nil || !errors.Is(gone, fs.ErrNotExist) {
				t.Errorf("what the call put there stays: %v %v", err, gone)
			}
			continue
		}
		if !errors.Is(err, workspace.ErrMeanwhile) || string(text) != "theirs" {
			t.Errorf("%s: %v, left %q", name, err, text)
		}
	}
}
