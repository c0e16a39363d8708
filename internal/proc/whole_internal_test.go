package proc

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLiveOutputIsNotTorn: cleaned piece by piece, live output is what it is
// cleaned as a whole, whatever the chunks.
func TestLiveOutputIsNotTorn(t *testing.T) {
	t.Parallel()
	pieces := []string{"text", "grün", "日本", "\x1b[31m", "\x1b[0m", "\x1b]0;title\a", "\x1b]8;;x\x1b\\", "\x1b(B", "\n", " "}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "")
		var told strings.Builder
		o := &output{tell: func(b []byte) { told.WriteString(Clean(b)) }, kept: [2]*keeper{newKeeper(0), newKeeper(0)}, all: newKeeper(0)}
		for rest := []byte(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			o.collect(chunk{streamOut, rest[:n]})
			rest = rest[n:]
		}
		o.live(o.held[streamOut])
		if want := Clean([]byte(text)); told.String() != want {
			t.Fatalf("%q, want %q", told.String(), want)
		}
	})
}

func TestLiveOutputIsNotHeldForLong(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"$ ", "\xff", "a\xc3b", "\x1b[" + strings.Repeat("1;", 200), "\x1b]" + strings.Repeat("x", 300)} {
		if n := whole([]byte(text)); n != len(text) {
			t.Errorf("%q: %d of %d", text, n, len(text))
		}
	}
}
