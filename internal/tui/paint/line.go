package paint

import (
	"fmt"
	"strings"
	"time"

	"assent/internal/tui/ink"
)

// Style is the terminal to draw for.
type Style = ink.Style

// margin is the width of the column of marks.
const margin = 2

// room is what the margin leaves for text.
func room(st Style) int { return max(st.Cols()-margin, 1) }

// indent is the empty margin.
func indent() ink.Line { return ink.Line{{Text: "  "}} }

// mark is a glyph in the margin; plain terminals get the ASCII one.
func mark(st Style, glyph, ascii string, role ink.Role) ink.Line {
	return ink.Line{ink.B(st.Pick(glyph, ascii)+" ", role)}
}

// para is prose behind a mark.
func para(head ink.Line, spans []ink.Span, st Style) []ink.Line {
	return ink.Hang(ink.Wrap(spans, room(st)), head, indent())
}

// words is prose behind the margin.
func words(st Style, spans ...ink.Span) []ink.Line { return inset(ink.Wrap(spans, room(st))) }

// facts are the parts that say something, behind the margin.
func facts(st Style, parts ...ink.Span) []ink.Line { return words(st, dots(st, parts...)...) }

// inset puts lines behind the margin.
func inset(lines []ink.Line) []ink.Line { return ink.Hang(lines, indent(), indent()) }

// row is one line behind a mark, cut where the line ends.
func row(head ink.Line, spans []ink.Span, st Style) ink.Line {
	return ink.Trunc(append(head[:len(head):len(head)], spans...), st.Cols())
}

// prose keeps the lines of a text and its indentation, and wraps what is too
// long.
func prose(text string, look ink.Look, w int) []ink.Line {
	var out []ink.Line
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = ink.Expand(strings.TrimRight(line, " \t"), 0)
		body := strings.TrimLeft(line, " ")
		lead := line[:len(line)-len(body)]
		if len(lead) > w/2 {
			lead = lead[:w/2]
		}
		head := ink.Line{{Text: lead}}
		out = append(out, ink.Hang(ink.Wrap([]ink.Span{{Text: body, Look: look}}, max(w-len(lead), 1)), head, head)...)
	}
	return out
}

// dot separates what is told of different things.
func dot(st Style) ink.Span { return ink.S(st.Pick(" · ", " - "), ink.Dim) }

// dots joins the parts that say something with middle dots.
func dots(st Style, parts ...ink.Span) []ink.Span { return joined(dot(st), parts...) }

// joined joins the parts that say something.
func joined(sep ink.Span, parts ...ink.Span) []ink.Span {
	var out []ink.Span
	for _, p := range parts {
		if p.Text == "" {
			continue
		}
		if len(out) > 0 {
			out = append(out, sep)
		}
		out = append(out, p)
	}
	return out
}

// elapsed is a time for people: 0.4s, 12s, 1m03, 2h05.
func elapsed(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", max(d, 0).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02d", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02d", int(d.Hours()), int(d.Minutes())%60)
}

// seconds is a time that counts, without tenths.
func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%ds", int(max(d, 0).Seconds()))
	}
	return elapsed(d)
}

// count is a number for people: 950, 1.2k, 152k, 3.4M.
func count(n int) string {
	switch {
	case n >= 1_000_000:
		return short(float64(n)/1e6) + "M"
	case n >= 1000:
		return short(float64(n)/1000) + "k"
	}
	return fmt.Sprint(n)
}

// short has one decimal where that says something.
func short(f float64) string {
	if f >= 100 {
		return fmt.Sprintf("%.0f", f)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0")
}

// dollars is a cost; small ones have more digits.
func dollars(usd float64) string {
	if usd != 0 && usd < 0.1 {
		return fmt.Sprintf("$%.4f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}
