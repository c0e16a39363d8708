package headless

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/tui/ink"
)

// A text is cleaned alike in whatever pieces it comes.
func TestPiecesAreCleanedAsTheWhole(t *testing.T) {
	t.Parallel()
	words := []string{"a", " ", "é", "\n", "\r\n", "\r", "\t", "\x1b[31m", "\x1b[?1049h", "\x1b]0;title\a", "\x1b]8;;x\x1b\\", "\x1bPq\x1b\\", "\u009b2J", "\x1b", "[", "1m"}
	rapid.Check(t, func(t *rapid.T) {
		whole := strings.Join(rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "words"), "")
		s := stream{clean: ink.Clean}
		var got strings.Builder
		rest := []rune(whole)
		for len(rest) > 0 {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			got.WriteString(s.add(string(rest[:n])))
			rest = rest[n:]
		}
		got.WriteString(s.rest())
		if want := ink.Clean(whole); got.String() != want {
			t.Fatalf("%q in pieces is %q, as a whole %q", whole, got.String(), want)
		}
	})
}
