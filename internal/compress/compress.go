package compress

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Budget is how much is left. A zero field takes the default.
type Budget struct {
	// Chars and Lines are the most characters and lines.
	Chars, Lines int
}

// The default budget.
const (
	DefaultChars = 30_000
	DefaultLines = 2_000
)

// NoteMax is the most characters that the note at the end of a shortened text
// adds to the budget.
const NoteMax = 160

// Hint says what a text is.
type Hint struct {
	// Tool is the tool that made it; failures are looked for in what a command
	// printed only. Command is that command.
	Tool, Command string
}

// least is the smallest budget that leaves room for anything but notes.
const (
	leastChars = 400
	leastLines = 10
)

// line is one line of the text, with a note where it stands for more.
type line struct {
	text string
	cost int // characters, with its line ends
	rows int // lines of the result
	// stands is how many lines of the text it stands for.
	stands int
	rank   rank
	depth  int  // of a detail: how far it is from what it explains
	mute   bool // printed by what went well
}

// Compress returns a text that fits the budget, and whether anything was cut.
func Compress(text string, b Budget, h Hint) (short string, cut bool) {
	if b.Chars <= 0 {
		b.Chars = DefaultChars
	}
	if b.Lines <= 0 {
		b.Lines = DefaultLines
	}
	chars, count := utf8.RuneCountInString(text), strings.Count(text, "\n")
	if !strings.HasSuffix(text, "\n") && text != "" {
		count++
	}
	if chars <= b.Chars && count <= b.Lines {
		return text, false
	}
	b.Chars, b.Lines = max(b.Chars, leastChars), max(b.Lines, leastLines)

	lines := split(text, b.Chars/8)
	ranks(lines, h)
	lines = collapse(lines)
	kept := choose(lines, b)
	out := write(lines, kept)
	shown := 0
	for i, l := range lines {
		if kept[i] {
			shown += l.stands
		}
	}
	return out + fmt.Sprintf("[shortened: %d of %d lines are shown or counted; the whole has %d characters]\n", shown, count, chars), true
}

// split cuts a text into lines and each line over the limit in its middle.
func split(text string, limit int) []line {
	var list []line
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		n := utf8.RuneCountInString(l)
		if n > limit {
			l = middle(l, n, limit)
			n = utf8.RuneCountInString(l)
		}
		list = append(list, line{text: l, cost: n + 1, rows: 1, stands: 1})
	}
	return list
}

// middle cuts the middle out of a line of n characters.
func middle(l string, n, limit int) string {
	mark := fmt.Sprintf(" [%d characters cut] ", n-limit)
	left := max(limit-utf8.RuneCountInString(mark), 2)
	head, tail := left*2/3, left-left*2/3
	return cutAt(l, head) + mark + l[len(cutAt(l, n-tail)):]
}

// cutAt returns the first n characters.
func cutAt(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// write joins what was kept, with a count for each gap.
func write(lines []line, kept []bool) string {
	var b strings.Builder
	gap := 0
	for i, l := range lines {
		if !kept[i] {
			gap += l.stands
			continue
		}
		if gap > 0 {
			b.WriteString(gapNote(gap))
			gap = 0
		}
		b.WriteString(l.text + "\n")
	}
	if gap > 0 {
		b.WriteString(gapNote(gap))
	}
	return b.String()
}

func gapNote(n int) string {
	if n == 1 {
		return "[1 line cut]\n"
	}
	return fmt.Sprintf("[%d lines cut]\n", n)
}

// gapCost bounds the characters of a gap's note.
const gapCost = len("[9999999999 lines cut]\n")
