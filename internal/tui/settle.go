package tui

import (
	"time"

	"assent/internal/tui/screen"
)

// A terminal whose size changes wraps its rows anew and moves them, before and
// while the program is told of it. What is written then lands on rows that it
// was not meant for, so nothing is: the front waits until the size rests, asks
// where the cursor stands, and draws from there.
//
// Tmux tells a new size up to a quarter of a second late. So under it every
// frame is preceded by the question how large the terminal is; tmux runs on
// this machine and answers at once.

// sizing is what the front knows of the terminal's size.
type sizing struct {
	// timer ends a rest or the wait for an answer.
	timer *time.Timer
	// held says that nothing is written; cols and rows are the size at the last
	// look then.
	held       bool
	cols, rows int
	asks       int // of this hold
	// asked counts the questions without an answer; the last one counts.
	asked  int
	asking bool
	told   [2]int // the size that came with the answer, zeros without one
	// mute says that the terminal did not answer in time.
	mute bool
	// wary says that it tells its size late.
	wary bool
}

const (
	// rest is how long a size must stay as it is, answerTime how long the
	// terminal may take to answer.
	rest       = 80 * time.Millisecond
	answerTime = 300 * time.Millisecond
	// mostAsks bounds how often a size that the terminal contradicts is asked
	// for again. It is more than what tmux needs.
	mostAsks = 20
	// where asks for the size in cells and for the place of the cursor.
	where = "\x1b[18t\x1b[6n"
)

func newSizing(o Options) sizing {
	s := sizing{timer: time.NewTimer(time.Hour), wary: o.get("TMUX") != ""}
	s.timer.Stop()
	return s
}

// steady reports whether the terminal has the size that is drawn for. When it
// has not, it is waited for from now on.
func (u *ui) steady() bool {
	cols, rows := u.term.size()
	s := &u.sizing
	switch {
	case !s.held && cols == u.look.Width && rows == u.look.Height:
		return true
	case !s.held:
		u.hold()
	case cols != s.cols || rows != s.rows:
		u.restart(cols, rows)
	}
	return false
}

// hold stops writing until the size rests.
func (u *ui) hold() {
	u.sizing.held, u.sizing.asks = true, 0
	u.state = screen.Covered(u.state, true, time.Now())
	u.restart(u.term.size())
}

func (u *ui) restart(cols, rows int) {
	s := &u.sizing
	s.cols, s.rows, s.asking = cols, rows, false
	s.timer.Reset(rest)
}

// sure reports whether a frame may be written now. If not it is asked for, and
// the answer has the frame drawn again.
func (u *ui) sure() bool {
	s := &u.sizing
	if !s.wary || s.mute {
		return true
	}
	if !s.asking {
		u.inquire()
	}
	return false
}

// inquire asks the terminal.
func (u *ui) inquire() {
	s := &u.sizing
	s.asked, s.asking, s.told = s.asked+1, true, [2]int{}
	s.asks++
	s.timer.Reset(answerTime)
	u.term.write(where)
}

// timed takes in that a rest or the patience for an answer is over.
func (u *ui) timed() {
	s := &u.sizing
	switch {
	case s.asking:
		s.asking, s.mute = false, true
		if s.held {
			u.unhold()
		}
	case !s.held:
	case s.mute:
		u.unhold()
	default:
		if cols, rows := u.term.size(); cols != s.cols || rows != s.rows {
			u.restart(cols, rows)
			return
		}
		u.inquire()
	}
}

// placed takes in where the cursor stands.
func (u *ui) placed(row int) {
	s := &u.sizing
	s.asked = max(s.asked-1, 0)
	if s.asked > 0 {
		return // an older question's
	}
	s.mute = false
	if !s.asking {
		return // it came too late
	}
	s.asking = false
	s.timer.Stop()
	cols, rows := u.term.size()
	now := [2]int{cols, rows}
	agreed := s.told == now || s.told == [2]int{} || s.asks > mostAsks
	switch {
	case s.held && (cols != s.cols || rows != s.rows || !agreed):
		u.restart(cols, rows)
	case s.held:
		u.painter.At(row)
		u.unhold()
	case !agreed || cols != u.look.Width || rows != u.look.Height:
		u.hold()
	default:
		s.asks = 0
		u.put(u.compose())
	}
}

// unhold draws for the size that the terminal has now.
func (u *ui) unhold() {
	u.sizing.held, u.sizing.asks = false, 0
	u.measure()
	u.state = screen.Covered(u.state, false, time.Now())
	u.put(u.compose())
}

// resized takes in that the terminal said its size had changed.
func (u *ui) resized() {
	if u.sizing.wary && !u.sizing.held {
		u.hold() // there and back again is a change as well
	}
}

// certain waits until what there is to draw is drawn, where the terminal is
// given away.
func (u *ui) certain() {
	s := &u.sizing
	for end := time.Now().Add(time.Second); u.ctx.Err() == nil && time.Now().Before(end); u.wait(true) {
		u.draw()
		if !s.held && !s.asking {
			return
		}
	}
	s.asking = false
	if s.held {
		u.unhold()
		return
	}
	u.put(u.compose())
}

// hearOut takes in what the terminal still answers, so that nobody else reads
// it.
func (u *ui) hearOut() {
	const patience = 100 * time.Millisecond
	u.sizing.asking = false
	u.sizing.timer.Reset(patience)
	for u.sizing.asked > 0 && !u.sizing.mute {
		select {
		case list, more := <-u.term.inputs:
			if !more {
				return
			}
			for _, in := range list {
				if in.placed {
					u.sizing.asked--
				}
			}
		case <-u.sizing.timer.C:
			return
		}
	}
	u.sizing.timer.Stop()
}
