package screen_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assent/internal/tui/screen"
)

func TestLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		text string
		keys []string
		want string // the cursor is a bar
	}{
		{"type", "", []string{"a", "b"}, "ab|"},
		{"left and type", "ac", []string{"left", "b"}, "ab|c"},
		{"right", "ab", []string{"home", "right"}, "a|b"},
		{"the ends hold", "a", []string{"right", "home", "left", "ctrl+b"}, "|a"},
		{"ctrl+a, ctrl+e", "ab", []string{"ctrl+a", "x", "ctrl+e", "y"}, "xaby|"},
		{"backspace", "ab", []string{"backspace"}, "a|"},
		{"backspace at the start", "ab", []string{"home", "backspace", "ctrl+h"}, "|ab"},
		{"delete", "ab", []string{"home", "delete", "ctrl+d", "delete"}, "|"},
		{"a whole character", "e\u0301👩‍💻", []string{"backspace"}, "e\u0301|"},
		{"over a whole character", "e\u0301👩‍💻x", []string{"left", "left", "left"}, "|e\u0301👩‍💻x"},
		{"words", "one two  three", []string{"alt+b", "ctrl+left", "x", "ctrl+right", "y"}, "one xtwoy|  three"},
		{"word ends", "one two", []string{"home", "alt+f", "alt+f", "alt+f"}, "one two|"},
		{"wide blanks", "one\u3000two", []string{"ctrl+w"}, "one\u3000|"},
		{"ctrl+w", "one two ", []string{"ctrl+w", "alt+backspace", "ctrl+w"}, "|"},
		{"ctrl+u, ctrl+k", "abcd", []string{"left", "left", "ctrl+u", "right", "ctrl+k"}, "c|"},
		{"other keys", "ab", []string{"f5", "alt+x"}, "ab|"},
		{"line ends become blanks", "a\nb\r\nc\td\n", nil, "a b c d|"},
		{"controls go", "a\x00\x1b[1mb", nil, "ab|"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := screen.NewLine(tt.text)
			for _, k := range tt.keys {
				l = l.Press(lineKey(k))
			}
			if got := l.Text[:l.Cursor] + "|" + l.Text[l.Cursor:]; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func lineKey(name string) screen.Key {
	k := screen.Key{Name: name}
	if utf8.RuneCountInString(name) == 1 {
		k.Text = name
	}
	return k
}

func TestALineIsBounded(t *testing.T) {
	t.Parallel()
	l := screen.NewLine(strings.Repeat("日", 1<<20))
	l = l.Type(strings.Repeat("x", 1<<20))
	if len(l.Text) > 64<<10 || !utf8.ValidString(l.Text) {
		t.Errorf("%d bytes", len(l.Text))
	}
	for range 300 {
		l = l.Press(screen.Key{Name: "left"})
	}
	l.Press(screen.Key{Name: "backspace"})
}

func TestALineStaysSound(t *testing.T) {
	t.Parallel()
	names := []string{
		"left", "right", "home", "end", "alt+b", "alt+f", "backspace", "delete", "ctrl+u", "ctrl+k", "ctrl+w", "a", "é", "👩‍💻", " ", "\u0301", "\n", "\xff",
	}
	rapid.Check(t, func(t *rapid.T) {
		l := screen.NewLine(rapid.String().Draw(t, "text"))
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			name := rapid.SampledFrom(names).Draw(t, "key")
			l = l.Press(screen.Key{Name: name, Text: strings.TrimFunc(name, func(r rune) bool { return len(name) > 3 && r < 0x80 })})
			if l.Cursor < 0 || l.Cursor > len(l.Text) || !utf8.ValidString(l.Text[:l.Cursor]) || !utf8.ValidString(l.Text) {
				t.Fatalf("after %q: %q at %d", name, l.Text, l.Cursor)
			}
			if strings.ContainsAny(l.Text, "\n\r\x1b\x00") {
				t.Fatalf("after %q: %q", name, l.Text)
			}
		}
	})
}
