package edit_test

import (
	"strings"
	"testing"

	"assent/internal/edit"
)

// FuzzDiff: whatever two texts hold, the diff of one makes it the other.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd")
	f.Add("", "\n\n")
	f.Add("a\r\n\\ No newline\n--- a/f\n", "@@ -1 +1 @@\n+++ b/x")
	f.Fuzz(func(t *testing.T, old, text string) {
		if diff := edit.Diff("", old, text); patched(old, diff) != text || (diff == "") != (old == text) {
			t.Fatalf("the diff of %q and %q gives %q:\n%s", old, text, patched(old, diff), diff)
		}
	})
}

// FuzzNumber: the numbers of the read view come off again, and only those.
func FuzzNumber(f *testing.F) {
	f.Add("a\n\tb\n\n  c", 9)
	f.Add("1→a\n2→b", 1)
	f.Add("\xff\r\n", 99999)
	f.Fuzz(func(t *testing.T, text string, first int) {
		if first = first%1_000_000_000 + 1; first < 1 || text == "" {
			return
		}
		if back, ok := edit.Unnumber(edit.Number(text, first)); !ok || back != text {
			t.Fatalf("%q from %d on comes back as %q, %v", text, first, back, ok)
		}
		if back, ok := edit.Unnumber(text); ok && strings.Count(back, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q became %q", text, back)
		}
	})
}
