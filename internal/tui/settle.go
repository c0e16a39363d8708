package tui

import (
	"slices"
	"time"

	"assent/internal/tui/inline"
	"assent/internal/tui/screen"
)

// A terminal whose size changes wraps its rows anew and moves them, before the
// program is told of it. What is written then lands on rows that it was not
// meant for, so nothing is: the front waits until the size rests, asks where
// the cursor stands, and draws from there.
//
// Tmux tells a new size up to a quarter of a second late. So under it every
// frame is asked for first, and has a question before and behind it: one that
// met another size all the same is wiped away and drawn again. Tmux runs on
// this machine and answers at once.

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
	// owed counts the answers that are still to come. Those to what is asked
	// now are the last ones, want of them; nothing is asked when it is zero.
	owed, want int
	told       [2]int // the size that comes before an answer
	answers    []answer
	// mute says that the terminal did not answer in time.
	mute bool
	// wary says that it tells its size late, swapped that it tells the rows
	// behind the columns, as tmux 3.3 does; learnt says that this is known.
	wary, swapped, learnt bool
}

// answer is the size of the terminal, zeros when it does not tell, and the row
// of the cursor.
type answer struct{ cols, rows, row int }

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

// steady reports whether a frame may be written. A size that is not the one
// that is drawn for is waited for from now on.
func (u *ui) steady() bool {
	cols, rows := u.term.size()
	s := &u.sizing
	switch {
	case !s.held && s.want > 0:
		return false
	case !s.held && cols == u.look.Width && rows == u.look.Height:
		return true
	case !s.held:
		u.hold()
	case cols != s.cols || rows != s.rows:
		u.restart()
	}
	return false
}

// hold stops writing until the size rests.
func (u *ui) hold() {
	u.sizing.held, u.sizing.asks = true, 0
	u.state = screen.Covered(u.state, true, time.Now())
	u.restart()
}

func (u *ui) restart() {
	s := &u.sizing
	s.cols, s.rows = u.term.size()
	s.want = 0
	s.timer.Reset(rest)
}

// frame writes a frame.
func (u *ui) frame(out string) {
	if s := &u.sizing; out == "" || !s.wary || s.mute {
		u.term.write(out)
		return
	}
	u.expect(2)
	u.term.write(where + out + where)
}

// sure reports whether the terminal is known to have the size that is drawn for.
// If not it is asked, and its answer has the frame drawn.
func (u *ui) sure() bool {
	if s := &u.sizing; !s.wary || s.mute {
		return true
	}
	u.expect(1)
	u.term.write(where)
	return false
}

// expect waits for answers from now on.
func (u *ui) expect(n int) {
	s := &u.sizing
	s.owed, s.want, s.told, s.answers = s.owed+n, n, [2]int{}, nil
	s.timer.Reset(answerTime)
}

// timed takes in that a rest or the patience for an answer is over.
func (u *ui) timed() {
	s := &u.sizing
	switch {
	case s.want > 0:
		s.want, s.mute = 0, true
		if s.held {
			u.unhold()
		}
	case !s.held:
	case s.mute:
		u.unhold()
	default:
		if cols, rows := u.term.size(); cols != s.cols || rows != s.rows {
			u.restart()
			return
		}
		s.asks++
		u.expect(1)
		u.term.write(where)
	}
}

// placed takes in where the cursor stands, the end of an answer.
func (u *ui) placed(row int) {
	s := &u.sizing
	told := s.told
	s.told, s.owed = [2]int{}, max(s.owed-1, 0)
	if s.owed >= max(s.want, 1) {
		return // to an older question
	}
	s.mute = false
	if s.want == 0 {
		return // it came too late
	}
	s.answers = append(s.answers, answer{told[0], told[1], row})
	if len(s.answers) < s.want {
		return
	}
	s.learn(u.look.Width, u.look.Height)
	want := s.want
	s.want = 0
	s.timer.Stop()
	switch cols, rows := u.term.size(); {
	case s.held:
		u.rested(s.answers[0])
	case want > 1:
		u.landed(s.answers[0], s.answers[1])
	case !s.agrees(s.answers[0], cols, rows) || cols != u.look.Width || rows != u.look.Height:
		u.hold()
	default:
		u.put(u.compose())
	}
}

// rested takes in where the cursor stands after a rest.
func (u *ui) rested(a answer) {
	s := &u.sizing
	cols, rows := u.term.size()
	if cols != s.cols || rows != s.rows || !s.agrees(a, cols, rows) && s.asks < mostAsks {
		u.restart()
		return
	}
	u.painter.At(a.row)
	u.unhold()
}

// landed takes in how the terminal was before and after a frame.
func (u *ui) landed(before, after answer) {
	s := &u.sizing
	if s.agrees(before, u.look.Width, u.look.Height) && s.agrees(after, u.look.Width, u.look.Height) {
		return
	}
	if before.cols != after.cols || before.rows != after.rows || before.cols == u.look.Width && before.rows == u.look.Height {
		u.hold() // it changed after the frame, or twice
		return
	}
	// The next frame is for the size that the terminal has, not for the one
	// that it tells the system.
	again := u.painter.Redo(inline.Landing{Cols: after.cols, Height: after.rows, From: before.row, To: after.row})
	u.fit(after.cols, after.rows)
	u.printed = slices.Concat(again, u.printed)
	u.put(u.compose())
}

// agrees reports whether the terminal says it has this size, or says nothing.
func (s *sizing) agrees(a answer, cols, rows int) bool {
	return a.cols == cols && a.rows == rows || a.cols == 0
}

// learn reads the answers in the order that the terminal has. It shows in the
// first one, which comes before any size has changed.
func (s *sizing) learn(cols, rows int) {
	if first := s.answers[0]; !s.learnt && first.cols > 0 {
		s.learnt, s.swapped = true, first.cols == rows && first.rows == cols && cols != rows
	}
	if s.swapped {
		for i, a := range s.answers {
			s.answers[i].cols, s.answers[i].rows = a.rows, a.cols
		}
	}
}

// unhold draws for the size that the terminal has now.
func (u *ui) unhold() {
	u.sizing.held, u.sizing.want = false, 0
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
		if !s.held && s.want == 0 {
			return
		}
	}
	s.want = 0
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
	u.sizing.want = 0
	u.sizing.timer.Reset(patience)
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
