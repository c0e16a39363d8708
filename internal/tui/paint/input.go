package paint

import (
	"strings"

	"assent/internal/tui/ink"
	"assent/internal/tui/screen"
)

// around is how much of a very long prompt is laid out before and after the
// cursor, in bytes.
const around = 16 << 10

// Prompt draws the text of the prompt: wrapped at words, nothing left out, so
// that the cursor stands where the text area has it.
func Prompt(e screen.Snapshot, st Style) Input {
	at := min(max(e.Cursor, 0), len(e.Text))
	before, after := e.Text[:at], e.Text[at:]
	if len(before) > around {
		before = lastBytes(before, around)
		before = before[strings.IndexByte(before, '\n')+1:]
	}
	before, after = visible(before), visible(head(after, around))
	text, cursor := before+after, len(before)
	w := room(st)
	var in Input
	start := 0
	for line := range strings.SplitSeq(text, "\n") {
		for _, r := range rows(line, w) {
			from, to := start+r[0], start+r[1]
			if cursor >= from && cursor <= to {
				in.X, in.Y = min(ink.Width(text[from:cursor]), w), len(in.Lines)
			}
			in.Lines = append(in.Lines, strings.TrimRight(text[from:to], " "))
		}
		start += len(line) + 1
	}
	return in
}

// visible is clean text without tabs.
func visible(s string) string { return strings.ReplaceAll(ink.Clean(s), "\t", "    ") }

// rows lays a line out in rows of at most w cells, as byte ranges: broken
// behind blanks where there are any.
func rows(line string, w int) [][2]int {
	var out [][2]int
	from := 0
	for {
		end := from + ink.Fit(line[from:], w)
		if end == len(line) {
			return append(out, [2]int{from, end})
		}
		if line[end] == ' ' {
			end++ // it is not seen at the end of a row
		} else if n := strings.LastIndexByte(line[from:end], ' '); n > 0 {
			end = from + n + 1
		}
		if end == from {
			return append(out, [2]int{from, from}) // no room for one character
		}
		out = append(out, [2]int{from, end})
		from = end
	}
}

// promptMark stands before the prompt.
func promptMark(s screen.State, st Style) ink.Line {
	if strings.HasPrefix(s.Editor.Text, "!") {
		return mark(st, "!", "!", ink.Warn)
	}
	return mark(st, ">", ">", ink.Accent)
}
