package paint

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"assent/internal/amount"
	"assent/internal/tui/ink"
	"assent/internal/tui/md"
	"assent/internal/tui/screen"
)

const (
	// outputRows is how many rows of a call's output are printed, errorRows of
	// what a failed one said.
	outputRows, errorRows = 8, 12
	// titleRows is how many rows the load-bearing argument of a call may take.
	titleRows = 4
	// lineBytes is the longest outcome that is written behind the call.
	lineBytes = 400
	// slow is how long a call takes before its time is worth a word.
	slow = time.Second
)

// toolLine is a call with its result.
func toolLine(b screen.ToolLine, st Style) []ink.Line {
	head, verdict := outcomeOf(b, st)
	summary, body := summaryOf(b)
	var exit ink.Span
	if said := fmt.Sprintf("exit %d", b.Exit); b.Exit != 0 { // it did what was asked, and said no
		exit = ink.S(said, ink.Warn)
		summary = strings.TrimLeft(strings.TrimPrefix(summary, said), ", ")
	}
	facts := []ink.Span{exit, ink.S(summary, ink.Dim)}
	if b.Calls > 0 {
		facts = append(facts, ink.S(amount.Of(b.Calls, "call"), ink.Dim))
	}
	if b.Elapsed >= slow && !timed(summary) {
		facts = append(facts, ink.S(elapsed(b.Elapsed), ink.Dim))
	}
	tail := judged(verdict, joined(ink.S(", ", ink.Dim), facts...), st)
	out := callRows(head, ink.OneLine(b.Name), ink.OneLine(b.Title), tail, st)
	if body != "" {
		out = append(out, inset(capped(body, errorRows, false, st))...)
	}
	if b.Diff != "" {
		out = append(out, inset(md.Diff(b.Diff, st.Narrow(margin)))...)
		out = append(out, inset(more(b.Cut, "line", st.Narrow(margin)))...)
	}
	if text := shownOutput(b); text != "" {
		out = append(out, inset(capped(text, outputRows, true, st))...)
	}
	if b.Artifact != "" && (b.Outcome == screen.Failed || shownOutput(b) != "") {
		out = append(out, row(indent(), []ink.Span{ink.S("whole output: "+ink.OneLine(b.Artifact), ink.Dim)}, st))
	}
	return out
}

// judged is what became of a call: a word for what went wrong, and behind a dot
// the facts, which commas separate as they do in a tool's own summary.
func judged(verdict ink.Span, facts []ink.Span, st Style) []ink.Span {
	switch {
	case verdict.Text == "":
		return facts
	case len(facts) == 0:
		return []ink.Span{verdict}
	}
	return append([]ink.Span{verdict, dot(st)}, facts...)
}

// timed reports whether a summary says how long the call took.
func timed(summary string) bool {
	for part := range strings.SplitSeq(summary, ", ") {
		if _, err := time.ParseDuration(part); err == nil {
			return true
		}
	}
	return false
}

// single reports whether a call takes no more than its name and its outcome.
func single(b screen.ToolLine) bool {
	_, body := summaryOf(b)
	return b.Diff == "" && body == "" && shownOutput(b) == ""
}

// callRows names a call and says how it ended: on one row when that fits, else
// the outcome goes below.
func callRows(head ink.Line, name, title string, tail []ink.Span, st Style) []ink.Line {
	call := append(head[:len(head):len(head)], ink.B(name, ink.Text))
	if title != "" {
		call = append(call, ink.S(" "+title, ink.Text))
	}
	one := call
	if len(tail) > 0 {
		one = append(append(call[:len(call):len(call)], ink.S(st.Pick("  ", " - "), ink.Dim)), tail...)
	}
	if one.Width() <= st.Cols() {
		return []ink.Line{one}
	}
	out := para(head, call[len(head):], st)
	if len(out) > titleRows {
		out = out[:titleRows]
		out[titleRows-1] = goesOn(out[titleRows-1], st.Cols())
	}
	if len(tail) > 0 {
		out = append(out, words(st, tail...)...)
	}
	return out
}

// outcomeOf is the mark of a call and the word for what went wrong.
func outcomeOf(b screen.ToolLine, st Style) (ink.Line, ink.Span) {
	switch b.Outcome {
	case screen.Failed:
		return mark(st, "✗", "!", ink.Bad), ink.S("failed", ink.Bad)
	case screen.Denied:
		return mark(st, "✗", "!", ink.Warn), ink.S("denied"+by(b), ink.Warn)
	case screen.Interrupted:
		return mark(st, "■", "!", ink.Warn), ink.S("interrupted", ink.Warn)
	case screen.Cancelled:
		return mark(st, "■", "-", ink.Dim), ink.S("cancelled", ink.Dim)
	case screen.Succeeded:
	}
	if b.Exit != 0 {
		return mark(st, "✗", "!", ink.Warn), ink.Span{}
	}
	return mark(st, "✓", "*", ink.Good), ink.Span{}
}

