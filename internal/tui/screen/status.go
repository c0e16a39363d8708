package screen

import (
	"fmt"
	"strings"
	"time"

	"assent/internal/event"
)

// Status is what the status line says.
type Status struct {
	Mode event.State
	// Share is the context as a percentage of the size at which the history is
	// folded, -1 when it is not known. Heat is how near that is.
	Share int
	Heat  Heat
	// CostUSD is the cost so far; HasCost says that there is one, AtLeast that
	// some of it is not known.
	CostUSD          float64
	HasCost, AtLeast bool
	// Elapsed is the time of the running turn, or of the last one.
	Elapsed time.Duration
	// Retry says why a request waits and how often it was tried; RetryIn is how
	// long it still waits, 0 when that is not known.
	Retry   string
	Attempt int
	RetryIn time.Duration
	Queue   int
	Asking  []string
}

// Heat is how near the context is to being folded.
type Heat int

// The degrees of heat: amber from two thirds, red from 90 %.
const (
	Calm Heat = iota
	Amber
	Red
)

// Status sums up the state for the status line.
func (s State) Status() Status {
	st := Status{
		Mode: s.Mode, Share: -1, Queue: len(s.Queue), Asking: s.Asking(),
		CostUSD: s.Usage.CostUSD, HasCost: s.Usage.Priced, AtLeast: s.Usage.Priced && s.Usage.Unpriced,
	}
	if limit := s.Usage.Threshold; limit > 0 && s.Usage.Context > 0 {
		st.Share = int(min(int64(s.Usage.Context)*100/int64(limit), 999))
		switch {
		case st.Share >= 90:
			st.Heat = Red
		case s.Usage.Context*3 >= limit*2:
			st.Heat = Amber
		}
	}
	st.Elapsed = s.Turn.elapsed(s.Now)
	if s.Retry.Reason != "" {
		st.Retry, st.Attempt = s.Retry.Reason, s.Retry.Attempt
		if !s.Retry.Until.IsZero() {
			st.RetryIn = max(s.Retry.Until.Sub(s.Now), 0)
		}
	}
	return st
}

// elapsed is the time that a turn took so far, without the user's.
func (t Turn) elapsed(now time.Time) time.Duration {
	if t.Started.IsZero() {
		return 0
	}
	end := now
	switch {
	case !t.Busy:
		end = t.Ended
	case !t.Asked.IsZero():
		end = t.Asked
	}
	return max(end.Sub(t.Started)-t.Waited, 0)
}

// timed counts the time in which questions wait; it is called when their list
// has changed or a turn begins.
func (s State) timed(at time.Time) State {
	t := &s.Turn
	switch asks := len(s.Approvals) > 0; {
	case asks && t.Busy && t.Asked.IsZero():
		t.Asked = at
	case !asks && !t.Asked.IsZero():
		t.Waited, t.Asked = t.Waited+max(at.Sub(t.Asked), 0), time.Time{}
	}
	return s
}

// ended ends the turn.
func (t Turn) ended(at time.Time) Turn {
	if !t.Asked.IsZero() {
		t.Waited += max(at.Sub(t.Asked), 0)
	}
	t.Busy, t.Cancelling, t.Ended, t.Asked = false, false, at, time.Time{}
	return t
}

// Ticking reports whether something counts the time, so that the glue must go
// on calling Tick and drawing. When nothing does, nothing may wake it.
func (s State) Ticking() bool {
	return s.Turn.Busy || s.Retry.Reason != "" || s.Shell.Command != ""
}

// Small reports whether the terminal is too small to be of use.
func (s State) Small() bool { return s.Width < MinWidth || s.Height < MinHeight }

// The least size that is of use, in cells.
const (
	MinWidth  = 24
	MinHeight = 6
)

// Hint says what the keys do now, for the line below the prompt.
func (s State) Hint() string {
	switch {
	case s.Armed && len(s.Approvals) > 0:
		return s.arming + " again leaves; the call that waits is not run"
	case s.Armed:
		return s.arming + " again leaves"
	case len(s.Approvals) > 0:
		return s.approvalHint()
	case s.Panel != nil:
		return panelHint(s.Panel)
	case s.Menu.Early == "enter":
		return "listing the files; enter waits for them, once more sends at once"
	case s.Menu.Early != "":
		return "listing the files; tab waits for them"
	case s.Menu.Open():
		return "tab takes it, esc closes"
	case s.Shell.Command != "" && s.awaited():
		return "the prompt waits for your command; ctrl+c ends it"
	case s.Shell.Command != "":
		return "ctrl+c ends your command"
	case s.Turn.Cancelling:
		return "cancelling"
	case s.working() && s.Editor.Text == "" && len(s.Queue) > 0:
		return "enter steers with the first queued prompt, up takes the last one back, esc cancels"
	case s.working() && s.running():
		return "ctrl+c ends the command, esc cancels the turn"
	case s.working():
		return "esc cancels, enter queues"
	case s.Editor.Text == "":
		return "/ commands, @ files, # context, ! shell"
	}
	return ""
}

