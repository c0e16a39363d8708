package inline

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// flow writes every row from the first that differs on, one below the other, so
// that none is lost where a terminal wraps it. The cursor ends in the last one,
// or in row y where the terminal rewinds.
func (p *Painter) flow(old, printed, live []string, y int) {
	rows := append(printed[:len(printed):len(printed)], live...)
	first := 0
	for first < min(len(old), len(rows)) && old[first] == rows[first] {
		first++
	}
	if first == len(rows) && first == len(old) && y <= p.y {
		p.rewind(rows, y)
		return
	}
	first = min(first, p.y, len(rows)-1)
	if len(old) > 0 {
		p.home(old, first)
		p.erase()
	}
	for i := first; i < len(rows); i++ {
		if i > first {
			p.out.WriteString("\r\n")
			p.x = 0
		}
		p.put(rows[i], rows[i], i >= len(printed))
	}
	p.y, p.typed = len(rows)-1, 0
	p.rewind(rows, y)
}

// erase takes away what stands from the cursor on, which is at the beginning of
// a row. Some terminals keep what is erased from the first cell of the screen
// on, in their scrollback; so the erasing begins a cell later.
func (p *Painter) erase() {
	p.out.WriteString(ansi.EraseLineRight + ansi.CursorForward(1) + ansi.EraseScreenBelow + "\r")
	p.x = 0
}

// home moves to the beginning of a row at or above the cursor.
func (p *Painter) home(rows []string, to int) {
	if !p.Rewinds {
		p.down(to)
		p.out.WriteByte('\r') // also from where it should be already
		p.x = 0
		return
	}
	p.rewind(rows, to)
	p.start(p.at(rows), p.typed == p.y+1)
}

// rewind moves into a row at or above the cursor, where the terminal can do
// that however it has wrapped the rows in between.
func (p *Painter) rewind(rows []string, to int) {
	if !p.Rewinds {
		return
	}
	for ; p.y > to; p.y-- {
		p.start(p.at(rows), p.typed == p.y+1)
		p.out.WriteString(ansi.CursorUp(1))
	}
}

// at is the row of the cursor.
func (p *Painter) at(rows []string) string {
	if p.y < len(rows) {
		return rows[p.y]
	}
	return ""
}

// start moves to the beginning of the row of the cursor. More steps back than
// there are cells do no harm, they end where the row begins; one that was
// changed in place may be longer than it was meant to be.
func (p *Painter) start(row string, changed bool) {
	width := ansi.StringWidth(row) + doubtful(row)
	if changed {
		width += p.cols
	}
	p.out.WriteString("\r" + strings.Repeat("\b", max(width-1, 0)))
	p.x = 0
}
