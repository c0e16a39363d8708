package workspace_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/workspace"
)

// recorded opens a workspace whose changes an Undo in a folder of its own keeps.
func recorded(t *testing.T, files map[string]string, o workspace.UndoOptions) (*workspace.Workspace, *workspace.Undo, string) {
	t.Helper()
	w, dir := open(t, files)
	if o.Dir == "" {
		o.Dir = filepath.Join(t.TempDir(), "undo")
	}
	u, err := workspace.OpenUndo(w, o)
	if err != nil {
		t.Fatal(err)
	}
	w.Record(u)
	u.Begin("1")
	return w, u, dir
}

// tree is every file below a folder with its mode and content.
func tree(t interface{ Fatal(...any) }, dir string) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(p)
			all[rel] = "-> " + to
			return err
		case d.IsDir():
			all[rel] = "folder"
		default:
			data, err := os.ReadFile(p)
			all[rel] = fmt.Sprint(info.Mode(), " ", string(data))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func same(a, b map[string]string) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// files leaves the folders out.
func files(tree map[string]string) map[string]string {
	maps.DeleteFunc(tree, func(_, what string) bool { return what == "folder" })
	return tree
}

// SESS-16, SESS-19, SESS-21: without git, undo puts back edited and deleted
// files, removes created ones with their folders, and can itself be undone.
func TestUndoAndRedo(t *testing.T) {
	t.Parallel()
	w, u, dir := recorded(t, map[string]string{"edit": "one", "gone": "bye", "from": "moved", "run": "#!"}, workspace.UndoOptions{})
	if err := os.Chmod(filepath.Join(dir, "run"), 0o750); err != nil {
		t.Fatal(err)
	}
	link(t, "edit", filepath.Join(dir, "link"))
	before := tree(t, dir)
	write(t, w, "edit", "two")
	write(t, w, "edit", "three")
	write(t, w, "run", "#!!")
	write(t, w, "new/deep/file", "fresh")
	for _, err := range []error{
		w.Remove(resolve(t, w, "gone")), w.Remove(resolve(t, w, "link")),
		w.Move(resolve(t, w, "from"), resolve(t, w, "to/it")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	after := tree(t, dir)

	r, err := u.Undo("")
	if err != nil || !same(tree(t, dir), before) {
		t.Fatalf("undo: %v\n got %v\nwant %v", err, tree(t, dir), before)
	}
	if len(r.Restored) != 2 || len(r.Created) != 3 || len(r.Removed) != 2 || r.Changed != nil || r.Lost != nil || r.Turn != "1" {
		t.Errorf("report: %+v", r)
	}
	if turns := u.Turns(); len(turns) != 1 || !turns[0].Undone {
		t.Errorf("turns: %+v", turns)
	}
	if _, err := u.Undo(""); !errors.Is(err, workspace.ErrNothing) {
		t.Errorf("undo twice: %v", err)
	}
	if _, err := u.Redo(""); err != nil || !same(tree(t, dir), after) {
		t.Fatalf("redo: %v\n got %v\nwant %v", err, tree(t, dir), after)
	}
	if _, err := u.Redo(""); !errors.Is(err, workspace.ErrNothing) {
		t.Errorf("redo twice: %v", err)
	}
	if _, err := u.Undo("1"); err != nil || !same(tree(t, dir), before) {
		t.Errorf("undo after redo: %v", err)
	}
}

// A file that other hands changed since is reported and left alone.
func TestUndoLeavesForeignChanges(t *testing.T) {
	t.Parallel()
	w, u, dir := recorded(t, map[string]string{"a": "1", "b": "1"}, workspace.UndoOptions{})
	write(t, w, "a", "2")
	write(t, w, "b", "2")
	write(t, w, "c", "2")
	fill(t, dir, map[string]string{"a": "theirs", "c": "theirs"})
	r, err := u.Undo("")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(r.Changed)
	if want := []string{filepath.Join(dir, "a"), filepath.Join(dir, "c")}; !slices.Equal(r.Changed, want) {
		t.Errorf("changed: %v", r.Changed)
	}
	if content(t, dir, "a") != "theirs" || content(t, dir, "c") != "theirs" || content(t, dir, "b") != "1" {
		t.Error("wrong contents")
	}
}

func TestUndoTurnByTurn(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "undo")
	w, u, dir := recorded(t, map[string]string{"f": "0"}, workspace.UndoOptions{Dir: store})
	for i := 1; i <= 3; i++ {
		u.Begin(fmt.Sprint(i))
		write(t, w, "f", fmt.Sprint(i))
	}
	// A later run of the program knows what the first one did.
	u, err := workspace.OpenUndo(w, workspace.UndoOptions{Dir: store})
	if err != nil {
		t.Fatal(err)
	}
	w.Record(u)
	for _, step := range []struct {
		redo bool
		want string
	}{{false, "2"}, {false, "1"}, {true, "2"}, {true, "3"}, {false, "2"}, {false, "1"}, {false, "0"}, {true, "1"}} {
		do := u.Undo
		if step.redo {
			do = u.Redo
		}
		if _, err := do(""); err != nil || content(t, dir, "f") != step.want {
			t.Fatalf("%+v: %q %v", step, content(t, dir, "f"), err)
		}
	}
	u.Begin("4")
	write(t, w, "f", "other")
	if _, err := u.Redo(""); !errors.Is(err, workspace.ErrNothing) {
		t.Errorf("redo after a new change: %v", err)
	}
	if _, err := u.Undo(""); err != nil || content(t, dir, "f") != "1" {
		t.Errorf("%v", err)
	}
}

// SESS-20: only touched files are kept, each content once, up to a size.
func TestUndoIsBounded(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "undo")
	w, u, dir := recorded(t, map[string]string{"untouched": strings.Repeat("u", 5000), "big": strings.Repeat("b", 3000), "f": ""},
		workspace.UndoOptions{Dir: store, MaxFile: 2000, MaxTotal: 4000})
	write(t, w, "big", "small now")
	if r, err := u.Undo(""); err != nil || len(r.Lost) != 1 || content(t, dir, "big") != "small now" {
		t.Errorf("a file over the limit: %+v %v", r, err)
	}
	for i := range 30 {
		u.Begin(fmt.Sprint("t", i))
		write(t, w, "f", strings.Repeat(fmt.Sprint(i%10), 1000+i))
	}
	total := int64(0)
	for _, n := range names(t, store) {
		if info, err := os.Stat(filepath.Join(store, n)); err == nil && n != "journal.jsonl" {
			total += info.Size()
		}
	}
	if total > 4000 {
		t.Errorf("%d bytes are kept", total)
	}
	if n := len(u.Turns()); n < 2 || n > 6 {
		t.Errorf("%d turns are remembered", n)
	}
	if _, err := u.Undo(""); err != nil || !strings.HasPrefix(content(t, dir, "f"), "888") {
		t.Errorf("the newest turn: %v", err)
	}
	u.Begin("wide")
	for i := range 10 {
		fill(t, dir, map[string]string{fmt.Sprint("w", i): strings.Repeat(fmt.Sprint(i), 900)})
		write(t, w, fmt.Sprint("w", i), "x")
	}
	if r, err := u.Undo(""); err != nil || len(r.Lost) == 0 || len(r.Restored)+len(r.Lost) != 10 {
		t.Errorf("a turn over the limit: %+v %v", r, err)
	}
}