// Hints is Hint, then what says the same in fewer words, for where it does not
// fit.
func (s State) Hints() []string {
	hints := []string{s.Hint()}
	if s.Armed || len(s.Approvals) == 0 || s.Approvals[0].Field != NoField || s.meant.came == s.Front() {
		return hints
	}
	a, waiting := s.Approvals[0], len(s.Approvals)
	pattern, e := "", ""
	if a.Pattern != "" {
		pattern, e = ", e changes the pattern", ", e pattern"
	}
	switch {
	case s.writing() && a.aimed:
	case s.writing():
		hints = append(hints, "enter sends it; arrows and enter answer", "enter sends it; arrows, enter answer")
	case waiting > 1 && !s.Aims() && len(s.Queue) > 0:
		hints = append(hints, fmt.Sprintf("%d of %d (left, right); enter steers", s.place(), waiting))
	case !s.Aims() && len(s.Queue) > 0:
		hints = append(hints, "enter steers; "+a.keys()+" or arrows and enter answer", "enter steers; "+a.keys()+" answer")
	case !s.Aims():
		hints = append(hints, a.keys()+" answer")
	case waiting > 1:
		place := fmt.Sprintf("%d of %d (left, right); ", s.place(), waiting)
		hints = append(hints, place+"esc cancels the turn, ctrl+c denies"+pattern, place+"esc cancels the turn, ctrl+c denies")
		if a.Pattern != "" {
			hints = append(hints, place+"esc, ctrl+c, e")
		}
	default:
		hints = append(hints, "esc cancels the turn, ctrl+c denies"+pattern, "esc cancels, ctrl+c denies"+e)
	}
	return hints
}

// approvalHint says what the keys do to the approval in front.
func (s State) approvalHint() string {
	a, waiting := s.Approvals[0], len(s.Approvals)
	switch {
	case a.checking:
		return "looking at the pattern; esc leaves it as it was"
	case a.Field == PatternField:
		return "enter keeps the pattern, esc leaves it as it was"
	case a.Field == MessageField:
		return "enter denies and says this, esc goes back"
	case s.meant.came == a.came:
		return "enter answers at once, esc takes it back"
	case s.writing() && a.aimed:
		return "enter answers; what you wrote stays"
	case s.writing():
		return "enter sends what you wrote; to answer: arrows and enter, or ctrl+u first"
	case waiting > 1 && !s.Aims() && len(s.Queue) > 0:
		return fmt.Sprintf("%d of %d, left and right turn; enter steers with the first queued prompt", s.place(), waiting)
	case !s.Aims() && len(s.Queue) > 0:
		return "enter steers with the first queued prompt; " + a.keys() + " or arrows and enter answer"
	case !s.Aims():
		return a.keys() + " or arrows and enter answer"
	case waiting > 1:
		hint := fmt.Sprintf("%d of %d, left and right turn; esc denies and cancels the turn, ctrl+c only denies", s.place(), waiting)
		if a.Pattern != "" {
			hint += "; e changes the pattern"
		}
		return hint
	case a.Pattern != "":
		return "esc denies and cancels the turn, ctrl+c only denies; e changes the pattern"
	default:
		return "esc denies and cancels the turn, ctrl+c only denies"
	}
}

// keys are the letters that answer.
func (a Approval) keys() string {
	var keys []string
	for _, c := range a.Choices() {
		keys = append(keys, c.Key)
	}
	return strings.Join(keys, " ")
}

func panelHint(p Panel) string {
	setup, ok := p.(Setup)
	switch {
	case !ok:
		return "enter takes it, esc closes"
	case setup.Loading != "":
		return setup.Loading
	case setup.Optional():
		return "paste the key, or leave it empty; enter goes on, esc goes back"
	case setup.Step == SetupKey:
		return "paste the key, enter goes on, esc goes back"
	case setup.Step == SetupURL:
		return "type the address, enter goes on, esc goes back"
	case setup.First && setup.Step == SetupProvider:
		return "type to narrow, enter takes it, ctrl+c leaves"
	case setup.Step == SetupProvider:
		return "type to narrow, enter takes it, esc closes"
	default:
		return "type to narrow or to name a model, enter takes it, esc goes back"
	}
}

// Leave is the farewell of this session.
func (s State) Leave() Farewell {
	return Farewell{ID: s.Session.ID, Title: s.title, Prompts: s.prompts, Passing: s.options.Passing}
}

// What a user who looks elsewhere is told of; users' commands are given these
// words.
const (
	AlertAsks = "approval.waiting"
	AlertDone = "turn.done"
)

// Alert says what happened between two states that a user who looks elsewhere
// wants to know: the event, and a text for people; both are empty for nothing.
func Alert(before, after State) (event, text string) {
	switch {
	case len(after.Approvals) > 0 && (len(before.Approvals) == 0 || before.Approvals[0].ID != after.Approvals[0].ID):
		return AlertAsks, "assent asks: " + after.Approvals[0].Name + " " + firstLine(after.Approvals[0].Title, titleLimit)
	case before.Turn.Busy && !after.Turn.Busy:
		return AlertDone, "assent is done: " + after.title
	}
	return "", ""
}

// tokens is a number of tokens for people.
func tokens(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%dk", n/1000)
	default:
		return fmt.Sprint(n)
	}
}