// by says who denied a call, unless the reason does.
func by(b screen.ToolLine) string {
	switch {
	case b.By == "", strings.Contains(b.Summary, b.By):
		return ""
	case b.By == "user":
		return " by you"
	}
	return " by " + ink.OneLine(b.By)
}

// summaryOf is what a call's result says in one line, or the body of it when
// it has several.
func summaryOf(b screen.ToolLine) (line, body string) {
	text := strings.TrimSpace(ink.Output(b.Summary))
	if strings.Contains(text, "\n") || len(text) > lineBytes {
		return "", text
	}
	return ink.OneLine(text), ""
}

// shownOutput is the output that is printed: that of a call which has neither
// a summary nor a diff to say how it ended, and that of a command which said
// no, without the line for the model that repeats its code.
func shownOutput(b screen.ToolLine) string {
	stopped := b.Outcome == screen.Interrupted || b.Outcome == screen.Cancelled
	if b.Outcome != screen.Succeeded && !stopped || b.Diff != "" || b.Summary != "" && b.Exit == 0 {
		return ""
	}
	text := strings.TrimRight(ink.Output(b.Output), "\n ")
	if b.Exit != 0 {
		at := strings.LastIndexByte(text, '\n') + 1
		if strings.HasPrefix(text[at:], "[exit code ") {
			text = strings.TrimRight(text[:at], "\n ")
		}
	}
	return text
}

// capped is a text of which at most n rows are shown: the last ones, or the
// first. What is left out is counted.
func capped(text string, n int, last bool, st Style) []ink.Line {
	lines := strings.Split(text, "\n")
	w := room(st)
	left := len(lines) - n
	if left <= 1 {
		left = 0
	}
	dim := ink.Look{Role: ink.Dim}
	hidden := more(left, "line", st.Narrow(margin))
	if last {
		return append(hidden, chop(lines[left:], dim, w)...)
	}
	var out []ink.Line
	for _, l := range lines[:len(lines)-left] {
		rows := prose(head(l, 2*errorRows*w), dim, w)
		out = append(out, rows[:min(len(rows), errorRows)]...)
	}
	return append(out, hidden...)
}

// rowsOfLine is how many rows a line of output may take.
const rowsOfLine = 3

// chop shows lines as they are; of a very long one the beginning.
func chop(lines []string, look ink.Look, w int) []ink.Line {
	var out []ink.Line
	for _, l := range lines {
		rows := ink.Chop([]ink.Span{{Text: head(l, 4*rowsOfLine*w), Look: look}}, w)
		if len(rows) > rowsOfLine {
			rows = rows[:rowsOfLine]
			rows[rowsOfLine-1] = goesOn(rows[rowsOfLine-1], w)
		}
		out = append(out, rows...)
	}
	return out
}

// goesOn marks a row as one of which the rest is left out.
func goesOn(l ink.Line, w int) ink.Line {
	if l.Width() < w {
		return append(l[:len(l):len(l)], ink.S("…", ink.Dim))
	}
	return ink.Trunc(append(l[:len(l):len(l)], ink.Span{Text: " "}), w)
}

// head is the beginning of a text, at most n bytes of whole characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// more counts what was left out.
func more(n int, what string, st Style) []ink.Line {
	if n <= 0 {
		return nil
	}
	text := fmt.Sprintf("… %d more", n)
	if what != "" {
		text = "… " + amount.Of(n, "more "+what)
	}
	return []ink.Line{row(nil, []ink.Span{ink.S(text, ink.Dim)}, st)}
}

// ran is a command of the user's own.
func ran(b screen.Ran, st Style) []ink.Line {
	head := mark(st, "!", "!", ink.Accent)
	var parts []ink.Span
	switch {
	case b.Err != "":
		parts = append(parts, ink.S(ink.OneLine(b.Err), ink.Bad))
	case b.Exit != 0:
		parts = append(parts, ink.S(fmt.Sprintf("exit %d", b.Exit), ink.Bad))
	}
	if b.Kept {
		parts = append(parts, ink.S("goes with the next prompt", ink.Dim))
	}
	out := ink.Hang(prose(ink.Clean(b.Command), ink.Look{Attr: ink.Bold}, room(st)), head, indent())
	lines := strings.Split(strings.TrimRight(ink.Output(b.Output), "\n"), "\n")
	if len(lines) > 1 || lines[0] != "" {
		out = append(out, inset(more(b.Lines-len(lines), "line", st.Narrow(margin)))...)
		out = append(out, inset(chop(lines, ink.Look{}, room(st)))...)
	}
	if len(parts) > 0 {
		out = append(out, facts(st, parts...)...)
	}
	return out
}
