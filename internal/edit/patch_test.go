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

// update wraps lines of chunks in an envelope for one file.
func update(lines string) string {
	return "*** Begin Patch\n*** Update File: f\n" + lines + "*** End Patch\n"
}

// twice holds two like methods.
const twice = "class A:\n    def run(self):\n        return 1\nclass B:\n    def run(self):\n        return 1\n"

func TestApply(t *testing.T) {
	t.Parallel()
	const file = "class A:\n    def one(self):\n        return 1\n\nclass B:\n    def one(self):\n        return 1\n"
	for _, c := range []struct {
		name, content, patch, want, tier string
		first                            []int
	}{
		{name: "replace", content: "a\nb\nc\n", patch: "@@\n a\n-b\n+x\n c\n", want: "a\nx\nc\n"},
		{name: "the first head may lack", content: "a\nb\nc\n", patch: " a\n-b\n+x\n", want: "a\nx\nc\n"},
		{name: "two changes", content: "a\nb\nc\nd\n", patch: "@@\n-a\n+A\n@@\n-d\n+D\n", want: "A\nb\nc\nD\n"},
		{name: "delete lines", content: "a\nb\nc\n", patch: "@@\n a\n-b\n c\n", want: "a\nc\n"},
		{name: "anchor", content: file, patch: "@@ class B:\n     def one(self):\n-        return 1\n+        return 2\n", want: file[:len(file)-2] + "2\n"},
		{name: "EDIT-23 several heads", content: file, patch: "@@ class B:\n@@ def one(self):\n-        return 1\n+        return 2\n", want: file[:len(file)-2] + "2\n"},
		{name: "EDIT-23 an extra head", content: "a\nb\n", patch: "@@\n@@\n-a\n+x\n@@\n", want: "x\nb\n"},
		{name: "anchor repeated as a line", content: file, patch: "@@ class B:\n class B:\n     def one(self):\n-        return 1\n+        return 2\n", want: file[:len(file)-2] + "2\n"},
		{name: "anchor in part", content: file, patch: "@@ B\n     def one(self):\n-        return 1\n+        return 2\n", want: file[:len(file)-2] + "2\n"},
		{name: "an anchor before the right one of two", content: twice, patch: "@@ class B:\n@@ def run(self):\n-        return 1\n+        return 2\n", want: twice[:len(twice)-2] + "2\n"},
		{name: "anchors at several places, lines at one", content: twice + "        done()\n", patch: "@@ def run(self):\n-        done()\n+        stop()\n", want: twice + "        stop()\n"},
		{name: "anchors at several places in turn", content: twice, patch: "@@ def run(self):\n-        return 1\n+        return 2\n@@ def run(self):\n-        return 1\n+        return 3\n", want: strings.Replace(strings.Replace(twice, "1", "2", 1), "1", "3", 1)},
		{name: "the first after its anchor", content: twice, patch: "@@ class A:\n-        return 1\n+        return 2\n", want: strings.Replace(twice, "1", "2", 1), first: []int{3}},
		{name: "unified head", content: file, patch: "--- a/f\n+++ b/f\n@@ -5,3 +5,3 @@ class B:\n     def one(self):\n-        return 1\n+        return 2\n", want: file[:len(file)-2] + "2\n"},
		{name: "trailing blanks", content: "a  \nb\t\n", patch: " a\n-b\n+c\n", want: "a  \nc\n", tier: edit.TrailingBlanks},
		{name: "indentation", content: "\tif x {\n\t\ty()\n\t}\n", patch: " if x {\n-    y()\n+\t\tz()\n }\n", want: "\tif x {\n\t\tz()\n\t}\n", tier: edit.Indentation},
		{name: "unicode", content: "# it\u2019s \u2014 a\u00a0note\nx\n", patch: " # it's - a note\n-x\n+y\n", want: "# it\u2019s \u2014 a\u00a0note\ny\n", tier: edit.Unicode},
		{name: "normal form", content: "cafe\u0301\nx\n", patch: " caf\u00e9\n-x\n+y\n", want: "cafe\u0301\ny\n", tier: edit.Unicode},
		{name: "CRLF", content: "a\r\nb\r\nc\r\n", patch: " a\n-b\n+x\n+y\n", want: "a\r\nx\r\ny\r\nc\r\n"},
		{name: "mixed line ends", content: "a\r\nb\nc\r\n", patch: " a\n-b\n+x\n c\n", want: "a\r\nx\nc\r\n"},
		{name: "no end on the last line", content: "a\nb", patch: " a\n-b\n+c\n", want: "a\nc"},
		{name: "a lone return at the end", content: "a\nb\r", patch: "-a\n+c\n", want: "c\nb\r"},
		{name: "append to such a line", content: "a\r\nb", patch: " b\n+c\n", want: "a\r\nb\r\nc"},
		{name: "insert only: at the end", content: "a\nb\n", patch: "@@\n+c\n", want: "a\nb\nc\n"},
		{name: "insert only: after the anchor", content: "a\nb\nc\n", patch: "@@ b\n+x\n", want: "a\nb\nx\nc\n"},
		{name: "into an empty file", content: "", patch: "+a\n+b\n", want: "a\nb\n"},
		{name: "end of file", content: "x\ny\nx\ny\n", patch: "@@\n x\n-y\n+z\n*** End of File\n", want: "x\ny\nx\nz\n"},
		{name: "blank line as context", content: "a\n\nb\n", patch: " a\n\n-b\n+c\n", want: "a\n\nc\n"},
		{name: "a blank too many at the end", content: "a\nb\n", patch: "-b\n+c\n \n", want: "a\nc\n"},
		{name: "like places in turn", content: "x\n1\nx\n2\n", patch: "@@\n-x\n+y\n@@\n-x\n+z\n", want: "y\n1\nz\n2\n"},
		{name: "an indented marker is a line", content: "a\n*** End Patch\n", patch: " a\n  *** End Patch\n+b\n", want: "a\n*** End Patch\nb\n", tier: edit.Indentation},
		{name: "EDIT-27 line numbers", content: "a\n\tb\nc\n", patch: " 1→a\n-2→\tb\n+2→\tx\n", want: "a\n\tx\nc\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := edit.ParsePatch(update(c.patch))
			if err != nil {
				t.Fatal(err)
			}
			got, err := edit.Apply(p.Files[0], c.content, norm.NFC.String)
			if err != nil {
				t.Fatal(err)
			}
			if c.tier == "" {
				c.tier = edit.Exact
			}
			if got.Content != c.want || got.Tier != c.tier {
				t.Errorf("%q (%s)\nwant %q (%s)", got.Content, got.Tier, c.want, c.tier)
			}
			if c.first != nil && !slices.Equal(got.First, c.first) {
				t.Errorf("first of several: %v", got.First)
			}
			if got.Stripped != strings.HasPrefix(c.name, "EDIT-27") {
				t.Errorf("stripped: %v", got.Stripped)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, content, patch, want string }{
		{"EDIT-28 not there", "alpha\nbeta\n", "@@\n alpha\n-bata\n+x\n", "f: change 1 of 1 (line 3 of the patch): its lines were not found; the nearest text is at line 1:\n1→alpha\n2→beta"},
		{"the second change", "a\nb\n", "@@\n-a\n+x\n@@\n-zz\n+y\n", "change 2 of 2 (line 6 of the patch)"},
		{"several places", "a\nb\na\nb\n", "@@\n-a\n+x\n", "its lines appear 2 times (lines 1, 3); add lines"},
		{"no such anchor", "a\nb\n", "@@ class X\n-a\n+x\n", `the anchor "@@ class X" was not found`},
		{"anchor and lines at several places", twice, "@@ def run(self):\n-        return 1\n+        return 2\n", "its lines appear 2 times (lines 3, 6), and its anchor at lines 2, 5; add lines"},
		{"an insertion after one of several anchors", twice, "@@ def run(self):\n+        x = 1\n", `the anchor "@@ def run(self):" appears 2 times (lines 2, 5)`},
		{"before the change above", "a\nb\n", "@@\n-b\n+x\n@@\n-a\n+y\n", "change 2 of 2"},
		{"not at the end", "a\nb\n", "@@\n-a\n+x\n*** End of File\n", "not found"},
	} {
		p, err := edit.ParsePatch(update(c.patch))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		_, err = edit.Apply(p.Files[0], c.content, nil)
		if e, ok := errors.AsType[*edit.ChunkError](err); !ok || e.Path != "f" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestParsePatch(t *testing.T) {
	t.Parallel()
	const body = "*** Begin Patch\n*** Add File: new/a b.txt\n+one\n+\n+two\n*** Delete File: old\n*** Update File: x\n*** Move to: y\n@@\n-a\n+b\n\n*** Update File: p\n*** Move to: q\n*** End Patch"
	for name, text := range map[string]string{
		"plain": body, "line end": body + "\n", "blanks around": "\n \n" + body + "\n\n",
		"here-document": "<<'EOF'\n" + body + "\nEOF", "with its command": "apply_patch <<\"PATCH\"\n" + body + "\nPATCH\n",
		"unquoted": "<<EOF\n" + body + "\nEOF\n", "fence": "```diff\n" + body + "\n```\n",
		"CRLF":           strings.ReplaceAll(body, "\n", "\r\n") + "\r\n",
		"padded markers": strings.NewReplacer("*** Begin Patch", " *** Begin Patch  ", "*** Delete File: old", "*** Delete File: old  ").Replace(body),
		"environment":    strings.Replace(body, "*** Add", "*** Environment ID: 7\n*** Add", 1),
	} {
		p, err := edit.ParsePatch(text)
		if err != nil || len(p.Files) != 4 {
			t.Errorf("%s: %v %+v", name, err, p)
			continue
		}
		f := p.Files
		if f[0].Kind != edit.Add || f[0].Path != "new/a b.txt" || f[0].Content != "one\n\ntwo\n" || f[1].Kind != edit.Delete || f[1].Path != "old" ||
			f[2].MoveTo != "y" || len(f[2].Chunks) != 1 || len(f[2].Chunks[0].Lines) != 2 || f[3].MoveTo != "q" || len(f[3].Chunks) != 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// EDIT-21: an error says what was received, where, and how to put it right.
func TestParsePatchErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `malformed patch at line 1: got "the end of the patch"; a patch begins with the line "*** Begin Patch"`},
		{"no beginning", "hello\n*** Begin Patch\n", `line 1: got "hello"; a patch begins with`},
		{"no end", "*** Begin Patch\n*** Delete File: x\n", `line 3: got "the end of the patch"; a patch ends with`},
		{"no sections", "*** Begin Patch\n*** End Patch\n", `line 2: got "*** End Patch"; name at least one file`},
		{"no path", "*** Begin Patch\n*** Add File: \n+a\n*** End Patch\n", `line 2: got "*** Add File: "; name the file`},
		{"unknown section", "*** Begin Patch\n*** Rename File: x\n*** End Patch\n", `line 2: got "*** Rename File: x"; a section begins with`},
		{"added line without plus", "*** Begin Patch\n*** Add File: x\n+a\nb\n*** End Patch\n", `line 4: got "b"; every line of an added file`},
		{"update of nothing", "*** Begin Patch\n*** Update File: x\n*** End Patch\n", `line 3: got "*** End Patch"; an updated file needs lines`},
		{"a stray line", "*** Begin Patch\n*** Update File: x\n@@\n-a\nb\n*** End Patch\n", `line 5: got "b"; a line of a change begins with`},
		{"something after", "*** Begin Patch\n*** Delete File: x\n*** End Patch\nmore\n", `line 4: got "more"; nothing may follow`},
		{"lines count from the text as sent", "\n```\n*** Begin Patch\n*** Foo\n*** End Patch\n```", `line 4: got "*** Foo"`},
	} {
		_, err := edit.ParsePatch(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

func FuzzParsePatch(f *testing.F) {
	f.Add(update("@@ a\n b\n-c\n+d\n*** End of File\n"), "a\nb\nc\n")
	f.Add("<<EOF\n*** Begin Patch\n*** Add File: x\n+a\n*** End Patch\nEOF", "")
	f.Add("*** Begin Patch\n*** Add File: 0\n*** End Patch", "\r")
	f.Add(update("@@ -1,2 +1,2 @@ f\n-a\n+b\n"), "f\r\na\r\nx")
	f.Fuzz(func(t *testing.T, text, content string) {
		p, err := edit.ParsePatch(text)
		if err != nil {
			if _, ok := errors.AsType[*edit.PatchError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		for _, s := range p.Files {
			if a, err := edit.Apply(s, content, norm.NFC.String); err == nil && len(s.Chunks) == 0 && a.Content != content {
				t.Fatalf("changed without a change: %q", a.Content)
			}
		}
	})
}

// A patch made from any two texts turns the one into the other.
func TestApplyWhatWasMade(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "  d\n"})
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.SliceOfN(line, 0, 5).Draw(t, "head")
		was := rapid.SliceOfN(line, 0, 5).Draw(t, "was")
		is := rapid.SliceOfN(line, 1, 5).Draw(t, "is")
		tail := rapid.SliceOfN(line, 0, 5).Draw(t, "tail")
		content := strings.Join(head, "") + "start\n" + strings.Join(was, "") + strings.Join(tail, "")
		want := strings.Join(head, "") + "start\n" + strings.Join(is, "") + strings.Join(tail, "")
		var b strings.Builder
		b.WriteString("@@\n start\n")
		for _, l := range was {
			b.WriteString("-" + l)
		}
		for _, l := range is {
			b.WriteString("+" + l)
		}
		p, err := edit.ParsePatch(update(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := edit.Apply(p.Files[0], content, nil)
		if err != nil || got.Content != want {
			t.Fatalf("%v: %q, want %q", err, got.Content, want)
		}
	})
}
