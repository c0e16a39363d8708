package tui

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"assent/internal/tui/ink"
	"assent/internal/tui/inline"
	"assent/internal/tui/md"
	"assent/internal/tui/paint"
	"assent/internal/tui/screen"
)

// measure takes the size of the terminal over.
func (u *ui) measure() { u.fit(u.term.size()) }

// fit has everything drawn for a size.
func (u *ui) fit(cols, rows int) {
	if cols == u.look.Width && rows == u.look.Height {
		return
	}
	u.look.Width, u.look.Height = cols, rows
	u.painter.Resize(cols, rows)
	u.state = screen.Resize(screen.Tick(u.state, u.o.Now()), cols, rows)
	u.area = u.area.Resize(u.look.Cols() - margin)
}

// settle prints what is finished.
func (u *ui) settle() {
	for {
		n, reopen, more := md.Cut(u.state.Tail)
		if n == 0 {
			break
		}
		u.state = screen.Cut(u.state, n, reopen, more)
	}
	var blocks []screen.Block
	u.state, blocks = screen.Drain(u.state)
	u.print(blocks)
}

// print puts blocks above the live rows of the next frame.
func (u *ui) print(blocks []screen.Block) {
	if u.skip != nil {
		blocks = slices.DeleteFunc(blocks, u.skip)
	}
	if len(blocks) == 0 {
		return
	}
	u.blocks = append(u.blocks, blocks...)
}

// render draws what waits to be printed, which is done as late as can be: for
// the width that the terminal has then.
func (u *ui) render() {
	if n := len(u.blocks); n > 0 {
		u.printed = append(u.printed, paint.Blocks(u.after, u.blocks, u.look.Style)...)
		u.after, u.blocks = u.blocks[n-1], nil
	}
}

// What is finished waits for a terminal that is too small no longer than for so
// many frames, and no longer than the answer has so many bytes.
const (
	mostSmall = 5000
	mostTail  = 1 << 20
)

// draw brings the terminal to what the state says, when that may be written.
// Without a difference nothing is.
func (u *ui) draw() {
	u.wake()
	if !u.steady() {
		return
	}
	if f := u.compose(); len(u.blocks)+len(u.printed) > 0 || !u.painter.Same(nil, f) || u.unseen() {
		u.put(f)
	}
}

// compose draws what shall stand there. What is finished waits while the
// terminal is too small: what of the live rows went over its top comes back
// when it grows, and must be in reach then.
func (u *ui) compose() inline.Frame {
	u.sizing.small++
	if !u.state.Small() {
		u.sizing.small = 0
	}
	if u.quit || u.sizing.small == 0 || u.sizing.small > mostSmall || len(u.state.Tail) > mostTail {
		u.settle()
	}
	live := paint.LiveWith(u.state, u.look.Style, u.prompt())
	u.preview(live)
	return inline.Frame{Rows: live.Lines, X: live.Cursor.X, Y: live.Cursor.Y, Hide: live.Cursor.Hidden}
}

// put writes a frame, and what waits to be printed above it.
func (u *ui) put(f inline.Frame) {
	u.render()
	printed := u.printed
	u.printed = nil
	if !u.painter.Same(printed, f) {
		u.term.write(u.painter.Draw(printed, f))
	}
	if at := u.o.Now(); u.unseen() {
		u.seen = u.state.Front()
		u.state = screen.Shown(u.state, at)
	}
}

// unseen reports whether the terminal does not show yet what the first approval
// asks.
func (u *ui) unseen() bool { return u.state.Front() != u.seen }

// margin is the width of the mark before the prompt, in cells.
const margin = 2

// prompt draws the text that is being written.
func (u *ui) prompt() paint.Input {
	var in paint.Input
	text := u.area.Text()
	in.Y, in.X = u.area.Place()
	for _, r := range u.area.Rows() {
		in.Lines = append(in.Lines, ink.Clean(ink.Expand(strings.TrimRight(text[r.Start:r.End], " \t\n"), 0)))
	}
	return in
}

// preview prints a call that waits for a decision and does not fit into the
// frame, once, so that it can be read whole.
func (u *ui) preview(f paint.Frame) {
	if !f.Clipped || len(u.state.Approvals) == 0 || u.state.Front() == u.previewed {
		return
	}
	u.previewed = u.state.Front()
	u.render()
	u.printed = append(u.printed, paint.Preview(u.state.Approvals[0], u.look.Style)...)
}

// wake has the time shown while something counts it, has an approval shown to
// take answers from when on it does, and nothing otherwise.
func (u *ui) wake() {
	u.tick.Stop()
	if u.state.Deaf() > 0 {
		u.state = screen.Tick(u.state, u.o.Now())
	}
	switch deaf, settles := u.state.Deaf(), u.state.Settles(u.o.Now()); {
	case settles > 0:
		u.tick.Reset(settles)
	case deaf > 0:
		u.tick.Reset(deaf)
	case u.state.Ticking():
		u.tick.Reset(time.Second)
	}
}

// mode takes in whether the terminal has a mode.
func (u *ui) mode(in input) {
	if in.mode == ansi.ModeSynchronizedOutput && in.known {
		u.painter.Sync = true
	}
}
