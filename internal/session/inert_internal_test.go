package session

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// SHEL-19: no control character passes, and everything else does, in whatever
// pieces the text comes.
func TestInertWriterDropsWhatDrivesATerminal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + rapid.SampledFrom([]string{"", "\x1b[2J", "\u009b31m", "é\u0080\u00a0", "\r\n\t\x7f"}).Draw(t, "more")
		want := strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				return -1
			}
			return r
		}, text)
		var out bytes.Buffer
		w := &inertWriter{w: &out}
		for rest := []byte(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			if m, err := w.Write(rest[:n]); m != n || err != nil {
				t.Fatal(m, err)
			}
			rest = rest[n:]
		}
		if out.String() != want {
			t.Fatalf("%q of %q, want %q", out.String(), text, want)
		}
	})
}
