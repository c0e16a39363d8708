package tui

import (
	"time"

	"assent/internal/tui/screen"
)

// A terminal whose size changes wraps its rows anew and moves them, before the
// program is told of it. What is written then lands on rows that it was not
// meant for, so nothing is: the front waits until the size rests, asks where
// the cursor stands, and draws from there.
//
// Tmux tells a new size up to a quarter of a second late, and a frame can be on
// its way when any terminal changes. So frames are drawn to land well on rows
// that were wrapped meanwhile, as far as the terminal allows: that is inline's.

// sizing is what the front knows of the terminal's size.
type sizing struct {
	// timer ends a rest or the wait for an answer.
	timer *time.Timer
	// held says that nothing is written; cols and rows are the size at the last
	// look then, and asks counts the questions.
	held       bool
	cols, rows int
	asks       int
	// small counts the frames since the terminal became too small.
	small int
	// owed counts the answers that are still to come, asked says that the last
	// of them is waited for.
	owed  int
	asked bool
	told  [2]int // the size that comes before an answer
	// mute says that the terminal did not answer in time.
	mute bool
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

func newSizing() sizing {
	s := sizing{timer: time.NewTimer(time.Hour)}
	s.timer.Stop()
	return s
}

// steady reports whether a frame may be written. A size that is not the one
// that is drawn for is waited for from now on.
func (u *ui) steady() bool {
	cols, rows := u.term.size()
	s := &u.sizing
	switch {
	case !s.held && cols == u.look.Width && rows == u.look.Height:
		return true
	case !s.held:
		u.hold()
	case cols != s.cols || rows != s.rows:
		u.restart()
	}
	return false
}

// resized takes in that the terminal said its size had changed. There and back
// again is a change as well.
func (u *ui) resized() {
	if !u.sizing.held {
		u.hold()
	}
}

// hold stops writing until the size rests.
func (u *ui) hold() {
	u.sizing.held, u.sizing.asks = true, 0
	u.state = screen.Covered(u.state, true, u.o.Now())
	u.restart()
}

func (u *ui) restart() {
	s := &u.sizing
	s.cols, s.rows = u.term.size()
	s.asked = false
	s.timer.Reset(rest)
}

// timed takes in that a rest or the patience for an answer is over.
func (u *ui) timed() {
	s := &u.sizing
	switch {
	case !s.held:
	case s.asked || s.mute:
		s.mute = true
		u.painter.Again() // what stands there may have been cut meanwhile
		u.unhold()
	default:
		if cols, rows := u.term.size(); cols != s.cols || rows != s.rows {
			u.restart()
			return
		}
		s.asks++
		s.owed, s.asked, s.told = s.owed+1, true, [2]int{}
		s.timer.Reset(answerTime)
		u.term.write(where)
	}
}

// placed takes in where the cursor stands, the end of an answer.
func (u *ui) placed(row int) {
	s := &u.sizing
	told := s.told
	s.told, s.owed = [2]int{}, max(s.owed-1, 0)
	if s.owed > 0 {
		return // to an older question
	}
	s.mute = false
	if !s.asked {
		return // it came too late
	}
	s.asked = false
	cols, rows := u.term.size()
	if cols != s.cols || rows != s.rows || !agrees(told, cols, rows) && s.asks < mostAsks {
		u.restart()
		return
	}
	s.timer.Stop()
	u.painter.At(row)
	u.unhold()
}

// agrees reports whether the terminal says it has this size, or says nothing.
// Tmux 3.3 tells the rows behind the columns.
func agrees(told [2]int, cols, rows int) bool {
	return told == [2]int{cols, rows} || told == [2]int{rows, cols} || told[0] == 0
}

// unhold draws for the size that the terminal has now, also when that is the
// one it had.
func (u *ui) unhold() {
	u.sizing.held, u.sizing.asked = false, false
	u.painter.Again()
	u.measure()
	u.state = screen.Covered(u.state, false, u.o.Now())
	u.put(u.compose())
}

// certain waits until what there is to draw is drawn, where the terminal is
// given away.
func (u *ui) certain() {
	s := &u.sizing
	for end := time.Now().Add(time.Second); u.ctx.Err() == nil && time.Now().Before(end); u.wait(true) {
		u.draw()
		if !s.held {
			return
		}
	}
	if s.held {
		u.unhold()
		return
	}
	u.put(u.compose())
}

// hearOut takes in what the terminal still answers, so that nobody else reads
// it.
func (u *ui) hearOut() {
	const answerTime = 100 * time.Millisecond
	u.sizing.asked = false
	u.sizing.timer.Reset(answerTime)
	for u.sizing.owed > 0 && !u.sizing.mute {
		select {
		case list, more := <-u.term.inputs:
			if !more {
				return
			}
			for _, in := range list {
				if in.placed {
					u.sizing.owed--
				}
			}
		case <-u.sizing.timer.C:
			return
		}
	}
	u.sizing.timer.Stop()
}
