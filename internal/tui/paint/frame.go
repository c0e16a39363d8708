package paint

import (
	"fmt"
	"strings"

	"assent/internal/tui/ink"
	"assent/internal/tui/screen"
)

// Frame is the live region.
type Frame struct {
	// Lines are drawn from top to bottom, each without a line end.
	Lines []string
	// Cursor is where the terminal's cursor stands.
	Cursor Cursor
	// Clipped says that the call which waits for a decision does not fit. Who
	// draws the frame then prints Preview once, so that it can be read whole.
	Clipped bool
}

// Cursor is a place in a frame, in cells from its top left. A hidden one
// stands nowhere.
type Cursor struct {
	X, Y   int
	Hidden bool
}

// Input is the prompt as it is to be drawn, without its mark: lines of at most
// Style.Cols less two cells, and the place of the cursor in them.
type Input struct {
	Lines []string
	X, Y  int
}

// Live draws the live region, the prompt included. The size of the terminal is
// the state's.
func Live(s screen.State, st Style) Frame {
	st.Width, st.Height = s.Width, s.Height
	return LiveWith(s, st, Prompt(s.Editor, st))
}

// LiveWith is Live with a prompt that somebody else has drawn, such as the text
// area that edits it.
func LiveWith(s screen.State, st Style, in Input) Frame {
	st.Width, st.Height = s.Width, s.Height
	if s.Small() {
		return tooSmall(s, st)
	}
	return arrange(s, st, in).frame(st)
}

// tooSmall says what is needed instead of drawing what cannot be read.
func tooSmall(s screen.State, st Style) Frame {
	text := fmt.Sprintf("assent needs %dx%d, this is %dx%d", screen.MinWidth, screen.MinHeight, s.Width, s.Height)
	if len(s.Approvals) > 0 {
		text += "; a call waits for you"
	}
	lines := ink.Wrap([]ink.Span{ink.S(text, ink.Warn)}, st.Cols())
	lines = lines[:min(len(lines), st.Rows())]
	return Frame{Lines: ink.EncodeAll(lines, st), Cursor: Cursor{Hidden: true}}
}

// layout is what a frame is made of, from top to bottom.
type layout struct {
	progress []progress
	dialog   *dialog
	input    Input
	mark     ink.Line
	menu     list
	status   []ink.Line
	hint     []ink.Line
	// tail draws the end of the answer on so many rows.
	tail func(rows int) []ink.Line
	// joined says that the tail goes on in the block printed last.
	joined bool
}

// progress is something that goes on: a line that names it, and lines that say
// more and give way first.
type progress struct {
	line ink.Line
	rest []ink.Line
}

// dialog is what stands above the prompt and takes the keys.
type dialog struct {
	head []ink.Line
	// body draws what can be cut on so many rows, of which it wants want.
	body func(rows int) []ink.Line
	want int
	// keep follows the body and is cut after it.
	keep []ink.Line
	// foot ends the dialog; short replaces it where rows are few.
	foot, short []ink.Line
	// x and y are the place of the cursor in foot, when it is shown there.
	x, y  int
	shown bool
	// decides says that it asks for a decision on what it shows.
	decides bool
}

// arrange collects what there is to show.
func arrange(s screen.State, st Style, in Input) layout {
	l := layout{
		progress: inProgress(s, st), input: in, mark: promptMark(s, st), menu: menu(s, st),
		status: status(s, st), hint: hint(s, st), joined: s.TailMore && strings.TrimSpace(s.Tail) != "",
		tail: func(rows int) []ink.Line { return tail(s, st, rows) },
	}
	switch {
	case len(s.Approvals) > 0:
		l.dialog = approval(s.Asked(), s.Deaf() > 0, st)
	case s.Panel != nil:
		l.dialog = panel(s.Panel, st)
	}
	if l.dialog != nil && s.Editor.Text == "" {
		l.input = Input{} // nothing is lost, and it cannot be typed in
	}
	return l
}
