package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"

	"assent/internal/edit"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	old := "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n"
	text := "a\nB\nc\nd\ne\nf\ng\nh\ni\nj\nk"
	want := "--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n@@ -8,3 +8,4 @@\n h\n i\n j\n+k\n\\ No newline at end of file\n"
	if got := edit.Diff("x", old, text); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if in, out := edit.Stat(old, text); in != 2 || out != 1 {
		t.Errorf("%d inserted, %d removed", in, out)
	}
	if got := edit.Diff("x", old, old); got != "" {
		t.Errorf("same: %q", got)
	}
	if got := edit.Diff("", "", "a\n"); got != "@@ -0,0 +1 @@\n+a\n" {
		t.Errorf("new file: %q", got)
	}
}

// Applying a diff with another program's reader gives the new text.
func TestDiffIsRight(t *testing.T) {
	t.Parallel()
	text := func(t *rapid.T, name string) string {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d\r\n"}), 0, 30).Draw(t, name), "")
		if rapid.Bool().Draw(t, "open "+name) {
			s = strings.TrimSuffix(s, "\n")
		}
		return s
	}
	rapid.Check(t, func(t *rapid.T) {
		old, want := text(t, "old"), text(t, "new")
		diff := edit.Diff("f", old, want)
		if got := patched(old, diff); got != want {
			t.Fatalf("the diff of %q and %q gives %q:\n%s", old, want, got, diff)
		}
		in, out := edit.Stat(old, want)
		ref := udiff.Unified("a/f", "b/f", old, want)
		if n := strings.Count("\n"+ref, "\n+") - 1; ref != "" && in > n+n/2+2 || in-out != strings.Count(want, "\n")-strings.Count(old, "\n")+open(want)-open(old) {
			t.Fatalf("%d inserted, %d removed:\n%s\nreference:\n%s", in, out, diff, ref)
		}
	})
}

func open(s string) int {
	if s != "" && !strings.HasSuffix(s, "\n") {
		return 1
	}
	return 0
}

// patched applies a unified diff, trusting its line numbers.
func patched(old, diff string) string {
	lines := strings.SplitAfter(old, "\n")
	var out strings.Builder
	at := 0
	var last byte
	if i := strings.Index(diff, "@@"); i > 0 {
		diff = diff[i:] // without the head, which looks like lines that were changed
	}
	for l := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(l, "@@"):
			var from, n int
			if _, err := fmt.Sscanf(l, "@@ -%d,%d", &from, &n); err != nil {
				_, _ = fmt.Sscanf(l, "@@ -%d ", &from)
				n = 1
			}
			if n > 0 {
				from--
			}
			for ; at < from; at++ {
				out.WriteString(lines[at])
			}
		case l[0] == '\\':
			if last != '-' {
				s := strings.TrimSuffix(out.String(), "\n")
				out.Reset()
				out.WriteString(s)
			}
		default:
			last = l[0]
			if last != '+' {
				at++
			}
			if last != '-' {
				out.WriteString(l[1:])
			}
		}
	}
	for ; at < len(lines); at++ {
		out.WriteString(lines[at])
	}
	return out.String()
}

func TestDiffOfFarTexts(t *testing.T) {
	t.Parallel()
	var a, b strings.Builder
	for i := range 20_000 {
		fmt.Fprintln(&a, "old", i)
		fmt.Fprintln(&b, "new", i)
	}
	if in, out := edit.Stat(a.String(), b.String()); in != 20_000 || out != 20_000 {
		t.Errorf("%d %d", in, out)
	}
}

func BenchmarkReplaceTolerant(b *testing.B) {
	content := strings.Repeat("func f() {\r\n\tx := 1  \r\n}\r\n", 20_000) + "the end\u2019s here\r\n"
	for b.Loop() {
		if _, _, err := edit.Replace(content, edit.Edit{Old: "the end's here\n", New: "x\n"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNotFound(b *testing.B) {
	content := strings.Repeat("func f() {\n\tx := 1\n}\n", 20_000)
	for b.Loop() {
		_, _, _ = edit.Replace(content, edit.Edit{Old: "func g() {\n\ty := 2 * z\n}\n", New: "x\n"})
	}
}
