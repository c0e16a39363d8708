package history_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/history"
	"assent/internal/whole/wholetest"
)

// SESS-11: a prompt that finds no room is told and costs none of the others.
func TestAFullDiskCostsNoOtherPrompt(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	dir := t.TempDir()
	f := history.File{Path: filepath.Join(dir, "p.jsonl")}
	if err := f.Add(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	held := wholetest.Held(t, dir)[f.Path]
	for room := len(held); room < len(held)+60; room += 7 {
		wholetest.Full(t, uint64(room), func() {
			if err := f.Add(t.Context(), strings.Repeat("long ", 20)); err == nil {
				t.Errorf("room for %d: kept without a word on the disk", room)
			}
		})
		if now := wholetest.Held(t, dir)[f.Path]; now != held {
			t.Fatalf("room for %d: the file holds %q, want %q", room, now, held)
		}
	}
	if err := f.Add(t.Context(), "two"); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
	if got, err := f.Load(0); err != nil || !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("%q, %v", got, err)
	}
}
