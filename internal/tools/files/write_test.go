package files_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"crlf": "a\r\nb\r\n", "bom": "\xEF\xBB\xBFa\n", "latin": "caf\xE9\n", "run.sh": "#!/bin/sh\n", "bin": "\x00", "dir/x": "",
		"mixed": "a\r\nb\r\nc\n", "utf16": "\xFF\xFEa\x00\n\x00", ".env": "OLD=1",
	})
	r := w.run("write_file", args{"path": "new/deep/f.txt", "content": "one\ntwo"})
	w.holds("new/deep/f.txt", "one\ntwo")
	if r.Output != "Created new/deep/f.txt (2 lines, 7 bytes)." || !strings.Contains(r.Diff, "+one\n") {
		t.Errorf("%+v", r)
	}
	r = w.run("write_file", args{"path": "crlf", "content": "a\nx\n"}) // EDIT-04
	w.holds("crlf", "a\r\nx\r\n")
	w.says(r, "Replaced the content of crlf (2 lines, 6 bytes; +1 -1 lines).", "CRLF line ends")
	w.run("write_file", args{"path": "mixed", "content": "x\ny\n"})
	w.holds("mixed", "x\r\ny\r\n")
	w.run("write_file", args{"path": "bom", "content": "x\n"}) // EDIT-06
	w.holds("bom", "\xEF\xBB\xBFx\n")
	w.run("write_file", args{"path": "bom", "content": "\uFEFFy\n"})
	w.holds("bom", "\xEF\xBB\xBFy\n")
	w.run("write_file", args{"path": "latin", "content": "th\u00e9\n"}) // EDIT-07
	w.holds("latin", "th\xE9\n")
	w.run("write_file", args{"path": "utf16", "content": "b\n"})
	w.holds("utf16", "\xFF\xFEb\x00\n\x00")
	w.fails("write_file", args{"path": "latin", "content": "→\n"}, "left as it is", "iso-8859-1", `'→'`)
	w.holds("latin", "th\xE9\n")
	w.fails("write_file", args{"path": "bin", "content": "x"}, "binary", "delete it first")
	w.fails("write_file", args{"path": "dir", "content": "x"}, "is a directory")
	r = w.run("write_file", args{"path": "run.sh", "content": "#!/bin/sh\n"})
	w.says(r, "nothing was written")
	// What may be written, not read, is not told as made or compared.
	r = w.run("write_file", args{"path": ".env", "content": "NEW=1"})
	w.says(r, "Replaced .env (", "it may not be read, so nothing of what it held was compared or kept")
	w.holds(".env", "NEW=1")
	if made := w.run("write_file", args{"path": "d/.env", "content": "A=1"}); r.Diff != "" || made.Diff == "" || !strings.HasPrefix(made.Output, "Created d/.env (") {
		t.Errorf("diffs %q and %q, %s", r.Diff, made.Diff, made.Output)
	}
	w.run("write_file", args{"path": "run.sh", "content": "a\r\nb\r\n"}) // told otherwise
	w.holds("run.sh", "a\r\nb\r\n")
}

// EDIT-15, EDIT-16: every changing tool keeps mode and link.
func TestModeAndLinkStay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool  string
		input args
	}{
		{"write_file", args{"path": "link", "content": "new\n"}},
		{"edit_file", args{"path": "link", "old_string": "old", "new_string": "new"}},
		{"multi_edit", args{"path": "link", "edits": []args{{"old_string": "old", "new_string": "new"}}}},
		{"apply_patch", args{"patch": "*** Begin Patch\n*** Update File: link\n-old\n+new\n*** End Patch"}},
	} {
		w := newWorld(t, map[string]string{"bin/real": "old\n"})
		if err := os.Chmod(filepath.Join(w.dir, "bin/real"), 0o751); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("bin/real", filepath.Join(w.dir, "link")); err != nil {
			t.Skip(err)
		}
		r := w.run(c.tool, c.input)
		w.holds("bin/real", "new\n")
		info, err := os.Lstat(filepath.Join(w.dir, "link"))
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s: the link is gone", c.tool)
		}
		if info, _ := os.Stat(filepath.Join(w.dir, "link")); info.Mode().Perm() != 0o751 {
			t.Errorf("%s: mode %v", c.tool, info.Mode())
		}
		w.says(r, "link is a link; its target bin/real was written")
	}
}

func TestWriteTellsHardLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a": "x\n"})
	if err := os.Link(filepath.Join(w.dir, "a"), filepath.Join(w.dir, "b")); err != nil {
		t.Skip(err)
	}
	w.says(w.run("write_file", args{"path": "a", "content": "y\n"}), "2 hard links")
	w.holds("b", "x\n")
}

// A whole-file write over a file that changed since it was read is refused,
// with the difference.
func TestWriteOverAChangedFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"f": "a\nb\nc\n"})
	w.run("read_file", args{"path": "f"})
	w.run("write_file", args{"path": "f", "content": "a\nB\nc\n"}) // its own writes count as read
	w.run("write_file", args{"path": "f", "content": "a\nB\nC\n"})
	w.put("f", "a\nB\nC\ntheirs\n")
	w.fails("write_file", args{"path": "f", "content": "x\n"}, "changed since you read it", "+theirs", "Read it again")
	w.holds("f", "a\nB\nC\ntheirs\n")
	w.put("f", "a\nB\nC\n") // back to what was seen: judged by content, not by time
	w.run("write_file", args{"path": "f", "content": "x\n"})
	w.put("f", "y\n")
	w.run("read_file", args{"path": "f"})
	w.run("write_file", args{"path": "f", "content": "z\n"})
	w.holds("f", "z\n")
}

// A rewrite that lost its line breaks is flagged by whatever tool made it; one
// that is only shorter is not.
func TestCollapsedLinesAreFlagged(t *testing.T) {
	t.Parallel()
	piece := strings.Repeat("some code here\n", 40)
	text := "first\n" + piece + strings.Repeat("more\n", 400)
	flat := strings.TrimSuffix(strings.ReplaceAll(piece, "\n", " "), " ") + "\n"
	removed := "-" + strings.ReplaceAll(strings.TrimSuffix(piece, "\n"), "\n", "\n-")
	for name, call := range map[string]func(piece string) (string, args){
		"write_file": func(s string) (string, args) { return "write_file", args{"path": "p", "content": s} },
		"edit_file": func(s string) (string, args) {
			return "edit_file", args{"path": "f", "old_string": piece, "new_string": s}
		},
		"multi_edit": func(s string) (string, args) {
			return "multi_edit", args{"path": "f", "edits": []args{{"old_string": "first", "new_string": "1st"}, {"old_string": piece, "new_string": s}}}
		},
		"apply_patch, added": func(s string) (string, args) {
			return "apply_patch", patch("*** Add File: p", "+"+strings.TrimSuffix(s, "\n"))
		},
		"apply_patch, updated": func(s string) (string, args) {
			return "apply_patch", patch("*** Update File: f", "@@", " first", removed, "+"+strings.TrimSuffix(s, "\n"), " more")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"f": text, "p": piece})
			w.says(w.run(call(flat)), "Warning: 40 lines became 1 with about as much text")
			w = newWorld(t, map[string]string{"f": text, "p": piece})
			if r := w.run(call("short\n")); strings.Contains(r.Output, "Warning") {
				t.Error("a shorter text was flagged")
			}
		})
	}
}

func TestMoveAndDelete(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a": "a", "b": "b", "d/x": ""})
	w.says(w.run("move_file", args{"from": "a", "to": "new/a"}), "Moved a to new/a.")
	w.holds("new/a", "a")
	w.missing("a")
	w.fails("move_file", args{"from": "new/a", "to": "b"}, "b exists already", "not overwritten")
	w.fails("move_file", args{"from": "new/a", "to": "d"}, "d exists already", "file name included")
	w.fails("move_file", args{"from": "none", "to": "x"}, "none: no such file")
	w.fails("move_file", args{"from": "d", "to": "e"}, "d is a directory")
	w.says(w.run("delete_file", args{"path": "b"}), "Deleted b.")
	w.missing("b")
	w.fails("delete_file", args{"path": "b"}, "no such file")
	w.fails("delete_file", args{"path": "d"}, "d is a directory")
	w.holds("d/x", "")
}
