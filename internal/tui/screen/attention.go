package screen

import "time"

// guard is how long no key must have come before an approval takes one, pause
// how long it is for one that came while a prompt was being written.
const (
	guard = 300 * time.Millisecond
	pause = time.Second
)

// guarded reports whether the first approval does not take this key: it is too
// young, or nobody can see what the key would answer. To end things needs no
// sight. Keys that follow each other closely keep the guard up: whoever is
// typing does not answer. What is written into an approval belongs to it, for
// whoever writes there has seen it.
func (s State) guarded(k Key) bool {
	if s.Approvals[0].Field != NoField {
		return false
	}
	if s.hidden() && k.Name != "esc" && k.Name != "ctrl+c" {
		return true
	}
	if k.Burst {
		return true
	}
	return k.At.Before(s.awake())
}

// awake is from when on the first approval takes answers: when it is to be seen
// and no key came for a while that was not for it. Who was writing when it came
// goes on for longer than that without looking, so they have to pause.
func (s State) awake() time.Time {
	since, quiet := s.Approvals[0].Since, guard
	if s.Approvals[0].over && !s.answering {
		quiet = pause
	}
	if s.quiet.After(since) {
		since = s.quiet
	}
	return since.Add(quiet)
}

// composing reports whether a prompt is being written at a time. Who has
// answered something since its last letter is answering now. A line, where there
// are only lines, is an answer or none.
func (s State) composing(at time.Time) bool {
	return !s.options.Lines && !s.answering && (s.Editor.Text != "" || at.Sub(s.typed) < pause)
}

// writes notes a key that writes a prompt.
func (s State) writes(k Key) State {
	switch {
	case k.Text != "" || k.Name == "backspace":
		s.typed, s.answering = k.At, false
	case k.Name == "enter": // it is written
		s.typed = time.Time{}
	}
	return s
}

// Deaf is for how long from the last Tick on the first approval takes no answer,
// 0 when it takes one or none waits. Its choices are drawn so that the user sees
// it.
func (s State) Deaf() time.Duration {
	if len(s.Approvals) == 0 || s.Approvals[0].Field != NoField {
		return 0
	}
	return max(s.awake().Sub(s.Now), 0)
}

// hidden reports whether the live region is not to be read now.
func (s State) hidden() bool { return s.covered || s.Small() }

// Covered tells whether what the terminal shows is no picture of the state, as
// it is while its size changes. Approvals take no answers then, and none in the
// first moment after it.
func Covered(s State, covered bool, at time.Time) State {
	if s.covered && !covered {
		s = s.renewed(at)
	}
	s.covered = covered
	return s
}

// Shown tells that the terminal shows the question in front from now on.
func Shown(s State, at time.Time) State {
	s.covered = false
	return s.renewed(at)
}

// renewed has the first approval come into sight again.
func (s State) renewed(at time.Time) State {
	if len(s.Approvals) == 0 {
		return s
	}
	a := s.Approvals[0]
	a.Since, a.over = at, s.composing(at)
	return s.front(a)
}
