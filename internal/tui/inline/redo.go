package inline

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// drawing is what the last Draw did, and to what.
type drawing struct {
	rows    []string // what was live before
	x, y    int
	cols    int // what that was drawn for
	climb   int
	redo    bool // it was a Draw after Redo
	printed []string
	out     string
}

// Landing is what a terminal told of a Draw that met it in another size.
type Landing struct {
	Cols, Height int
	// From and To are the rows of the screen, from 0, on which the cursor stood
	// before and after it.
	From, To int
}

// Redo takes in that the last Draw met a terminal of another size: it climbed
// by rows that had been wrapped anew, and wrote rows that were wrapped. The next
// Draw wipes all of it away; it must print the returned rows first.
//
// Nothing above what was live can have been touched, because the terminal has
// at least as many rows there as were climbed.
func (p *Painter) Redo(at Landing) (printed []string) {
	last := p.last
	p.Resize(at.Cols, at.Height)
	p.rows, p.x, p.y, p.place = last.rows, last.x, last.y, layout{cols: last.cols}
	climb := p.climb()
	if last.redo { // nobody knows how what it wiped was wrapped
		climb = last.climb
	}
	m := motion{cols: at.Cols, height: at.Height, row: at.From, col: max(last.x, 0) % max(at.Cols, 1)}
	m.write(last.out)
	top := at.From - climb - m.scrolled
	if m.row != at.To {
		top = max(top, top+at.To-m.row) // rather too little than too much
	}
	printed = last.printed
	if over := -top - max(climb-last.climb, 0); over > 0 {
		// What went into the scrollback was written well, and stays.
		for len(printed) > 0 && over > 0 {
			over -= p.lines(p.width(printed[0]))
			printed = printed[1:]
		}
		top = max(-over, 0)
	}
	p.rows, p.x, p.y = nil, 0, 0
	p.place.forced, p.place.up = true, max(at.To-max(top, 0), 0)
	p.stale = true
	return p.narrowed(printed)
}

// narrowed breaks rows that are too wide by now.
func (p *Painter) narrowed(rows []string) []string {
	var list []string
	for _, row := range rows {
		if p.cols < 2 || ansi.StringWidth(row) < p.cols {
			list = append(list, row)
			continue
		}
		list = append(list, strings.Split(ansi.Hardwrap(row, p.cols-1, true), "\n")...)
	}
	return list
}

// motion follows the row of the cursor through what is written to a terminal.
type motion struct {
	cols, height int
	row, col     int
	scrolled     int
	fixed        bool // it does not wrap
}

func (m *motion) write(s string) {
	state := byte(0)
	for len(s) > 0 {
		seq, width, n, next := ansi.DecodeSequence(s, state, nil)
		state, s = next, s[max(n, 1):]
		switch {
		case width > 0:
			m.put(width)
		case seq == "\r":
			m.col = 0
		case seq == "\n":
			m.feed()
		case strings.HasPrefix(seq, "\x1b["):
			m.control(seq[2:])
		}
	}
}

func (m *motion) put(width int) {
	if m.col+width > m.cols {
		if m.fixed {
			return
		}
		m.feed()
		m.col = 0
	}
	m.col += width
}

func (m *motion) feed() {
	if m.row >= m.height-1 {
		m.scrolled++
		return
	}
	m.row++
}

func (m *motion) control(seq string) {
	if seq == "?7l" || seq == "?7h" {
		m.fixed = seq == "?7l"
		return
	}
	n, err := strconv.Atoi(seq[:len(seq)-1])
	if err != nil || n == 0 {
		n = 1
	}
	switch seq[len(seq)-1] {
	case 'A':
		m.row = max(m.row-n, 0)
	case 'B':
		m.row = min(m.row+n, m.height-1)
	case 'C':
		m.col = min(m.col+n, m.cols-1)
	case 'G':
		m.col = min(n, m.cols) - 1
	}
}
