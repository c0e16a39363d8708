package edit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"assent/internal/edit"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content, old, new, want, tier string
		all                                 bool
		lines                               []int
	}{
		{name: "plain", content: "a\nb\nc\n", old: "b", new: "x", want: "a\nx\nc\n", tier: edit.Exact, lines: []int{2}},
		{name: "inside a line", content: "let x = 1;", old: "= 1", new: "= 2", want: "let x = 2;", tier: edit.Exact},
		{name: "written as sent", content: "a\n", old: "a", new: "\u201cb\u201d  \tc ", want: "\u201cb\u201d  \tc \n", tier: edit.Exact},
		{name: "EDIT-02 LF text in a CRLF file", content: "a\r\nb\r\nc\r\n", old: "a\nb\n", new: "x\ny\nz\n", want: "x\r\ny\r\nz\r\nc\r\n", tier: edit.LineEnds},
		{name: "EDIT-02 CRLF text in an LF file", content: "a\nb\nc\n", old: "a\r\nb\r\n", new: "a\r\nx\r\n", want: "a\nx\nc\n", tier: edit.LineEnds},
		{name: "one line to many in a CRLF file", content: "a\r\nb\r\n", old: "b", new: "x\ny", want: "a\r\nx\r\ny\r\n", tier: edit.Exact},
		{name: "carriage returns that were sent stay", content: "a\nb\n", old: "b", new: "x\r\ny", want: "a\nx\r\ny\n", tier: edit.Exact},
		{name: "changing line ends on purpose", content: "a\r\nb\r\n", old: "a\r\nb", new: "a\nb", want: "a\nb\r\n", tier: edit.Exact},
		{name: "a match does not cut a CRLF", content: "a\r\nb", old: "\nb", new: "c", want: "ac", tier: edit.LineEnds},
		{name: "mixed line ends", content: "a\r\nb\nc\r\nd\n", old: "b\nc", new: "b\nx\nc", want: "a\r\nb\nx\nc\r\nd\n", tier: edit.Exact},
		{name: "trailing blanks in the file", content: "if x {  \n\ty()\t\n}\n", old: "if x {\n\ty()\n}", new: "if x {\n\tz()\n}", want: "if x {  \n\tz()\n}\n", tier: edit.TrailingBlanks},
		{name: "trailing blanks in the text", content: "a\nb\nc\n", old: "a  \nb \n", new: "a  \nx\n", want: "a\nx\nc\n", tier: edit.TrailingBlanks},
		{name: "quotes and dashes", content: "say \u201chi\u201d \u2014 it\u2019s\n", old: `say "hi" - it's`, new: "quiet", want: "quiet\n", tier: edit.Unicode},
		{name: "odd blanks", content: "a\u00a0=\u2003b\n", old: "a = b", new: "c", want: "c\n", tier: edit.Unicode},
		{name: "decomposed", content: "cafe\u0301 x\n", old: "caf\u00e9 x", new: "tea", want: "tea\n", tier: edit.Unicode},
		{name: "composed", content: "caf\u00e9 \ud55c\n", old: "cafe\u0301 \u1112\u1161\u11ab", new: "tea", want: "tea\n", tier: edit.Unicode},
		{name: "unchanged lines keep their quotes", content: "// it\u2019s\nx := 1\n", old: "// it's\nx := 1", new: "// it's\nx := 2", want: "// it\u2019s\nx := 2\n", tier: edit.Unicode},
		{name: "no end on the last line", content: "a\nb", old: "b\n", new: "c\n", want: "a\nc", tier: edit.LineEnds},
		{name: "all", content: "a b a b a", old: "a", new: "c", all: true, want: "c b c b c", tier: edit.Exact, lines: []int{1, 1, 1}},
		{name: "all, overlapping", content: "aaaaa", old: "aa", new: "b", all: true, want: "bba", tier: edit.Exact},
		{name: "all in a CRLF file", content: "a\r\nb\r\na\r\nb\r\n", old: "a\nb\n", new: "c\n", all: true, want: "c\r\nc\r\n", tier: edit.LineEnds, lines: []int{1, 3}},
		{name: "delete", content: "a\nb\nc\n", old: "b\n", new: "", want: "a\nc\n", tier: edit.Exact},
		{name: "empty file", content: "", old: "", new: "x\n", want: "x\n", tier: edit.Exact},
		{name: "EDIT-09 a real replacement character", content: "a\uFFFDb \xff\n", old: "a\uFFFDb", new: "c", want: "c \xff\n", tier: edit.Exact},
		{name: "exact wins over tolerant", content: "x  \nx\n", old: "x\n", new: "y\n", want: "x  \ny\n", tier: edit.Exact},
		{name: "EDIT-27 line numbers", content: "a\n\tb\nc\n", old: "2→\tb\n3→c", new: "2→\tx\n3→c", want: "a\n\tx\nc\n", tier: edit.Exact},
		{name: "EDIT-27 numbers in the old text alone", content: "a\nb\n", old: "   1→a\n   2→b\n", new: "x\n", want: "x\n", tier: edit.Exact},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, m, err := edit.Replace(c.content, edit.Edit{Old: c.old, New: c.new, All: c.all, Normal: norm.NFC.String})
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want || m.Tier != c.tier || c.lines != nil && !slices.Equal(m.Lines, c.lines) {
				t.Errorf("%q by %+v\nwant %q by %s", got, m, c.want, c.tier)
			}
			if m.Stripped != strings.HasPrefix(c.name, "EDIT-27") || m.Count != len(m.Spans) {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestReplaceRefuses(t *testing.T) {
	t.Parallel()
	try := func(content, old, text string) error {
		got, _, err := edit.Replace(content, edit.Edit{Old: old, New: text, Normal: norm.NFC.String})
		if err != nil && got != content {
			t.Errorf("the content came back changed: %q", got)
		}
		return err
	}
	// EDIT-25: several matches are an error, with their lines.
	err := try("x\na\nb\na\n\na\n", "a", "c")
	if a, ok := errors.AsType[*edit.AmbiguousError](err); !ok || !slices.Equal(a.Lines, []int{2, 4, 6}) || err.Error() != "appears 3 times (lines 2, 4, 6)" {
		t.Errorf("several: %v", err)
	}
	if err := try("aaa", "aa", "b"); err == nil || !strings.Contains(err.Error(), "appears 2 times") {
		t.Errorf("overlapping: %v", err)
	}
	if err := try("it\u2019s\nit\u2018s\n", "it's", "x"); err == nil || !strings.Contains(err.Error(), "lines 1, 2") {
		t.Errorf("several at a tolerant tier: %v", err)
	}
	if err := try("a\r\n\n", "\n", "b"); err == nil || !strings.Contains(err.Error(), "lines 1, 2") {
		t.Errorf("several, one of them in a CRLF: %v", err)
	}
	if err := try("a", "", "b"); !errors.Is(err, edit.ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
	if err := try("a", "a", "a"); !errors.Is(err, edit.ErrSame) {
		t.Errorf("same: %v", err)
	}
	if err := try("a\r\n", "a\n", "a\r\n"); !errors.Is(err, edit.ErrSame) {
		t.Errorf("same but for line ends: %v", err)
	}
	if err := try("foo bar\n", "foo ", "x "); err != nil {
		t.Errorf("a blank inside a line: %v", err)
	}
	if err := try("foobar\n", "foo ", "x "); err == nil {
		t.Error("a blank at the end was forgiven inside a line")
	}
	if err := try("cafe\u0301\n", "cafe", "x"); err != nil {
		t.Errorf("exact: %v", err) // the bytes are there, exactly
	}
	if err := try("\u201ccafe\u0301\n", "\"cafe", "x"); err == nil {
		t.Error("a match ended inside a character")
	}
}

// EDIT-28, EDIT-10: the nearest text comes back with its lines.
func TestNotFoundShowsTheNearest(t *testing.T) {
	t.Parallel()
	content := "package a\n\nfunc one() {\n\tfirst()\n\tsecond()\n}\n\nfunc two() {\n\tthird()\n}\n"
	for _, c := range []struct {
		name, old, has string
		line           int
		indent         bool
	}{
		{"spaces for tabs", "func one() {\n    first()\n    second()\n}", "3→func one() {\n4→\tfirst()\n", 3, true},
		{"one line differs", "func one() {\n\tfirst()\n\tother()\n}\n", "5→\tsecond()", 3, false},
		{"a misspelt line", "\tsecnod()", "5→\tsecond()", 5, false},
		{"nothing near", "zzzzzzz qqqqqq", "nothing in the file", 0, false},
		{"numbers that do not fit", "4→\tfirst()\n9→\tthird()", "without them", 4, false},
	} {
		_, _, err := edit.Replace(content, edit.Edit{Old: c.old, New: "x"})
		e, ok := errors.AsType[*edit.NotFoundError](err)
		if !ok || e.Line != c.line || e.Indentation != c.indent || !strings.Contains(err.Error(), c.has) {
			t.Errorf("%s: %v (%+v)", c.name, err, e)
		}
	}
}

// Outside the matches nothing changes, whatever the content.
func TestReplaceTouchesOnlyTheMatch(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"a", "b", "\n", "\r\n", " ", "\t", "\r", "\u2019", "'", "\u00a0", "e\u0301", "\u00e9", "1→", "\xff", "\u200b"})
	text := func(t *rapid.T, name string, most int) string {
		return strings.Join(rapid.SliceOfN(piece, 0, most).Draw(t, name), "")
	}
	rapid.Check(t, func(t *rapid.T) {
		e := edit.Edit{Old: text(t, "old", 4), New: text(t, "new", 4), All: rapid.Bool().Draw(t, "all"), Normal: norm.NFC.String}
		checkReplace(t, text(t, "content", 12), e)
	})
}

type fataler interface{ Fatalf(string, ...any) }

func checkReplace(t fataler, content string, e edit.Edit) {
	got, m, err := edit.Replace(content, e)
	if err != nil {
		if got != content {
			t.Fatalf("failed, and changed the content")
		}
		return
	}
	if !e.All && m.Count != 1 || m.Count != len(m.Spans) || m.Count != len(m.Lines) {
		t.Fatalf("%+v", m)
	}
	if n := strings.Count(content, e.Old); e.Old != "" && m.Tier == edit.Exact && !m.Stripped && !e.All && n > 1 {
		t.Fatalf("%d exact matches", n)
	}
	// What is not in a span stands in the old content, in order.
	rest, at := content, 0
	for i, s := range m.Spans {
		keep := got[at:s[0]]
		j := strings.Index(rest, keep)
		if j < 0 || i == 0 && j != 0 {
			t.Fatalf("%q before a match is not in %q", keep, content)
		}
		rest, at = rest[j+len(keep):], s[1]
	}
	if !strings.HasSuffix(rest, got[at:]) {
		t.Fatalf("%q after the matches is not in %q", got[at:], content)
	}
	if m.Tier == edit.Exact && !strings.ContainsAny(content+e.Old+e.New, "\r→") {
		n := 1
		if e.All {
			n = -1
		}
		if want := strings.Replace(content, e.Old, e.New, n); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func FuzzReplace(f *testing.F) {
	f.Add("a\r\nb\r\n", "a\nb", "c\nd", false)
	f.Add("it\u2019s  \n", "it's\n", "x", true)
	f.Add("1→a\n", "1→a", "b", false)
	f.Add("cafe\u0301", "caf\u00e9", "", false)
	f.Fuzz(func(t *testing.T, content, old, text string, all bool) {
		checkReplace(t, content, edit.Edit{Old: old, New: text, All: all, Normal: norm.NFC.String})
	})
}

func TestNumber(t *testing.T) {
	t.Parallel()
	text := "a\n\tb\n\n  c"
	numbered := edit.Number(text, 9)
	if numbered != "9→a\n10→\tb\n11→\n12→  c" {
		t.Errorf("%q", numbered)
	}
	if back, ok := edit.Unnumber(numbered); !ok || back != text {
		t.Errorf("%q %v", back, ok)
	}
	for _, s := range []string{"", "a", "1→a\nb", "1→a\n3→b", "x→y", "0→a"} {
		if _, ok := edit.Unnumber(s); ok {
			t.Errorf("%q has no line numbers", s)
		}
	}
}
