package workspace

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// script makes a list of sound entries of bytes: turns that change a few paths
// and are undone, redone and forgotten, in any order.
func script(ops []byte) []entry {
	top, err := filepath.Abs(string(filepath.Separator) + "w")
	if err != nil {
		panic(err)
	}
	var paths []string
	for _, name := range []string{"a", "d", "\xff", " \n\u2028\"{}"} {
		paths = append(paths, top+string(filepath.Separator)+name)
	}
	hash := func(n byte) string { return hex.EncodeToString(bytes.Repeat([]byte{n}, hashSize)) }
	states := []state{absent, {Kind: kindFile, Hash: hash(1), Mode: 0o644}, {Kind: kindLarge, Hash: hash(2)}, {Kind: kindLink, Target: "\xfe/x"}, {Kind: kindOther}}
	var list []entry
	for _, op := range ops[:min(len(ops), 40)] {
		e := entry{Turn: fmt.Sprint(op >> 6)}
		path, n := paths[op&3], int(op>>2&15)
		switch {
		case n < 5:
			e.Path, e.Before, e.After = rawPath(path), &states[n], states[(n+int(op&3)+1)%5]
		case n < 9:
			e.Path, e.After, e.Settled = rawPath(path), states[n-5], n == 8
		case n < 11:
			e.Path, e.Made = rawPath(path), []rawPath{rawPath(top)}
		default:
			e.Mark = []string{markUndone, markRedone, markForgotten}[n%3]
		}
		list = append(list, e)
	}
	return list
}

// FuzzJournal: what is written is read again. Of a journal that is damaged in
// one place every other line is read, nothing is read that was not written, and
// the memory knows no path and no turn that no good line names.
func FuzzJournal(f *testing.F) {
	f.Add([]byte("\x01\x06\x30\x41\x30\x34"), 30, 5, []byte("x"))
	f.Add([]byte("\x01\x41\x81\x2c\x30\x6c\x70\x24\x65"), 0, 9, []byte(nil))
	f.Add([]byte("\x02\x16\x42\x52\x22\x62\x2c\x6c\xac\x30\x70"), 200, 0, []byte("\n{}\n"))
	f.Add([]byte("\x03"), 1<<20, 0, []byte(`00000000 {"turn":"1","mark":"undone"}`))
	f.Fuzz(func(t *testing.T, ops []byte, at, cut int, patch []byte) {
		written := script(ops)
		var text []byte
		var ends []int // of the lines
		for _, e := range written {
			line, err := e.line()
			if err != nil || bytes.ContainsRune(line, '\n') {
				t.Fatalf("%q, %v", line, err)
			}
			text = append(append(text, '\n'), line...)
			ends = append(ends, len(text))
		}
		if got := parseJournal(text); !reflect.DeepEqual(got, written) {
			t.Fatalf("written %s\nread    %s", show(written), show(got))
		}
		at = min(max(at, 0), len(text))
		cut = min(max(cut, 0), len(text)-at)
		var left []entry // the lines that the damage did not touch
		begin := 0
		for i, e := range written {
			if ends[i] < at || begin > at+cut || begin == at+cut && cut > 0 && at < begin {
				left = append(left, e)
			}
			begin = ends[i]
		}
		read := parseJournal(slices.Concat(text[:at], patch, text[at+cut:]))
		if !within(left, read) {
			t.Fatalf("left %s\nread %s", show(left), show(read))
		}
		if !within(read, written) {
			t.Fatalf("written %s\nread    %s", show(written), show(read))
		}
		checkMemory(t, read)
	})
}

// checkMemory replays entries: the memory knows what they say and no more, and
// the journal that is written of it leads to the same.
func checkMemory(t *testing.T, read []entry) {
	var m, again memory
	for _, e := range read {
		m.replay(e)
	}
	for _, tu := range m.turns {
		if len(tu.files) == 0 {
			t.Fatalf("turn %q changed nothing", tu.id)
		}
		if tu.undone != slices.Contains(m.undone, tu) {
			t.Fatalf("turn %q is undone (%v), and can be redone or not", tu.id, tu.undone)
		}
		for _, c := range tu.files {
			if !slices.ContainsFunc(read, func(e entry) bool {
				return e.Turn == tu.id && string(e.Path) == c.path && e.Before != nil && reflect.DeepEqual(*e.Before, c.before)
			}) {
				t.Fatalf("nothing says that turn %q changed %q from %v", tu.id, c.path, c.before)
			}
		}
	}
	for _, e := range m.entries() {
		line, err := e.line()
		if err != nil {
			t.Fatal(err)
		}
		got, ok := parseEntry(line)
		if !ok {
			t.Fatalf("%s is not read again", line)
		}
		again.replay(got)
	}
	if got, want := show(again.entries()), show(m.entries()); got != want {
		t.Fatalf("written %s\nread    %s", want, got)
	}
}

// within reports whether a list is another one with some left out.
func within(part, all []entry) bool {
	for _, e := range all {
		if len(part) > 0 && reflect.DeepEqual(part[0], e) {
			part = part[1:]
		}
	}
	return len(part) == 0
}

func show(list []entry) string {
	text, err := json.Marshal(list)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
