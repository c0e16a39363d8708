package screen

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"assent/internal/host"
)

// hold is how long a letter that allows for longer waits: one that another
// letter follows is the beginning of a word.
const hold = 400 * time.Millisecond

// meant is an answer by a letter that may still be the beginning of a word.
type meant struct {
	choice Choice
	key    Key
	came   int // the question that it answers
}

// writing reports whether a prompt stands below the approval in front: then no
// letter answers.
func (s State) writing() bool {
	return len(s.Approvals) > 0 && s.Approvals[0].Field == NoField && s.Editor.Text != ""
}

// Aims reports whether enter answers the approval in front: an arrow key chose,
// or enter has nothing else to do and had nothing else to do since the question
// was asked.
func (s State) Aims() bool {
	if len(s.Approvals) == 0 || s.Approvals[0].Field != NoField {
		return false
	}
	a := s.Approvals[0]
	return a.aimed || !a.passed && s.Editor.Text == "" && len(s.Queue) == 0
}

// Asked is the approval in front as it is drawn: where enter does not answer no
// choice is under the cursor.
func (s State) Asked() Approval {
	a := s.Approvals[0]
	if !s.Aims() {
		a.Cursor = -1
	}
	return a
}

// pressApproval answers the first approval, or moves in it.
func (s State) pressApproval(k Key) (State, []Intent) {
	a := s.Approvals[0]
	if a.Field != NoField {
		return s.pressField(a, k)
	}
	switch k.Name {
	case "up", "shift+tab", "ctrl+p":
		return s.aim(-1), nil
	case "down", "tab", "ctrl+n":
		return s.aim(1), nil
	case "left", "right":
		if len(s.Approvals) > 1 {
			return s.turned(map[string]int{"left": -1, "right": 1}[k.Name], k.At), nil
		}
		return s.below(k)
	case "enter":
		switch choices := a.Choices(); {
		case k.At.Sub(a.kept) < guard:
			return s, nil
		case s.Aims():
			return s.chose(a, choices[min(a.Cursor, len(choices)-1)], k)
		}
		return s.below(k)
	case "esc":
		return s.cancelApproval(a, k)
	case "ctrl+c":
		s.Armed = false // it denies, and is no second ctrl+d
		return s.decided(a, host.Decide{Choice: "deny"}, k)
	}
	if s.writing() || k.Text == "" {
		return s.below(k)
	}
	return s.pressLetter(a, k)
}

// pressLetter answers with a letter. Numbers are for those who hear the choices
// read out.
func (s State) pressLetter(a Approval, k Key) (State, []Intent) {
	if k.Name == "e" {
		if a.Pattern == "" {
			return s, nil
		}
		a.Cursor, a.aimed = 0, false
		a.Field, a.Line, a.Note = PatternField, NewLine(a.Pattern), ""
		return s.front(a), nil
	}
	for i, c := range a.Choices() {
		switch {
		case k.Text == strconv.Itoa(i+1):
			return s.chose(a, c, k)
		case !strings.EqualFold(k.Text, c.Key):
		case c.lasts() && !s.options.Lines:
			a.Cursor, a.aimed = i, true // it is seen what is about to be
			s.meant = meant{c, k, a.came}
			return s.front(a), nil
		default:
			return s.chose(a, c, k)
		}
	}
	return s.below(k)
}

// lasts reports whether a choice allows for longer than this call.
func (c Choice) lasts() bool { return c.decide == "session" || c.decide == "project" }

// aim moves the cursor over the choices. Where none was under it, it comes in at
// their end.
func (s State) aim(by int) State {
	a := s.Approvals[0]
	n := len(a.Choices())
	switch {
	case s.Aims():
		a.Cursor = (a.Cursor + n + by) % n
	case by > 0:
		a.Cursor = 0
	default:
		a.Cursor = n - 1
	}
	a.aimed = true
	return s.front(a)
}

// below passes on a key that is no answer: it belongs to the prompt, as those
// do that follow it closely. With an empty prompt only what begins one does, and
// what leaves or steers.
func (s State) below(k Key) (State, []Intent) {
	const answers = "yYaApPnNdDeE" // also where always is not offered
	if s.writing() {
		if k.Name == "ctrl+s" || k.Name == "ctrl+g" {
			return s, nil // what they open would lie below the question
		}
		return s.beside(k).pressEditor(k)
	}
	switch k.Name {
	case "backspace", "enter", "ctrl+enter", "ctrl+d":
	default:
		if k.Text == "" || len(k.Text) == 1 && strings.Contains(answers, k.Text) {
			return s, nil
		}
	}
	return s.beside(k).pressEditor(k)
}

// beside notes a key that the approval in front did not take.
func (s State) beside(k Key) State {
	a := s.Approvals[0]
	switch {
	case k.Name == "enter" || k.Name == "ctrl+enter":
		a.passed = a.passed || strings.TrimSpace(s.Editor.Text) != "" || len(s.Queue) > 0
		a.aimed = false
	case k.Text != "" || k.Name == "backspace":
		a.aimed = false
	}
	s = s.front(a).writes(k)
	s.quiet = k.At
	return s
}

