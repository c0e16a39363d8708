package screen

import (
	"slices"
	"strings"
)

// What is kept of a running command's output.
const (
	windowLines = 8
	windowBytes = 512 // of one line
)

// window is the end of a stream of output. A chunk costs what is kept of it,
// except that its line ends are counted.
type window struct {
	lines []string // the last of them is open
	count int      // finished lines in all
	bytes int
}

// write takes a chunk in.
func (w window) write(chunk string) window {
	w.bytes += len(chunk)
	w.count += strings.Count(chunk, "\n")
	end := lastLines(chunk, windowLines+1)
	lines := slices.Clone(w.lines)
	if len(lines) == 0 {
		lines = []string{""}
	}
	for i, part := range strings.Split(end, "\n") {
		if i > 0 {
			lines = append(lines, "")
		}
		last := &lines[len(lines)-1]
		*last = overwrite(*last, part)
	}
	if extra := len(lines) - windowLines - 1; extra > 0 {
		lines = slices.Clone(lines[extra:])
	}
	w.lines = lines
	return w
}

// tail is the last lines that say something, oldest first.
func (w window) tail() []string {
	lines := w.lines
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	lines = slices.Clone(lines[max(len(lines)-windowLines, 0):])
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// total is how many lines there are, the open one included.
func (w window) total() int {
	if n := len(w.lines); n > 0 && w.lines[n-1] != "" {
		return w.count + 1
	}
	return w.count
}

// overwrite adds a part to a line. A carriage return starts the line anew, as
// progress bars do, unless it stands at the end.
func overwrite(line, part string) string {
	part = clipTail(part, 2*windowBytes)
	body := strings.TrimRight(line+part, "\r")
	if at := strings.LastIndexByte(body, '\r'); at >= 0 {
		body = body[at+1:]
	}
	if strings.HasSuffix(line+part, "\r") {
		body = clipHead(body, windowBytes) + "\r"
	}
	return clipHead(body, windowBytes+1)
}

// lastLines is the end of a text that holds n line ends, or all of it. It
// looks at a bounded part of a long line.
func lastLines(text string, n int) string {
	const far = (windowLines + 1) * 2 * windowBytes
	text = clipTail(text, far)
	at := len(text)
	for range n {
		i := strings.LastIndexByte(text[:at], '\n')
		if i < 0 {
			return text
		}
		at = i
	}
	return text[at+1:]
}