// A link that took the place of a folder since is not followed by undo.
func TestUndoFollowsNoNewLink(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	fill(t, outside, map[string]string{"f": "new"})
	w, u, dir := recorded(t, map[string]string{"d/f": "old"}, workspace.UndoOptions{})
	write(t, w, "d/f", "new")
	if err := os.RemoveAll(filepath.Join(dir, "d")); err != nil {
		t.Fatal(err)
	}
	link(t, outside, filepath.Join(dir, "d"))
	r, err := u.Undo("")
	if err != nil || len(r.Changed) != 1 || content(t, outside, "f") != "new" {
		t.Errorf("%+v %v", r, err)
	}
}

// A torn last line, as a crash leaves it, costs only itself.
func TestUndoSurvivesATornJournal(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "undo")
	w, _, dir := recorded(t, map[string]string{"f": "old"}, workspace.UndoOptions{Dir: store})
	write(t, w, "f", "new")
	j, err := os.OpenFile(filepath.Join(store, "journal.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = j.WriteString("\n{\"turn\":\"1\",\"pa")
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
	u, err := workspace.OpenUndo(w, workspace.UndoOptions{Dir: store})
	if err != nil {
		t.Fatal(err)
	}
	w.Record(u)
	u.Begin("2")
	write(t, w, "f", "newer")
	for _, want := range []string{"new", "old"} {
		if _, err := u.Undo(""); err != nil || content(t, dir, "f") != want {
			t.Errorf("%q %v", content(t, dir, "f"), err)
		}
	}
}

// A long journal is shortened when it is opened, and means the same.
func TestUndoShortensItsJournal(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "undo")
	w, u, dir := recorded(t, map[string]string{"f": "0"}, workspace.UndoOptions{Dir: store})
	for i := range 3 {
		u.Begin(fmt.Sprint(i))
		write(t, w, "f", fmt.Sprint("turn", i))
		write(t, w, "new/g", fmt.Sprint("g", i))
	}
	if _, err := u.Undo(""); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(store, "journal.jsonl")
	padding := strings.Repeat(fmt.Sprintf("\n{\"turn\":\"0\",\"path\":%q,\"after\":{\"kind\":\"absent\"},\"made\":[]}", filepath.Join(dir, "other")), 20_000)
	if err := os.WriteFile(journal, []byte(content(t, journal)+padding), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := u.Close(); err != nil {
		t.Fatal(err)
	}
	u, err := workspace.OpenUndo(w, workspace.UndoOptions{Dir: store})
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	w.Record(u)
	if info, err := os.Stat(journal); err != nil || info.Size() > 10_000 {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
	if _, err := u.Redo(""); err != nil || content(t, dir, "f") != "turn2" {
		t.Errorf("redo: %v", err)
	}
	for range 3 {
		if _, err := u.Undo(""); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(t, dir); !slices.Equal(got, []string{"f"}) || content(t, dir, "f") != "0" {
		t.Errorf("%v", got)
	}
}

// Any changes of any turns are taken back to exactly what was there, and made
// again to exactly what they were.
func TestUndoIsExact(t *testing.T) {
	t.Parallel()
	base, err := os.MkdirTemp("/dev/shm", "undo") //nolint:usetesting // syncing costs nothing there
	if err != nil {
		base = t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(base, "") //nolint:usetesting // one for each try
		if err != nil {
			rt.Fatal(err)
		}
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			rt.Fatal(err) // else it would write beside this file
		}
		ws := filepath.Join(dir, "ws")
		fill(t, ws, map[string]string{"a": "a", "d/b": "b"})
		w, err := workspace.Open(workspace.Options{Root: ws})
		if err != nil {
			rt.Fatal(err)
		}
		defer w.Close()
		u, err := workspace.OpenUndo(w, workspace.UndoOptions{Dir: filepath.Join(dir, "undo")})
		if err != nil {
			rt.Fatal(err)
		}
		w.Record(u)
		name := rapid.SampledFrom([]string{"a", "d/b", "d/c", "e/f/g", "e/h"})
		states := []map[string]string{tree(rt, ws)}
		for n := range rapid.IntRange(1, 4).Draw(rt, "turns") {
			u.Begin(fmt.Sprint(n))
			for range rapid.IntRange(1, 5).Draw(rt, "changes") {
				p, err := w.Resolve(name.Draw(rt, "name"), "")
				if err != nil {
					rt.Fatal(err)
				}
				switch rapid.IntRange(0, 3).Draw(rt, "what") {
				case 0:
					_ = w.Remove(p) // may be absent
				case 1:
					to, _ := w.Resolve(name.Draw(rt, "to"), "")
					_ = w.Move(p, to) // may be absent, or the target there
				default:
					if err := w.Write(p, []byte(rapid.StringN(0, 5, -1).Draw(rt, "text")), 0); err != nil {
						rt.Fatal(err)
					}
				}
			}
			states = append(states, tree(rt, ws))
		}
		turns := len(u.Turns())
		for range turns {
			if _, err := u.Undo(""); err != nil {
				rt.Fatal(err)
			}
		}
		if got := tree(rt, ws); !same(got, states[0]) {
			rt.Fatalf("undone: %v\nwant %v", got, states[0])
		}
		for range turns {
			if _, err := u.Redo(""); err != nil {
				rt.Fatal(err)
			}
		}
		if got, want := files(tree(rt, ws)), files(states[len(states)-1]); !same(got, want) {
			rt.Fatalf("redone: %v\nwant %v", got, want)
		}
	})
}
