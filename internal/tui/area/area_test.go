package area_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"assent/internal/tui/area"
)

// mark shows the cursor as a bar in the text.
func mark(a area.Area) string { return a.Text()[:a.Cursor()] + "|" + a.Text()[a.Cursor():] }

// unmark makes an area from a text with a bar.
func unmark(cols int, s string) area.Area {
	at := strings.IndexByte(s, '|')
	return area.New(cols).Set(s[:at]+s[at+1:], at)
}

func TestPress(t *testing.T) {
	t.Parallel()
	family := "👩‍👩‍👧"
	tests := []struct {
		name, from, keys, want string
	}{
		{"type", "a|c", "b", "ab|c"},
		{"left over an emoji of several code points", "x" + family + "|", "left", "x|" + family},
		{"backspace takes a whole emoji", "x" + family + "|y", "backspace", "x|y"},
		{"backspace takes a letter with its mark", "e\u0301|", "backspace", "|"},
		{"delete takes a whole flag", "|🇵🇱🇩🇪", "delete", "|🇩🇪"},
		{"home and end stay in the line", "ab\nc|d\ne", "home end", "ab\ncd|\ne"},
		{"word left", "go test ./...|", "alt+b", "go |test ./..."},
		{"word right", "|go test", "alt+f", "go| test"},
		{"erase a word", "go test|", "ctrl+w", "go |"},
		{"erase a word, then its blanks and the one before", "go test |", "ctrl+w", "go |"},
		{"erase to the start", "ab\ncd|e", "ctrl+u", "ab\n|e"},
		{"erase to the start joins lines", "ab\n|cd", "ctrl+u", "ab|cd"},
		{"erase to the end", "a|b\nc", "ctrl+k", "a|\nc"},
		{"erase to the end joins lines", "a|\nc", "ctrl+k", "a|c"},
		{"what was erased can be put back", "ab cd|", "ctrl+w home ctrl+y", "cd|ab "},
		{"line breaks", "a|b", "ctrl+j", "a\n|b"},
		{"up keeps the column", "abc\nx\nabc|", "up up", "abc|\nx\nabc"},
		{"up from the first row goes to the start", "ab|c", "up", "|abc"},
		{"down from the last row goes to the end", "a|bc", "down", "abc|"},
		{"up over a wrapped line", "0123456789ab|", "up", "01|23456789ab"},
		{"undo a word", "|", "h i space y o ctrl+_", "hi |"},
		{"undo all", "|", "h i space y o ctrl+_ ctrl+_ ctrl+_", "|"},
		{"undo an erased word", "go test|", "ctrl+w ctrl+_", "go test|"},
		{"nothing to undo", "|", "ctrl+_", "|"},
		{"other keys do nothing", "a|b", "f5 ctrl+x", "a|b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := unmark(10, tt.from)
			for _, key := range strings.Fields(tt.keys) {
				typed := key
				switch {
				case key == "space":
					typed = " "
				case len(key) > 1:
					typed = ""
				}
				a = a.Press(key, typed)
			}
			if got := mark(a); got != tt.want {
				t.Errorf("%q with %s gives %q, want %q", tt.from, tt.keys, got, tt.want)
			}
		})
	}
}

