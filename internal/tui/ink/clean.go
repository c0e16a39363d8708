package ink

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks bounds the combining marks on one letter; more would pile up over
// the lines around it.
const maxMarks = 8

// maxSequence bounds the string of an escape sequence in bytes. A longer one,
// or one that a line end breaks, is text that an escape was put before: only
// the escape goes.
const maxSequence = 4096

// Clean takes out of foreign text what could drive a terminal or hide in it:
// escape sequences, control characters other than line end and tab, direction
// overrides and characters of no width that are not part of a letter. Line
// ends become "\n" and what is no UTF-8 becomes U+FFFD.
func Clean(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	marks := 0
	var base rune // what a variation selector would change
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7f {
			b.WriteByte(c)
			marks, base = 0, rune(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\r' || r == '\u2028' || r == '\u2029':
			if !strings.HasPrefix(s[i+size:], "\n") {
				b.WriteByte('\n')
			}
			marks, base = 0, '\n'
		case r == '\n' || r == '\t':
			b.WriteByte(byte(r))
			marks, base = 0, r
		case r == 0x1b || r >= 0x80 && r < 0xa0:
			size = sequence(s[i:])
		case hidden(r) || selector(r) && !selectable(base):
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
			if marks++; marks <= maxMarks {
				b.WriteRune(r)
			}
		default:
			b.WriteRune(r) // an invalid byte decodes as U+FFFD
			marks, base = 0, r
		}
		i += size
	}
	return b.String()
}

// clean reports whether a text is printable ASCII with line ends and tabs.
func clean(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c >= 0x7f {
			return false
		}
	}
	return true
}

// hidden reports whether a character shows nothing or turns the text around
// it: control characters, direction marks, fillers of no width. Joiners stay,
// because letters and emoji are made with them.
func hidden(r rune) bool {
	switch {
	case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0:
		return true
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0x200b, r == 0x200e, r == 0x200f, r == 0xfeff:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r >= 0xfff9 && r <= 0xfffb:
		return true
	}
	return r >= 0xe0000 && r <= 0xe007f || r == 0x2028 || r == 0x2029
}

// selector reports whether a character chooses between the text and the emoji
// form of the one before it.
func selector(r rune) bool { return r == 0xfe0e || r == 0xfe0f }

// selectable reports whether a character has two forms. Behind any other one a
// selector is nothing, but some count it as a cell.
func selectable(r rune) bool { return r >= 0x80 || r >= '0' && r <= '9' || r == '#' || r == '*' }

// sequence is the length of the escape sequence at the start of s, or of its
// introducer when the sequence does not end.
func sequence(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	kind := byte(r - 0x40) // a C1 control is ESC and this letter
	if r == 0x1b {
		if len(s) == n {
			return n
		}
		kind = s[n]
		n++
	}
	switch kind {
	case '[':
		return control(s, n)
	case ']', 'P', 'X', '^', '_':
		return command(s, n)
	}
	if r != 0x1b {
		return n
	}
	n--
	for n < len(s) && s[n] >= 0x20 && s[n] < 0x30 {
		n++ // a charset, as in ESC ( B
	}
	if n < len(s) && s[n] >= 0x30 && s[n] < 0x7f {
		n++
	}
	return n
}

// control is the end of a control sequence whose parameters begin at n.
func control(s string, n int) int {
	for n < len(s) && s[n] >= 0x20 && s[n] < 0x40 {
		n++
	}
	if n < len(s) && s[n] >= 0x40 && s[n] < 0x7f {
		n++
	}
	return n
}

// command is the end of a string sequence whose string begins at n; n itself
// when nothing ends it.
func command(s string, n int) int {
	for i := n; i < min(len(s), n+maxSequence); i++ {
		switch {
		case s[i] == '\a':
			return i + 1
		case s[i] == '\n':
			return n
		case s[i] == 0x1b:
			if strings.HasPrefix(s[i:], "\x1b\\") {
				return i + 2
			}
			return i // another sequence ends it
		case strings.HasPrefix(s[i:], "\u009c"):
			return i + 2
		}
	}
	return n
}

// Output cleans what a command printed. A carriage return begins its line
// again, as on a terminal, so of a progress bar the last state is left.
func Output(s string) string {
	if !strings.Contains(s, "\r") {
		return Clean(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for line := range strings.Lines(s) {
		text, end := strings.CutSuffix(line, "\n")
		text = strings.TrimRight(text, "\r")
		b.WriteString(text[strings.LastIndexByte(text, '\r')+1:])
		if end {
			b.WriteByte('\n')
		}
	}
	return Clean(b.String())
}

// OneLine cleans a text and joins its lines and blanks with single blanks.
func OneLine(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// Reveal cleans a text that a person decides on: what Clean would take out is
// written out instead, as Go would write it in a string, in the Warn role, so
// that nothing can hide. Line ends and tabs stay.
func Reveal(s string, look Look) []Span {
	var spans []Span
	from := 0
	put := func(to int, shown string, size int) {
		if to > from {
			spans = append(spans, Span{Text: s[from:to], Look: look})
		}
		if shown != "" {
			spans = append(spans, Span{Text: shown, Look: Look{Warn, look.Attr | Bold}})
		}
		from = to + size
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n' || r == '\t':
		case r == utf8.RuneError && size == 1:
			put(i, fmt.Sprintf(`\x%02x`, s[i]), 1)
		case r == '\r':
			put(i, `\r`, 1)
		case r < 0x80 && hidden(r):
			put(i, fmt.Sprintf(`\x%02x`, r), 1)
		case hidden(r) && r > 0xffff:
			put(i, fmt.Sprintf(`\U%08x`, r), size)
		case hidden(r):
			put(i, fmt.Sprintf(`\u%04x`, r), size)
		}
		i += size
	}
	put(len(s), "", 0)
	return spans
}

// OneRow cleans a text for one row and keeps its blanks: line ends and tabs
// become a blank each.
func OneRow(s string) string { return strings.Map(blankOut, Clean(s)) }

func blankOut(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	return r
}
