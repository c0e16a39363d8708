package inline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Frame is the live rows. They must be fewer than the terminal has and
// narrower than it is; each stands alone, with no line end in it.
type Frame struct {
	Rows []string
	// X and Y place the cursor, counted from the first live row; it is hidden
	// when Hide is set.
	X, Y int
	Hide bool
}

// Painter knows what stands on the terminal. The zero value stands at the
// beginning of an empty row.
type Painter struct {
	// Sync says that the terminal shows a synchronised frame at once.
	Sync bool
	// Reflows says that the terminal wraps rows anew when it gets narrower.
	Reflows bool
	// Rewinds says that a backspace at the beginning of a row that was wrapped
	// goes back over the wrap, and over no other: so moves tmux. Then a frame
	// lands where it should also when rows were wrapped anew unnoticed.
	Rewinds bool

	cols, height int
	rows         []string // what is live
	x, y         int      // of the cursor, in the live rows
	hidden       bool
	stale        bool // the rows are no longer where they were drawn
	out          strings.Builder
	place        layout
	typed        int // the live row that was changed in place, from 1
}

// Resize tells the size of the terminal in cells. What is live may stand
// elsewhere then.
func (p *Painter) Resize(cols, height int) {
	if p.cols == cols && p.height == height {
		return
	}
	p.stale = p.stale || p.cols != cols || height < p.height || len(p.place.above) > 0
	p.cols, p.height = cols, height
}

// At tells on which row of the screen, from 0, the cursor stands. Until the
// next Draw nothing must move it but a change of size that At follows.
func (p *Painter) At(row int) {
	p.place.row, p.place.known = row, true
	p.stale = true
}

// Same reports whether Draw would change nothing.
func (p *Painter) Same(printed []string, f Frame) bool {
	if p.stale || len(printed) > 0 || f.Hide != p.hidden || !slices.Equal(p.rows, f.Rows) {
		return false
	}
	x, y := p.spot(f)
	return x == p.x && y == p.y
}

// Draw returns the bytes that print rows above the live ones and show a frame.
// It returns nothing when nothing differs.
func (p *Painter) Draw(printed []string, f Frame) string {
	p.out.Reset()
	if len(f.Rows) == 0 {
		f.Rows = []string{""}
	}
	old := p.rows
	if p.stale {
		p.wipe()
		old, p.stale = nil, false
	}
	if len(printed) > 0 {
		p.place.above = nil // no longer right above what is live
	}
	x, y := p.spot(f)
	switch at := len(printed) + y; {
	case p.Rewinds && at == p.y && onlyAt(old, printed, f.Rows, at):
		if old[at] != f.Rows[y] {
			p.write(old[at], f.Rows[y])
			p.typed = y + 1
		}
	case p.Rewinds || written(old, printed) || p.Reflows && p.below(old, printed, f.Rows, at):
		p.flow(old, printed, f.Rows, at)
	default:
		p.change(old, printed, f.Rows)
	}
	p.rows = slices.Clone(f.Rows)
	p.place.cols, p.place.known = p.cols, false
	p.y -= len(printed)
	p.down(y)
	p.column(x)
	return p.wrapped(f.Hide)
}

// written reports whether any printed row has to be written, and is not left
// behind.
func written(old, printed []string) bool {
	return len(printed) > len(old) || !slices.Equal(old[:len(printed)], printed)
}

// below reports whether anything differs below the cursor, or shall stand there:
// moving down over rows that were wrapped anew would end too high, and what is
// drawn from there next would reach above what is live.
func (p *Painter) below(old, printed, live []string, at int) bool {
	if at > p.y || len(old) != len(printed)+len(live) {
		return true
	}
	for i := max(p.y+1, len(printed)); i < len(old); i++ {
		if old[i] != live[i-len(printed)] {
			return true
		}
	}
	return false
}

// onlyAt reports whether nothing differs but a row.
func onlyAt(old, printed, live []string, at int) bool {
	if len(old) != len(printed)+len(live) || written(old, printed) {
		return false
	}
	for i, row := range live {
		if old[len(printed)+i] != row && len(printed)+i != at {
			return false
		}
	}
	return at >= len(printed)
}

// change brings the rows that stand there to what they shall be.
func (p *Painter) change(old, printed, live []string) {
	n := len(printed) + len(live)
	row := func(i int) string {
		if i < len(printed) {
			return printed[i]
		}
		return live[i-len(printed)]
	}
	if s := suffix(old, row, n); s > 1 && n > len(old) && n < p.height {
		old = p.push(old, s, n-len(old))
	}
	there := max(len(old), 1)
	for i := range n {
		want := row(i)
		if i < len(old) && old[i] == want {
			continue
		}
		if i >= there {
			p.down(there - 1)
			p.out.WriteString("\r\n")
			there, p.x, p.y = there+1, 0, i
		}
		p.down(i)
		before := ""
		if i < len(old) {
			before = old[i]
		}
		p.write(before, want)
	}
	if len(old) > n {
		p.down(n)
		p.column(0)
		p.out.WriteString(ansi.EraseScreenBelow)
	}
}

// suffix is how many of the last rows stay as they are.
func suffix(old []string, row func(int) string, n int) int {
	s := 0
	for s < len(old) && s < n && old[len(old)-1-s] == row(n-1-s) {
		s++
	}
	return s
}

