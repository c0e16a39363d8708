package screen

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"assent/internal/event"
)

// Approval is a question that waits.
type Approval struct {
	event.Approval
	// Since is when it came to the front of the list.
	Since time.Time
	// Cursor is the choice under the cursor, an index into Choices.
	Cursor int
	// Field is what is being written, if anything, and Line what was written.
	Field Field
	Line  Line

	// Note is why what was written in the field is not kept.
	Note string

	// rules are what an edited pattern stands for, nil for what was proposed;
	// checking says that this is being asked.
	rules    []string
	checking bool
	// aimed says that an arrow key chose, so that enter answers; passed that an
	// enter below it was for the prompt, so that the next one may be too.
	aimed, passed bool
	// over says that it came into sight over a prompt that was being written.
	over bool
	// came counts the questions, in the order in which they came.
	came int
	// kept is when its pattern was kept with enter: the same key allows the
	// call a moment later.
	kept time.Time
	// shown is the pattern as it was proposed.
	shown string
	// width and height are the terminal's, 0 when they are not known.
	width, height int
}

// Field is what is being written in an approval.
type Field int

// The fields of an approval.
const (
	NoField Field = iota
	PatternField
	MessageField
)

// Choice is one answer to an approval.
type Choice struct {
	// Key is the letter that takes it, Label what it says.
	Key, Label string

	decide string // the host's word
	field  Field  // what is written first
}

// Choices are the answers that an approval offers. Those that allow for longer
// are offered only with rules that can be shown whole.
func (a Approval) Choices() []Choice {
	list := make([]Choice, 0, 5)
	list = append(list, Choice{Key: "y", Label: "allow once", decide: "once"})
	if a.Always() {
		what := a.what()
		list = append(list,
			Choice{Key: "a", Label: "always" + what + " in this session", decide: "session"},
			Choice{Key: "p", Label: "always" + what + " in this project", decide: "project"})
	}
	return append(list,
		Choice{Key: "n", Label: "deny", decide: "deny"},
		Choice{Key: "d", Label: "deny and say what to do instead", decide: "deny", field: MessageField})
}

// opened puts a question into the list, in the order of the calls, those of
// subagents behind them. One that is told a second time stays as it is; another
// with its id takes its place, and is as new to the eye as any.
func (s State) opened(e event.Approval) State {
	a := Approval{Approval: e, Since: s.Now, over: s.composing(s.Now), shown: e.Pattern, width: s.Width, height: s.Height}
	i := s.approval(e.ID)
	if i >= 0 && s.Approvals[i].asks(e) {
		return s
	}
	s.came++
	a.came = s.came
	if i >= 0 {
		s.Approvals = slices.Clone(s.Approvals)
		s.Approvals[i] = a
		return s
	}
	s.Approvals = append(slices.Clip(s.Approvals), a)
	list := s.inOrder()
	// What is in front stays there, unless it is so new that it takes no key yet.
	if front := s.Approvals[0]; s.Now.Sub(front.Since) >= guard || front.Field != NoField || front.aimed {
		i := slices.IndexFunc(list, func(b Approval) bool { return b.came == front.came })
		list = slices.Concat(list[i:], list[:i])
	} else {
		list[0].Since = s.Now
	}
	s.Approvals = list
	return s.timed(s.Now)
}

// asks reports whether this is the question that an event tells.
func (a Approval) asks(e event.Approval) bool {
	a.Pattern = a.shown // it may have been edited since
	return reflect.DeepEqual(a.Approval, e)
}

// Front names the question in front: another one has another number, and 0 is
// none.
func (s State) Front() int {
	if len(s.Approvals) == 0 {
		return 0
	}
	return s.Approvals[0].came
}

// inOrder is the waiting approvals in the order of their calls.
func (s State) inOrder() []Approval {
	rank := func(a Approval) int {
		if i := s.tool(a.ID); i >= 0 {
			return i
		}
		return len(s.Tools)
	}
	list := slices.Clone(s.Approvals)
	slices.SortFunc(list, func(a, b Approval) int { return cmp.Or(rank(a)-rank(b), a.came-b.came) })
	return list
}

// place is which of the waiting approvals is in front, counted from 1.
func (s State) place() int {
	front := s.Approvals[0].came
	return 1 + slices.IndexFunc(s.inOrder(), func(a Approval) bool { return a.came == front })
}

func (s State) approval(id string) int {
	return slices.IndexFunc(s.Approvals, func(a Approval) bool { return a.ID == id })
}

// closed takes a question off the list; the next one gets a guard of its own.
func (s State) closed(id string, at time.Time) State {
	i := s.approval(id)
	if i < 0 {
		return s
	}
	s.Approvals = slices.Delete(slices.Clone(s.Approvals), i, i+1)
	if i == 0 && len(s.Approvals) > 0 {
		s.Approvals[0].Since = at
	}
	return s.timed(at)
}

func (s State) front(a Approval) State {
	s.Approvals = slices.Clone(s.Approvals)
	s.Approvals[0] = a
	return s
}

// turned brings another waiting approval to the front. It is new to the eye,
// so it gets its guard.
func (s State) turned(by int, at time.Time) State {
	n := len(s.Approvals)
	if n < 2 {
		return s
	}
	by = (by%n + n) % n
	s.Approvals = slices.Concat(s.Approvals[by:], s.Approvals[:by])
	s.Approvals[0].Since = at
	return s
}
