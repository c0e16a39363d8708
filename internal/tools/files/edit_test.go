package files_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestEditFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content string
		old, new      string
		all           bool
		want          string
		says          []string
	}{
		{
			name: "exact", content: "a\nb\nc\nd\ne\nf\n", old: "e", new: "E", want: "a\nb\nc\nd\nE\nf\n",
			says: []string{"Edited f: 1 replacement, at line 5, exact match.", "\n\n2→b\n3→c\n4→d\n5→E\n6→f"},
		},
		{name: "EDIT-02 CRLF", content: "a\r\nb\r\nc\r\n", old: "a\nb\n", new: "a\nx\ny\n", want: "a\r\nx\r\ny\r\nc\r\n", says: []string{"tolerant match (line ends differ)"}},
		{name: "EDIT-05 mark", content: "\xEF\xBB\xBFa\nb\n", old: "a", new: "x", want: "\xEF\xBB\xBFx\nb\n"},
		{name: "EDIT-07 other bytes", content: "x = 1\n# caf\xE9\n", old: "x = 1", new: "x = 2", want: "x = 2\n# caf\xE9\n"},
		{name: "EDIT-09 invalid bytes", content: "日本語\xFF\nx\n", old: "x", new: "y", want: "日本語\xFF\ny\n"},
		{name: "EDIT-09 a literal replacement character", content: "a\uFFFD\nx\n", old: "a\uFFFD", new: "b", want: "b\nx\n"},
		{name: "shift_jis", content: "\x90\xDD\x92\xE8\x82\xF0 = 1\n", old: "設定を = 1", new: "読む = 2", want: "\x93\xC7\x82\xDE = 2\n"},
		{name: "EDIT-26 tolerant", content: "x\u00a0= \u201cy\u201d\n", old: `x = "y"`, new: `x = "z"`, want: "x = \"z\"\n", says: []string{"tolerant match", "1→x = \"z\""}},
		{name: "EDIT-25 all", content: "a b\nc\na\n", old: "a", new: "x", all: true, want: "x b\nc\nx\n", says: []string{"2 replacements, at lines 1, 3"}},
		{name: "EDIT-27 line numbers", content: "a\n\tb\n", old: "1→a\n2→\tb\n", new: "1→a\n2→\tc\n", want: "a\n\tc\n", says: []string{"taking off the line numbers"}},
		{name: "no end on the last line", content: "a\nb", old: "b", new: "c", want: "a\nc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"f": c.content})
			r := w.run("edit_file", args{"path": "f", "old_string": c.old, "new_string": c.new, "replace_all": c.all})
			w.holds("f", c.want)
			w.says(r, c.says...)
			if r.Diff == "" || !strings.Contains(r.Summary, "replacement") {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestEditFileRefuses(t *testing.T) {
	t.Parallel()
	const content = "func a() {\n\treturn 1\n}\nx\nx\nx\n"
	w := newWorld(t, map[string]string{"f": content, "latin": "caf\xE9 x\n", "bin": "a\x00"})
	edit := func(old, text string) args { return args{"path": "f", "old_string": old, "new_string": text} }
	w.fails("edit_file", edit("x", "y"), "f: old_string appears 3 times (lines 4, 5, 6)", "replace_all")                                              // EDIT-25
	w.fails("edit_file", edit("func a() {\n\treturn 2\n}", "y"), "not found; the nearest text is at line 1:", "2→\treturn 1")                         // EDIT-28
	w.fails("edit_file", edit("func a() {\n    return 1\n}", "y"), "differs in indentation only is at line 1", "2→\treturn 1", "exactly as the file") // EDIT-10
	w.fails("edit_file", edit("1→func b()\n9→x", "y"), "line numbers of the read view")                                                               // EDIT-27
	w.fails("edit_file", edit("", "y"), "empty", "write_file")
	w.fails("edit_file", edit("x", "x"), "the same", "nothing was written")
	w.holds("f", content)
	w.fails("edit_file", args{"path": "latin", "old_string": "x", "new_string": "→"}, "left as it is", "cannot hold")
	w.holds("latin", "caf\xE9 x\n")
	w.fails("edit_file", args{"path": "bin", "old_string": "a", "new_string": "b"}, "binary")
	w.fails("edit_file", args{"path": "none", "old_string": "a", "new_string": "b"}, "no such file")
}

// EDIT-18: an edit that still fits is made, and says that the file moved on;
// one that does not shows what changed.
func TestEditOfAChangedFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"f": "a\nb\nc\n"})
	w.run("read_file", args{"path": "f"})
	w.put("f", "A\nb\nc\n")
	r := w.run("edit_file", args{"path": "f", "old_string": "c", "new_string": "C"})
	w.holds("f", "A\nb\nC\n")
	w.says(r, "had moved on since you read it", "-a\n+A")
	if r := w.run("edit_file", args{"path": "f", "old_string": "b", "new_string": "B"}); strings.Contains(r.Output, "moved on") {
		t.Error("its own edit counts as a change by others")
	}
	w.put("f", "x\ny\n")
	w.fails("edit_file", args{"path": "f", "old_string": "B\nC", "new_string": "z"}, "changed since you read it. Since then:", "+x\n+y")
	w.holds("f", "x\ny\n")
}

func TestMultiEdit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"f": "a\r\nb\r\nc\r\n", "g": "1\n2\n3\n"})
	r := w.run("multi_edit", args{"path": "f", "edits": []args{
		{"old_string": "a\nb", "new_string": "x\ny\nz"}, {"old_string": "y", "new_string": "Y"}, {"old_string": "\n", "new_string": "\n", "replace_all": false},
	}[:2]})
	w.holds("f", "x\r\nY\r\nz\r\nc\r\n")
	w.says(r, "Edited f: 2 replacements, edit 1 at line 1, tolerant match (line ends differ); edit 2 at line 2, exact match.", "1→x\n2→Y\n3→z\n4→c")
	w.fails("multi_edit", args{"path": "g", "edits": []args{
		{"old_string": "1", "new_string": "one"}, {"old_string": "9", "new_string": "nine"}, {"old_string": "3", "new_string": "three"},
	}}, "edit 2 of 3 in g (none were applied): old_string not found")
	w.fails("multi_edit", args{"path": "g", "edits": []args{{"old_string": "1", "new_string": "9"}, {"old_string": "9", "new_string": "1"}}}, "undo each other")
	w.holds("g", "1\n2\n3\n")
}

// Edits of one file by agents that work side by side all arrive.
func TestEditsSideBySide(t *testing.T) {
	t.Parallel()
	var old, want strings.Builder
	for i := range 12 {
		fmt.Fprintf(&old, "line %d.\n", i)
		fmt.Fprintf(&want, "new %d.\n", i)
	}
	w := newWorld(t, map[string]string{"f": old.String()})
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			if _, err := w.try("edit_file", args{"path": "f", "old_string": fmt.Sprintf("line %d.", i), "new_string": fmt.Sprintf("new %d.", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w.holds("f", want.String())
}
