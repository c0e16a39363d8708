package screen

import (
	"slices"

	"assent/internal/host"
)

// promote gives the first queued prompt to the running turn.
func (s State) promote() (State, []Intent) {
	if !s.working() || s.Turn.Cancelling || len(s.Queue) == 0 {
		return s, nil
	}
	if at := s.promoted(); at >= 0 {
		s.sent = slices.Clone(s.sent)
		s.sent[at].steer = true
	}
	return s, []Intent{Do{host.Promote{}}}
}

// promoted is the place of the prompt that promote would give to the turn.
func (s State) promoted() int {
	return slices.IndexFunc(s.sent, func(p sent) bool { return p.released && !p.steer })
}

// Next is the queued prompt that enter on the empty prompt gives to the running
// turn, as it stood there; empty for none.
func (s State) Next() string {
	if at := s.promoted(); at >= 0 && s.working() && !s.Turn.Cancelling && len(s.Queue) > 0 {
		return s.sent[at].shown
	}
	return ""
}

// steering are the places of the prompts that were given to the running turn
// and have not entered it. Of prompts with the same text those in front of the
// queue are meant: it is the newest that still wait there.
func (s State) steering() []int {
	queued := map[string]int{}
	for _, text := range s.Queue {
		queued[text]++
	}
	var at []int
	for i, p := range slices.Backward(s.sent) {
		switch {
		case !p.released:
		case queued[p.text] > 0:
			queued[p.text]--
		case p.steer:
			at = append(at, i)
		}
	}
	slices.Reverse(at)
	return at
}

// Steering is what was given to the running turn and enters at its next step,
// as it stood in the prompt, oldest first.
func (s State) Steering() []string {
	var shown []string
	for _, i := range s.steering() {
		shown = append(shown, s.sent[i].shown)
	}
	return shown
}

// comeBack keeps what did not enter a turn that was cancelled, for Returned.
func (s State) comeBack() State {
	places := s.steering()
	if len(places) == 0 {
		return s
	}
	var rest []sent
	for i, p := range s.sent {
		if slices.Contains(places, i) {
			s.back = append(slices.Clip(s.back), p)
		} else {
			rest = append(rest, p)
		}
	}
	s.sent = rest
	return s
}

// Returned puts what a cancelled turn did not take back into the prompt, before
// what stands there. It is called after events were applied.
func Returned(s State) (State, []Intent) {
	back := s.back
	if s.back = nil; len(back) == 0 {
		return s, nil
	}
	return s.regain(back)
}
