package workspace_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"assent/internal/whole/wholetest"
	"assent/internal/workspace"
)

// SESS-11: with room for so many bytes and no more, a change is made only when
// it can be taken back; the journal may end at any byte.
func TestNoChangeWithoutRoomToTakeItBack(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	refused, made := 0, 0
	for room := uint64(1); room < 1000; room += 23 {
		store := t.TempDir()
		files := map[string]string{"a": strings.Repeat("a", 50), "b": strings.Repeat("b", 50), "long": strings.Repeat("c", 500)}
		w, u, dir := recorded(t, files, workspace.UndoOptions{Dir: store})
		before := tree(t, dir)
		changed := false
		wholetest.Full(t, room, func() {
			for _, name := range slices.Sorted(maps.Keys(files)) {
				p, err := w.Resolve(name, "")
				if err != nil {
					t.Fatal(err)
				}
				was := content(t, dir, name)
				switch err := w.Write(p, nil, 0); {
				case err == nil:
					made, changed = made+1, true
				case content(t, dir, name) != was:
					t.Errorf("room for %d: %s was changed all the same: %v", room, name, err)
				default:
					refused++
				}
			}
		})
		if err := u.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := workspace.OpenUndo(w, workspace.UndoOptions{Dir: store})
		if err != nil {
			t.Fatalf("room for %d: %v", room, err)
		}
		if changed {
			w.Record(again)
			if _, err := again.Undo("1"); err != nil {
				t.Errorf("room for %d: %v", room, err)
			}
		}
		if after := tree(t, dir); !same(before, after) {
			t.Errorf("room for %d: undo leaves %v, want %v", room, after, before)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if refused == 0 || made == 0 {
		t.Errorf("%d changes were refused and %d made: nothing was tested", refused, made)
	}
}
