package area

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// tabStop is the distance of tab stops in cells.
const tabStop = 4

// Row is what stands on one row: the bytes from Start to End of the text. The
// line end that closes a row is part of it.
type Row struct{ Start, End int }

// Rows lays the text out. A line that is too wide is broken behind a blank
// where there is one. There is at least one row.
func (a Area) Rows() []Row { return Rows(a.text, a.cols) }

// Rows lays a text out on rows of a width in cells.
func Rows(text string, cols int) []Row {
	cols = max(cols, 1)
	var rows []Row
	start := 0
	for {
		end, next := len(text), len(text)
		if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
			end, next = start+i, start+i+1
		}
		rows = wrap(rows, text, start, end, cols)
		rows[len(rows)-1].End = next
		if next == end {
			return rows
		}
		start = next
	}
}

// wrap adds the rows of one line.
func wrap(rows []Row, text string, start, end, cols int) []Row {
	if end-start <= cols && plain(text[start:end]) {
		return append(rows, Row{start, end})
	}
	begin, width := start, 0 // of the row
	broken := start          // behind the last blank of the row
	for at := start; at < end; {
		n, w := cell(text[at:end], width)
		blank := n == 1 && (text[at] == ' ' || text[at] == '\t')
		if width+w > cols && !blank && at > begin {
			to := at
			if broken > begin {
				to = broken
			}
			rows = append(rows, Row{begin, to})
			begin, broken = to, to
			width = Width(text[to:at])
			continue
		}
		at, width = at+n, width+w
		if blank {
			broken = at
		}
	}
	return append(rows, Row{begin, end})
}

// plain reports whether every byte of s takes one cell.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// cell is the length in bytes of the first character of s and how many cells
// it takes at a column.
func cell(s string, col int) (n, w int) {
	switch c := s[0]; {
	case c == '\t':
		return 1, tabStop - col%tabStop
	case c < 0x7f && (len(s) == 1 || s[1] < 0x80):
		return 1, 1
	}
	g, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(g), w
}

// Width is the number of cells that a part of a line takes.
func Width(s string) int {
	width := 0
	for s != "" {
		n, w := cell(s, width)
		s, width = s[n:], width+w
	}
	return width
}

// Place is the row and the column of the cursor. At the end of a row that goes
// on, the cursor stands on the next one; blanks that hang over the edge keep it
// at the edge.
func (a Area) Place() (row, col int) {
	rows := a.Rows()
	row = rowOf(rows, a.cursor)
	return row, min(Width(a.text[rows[row].Start:a.cursor]), a.cols)
}

// rowOf is the row that holds an offset.
func rowOf(rows []Row, at int) int {
	for i := len(rows) - 1; i > 0; i-- {
		if at >= rows[i].Start {
			return i
		}
	}
	return 0
}

// Edge reports whether the cursor stands on the first and on the last row.
func (a Area) Edge() (top, bottom bool) {
	rows := a.Rows()
	row := rowOf(rows, a.cursor)
	return row == 0, row == len(rows)-1
}

// vertical moves the cursor by rows, to the column where the walk began. From
// the first row it goes to the beginning, from the last to the end.
func (a Area) vertical(by int) Area {
	rows := a.Rows()
	row, col := a.Place()
	goal := a.goal
	if goal < 0 {
		goal = col
	}
	to := row + by
	switch {
	case to < 0 && row == 0:
		return a.at(0)
	case to >= len(rows) && row == len(rows)-1:
		return a.at(len(a.text))
	}
	r := rows[min(max(to, 0), len(rows)-1)]
	at, width := r.Start, 0
	for at < r.End && a.text[at] != '\n' {
		n, w := cell(a.text[at:r.End], width)
		// The last place of a row that goes on is the first of the next.
		if width+w > goal || at+n == r.End && r.End < len(a.text) {
			break
		}
		at, width = at+n, width+w
	}
	a = a.at(at)
	a.goal = goal
	return a
}
