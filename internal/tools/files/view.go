package files

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assent/internal/amount"
	"assent/internal/edit"
	"assent/internal/workspace"
)

// Limits of the read view: lines when none are asked for, characters of one
// line, bytes of it all.
const (
	viewLines = 2000
	viewWidth = 2000
	viewBytes = 160_000
)

// view is a part of a text file with numbered lines.
type view struct {
	text        string
	first, last int // lines shown, from 1; last < first when none
	total       int // lines of the file
}

// show numbers the lines of a file from offset (0: the first) on, at most limit
// (0: the default) and about most bytes.
func show(t workspace.Text, offset, limit, most int) (view, error) {
	offset = max(offset, 1)
	if limit <= 0 {
		limit = viewLines
	}
	v := view{first: offset, last: offset - 1, total: lineCount(t.Content)}
	if v.total == 0 {
		v.text = "[the file is empty]"
		return v, nil
	}
	if offset > v.total {
		return v, fmt.Errorf("offset %d is past the end; it has %s", offset, amount.Of(v.total, "line"))
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(t.Content) {
		n++
		if n < offset {
			continue
		}
		if n >= offset+limit || n > offset && b.Len() > most {
			break
		}
		fmt.Fprintf(&b, "%d%s%s\n", n, edit.Separator, cutLine(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), viewWidth))
		v.last = n
	}
	if v.last < v.total {
		fmt.Fprintf(&b, "[lines %d to %d of %d; go on with offset %d]\n", v.first, v.last, v.total, v.last+1)
	}
	for _, note := range traits(t) {
		fmt.Fprintf(&b, "[%s]\n", note)
	}
	v.text = strings.TrimSuffix(b.String(), "\n")
	return v, nil
}

// cutLine shortens a line that is too long to show, and makes it valid UTF-8.
func cutLine(line string, width int) string {
	line = strings.ToValidUTF8(line, "\uFFFD")
	if len(line) <= width || utf8.RuneCountInString(line) <= width {
		return line
	}
	at, n := 0, 0
	for at = range line {
		if n++; n > width {
			break
		}
	}
	return fmt.Sprintf("%s… [line cut: %d characters in all]", line[:at], utf8.RuneCountInString(line))
}

// traits are what the view does not show of how a file is stored.
func traits(t workspace.Text) []string {
	var list []string
	if t.Encoding != workspace.UTF8 {
		list = append(list, "stored as "+t.Encoding+"; edits are written back in it")
	}
	crlf := strings.Count(t.Content, "\r\n")
	switch lf := strings.Count(t.Content, "\n") - crlf; {
	case crlf > 0 && lf > 0:
		list = append(list, fmt.Sprintf("mixed line ends: %d CRLF, %d LF", crlf, lf))
	case crlf > 0:
		list = append(list, "CRLF line ends; edits keep them")
	}
	if t.Broken > 0 {
		list = append(list, amount.Of(t.Broken, "byte")+" not valid UTF-8, shown as \uFFFD; edits elsewhere leave them alone")
	}
	if t.Content != "" && !strings.HasSuffix(t.Content, "\n") {
		list = append(list, "no line end after the last line")
	}
	return list
}

// lineCount counts lines; a last one without an end counts.
func lineCount(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// Limits of a snippet: lines around a change, characters of a line, lines and
// changes shown.
const (
	snippetWidth  = 400
	snippetAround = 3
	snippetLines  = 40
	snippetParts  = 4
)

// snippet shows the surroundings of changed pieces, given as pairs of line
// numbers from 1 (the first line, and the one after the last).
func snippet(content string, parts [][2]int) string {
	lines := strings.SplitAfter(content, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var b strings.Builder
	shown, done := 0, 0 // lines shown; lines before it are done with
	for i, p := range parts {
		from := max(p[0]-1-snippetAround, done, 0)
		to := min(p[1]-1+snippetAround, len(lines))
		if i >= snippetParts || shown >= snippetLines {
			fmt.Fprintf(&b, "[%s more]\n", amount.Of(len(parts)-i, "change"))
			break
		}
		if from >= to {
			continue
		}
		if done > 0 && from > done {
			b.WriteString("…\n")
		}
		cut := min(to, from+snippetLines-shown)
		for n := from; n < cut; n++ {
			fmt.Fprintf(&b, "%d%s%s\n", n+1, edit.Separator, cutLine(strings.TrimRight(lines[n], "\r\n"), snippetWidth))
		}
		if cut < to {
			fmt.Fprintf(&b, "[%s more]\n", amount.Of(to-cut, "line"))
		}
		shown, done = shown+cut-from, to
	}
	return b.String()
}
