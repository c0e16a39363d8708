package paint_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"assent/internal/tui/paint"
)

// escapes are all that a line may hold.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b\\]8;(id=[0-9a-z]+)?;[!-~]*\x1b\\\\")

// sound fails when lines break a law of the package.
func sound(tb testing.TB, printed []string, f paint.Frame, st paint.Style) {
	tb.Helper()
	for _, l := range append(append([]string{}, printed...), f.Lines...) {
		if w := ansi.StringWidth(l); w > st.Cols() {
			tb.Fatalf("%q is %d wide, want at most %d", l, w, st.Cols())
		}
		rest := escapes.ReplaceAllString(l, "")
		if !utf8.ValidString(rest) || strings.ContainsFunc(rest, unicode.IsControl) {
			tb.Fatalf("%q holds what could drive a terminal", l)
		}
	}
	if len(f.Lines) > st.Rows() {
		tb.Fatalf("the frame has %d rows, want at most %d:\n%s", len(f.Lines), st.Rows(), strings.Join(f.Lines, "\n"))
	}
	if c := f.Cursor; !c.Hidden && (c.X < 0 || c.X > st.Cols() || c.Y < 0 || c.Y >= len(f.Lines)) {
		tb.Fatalf("the cursor is at %d,%d in a frame of %d rows", c.X, c.Y, len(f.Lines))
	}
}
