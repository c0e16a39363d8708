package md

import (
	"strconv"
	"strings"

	"assent/internal/tui/ink"
)

// diffRow is a line of a diff as it is drawn.
type diffRow struct {
	// op is ' ', '-' or '+' for a line, '@' for a gap between hunks, 'f' for
	// the name of a file and '\\' for a remark.
	op   byte
	num  int // of the line, in the old text for '-', else in the new
	text string
	// marks are the parts that differ from the line's counterpart.
	marks []span
}

// Diff draws a unified diff: each line with its number, what was removed and
// added in colour, and within a changed line the part that changed. The name
// of a file is drawn only when there are several. Text that is no diff is
// drawn as it is.
func Diff(unified string, st Style) []ink.Line { return drawDiff(unified, st, true) }

// Change is Diff without numbers, for a diff of pieces that do not know where
// in the file they stand.
func Change(unified string, st Style) []ink.Line { return drawDiff(unified, st, false) }

func drawDiff(unified string, st Style, numbered bool) []ink.Line {
	rows := readDiff(ink.Clean(unified))
	markRows(rows)
	digits, files := 0, 0
	for _, r := range rows {
		if numbered {
			digits = max(digits, len(strconv.Itoa(r.num)))
		}
		if r.op == 'f' {
			files++
		}
	}
	var out []ink.Line
	for i, r := range rows {
		switch {
		case r.op == 'f' && files < 2:
		case r.op == 'f':
			if len(out) > 0 {
				out = append(out, nil)
			}
			out = append(out, ink.Wrap([]ink.Span{ink.B(r.text, ink.Text)}, st.Cols())...)
		case r.op == '@':
			if i > 0 && rows[i-1].op != 'f' {
				out = append(out, ink.Line{ink.S(strings.Repeat(" ", max(digits-1, 0))+st.Pick("⋮", ":"), ink.Dim)})
			}
		default:
			out = append(out, r.draw(digits, st)...)
		}
	}
	return ink.Bound(out, st.Cols())
}

// Stat counts the lines that a unified diff adds and removes.
func Stat(unified string) (added, removed int) {
	for _, r := range readDiff(unified) {
		switch r.op {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}

// draw is a line with its number and its sign, over as many rows as it needs.
func (r diffRow) draw(digits int, st Style) []ink.Line {
	role, mark := ink.Text, ink.Text
	switch r.op {
	case '+':
		role, mark = ink.Add, ink.AddMark
	case '-':
		role, mark = ink.Del, ink.DelMark
	case '\\':
		role = ink.Dim
	}
	head := ink.Line{ink.S(string(r.op)+" ", role)}
	if r.op == '\\' {
		head[0].Text = "  "
	}
	if digits > 0 {
		number := strings.Repeat(" ", digits)
		if r.num > 0 {
			number = number[len(strconv.Itoa(r.num)):] + strconv.Itoa(r.num)
		}
		head = append(ink.Line{ink.S(number+" ", ink.Dim)}, head...)
	}
	indent := head.Width()
	rest := ink.Line{{Text: strings.Repeat(" ", indent)}}
	w := max(st.Cols()-indent, minText)
	return ink.Hang(ink.Chop(r.spans(role, mark), w), head, rest)
}

// spans are the text of a line with its marks.
func (r diffRow) spans(role, mark ink.Role) []ink.Span {
	var spans []ink.Span
	at := 0
	for _, m := range r.marks {
		spans = append(spans, ink.S(r.text[at:m.from], role), ink.S(r.text[m.from:m.to], mark))
		at = m.to
	}
	return append(spans, ink.S(r.text[at:], role))
}

// readDiff reads the rows of a unified diff.
func readDiff(s string) []diffRow {
	var rows []diffRow
	old, text := 0, 0     // numbers of the next lines
	oldLeft, left := 0, 0 // lines that the hunk still has
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		op := byte(' ')
		if line != "" {
			op = line[0]
		}
		inHunk := oldLeft > 0 || left > 0
		switch {
		case inHunk && op == '+' || inHunk && op == '-' || inHunk && op == ' ':
			r := diffRow{op: op, num: text, text: strings.TrimPrefix(line, string(op))}
			if op != '+' {
				old++
				oldLeft--
			}
			if op != '-' {
				text++
				left--
			} else {
				r.num = old - 1
			}
			rows = append(rows, r)
		case op == '\\':
			rows = append(rows, diffRow{op: op, text: strings.TrimLeft(line, `\ `)})
		case strings.HasPrefix(line, "@@"):
			var ok bool
			if old, oldLeft, text, left, ok = hunkHead(line); ok {
				rows = append(rows, diffRow{op: '@'})
				continue
			}
			rows = append(rows, diffRow{op: '\\', text: line})
		case strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ "):
			rows = fileRow(rows, line)
		case plumbing(line):
		default:
			rows = append(rows, diffRow{op: '\\', text: line})
		}
	}
	return rows
}

// fileRow takes in a line that names a file: the new name, or the old one of a
// file that is gone.
func fileRow(rows []diffRow, line string) []diffRow {
	name, _, _ := strings.Cut(line[4:], "\t")
	if name != "/dev/null" {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "a/"), "b/")
	}
	n := len(rows)
	switch {
	case strings.HasPrefix(line, "--- ") || n == 0 || rows[n-1].op != 'f':
		rows = append(rows, diffRow{op: 'f', text: name})
	case name != "/dev/null":
		rows[n-1].text = name
	}
	n = len(rows)
	if strings.HasPrefix(line, "+++ ") && n > 1 && named(rows[:n-1]) == rows[n-1].text {
		rows = rows[:n-1] // the same file again
	}
	return rows
}

// named is the file that the last rows belong to.
func named(rows []diffRow) string {
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].op == 'f' {
			return rows[i].text
		}
	}
	return ""
}

// plumbing reports whether a line of git's says nothing to a reader.
func plumbing(line string) bool {
	for _, head := range []string{"diff --git ", "index ", "similarity index ", "old mode ", "new file mode ", "deleted file mode "} {
		if strings.HasPrefix(line, head) {
			return true
		}
	}
	return false
}

// hunkHead reads "@@ -1,2 +3,4 @@".
func hunkHead(line string) (old, oldCount, text, count int, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[0] != "@@" || fields[3] != "@@" {
		return 0, 0, 0, 0, false
	}
	old, oldCount, okOld := hunkRange(fields[1], "-")
	text, count, okNew := hunkRange(fields[2], "+")
	return old, oldCount, text, count, okOld && okNew
}

func hunkRange(s, sign string) (from, count int, ok bool) {
	s, ok = strings.CutPrefix(s, sign)
	first, n, counted := strings.Cut(s, ",")
	from, err := strconv.Atoi(first)
	count = 1
	if counted && err == nil {
		count, err = strconv.Atoi(n)
	}
	const most = 1 << 30
	return from, count, ok && err == nil && from >= 0 && count >= 0 && from < most && count < most
}