// The cursor is right behind wide characters and combining marks (TUI-12).
func TestPlace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		row, col   int
		rows       []string
	}{
		{"empty", "|", 0, 0, []string{""}},
		{"wide letters", "日本|語", 0, 4, []string{"日本語"}},
		{"combining marks", "e\u0301|x", 0, 1, []string{"e\u0301x"}},
		{"an emoji of several code points", "👩‍👩‍👧|", 0, 2, []string{"👩‍👩‍👧"}},
		{"a tab goes to the next stop", "a\t|b", 0, 4, []string{"a\tb"}},
		{"lines", "ab\nc|d", 1, 1, []string{"ab\n", "cd"}},
		{"an empty last line", "ab\n|", 1, 0, []string{"ab\n", ""}},
		{"break behind a blank", "hello worlds|", 1, 6, []string{"hello ", "worlds"}},
		{"a word that does not fit is broken", "0123456789ab|", 1, 2, []string{"0123456789", "ab"}},
		{"a wide letter does not stand on the edge", "012345678日|", 1, 2, []string{"012345678", "日"}},
		{"blanks hang over the edge", "0123456789   |", 0, 10, []string{"0123456789   "}},
		{"at the break the cursor is on the next row", "hello |worlds", 1, 0, []string{"hello ", "worlds"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := unmark(10, tt.text)
			row, col := a.Place()
			if row != tt.row || col != tt.col {
				t.Errorf("cursor at row %d, column %d, want %d, %d", row, col, tt.row, tt.col)
			}
			var rows []string
			for _, r := range a.Rows() {
				rows = append(rows, a.Text()[r.Start:r.End])
			}
			if strings.Join(rows, "¦") != strings.Join(tt.rows, "¦") {
				t.Errorf("rows %q, want %q", rows, tt.rows)
			}
		})
	}
}

// keys are what the property test presses.
var keys = []string{
	"left", "right", "up", "down", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+y", "alt+b",
	"alt+f", "alt+d", "ctrl+j", "ctrl+_", "pgup", "pgdown", "ctrl+home", "ctrl+end", "f1",
}

func TestLaws(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", " ", "日", "e\u0301", "👩‍👩‍👧", "\u0301", "\u200d", "🇵", "🇱", "\t", "\n", "שלום", "नि", "\u00a0"}
	rapid.Check(t, func(t *rapid.T) {
		cols := rapid.IntRange(1, 12).Draw(t, "cols")
		a := area.New(cols)
		texts := []string{""}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			before := a
			if rapid.Bool().Draw(t, "type") {
				p := rapid.SampledFrom(pieces).Draw(t, "piece")
				a = a.Press(p, p)
			} else {
				a = a.Press(rapid.SampledFrom(keys).Draw(t, "key"), "")
			}
			if a.Text() != before.Text() {
				texts = append(texts, a.Text())
			}
			check(t, a, cols)
		}
		for range len(texts) + 1 {
			a = a.Press("ctrl+_", "")
			check(t, a, cols)
		}
		if a.Text() != "" {
			t.Fatalf("undo ends at %q, not at the beginning", a.Text())
		}
	})
}

func check(t *rapid.T, a area.Area, cols int) {
	text := a.Text()
	at, state := 0, -1
	for rest := text; at < a.Cursor(); {
		var c string
		c, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(c)
	}
	if at != a.Cursor() {
		t.Fatalf("the cursor stands inside a character: %q", mark(a))
	}
	end := 0
	for _, r := range a.Rows() {
		if r.Start != end || r.End < r.Start {
			t.Fatalf("rows %v of %q leave something out", a.Rows(), text)
		}
		end = r.End
		row := strings.TrimRight(text[r.Start:r.End], " \t\n")
		_, w := ansi.FirstGraphemeCluster(row, ansi.GraphemeWidth)
		if area.Width(row) > max(cols, w) {
			t.Fatalf("row %q is wider than %d", row, cols)
		}
	}
	if end != len(text) {
		t.Fatalf("rows %v of %q leave the end out", a.Rows(), text)
	}
	row, col := a.Place()
	if row < 0 || row >= len(a.Rows()) || col < 0 || col > cols {
		t.Fatalf("the cursor of %q is at row %d, column %d of %d", mark(a), row, col, cols)
	}
}

// A key in a long text must not be felt.
func BenchmarkPress(b *testing.B) {
	a := area.New(78).Set(strings.Repeat("a line of a long prompt that somebody wrote\n", 400), 0)
	for b.Loop() {
		a = a.Press("x", "x").Press("backspace", "")
		a.Place()
		a.Edge()
	}
}
