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

// measure takes the size of the terminal over. It is asked for before each
// frame, because a row that is drawn for another width would be wrapped.
func (u *ui) measure() {
	cols, rows := u.term.size()
	if cols == u.look.Width && rows == u.look.Height {
		return
	}
	u.look.Width, u.look.Height = cols, rows
	u.painter.Resize(cols, rows)
	u.state = screen.Resize(u.state, cols, rows)
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
	u.printed = append(u.printed, paint.Blocks(u.after, blocks, u.look.Style)...)
	u.after = blocks[len(blocks)-1]
}

// draw brings the terminal to what the state says. Without a difference
// nothing is written.
func (u *ui) draw() {
	u.measure()
	u.settle()
	f := paint.LiveWith(u.state, u.look.Style, u.prompt())
	u.preview(f)
	u.term.write(u.painter.Draw(u.printed, inline.Frame{Rows: f.Lines, X: f.Cursor.X, Y: f.Cursor.Y, Hide: f.Cursor.Hidden}))
	u.printed = nil
	u.wake()
}

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
	if !f.Clipped || len(u.state.Approvals) == 0 || u.state.Approvals[0].ID == u.previewed {
		return
	}
	u.previewed = u.state.Approvals[0].ID
	u.printed = append(u.printed, paint.Preview(u.state.Approvals[0], u.look.Style)...)
}

// wake has the time shown while something counts it, and nothing otherwise.
func (u *ui) wake() {
	u.tick.Stop()
	if u.state.Ticking() {
		u.tick.Reset(time.Second)
	}
}

// mode takes in whether the terminal has a mode.
func (u *ui) mode(in input) {
	if in.mode == ansi.ModeSynchronizedOutput && in.known {
		u.painter.Sync = true
	}
}
