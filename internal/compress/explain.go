package compress

import "strings"

// after is how many lines after a failure explain it.
const after = 12

// deep is the depth of what explains a failure least.
const deep = 2 * after

// explain raises the lines that follow a failure: those that are indented,
// marked or empty, after a crash every line; and those that speak of errors.
// What follows a message that is no error is not raised.
func explain(lines []line) {
	passed(lines)
	var e explainer
	e.heading = -1
	for i := range lines {
		e.line(lines, i)
	}
}

// explainer goes through the lines once, from top to bottom.
type explainer struct {
	left    int  // lines that still explain the last failure
	depth   int  // lines since then
	crash   bool // it was a crash, whose stack is not indented
	quiet   bool // within a message that is no error
	heading int  // the last line that is not indented
	suite   string
	seen    map[string]bool
}

func (e *explainer) line(lines []line, i int) {
	l := &lines[i]
	s := strings.TrimSpace(l.text)
	if l.text != "" && !inner(l.text) {
		e.heading = i
	}
	switch {
	case l.mute, good(s):
		l.rank = plain
		e.left, e.quiet = 0, e.quiet && inner(l.text)
		return
	case minor(s):
		l.rank = plain
		e.left, e.quiet = 0, true
		return
	case e.quiet && l.rank < named && inner(l.text) && (l.rank < place || strings.HasPrefix(s, "-->")):
		l.rank = plain
		return
	}
	e.quiet = false
	if l.rank == place && foreign(l.text) {
		l.rank = detail
	}
	if l.rank >= place {
		e.failure(lines, i, s)
		return
	}
	e.follow(lines, i)
}

// failure is a line that names what failed, or where.
func (e *explainer) failure(lines []line, i int, s string) {
	l := &lines[i]
	if l.rank == place && e.heading >= 0 && inner(l.text) && !strings.HasPrefix(s, "-->") { // an error under the name of its file
		lines[e.heading].rank = max(lines[e.heading].rank, place)
	}
	if e.again(l.text, s) {
		l.rank = plain
		e.left, e.quiet = 0, true
		return
	}
	crash := strings.HasPrefix(s, "panic: ") || strings.HasPrefix(s, "fatal error: ") || strings.Contains(s, "panicked at") ||
		strings.HasPrefix(s, "Traceback") || s == "WARNING: DATA RACE"
	e.crash = crash || e.crash && e.left > 0 && l.rank == place
	e.left, e.depth = after, 0
}

// again reports a failure that is told a second time, as jest does at the end
// of a long run.
func (e *explainer) again(text, s string) bool {
	if strings.HasPrefix(s, "FAIL ") {
		e.suite = s
		return false
	}
	if !strings.HasPrefix(s, "● ") {
		return false
	}
	if e.seen == nil {
		e.seen = map[string]bool{}
	}
	key := e.suite + "\n" + text
	was := e.seen[key]
	e.seen[key] = true
	return was
}

// follow is a line after a failure, or one that has none before it.
func (e *explainer) follow(lines []line, i int) {
	l := &lines[i]
	switch {
	case e.left > 0 && (e.crash || inner(l.text)):
		l.rank = detail
		if foreign(l.text) || i+1 < len(lines) && inner(lines[i+1].text) && foreign(lines[i+1].text) && strings.TrimSpace(l.text) != "" {
			l.depth = deep // and what the program itself did comes later
			return
		}
		e.left--
		e.depth = min(e.depth+1, deep)
		l.depth = e.depth
	case l.rank == detail || speaks(l.text):
		l.rank = detail
		e.left, e.depth, e.crash = 2, 0, false
	default:
		e.left = 0
	}
}

// passed mutes what tests printed that passed: go test -v tells only after a
// test whether it did.
func passed(lines []line) {
	first, owner := 0, make([]string, len(lines))
	good, running := map[string]bool{}, ""
	for i := range lines {
		text := lines[i].text
		s := strings.TrimLeft(text, " ")
		switch {
		case strings.HasPrefix(text, "=== RUN "), strings.HasPrefix(text, "=== CONT "), strings.HasPrefix(text, "=== NAME "):
			running = strings.TrimSpace(text[len("=== RUN "):])
		case strings.HasPrefix(s, "--- PASS: "), strings.HasPrefix(s, "--- SKIP: "), strings.HasPrefix(s, "--- FAIL: "):
			name, _, _ := strings.Cut(s[len("--- PASS: "):], " (")
			if _, known := good[name]; !known {
				good[name] = true
			}
			if s[4] == 'F' {
				good[name] = false
			}
			running = ""
		case strings.HasPrefix(text, "ok  \t"), strings.HasPrefix(text, "FAIL\t"), text == "PASS", text == "FAIL":
			running = ""
			if text[len(text)-1] == 'S' || text == "FAIL" {
				break // the line of the package follows
			}
			for k := first; k < i; k++ {
				lines[k].mute = owner[k] != "" && good[owner[k]]
			}
			first, good = i, map[string]bool{}
		}
		owner[i] = running
	}
}
