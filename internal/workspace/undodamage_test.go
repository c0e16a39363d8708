package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/workspace"
)

// again opens the memory of a store anew, as the next run does.
func again(t *testing.T, w *workspace.Workspace, u *workspace.Undo, store string) *workspace.Undo {
	t.Helper()
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	u, err := workspace.OpenUndo(w, workspace.UndoOptions{Dir: store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Close() })
	w.Record(u)
	return u
}

// A line that the disk damaged is not the line of another file, and the marks
// on a turn that is lost are not those of another turn.
func TestUndoOfADamagedJournal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, was, is string }{
		{"a path", `doomed"`, `domed"`},
		{"a folder that was made", `new/deep"`, `empty"`},
		{"no JSON", `"before":{"kind":"absent"}`, `"before":{"kind":"absent"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store := filepath.Join(t.TempDir(), "undo")
			w, u, dir := recorded(t, map[string]string{"doomed": "x", "keep": "1"}, workspace.UndoOptions{Dir: store})
			if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := w.Remove(resolve(t, w, "doomed")); err != nil {
				t.Fatal(err)
			}
			u.Begin("2")
			write(t, w, "new/deep/file", "fresh")
			before := tree(t, dir)
			journal := filepath.Join(store, "journal.jsonl")
			text := content(t, journal)
			if !strings.Contains(text, c.was) {
				t.Fatalf("no %s in %s", c.was, text)
			}
			if err := os.WriteFile(journal, []byte(strings.ReplaceAll(text, c.was, c.is)), 0o600); err != nil {
				t.Fatal(err)
			}
			u = again(t, w, u, store)
			for range 3 {
				_, _ = u.Undo("") // there may be less to undo
			}
			for name, what := range tree(t, dir) {
				if before[name] != what && name != "doomed" {
					t.Errorf("%s is %q, it was %q", name, what, before[name])
				}
			}
			if _, err := os.Stat(filepath.Join(dir, "empty")); err != nil {
				t.Error(err)
			}
		})
	}
}

// What is said of a turn whose own lines are lost is not said of another one.
func TestUndoOfAJournalThatLostATurn(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "undo")
	w, u, dir := recorded(t, map[string]string{"a": "0", "b": "0"}, workspace.UndoOptions{Dir: store})
	write(t, w, "a", "1")
	u.Begin("2")
	write(t, w, "b", "2")
	for range 2 { // turn 2, then turn 1
		if _, err := u.Undo(""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := u.Redo(""); err != nil { // turn 1
		t.Fatal(err)
	}
	journal := filepath.Join(store, "journal.jsonl")
	lines := strings.Split(content(t, journal), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, `"1"`) && strings.Contains(l, "undone") })
	if err := os.WriteFile(journal, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	u = again(t, w, u, store)
	if turns := u.Turns(); len(turns) != 2 || turns[0].Undone || !turns[1].Undone {
		t.Errorf("%+v", turns)
	}
	if r, err := u.Redo(""); err != nil || r.Turn != "2" || content(t, dir, "b") != "2" {
		t.Errorf("redo: %+v, %v", r, err)
	}
}

// A name need not be text.
func TestUndoOfANameThatIsNoText(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "undo")
	w, u, dir := recorded(t, nil, workspace.UndoOptions{Dir: store})
	if err := os.WriteFile(filepath.Join(dir, "a\xff"), []byte("x"), 0o600); err != nil || names(t, dir)[0] != "a\xff" {
		t.Skip("no such name here")
	}
	if err := w.Remove(resolve(t, w, "a\xff")); err != nil {
		t.Fatal(err)
	}
	u = again(t, w, u, store)
	if _, err := u.Undo(""); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"a\xff"}) {
		t.Errorf("%q", got)
	}
}

// FuzzUndo: whatever part of the journal is damaged, undoing all that can be
// undone leaves each file as it was at some time, and nothing else there.
func FuzzUndo(f *testing.F) {
	f.Add(0, 0, []byte("\x00"))
	f.Add(60, 3, []byte("b"))
	f.Add(400, 300, []byte("\n"))
	base, err := os.MkdirTemp("/dev/shm", "undo") // syncing costs nothing there
	if err != nil {
		base = f.TempDir()
	}
	f.Cleanup(func() { _ = os.RemoveAll(base) })
	f.Fuzz(func(t *testing.T, at, cut int, patch []byte) {
		dir, err := os.MkdirTemp(base, "") //nolint:usetesting // in the folder above
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			t.Fatal(err)
		}
		ws, store := filepath.Join(dir, "ws"), filepath.Join(dir, "undo")
		fill(t, ws, map[string]string{"a": "a", "d/b": "b", "e": "e"})
		w, err := workspace.Open(workspace.Options{Root: ws})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		u, err := workspace.OpenUndo(w, workspace.UndoOptions{Dir: store})
		if err != nil {
			t.Fatal(err)
		}
		w.Record(u)
		was := map[string][]string{}
		remember := func() {
			for name, what := range tree(t, dir) {
				was[name] = append(was[name], what)
			}
		}
		remember()
		for i, change := range []func(){
			func() { write(t, w, "a", "a1") },
			func() { write(t, w, "d/n/new", "n1") },
			func() { _ = w.Remove(resolve(t, w, "e")) },
			func() { _ = w.Move(resolve(t, w, "d/b"), resolve(t, w, "c")) },
		} {
			u.Begin(string(rune('1' + i/2)))
			change()
			remember()
		}
		journal := filepath.Join(store, "journal.jsonl")
		text := []byte(content(t, journal))
		at = min(max(at, 0), len(text))
		cut = min(max(cut, 0), len(text)-at)
		if err := os.WriteFile(journal, slices.Concat(text[:at], patch, text[at+cut:]), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := u.Close(); err != nil {
			t.Fatal(err)
		}
		if u, err = workspace.OpenUndo(w, workspace.UndoOptions{Dir: store}); err != nil {
			t.Fatal(err)
		}
		defer u.Close()
		for range u.Turns() {
			if r, err := u.Undo(""); err != nil {
				t.Fatalf("%+v, %v", r, err)
			}
		}
		for name, what := range tree(t, ws) {
			if name = filepath.Join("ws", name); !slices.Contains(was[name], what) {
				t.Fatalf("%s is %q, it was %q", name, what, was[name])
			}
		}
		for name, what := range was {
			if _, err := os.Lstat(filepath.Join(dir, name)); err != nil && strings.HasPrefix(name, "ws") && len(what) == 5 { // it always was
				t.Fatalf("%s is gone", name)
			}
		}
	})
}
