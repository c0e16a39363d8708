package paint

import (
	"assent/internal/tui/ink"
)

const (
	// tailRows is the most that is drawn of the open end of an answer: a frame
	// whose height changes is drawn anew whole.
	tailRows = 12
	// inputRows is the most that is drawn of the prompt.
	inputRows = 10
	// roomy is the number of rows from which on the status line is kept at the
	// cost of the dialog.
	roomy = 7
)

// budget hands out rows; who comes first is served first.
type budget struct{ left int }

func (b *budget) take(n int) int {
	n = max(min(n, b.left), 0)
	b.left -= n
	return n
}

// shares is how many rows each part of the frame gets.
type shares struct {
	head, body, keep, foot int
	short                  bool
	input, menu            int
	status, hint           int
	rest, tail             int
	named                  int // lines of progress
	// Blank lines: above all, below the tail, above the dialog or the prompt,
	// and below the dialog.
	gap, split, above, between int
}

// share gives the rows to the parts, the most important first: so the tail
// gives way first, then the progress, then the dialog, then the prompt.
func (l layout) share(rows int) shares {
	b := budget{rows}
	var s shares
	if len(l.input.Lines) > 0 {
		s.input = b.take(1)
	}
	if rows >= roomy {
		s.status = b.take(len(l.status))
	}
	if d := l.dialog; d != nil {
		s.short = d.shorten(b.left)
		foot := d.foot
		if s.short {
			foot = d.short
		}
		s.foot = b.take(len(foot))
		s.head = b.take(len(d.head))
		floor := b.take(min(d.want, 2)) // the body keeps a glimpse
		s.keep = b.take(len(d.keep))
		s.body = floor + b.take(d.want-floor)
	}
	limit := min(inputRows, max(rows/3, 1))
	if l.dialog != nil {
		limit = min(limit, 2)
	}
	s.input += b.take(min(len(l.input.Lines), limit) - s.input)
	s.menu = b.take(min(len(l.menu.items), menuRows))
	s.status += b.take(len(l.status) - s.status)
	s.hint = b.take(len(l.hint))
	s.named = b.take(len(l.progress))
	s.above = b.take(1)
	if l.dialog != nil {
		s.between = b.take(1)
	}
	for _, p := range l.progress[:s.named] {
		s.rest += len(p.rest)
	}
	s.rest = b.take(s.rest)
	if !l.joined {
		s.gap = b.take(1)
	}
	if s.named > 0 && b.left > 1 {
		s.split = b.take(1)
	}
	s.tail = b.take(min(tailRows, max(rows/2, 3)))
	return s
}

// shorten reports whether the short foot must do: because only so the dialog
// is whole, or because nothing would be left for its body.
func (d *dialog) shorten(rows int) bool {
	if d.short == nil {
		return false
	}
	rest := len(d.head) + len(d.keep)
	if rest+d.want+len(d.foot) <= rows {
		return false
	}
	return rest+d.want+len(d.short) <= rows || rest+min(d.want, 2)+len(d.foot) > rows
}

// frame puts the parts together.
func (l layout) frame(st Style) Frame {
	s := l.share(st.Rows())
	lines := l.tail(s.tail)
	if len(lines) > 0 && s.split > 0 {
		lines = append(lines, nil)
	}
	lines = append(lines, l.drawProgress(s)...)
	if len(lines) > 0 && s.above > 0 {
		lines = append(lines, nil)
	}
	if s.gap > 0 {
		lines = append([]ink.Line{nil}, lines...)
	}
	f := Frame{Cursor: Cursor{Hidden: true}}
	if d := l.dialog; d != nil {
		lines = d.draw(lines, s, &f, st)
		if s.between > 0 {
			lines = append(lines, nil)
		}
	}
	f.Lines = ink.EncodeAll(lines, st)
	l.drawInput(&f, s.input, st)
	var under []ink.Line
	under = append(under, l.menu.draw(s.menu, st)...)
	under = append(under, l.status[:s.status]...)
	under = append(under, l.hint[:s.hint]...)
	f.Lines = append(f.Lines, ink.EncodeAll(under, st)...)
	return f
}

// drawProgress draws what goes on, on the rows that it has.
func (l layout) drawProgress(s shares) []ink.Line {
	var out []ink.Line
	rest := s.rest
	for _, p := range l.progress[:s.named] {
		out = append(out, p.line)
		n := min(rest, len(p.rest))
		out = append(out, p.rest[len(p.rest)-n:]...)
		rest -= n
	}
	return out
}

// draw adds the dialog to the lines above it.
func (d *dialog) draw(lines []ink.Line, s shares, f *Frame, st Style) []ink.Line {
	lines = append(lines, d.head[:s.head]...)
	if d.body != nil && s.body > 0 {
		lines = append(lines, d.body(s.body)...)
	}
	if d.decides && s.keep > 0 {
		lines = append(lines, cutBelow(d.keep, s.keep, "whole above", st)...)
	} else {
		lines = append(lines, d.keep[:s.keep]...)
	}
	f.Clipped = d.decides && (s.body < d.want || s.keep < len(d.keep))
	foot := d.foot
	if s.short {
		foot = d.short
	}
	if d.shown && !s.short && d.y < s.foot {
		f.Cursor = Cursor{X: d.x, Y: len(lines) + d.y}
	}
	return append(lines, foot[:s.foot]...)
}

// drawInput adds the rows of the prompt around its cursor.
func (l layout) drawInput(f *Frame, rows int, st Style) {
	if rows == 0 {
		return
	}
	y := min(max(l.input.Y, 0), len(l.input.Lines)-1)
	from := min(max(y-rows+1, 0), len(l.input.Lines)-rows)
	if f.Cursor.Hidden && l.dialog == nil {
		f.Cursor = Cursor{X: min(margin+max(l.input.X, 0), st.Cols()), Y: len(f.Lines) + y - from}
	}
	first, rest := ink.Encode(l.mark, st), "  "
	if st.Color == ink.Plain {
		first += " " // an encoded plain line ends without blanks
	}
	for i, text := range l.input.Lines[from : from+rows] {
		head := rest
		if from+i == 0 {
			head = first
		}
		f.Lines = append(f.Lines, head+text)
	}
}