// Settles is for how long from a time on a letter that was pressed is no answer
// yet; 0 when there is none. Due is to be called then.
func (s State) Settles(at time.Time) time.Duration {
	if s.meant.came == 0 || s.meant.came != s.Front() {
		return 0
	}
	return max(s.meant.key.At.Add(hold).Sub(at), 1)
}

// Due has a letter answer that no other one has followed.
func Due(s State, at time.Time) (State, []Intent) {
	m := s.meant
	if m.came == 0 || m.came == s.Front() && at.Before(m.key.At.Add(hold)) {
		return s, nil
	}
	s.meant = meant{}
	if m.came != s.Front() || s.Approvals[0].Field != NoField || s.hidden() {
		return s, nil
	}
	m.key.At = at
	return s.chose(s.Approvals[0], m.choice, m.key)
}

// follows takes in a key behind a letter that may be an answer. One that types
// makes both a prompt, enter confirms the answer, any other key takes it back.
// done says that the key has done what it can.
func (s State) follows(k Key) (_ State, intents []Intent, done bool) {
	m := s.meant
	if m.came == 0 {
		return s, nil, false
	}
	if s, intents := Due(s, k.At); s.meant.came == 0 {
		return s, intents, false
	}
	s.meant = meant{}
	switch {
	case k.Text != "":
		s = s.beside(m.key)
		s, intents = s.setText(m.key.Text, len(m.key.Text))
		return s, intents, false
	case k.Name == "enter":
		s, intents = s.chose(s.Approvals[0], m.choice, k)
		return s, intents, true
	}
	a := s.Approvals[0]
	a.Cursor, a.aimed = 0, false
	return s.front(a), nil, k.Name == "backspace" || k.Name == "esc"
}

// pressField edits the pattern or the message of an approval.
func (s State) pressField(a Approval, k Key) (State, []Intent) {
	switch k.Name {
	case "esc", "ctrl+c":
		a.Field, a.Line, a.Note, a.checking = NoField, Line{}, "", false
	case "enter":
		if a.Field == MessageField {
			// It needs no sight: it denies.
			return s.decided(a, host.Decide{Choice: "deny", Message: a.Line.Text}, k)
		}
		return s.keepPattern(a, k)
	default:
		if !a.checking {
			a.Line, a.Note = a.Line.Press(k), ""
		}
	}
	return s.front(a), nil
}

// keepPattern has the pattern that was written used from now on, when it is one. It
// needs no sight: what it stands for is shown before it is used, and a key that
// was lost here would have to be missed first.
func (s State) keepPattern(a Approval, k Key) (State, []Intent) {
	text := strings.TrimSpace(a.Line.Text)
	if a.checking {
		return s, nil
	}
	a.kept = k.At
	if text == "" || text == a.shown { // what was proposed needs no check
		a.Pattern, a.rules = a.shown, nil
		a.Field, a.Line, a.Note = NoField, Line{}, ""
		return s.front(a), nil
	}
	a.checking, a.Note = true, ""
	return s.front(a), []Intent{Ask{host.Always{ID: a.ID, Pattern: text}}}
}

// checked takes in which rules a pattern stands for, or why it is none.
func (s State) checked(q host.Always, list host.RuleList, err error) State {
	i := s.approval(q.ID)
	if i < 0 {
		return s
	}
	s.Approvals = slices.Clone(s.Approvals)
	a := &s.Approvals[i]
	if !a.checking || strings.TrimSpace(a.Line.Text) != q.Pattern {
		return s
	}
	a.checking = false
	if err == nil && len(list.Rules) == 0 {
		err = errors.New("this is no rule")
	}
	if err != nil {
		a.Note = clipHead(err.Error(), noticeLimit)
		return s
	}
	a.Pattern, a.rules = q.Pattern, list.Rules
	a.Field, a.Line, a.Note = NoField, Line{}, ""
	return s
}

func (s State) chose(a Approval, c Choice, k Key) (State, []Intent) {
	if c.field != NoField {
		a.Field, a.Line = c.field, Line{}
		return s.front(a), nil
	}
	d := host.Decide{Choice: c.decide}
	if c.lasts() {
		d.Pattern = a.Pattern
		s = s.always(a, c.decide)
	}
	return s.decided(a, d, k)
}

// decided answers an approval and forgets it, so that no other key can answer
// it again.
func (s State) decided(a Approval, d host.Decide, k Key) (State, []Intent) {
	d.ID = a.ID
	s.answering = true
	return s.closed(a.ID, k.At), []Intent{Do{d}}
}

// cancelApproval denies and cancels the turn. The waiting prompts are taken
// back first: none of them may begin when the turn ends.
func (s State) cancelApproval(a Approval, k Key) (State, []Intent) {
	s, intents := s.decided(a, host.Decide{Choice: "deny", Cancel: true}, k)
	s, more := s.cancel()
	return s, slices.Concat(more[:len(more)-1], intents, more[len(more)-1:])
}
