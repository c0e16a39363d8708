package screen

import (
	"strings"
	"unicode/utf8"
)

// clipHead keeps at most n bytes of the beginning, whole characters only.
func clipHead(s string, n int) string {
	if len(s) <= n {
		return s
	}
	// A character has at most three more bytes; what has more is none.
	at := n
	for at > 0 && at > n-utf8.UTFMax && !utf8.RuneStart(s[at]) {
		at--
	}
	if !utf8.RuneStart(s[at]) {
		at = n
	}
	return s[:at]
}

// clipTail keeps at most n bytes of the end, whole characters only.
func clipTail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	first := len(s) - n
	at := first
	for at < len(s) && at < first+utf8.UTFMax && !utf8.RuneStart(s[at]) {
		at++
	}
	if at < len(s) && !utf8.RuneStart(s[at]) {
		at = first
	}
	return s[at:]
}

// clean makes a text from outside fit for a prompt: one kind of line end, no
// terminal sequences, no control characters but tab and line end, valid UTF-8.
// Everything that can be read stays.
func clean(s string) string {
	if plain(s) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\r':
			b.WriteByte('\n')
		case r == 0x1b:
			n = sequence(s[i:])
		case r == utf8.RuneError && n == 1:
			b.WriteRune(utf8.RuneError)
		case r == '\n' || r == '\t' || r >= 0x20 && r != 0x7f && (r < 0x80 || r > 0x9f):
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// plain reports whether clean would change nothing, for the common case.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 && c != '\n' && c != '\t' || c == 0x7f || c == 0xc2 {
			return false
		}
	}
	return utf8.ValidString(s)
}

// sequence is the length of the escape sequence at the start of s: a whole
// control sequence, or the escape alone. Strings of the other kinds may have
// no end, and dropping what follows them would lose text.
func sequence(s string) int {
	const longest = 64
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	for i := 2; i < min(len(s), longest); i++ {
		switch c := s[i]; {
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x3f:
			return 1
		}
	}
	return 1
}

// firstLine is the first line of a text that says something, within n bytes.
func firstLine(s string, n int) string {
	s = strings.TrimLeft(clipHead(s, 64<<10), " \t\r\n")
	s, _, _ = strings.Cut(s, "\n")
	return clipHead(strings.TrimRight(s, " \t\r"), n)
}
