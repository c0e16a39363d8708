package screen

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"assent/internal/event"
	"assent/internal/host"
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
	if front := s.Approvals[0]; s.Now.Sub(front.Since) >= guard || front.Field != NoField || front.Cursor != 0 {
		i := slices.IndexFunc(list, func(b Approval) bool { return b.came == front.came })
		list = slices.Concat(list[i:], list[:i])
	} else {
		list[0].Since = s.Now
	}
	s.Approvals = list
	return s
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
	return s
}

// pressApproval answers the first approval, or moves in it.
func (s State) pressApproval(k Key) (State, []Intent) {
	a := s.Approvals[0]
	if a.Field != NoField {
		return s.pressField(a, k)
	}
	choices := a.Choices()
	switch k.Name {
	case "up", "shift+tab", "ctrl+p":
		a.Cursor = (a.Cursor + len(choices) - 1) % len(choices)
	case "down", "tab", "ctrl+n":
		a.Cursor = (a.Cursor + 1) % len(choices)
	case "left":
		return s.turned(-1, k.At), nil
	case "right":
		return s.turned(1, k.At), nil
	case "e":
		if a.Pattern == "" {
			return s, nil
		}
		a.Cursor = 0
		a.Field, a.Line = PatternField, NewLine(a.Pattern)
	case "enter":
		if s.writing() {
			return s.pressEditor(k)
		}
		if k.At.Sub(a.kept) < guard {
			return s, nil
		}
		return s.chose(a, choices[min(a.Cursor, len(choices)-1)], k)
	case "esc":
		return s.cancelApproval(a, k)
	case "ctrl+c":
		return s.decided(a, host.Decide{Choice: "deny"}, k)
	default:
		for i, c := range choices {
			// Numbers are for those who hear the choices read out.
			if strings.EqualFold(k.Text, c.Key) || k.Text == strconv.Itoa(i+1) {
				return s.chose(a, c, k)
			}
		}
		return s.below(k)
	}
	return s.front(a), nil
}

// below passes on a key that is no answer: it belongs to the prompt, as those
// do that follow it closely.
func (s State) below(k Key) (State, []Intent) {
	const answers = "yYaApPnNdD" // also where always is not offered
	if k.Text == "" && k.Name != "backspace" || len(k.Text) == 1 && strings.Contains(answers, k.Text) {
		return s, nil
	}
	return s.beside(k).pressEditor(k)
}

// beside notes a key that the approval in front did not take.
func (s State) beside(k Key) State {
	s = s.writes(k)
	s.quiet = k.At
	if came := s.Approvals[0].came; s.written.below != came {
		s.written = written{below: came}
	}
	if k.Text != "" {
		s.written.keys++
	}
	return s
}

// writing reports whether a prompt is being written while an approval waits,
// so that an enter ends the prompt. A single letter is a wrong key.
func (s State) writing() bool {
	return len(s.Approvals) > 0 && s.written.below == s.Approvals[0].came && s.written.keys > 1 &&
		s.Approvals[0].Field == NoField && s.Editor.Text != ""
}

// written counts the keys that went into the prompt below one approval.
type written struct{ below, keys int }

// pressField edits the pattern or the message of an approval.
func (s State) pressField(a Approval, k Key) (State, []Intent) {
	switch k.Name {
	case "esc", "ctrl+c":
		a.Field, a.Line = NoField, Line{}
	case "enter":
		// It needs no sight: it denies, or keeps a pattern that is shown before
		// it is used. A key that was lost here would have to be missed first.
		text := a.Line.Text
		if a.Field == MessageField {
			return s.decided(a, host.Decide{Choice: "deny", Message: text}, k)
		}
		// An empty pattern would mean "the one that was shown".
		a.Pattern = a.shown
		if text != "" {
			a.Pattern = text
		}
		a.Field, a.Line, a.kept = NoField, Line{}, k.At
	default:
		a.Line = a.Line.Press(k)
	}
	return s.front(a), nil
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

func (s State) chose(a Approval, c Choice, k Key) (State, []Intent) {
	if c.field != NoField {
		a.Field, a.Line = c.field, Line{}
		return s.front(a), nil
	}
	d := host.Decide{Choice: c.decide}
	if c.decide == "session" || c.decide == "project" {
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