// push moves the last rows down so that there is room for more above them, and
// returns what stands there then. Room is made at the end first, so that the
// terminal scrolls when it must and nothing is pushed over its edge.
func (p *Painter) push(old []string, last, by int) []string {
	p.down(len(old) - 1)
	p.out.WriteString(strings.Repeat("\r\n", by))
	p.x, p.y = 0, len(old)-1+by
	at := len(old) - last
	p.down(at)
	p.out.WriteString(ansi.InsertLine(by))
	return slices.Concat(old[:at], make([]string, by), old[at:])
}

// write changes the row of the cursor. What is only added to is added to.
func (p *Painter) write(before, want string) {
	if before != "" && strings.HasPrefix(want, before) && doubtful(before) == 0 && want[len(before)] < 0x80 {
		p.column(ansi.StringWidth(before))
		p.put(want[len(before):], want, true)
		return
	}
	if p.Rewinds {
		p.start(before, p.typed > 0)
	}
	p.column(0)
	p.put(want, want, true)
	if before != "" {
		p.out.WriteString(ansi.EraseLineRight)
	}
}

// put writes a part of a row. A live one that could be wider than the terminal
// is kept from running over the edge: it may take a character for wider than it
// is here, and may have got narrower where that wraps nothing anew.
func (p *Painter) put(part, row string, live bool) {
	width, doubt := ansi.StringWidth(row), doubtful(row)
	edge := p.cols
	if !p.Reflows {
		edge = min(edge, narrow)
	}
	risky := live && !p.Rewinds && width+doubt >= edge && p.cols > 0
	if risky {
		p.out.WriteString(ansi.ResetModeAutoWrap)
	}
	p.out.WriteString(part)
	if risky {
		p.out.WriteString(ansi.SetModeAutoWrap)
	}
	p.x = width
	if doubt > 0 {
		p.x = somewhere
	}
}

// narrow is a width in cells that every terminal has that anybody works with.
const narrow = 24

// somewhere is the column of the cursor behind characters of doubtful width.
const somewhere = -1

// doubtful counts the characters on whose width terminals disagree.
func doubtful(row string) int {
	n := 0
	for _, r := range row {
		if r >= 0x300 {
			n++
		}
	}
	return n
}

// down moves the cursor to a row that stands there.
func (p *Painter) down(to int) {
	switch by := to - p.y; {
	case by > 0:
		p.out.WriteString(ansi.CursorDown(by))
	case by < 0:
		p.out.WriteString(ansi.CursorUp(-by))
	}
	p.y = to
}

func (p *Painter) column(to int) {
	switch {
	case to == p.x:
	case to == 0:
		p.out.WriteByte('\r')
	default:
		p.out.WriteString("\x1b[" + strconv.Itoa(to+1) + "G")
	}
	p.x = to
}

// wipe takes away what is live and moves to the beginning of its first row.
func (p *Painter) wipe() {
	above := p.place.above
	if !p.place.known {
		above = nil
	}
	up := p.climb()
	switch {
	case p.Rewinds:
		p.home(p.rows, 0)
		for _, width := range slices.Backward(above) {
			p.out.WriteString(ansi.CursorUp(1) + strings.Repeat("\b", max(width-1, 0)))
		}
	case up > 0:
		p.out.WriteString("\r" + ansi.CursorUp(up))
	default:
		p.out.WriteByte('\r')
	}
	p.erase()
	p.y = 0
}

// spot is where the frame wants the cursor.
func (p *Painter) spot(f Frame) (x, y int) {
	x, y = f.X, min(max(f.Y, 0), len(f.Rows)-1)
	if f.Hide {
		x, y = 0, len(f.Rows)-1
	}
	if p.cols > 0 {
		x = min(x, p.cols-1)
	}
	return max(x, 0), y
}

// wrapped is what was written, so that no half of it is seen.
func (p *Painter) wrapped(hide bool) string {
	body := p.out.String()
	p.out.Reset()
	turned := hide != p.hidden
	p.hidden = hide
	switch {
	case body == "" && !turned:
		return ""
	case p.Sync:
		if turned {
			body += visible(hide)
		}
		return ansi.SetModeSynchronizedOutput + body + ansi.ResetModeSynchronizedOutput
	case hide:
		if turned {
			body = visible(true) + body
		}
		return body
	case !strings.ContainsAny(body, "\r\n") && !turned:
		return body // it only writes on from the cursor, or moves it
	case turned:
		return body + visible(false)
	default:
		return visible(true) + body + visible(false)
	}
}

func visible(hide bool) string {
	if hide {
		return ansi.ResetModeTextCursorEnable
	}
	return ansi.SetModeTextCursorEnable
}

// Clear returns the bytes that take the live rows away: the cursor stands at
// the beginning of an empty row then, as a shell wants it.
func (p *Painter) Clear() string {
	p.out.Reset()
	p.wipe()
	if p.hidden {
		p.out.WriteString(visible(false))
	}
	p.hidden, p.rows, p.stale, p.typed, p.place = false, nil, false, 0, layout{}
	s := p.out.String()
	p.out.Reset()
	return s
}

// Again makes the next Draw write every live row, for a terminal on which
// something else has written.
func (p *Painter) Again() { p.stale = true }
