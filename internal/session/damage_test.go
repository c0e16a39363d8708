package session_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/jsonl"
	"assent/internal/session"
)

// SESS-15: everything that was acknowledged survives the process, wherever it
// is cut off; what follows it is at most one more record.
func TestKilledAtEveryByte(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	ends := []int64{size(t, l.Path())}
	for _, r := range everyRecord() {
		add(t, l, r)
		ends = append(ends, size(t, l.Path()))
	}
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	want := l.Tree().Entries
	for cut := range len(data) + 1 {
		tree, faults, err := session.Read(data[:cut])
		if err != nil {
			t.Fatal(err)
		}
		whole := 0
		for _, end := range ends {
			if int64(cut) >= end {
				whole++
			}
		}
		if n := len(tree.Entries); n != whole && n != whole+1 {
			t.Fatalf("cut at %d: %d records, %d were acknowledged", cut, n, whole)
		}
		for i, e := range tree.Entries {
			if e.ID != want[i].ID {
				t.Fatalf("cut at %d: record %d is another", cut, i)
			}
		}
		if faults.Count > 1 || faults.Count == 1 && faults.List[0].Kind != jsonl.Torn {
			t.Fatalf("cut at %d: %v", cut, faults)
		}
	}
}

// SESS-01, SESS-07: damage costs the lines that it hits; the rest loads and
// the conversation before and after it is there.
func TestDamageAtEveryByte(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	for i := range 4 {
		add(t, l, session.User{Text: fmt.Sprint("q", i)}, said(fmt.Sprint("a", i)))
	}
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	full := len(l.Tree().Entries)
	for at := range data {
		for _, b := range []byte{0, '\n', '"', '{', 0xfe} {
			broken := bytes.Clone(data)
			broken[at] = b
			tree, faults, err := session.Read(broken)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(tree.Entries); n < full-2 {
				t.Fatalf("byte %d = %q: %d of %d records: %v", at, b, n, full, faults)
			}
			if strings.Contains(faults.String(), "q1") {
				t.Fatalf("a fault tells content: %v", faults)
			}
			if n := len(session.Fold(tree.Branch(""))); n < 8-2 {
				t.Fatalf("byte %d = %q: %d items of 8", at, b, n)
			}
		}
	}
}

func TestDamageIsSaid(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	for i := range 3 {
		add(t, l, session.User{Text: fmt.Sprint("q", i)})
	}
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	lines := strings.SplitAfter(string(data), "\n")
	middle := lines[2]
	for name, c := range map[string]struct {
		text  string
		items string
		said  string
	}{
		"SESS-01 malformed":      {lines[0] + lines[1] + "garbage\n" + lines[2] + lines[3], "user q0 | user q1 | user q2", "line 3 (7 bytes): malformed"},
		"SESS-05 torn":           {lines[0] + lines[1] + lines[2] + lines[3][:40], "user q0 | user q1", "line 4 (40 bytes): torn"},
		"SESS-07 lost parent":    {lines[0] + lines[1] + lines[3], "user q0 | user q2", ""},
		"a line twice":           {lines[0] + lines[1] + middle + middle + lines[3], "user q0 | user q1 | user q2", "duplicate"},
		"wrong types":            {lines[0] + lines[1] + strings.Replace(middle, `"q1"`, `{}`, 1) + lines[3], "user q0 | user q2", "invalid"},
		"no id":                  {lines[0] + lines[1] + `{"type":"user","text":"x"}` + "\n" + lines[2], "user q0 | user q1", "invalid"},
		"the header is lost":     {"{]\n" + lines[1] + lines[2], "user q0 | user q1", "line 1 (2 bytes): malformed"},
		"a second header":        {lines[0] + lines[1] + strings.Replace(lines[0], l.ID(), "other", 1) + lines[2], "user q0 | user q1", "misplaced"},
		"a parent that is later": {lines[0] + strings.Replace(lines[1], l.ID(), l.Tree().Entries[3].ID, 1) + lines[2] + lines[3], "user q0 | user q1 | user q2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), filepath.Base(l.Path()))
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			tree, faults := load(t, path)
			if got := show(session.Fold(tree.Branch(""))); got != c.items {
				t.Errorf("items %s", got)
			}
			if c.said == "" && faults.Count != 0 || !strings.Contains(faults.String(), c.said) {
				t.Errorf("faults %q", faults)
			}
			if tree.ID != l.ID() {
				t.Errorf("id %q", tree.ID)
			}
			again, err := s.OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			add(t, again, session.User{Text: "on"})
			if got := show(session.Fold(again.Branch())); got != c.items+" | user on" {
				t.Errorf("continued: %s", got)
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"type":"session","id":"s","time":"2026-10-01T09:00:01Z","version":1,"cwd":"/x"}` + "\n" +
		`{"type":"user","id":"u","parent":"s","time":"2026-10-01T09:00:02Z","text":"hi"}` + "\n" +
		`{"type":"assistant","id":"a","parent":"u","time":"2026-10-01T09:00:02Z","text":"","calls":[{"id":"c","name":"n","inputText":"{"}]}` + "\n" +
		`{"type":"result","id":"r","parent":"zz","callId":"c","status":"ok","output":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, _, err := session.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		session.Fold(tree.Branch(""))
		session.FoldOpen(tree.Branch(""))
		tree.Outline("")
		tree.Leaves()
		for _, format := range session.Formats() {
			_ = session.Export(&bytes.Buffer{}, tree, format)
		}
	})
}
