//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SESS-11: the disk is full for the user's files and not for the log: an edit
// of a running turn fails by name, its file is what it was, nothing is left
// beside it, and the turn goes on.
func TestAFullDiskForEdits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := "needle\n" + strings.Repeat("a line of hay\n", 20_000)
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		check(t, os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o640))
	}
	if o := w.run("config", "set", "toolSets", `["edit-plus"]`); o.code != 0 {
		t.Fatal(o.err)
	}
	read := `call read_file {"path":"a.txt","limit":1}
call read_file {"path":"b.txt","limit":1}
call read_file {"path":"c.txt","limit":1}
---
`
	edits := `call edit_file {"path":"a.txt","old_string":"needle","new_string":"found"}
call multi_edit {"path":"b.txt","edits":[{"old_string":"needle","new_string":"found"}]}
call apply_patch {"patch":"*** Begin Patch\n*** Update File: c.txt\n@@\n-needle\n+found\n*** End Patch"}
call move_file {"from":"a.txt","to":"d.txt"}
---
text Gone on.`
	_, flags := w.serve(read + edits)
	o := w.starve(100_000, append([]string{"-p", "the prompt", "--yolo", "--json"}, flags...)...)
	if o.code != 0 || !strings.Contains(o.out, "Gone on.") {
		t.Fatalf("exit %d %s%s", o.code, o.out, o.err)
	}
	failed := 0
	for _, e := range w.parse(o.out) {
		if text, _ := e["error"].(string); e["type"] == "tool-error" && strings.Contains(text, ".txt: file too large") {
			failed++
		}
	}
	if failed != 3 {
		t.Errorf("%d edits failed for want of room, want 3: %s", failed, o.out)
	}
	entries, err := os.ReadDir(w.dir)
	check(t, err)
	for _, e := range entries {
		name := e.Name()
		switch name {
		case "b.txt", "c.txt", "d.txt":
			got, err := os.ReadFile(filepath.Join(w.dir, name))
			check(t, err)
			info, err := e.Info()
			check(t, err)
			if string(got) != text || info.Mode().Perm() != 0o640 {
				t.Errorf("%s has %d bytes and mode %v", name, len(got), info.Mode())
			}
		default:
			if strings.Contains(name, "tmp") || name == "a.txt" {
				t.Errorf("%s is left", name)
			}
		}
	}
}
