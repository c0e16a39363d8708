package ink_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assent/internal/tui/ink"
)

func texts(lines []ink.Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.String()
	}
	return out
}

func same(t *testing.T, name string, got []ink.Line, want ...string) {
	t.Helper()
	if g, w := strings.Join(texts(got), "|"), strings.Join(want, "|"); g != w {
		t.Errorf("%s: got %q, want %q", name, g, w)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	one := func(s string) []ink.Span { return []ink.Span{{Text: s}} }
	same(t, "words", ink.Wrap(one("the quick brown fox"), 10), "the quick", "brown fox")
	same(t, "blanks count once", ink.Wrap(one("  a \t b  "), 10), "a b")
	same(t, "a long word is cut", ink.Wrap(one("see abcdefghijkl ok"), 5), "see", "abcde", "fghij", "kl ok")
	same(t, "line ends break", ink.Wrap(one("a\n\nb\n"), 10), "a", "", "b")
	same(t, "nothing is one empty line", ink.Wrap(nil, 10), "")
	same(t, "a word of several spans stays whole", ink.Wrap([]ink.Span{{Text: "aa bb"}, ink.B("cc", ink.Text), {Text: "dd ee"}}, 7), "aa", "bbccdd", "ee")
	same(t, "a span may begin with a blank", ink.Wrap([]ink.Span{ink.B("a", ink.Text), {Text: " b"}}, 7), "a b")
	same(t, "a blank between spans breaks", ink.Wrap([]ink.Span{ink.B("aaa", ink.Text), {Text: " bbb"}}, 5), "aaa", "bbb")
	// TUI-12: width is counted by grapheme and East Asian width.
	same(t, "wide characters break between", ink.Wrap(one("日本語の文"), 4), "日本", "語の", "文")
	same(t, "closing punctuation stays", ink.Wrap(one("日本。語"), 5), "日", "本。", "語")
	same(t, "joined emoji are one", ink.Wrap(one("👩‍👩‍👧👩‍👩‍👧 x"), 4), "👩‍👩‍👧👩‍👩‍👧", "x")
	same(t, "combining marks have no width", ink.Wrap(one("e\u0301e\u0301 e\u0301"), 2), "e\u0301e\u0301", "e\u0301")
	same(t, "a hard blank does not break", ink.Wrap(one("a b\u00a0c"), 4), "a", "b\u00a0c")
	same(t, "a selector between spans", ink.Wrap([]ink.Span{{Text: "a ☺"}, {Text: "\ufe0fb"}}, 3), "a", "☺b")
	same(t, "what fits nowhere is left out", ink.Wrap(one("a 日 b"), 1), "a", "b")
}

func TestChop(t *testing.T) {
	t.Parallel()
	same(t, "as it is", ink.Chop([]ink.Span{{Text: "  a  b"}}, 4), "  a ", " b")
	same(t, "tabs stop", ink.Chop([]ink.Span{{Text: "a\tb\tc"}}, 20), "a   b   c")
	same(t, "tabs count from the line, not the span", ink.Chop([]ink.Span{{Text: "ab"}, {Text: "\tc"}}, 20), "ab  c")
	same(t, "lines", ink.Chop([]ink.Span{{Text: "a\n\nb"}}, 9), "a", "", "b")
	same(t, "wide at the edge", ink.Chop([]ink.Span{{Text: "a日本"}}, 4), "a日", "本")
	same(t, "wider than all is left out", ink.Chop([]ink.Span{{Text: "日a"}}, 1), "a")
}

func TestTruncAndPad(t *testing.T) {
	t.Parallel()
	l := ink.Line{{Text: "go "}, ink.S("test ./...", ink.Code)}
	same(t, "short enough", []ink.Line{ink.Trunc(l, 13), ink.Trunc(l, 12), ink.Trunc(l, 3), ink.Trunc(l, 1), ink.Trunc(l, 0)},
		"go test ./...", "go test ./.…", "go…", "…", "")
	if got := ink.Trunc(ink.Line{{Text: "日本語"}}, 4).String(); got != "日…" {
		t.Errorf("wide: %q", got)
	}
	if got := ink.Pad(ink.Line{{Text: "ab"}}, 4).String(); got != "ab  " {
		t.Errorf("Pad: %q", got)
	}
	if got := ink.Pad(l, 4).String(); got != l.String() {
		t.Errorf("Pad of a wider line: %q", got)
	}
}

func TestHang(t *testing.T) {
	t.Parallel()
	got := ink.Hang([]ink.Line{{{Text: "a"}}, nil, {{Text: "b"}}}, ink.Line{{Text: "• "}}, ink.Line{{Text: "  "}})
	same(t, "empty lines stay empty", got, "• a", "", "  b")
}

// drawn is text as a model might write it.
func drawn() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.SampledFrom([]rune("ab  \t\ncd日本。é\u0301\u200d👩🏽☺\ufe0f🇩🇪ก็")), 0, 40, -1)
}

func TestLawNoLineIsTooWide(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var spans []ink.Span
		for i, s := range rapid.SliceOfN(drawn(), 0, 5).Draw(t, "texts") {
			spans = append(spans, ink.Span{Text: ink.Clean(s), Look: ink.Look{Role: ink.Role(i % 4)}})
		}
		w := rapid.IntRange(2, 20).Draw(t, "width")
		for _, lines := range [][]ink.Line{ink.Wrap(spans, w), ink.Chop(spans, w), {ink.Trunc(ink.Line(spans), w)}} {
			for _, l := range lines {
				line := strings.ReplaceAll(ink.Encode(l, ink.Style{Color: ink.TrueColor}), "\n", "")
				if got := ansi.StringWidth(line); got > w {
					t.Fatalf("%q is %d wide, want at most %d", line, got, w)
				}
			}
		}
	})
}

func TestLawWrapKeepsTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var spans []ink.Span
		for _, s := range rapid.SliceOfN(drawn(), 0, 5).Draw(t, "texts") {
			spans = append(spans, ink.Span{Text: ink.Clean(s)})
		}
		w := rapid.IntRange(4, 20).Draw(t, "width")
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		want := bare(ink.Line(spans).String())
		if got := bare(strings.Join(texts(ink.Wrap(spans, w)), " ")); got != want {
			t.Fatalf("Wrap: got %q, want %q", got, want)
		}
		if got := bare(strings.Join(texts(ink.Chop(spans, w)), " ")); got != want {
			t.Fatalf("Chop: got %q, want %q", got, want)
		}
	})
}

func BenchmarkWrapOneLineOfAMegabyte(b *testing.B) {
	spans := []ink.Span{{Text: strings.Repeat("some words of a very long line ", 1<<15)}}
	b.SetBytes(int64(len(spans[0].Text)))
	for b.Loop() {
		ink.Wrap(spans, 79)
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	same(t, "only what is too wide", ink.Bound([]ink.Line{{{Text: "abc"}}, {{Text: "abcde"}}, nil}, 3), "abc", "abc", "de", "")
}
