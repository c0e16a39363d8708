package engine

import (
	"fmt"
	"slices"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/turn"
)

// What the model is told of a call that was open when its turn broke down.
const (
	textBrokeRunning = "The turn broke down while this call ran. It may not have finished, so its effects are unknown."
	textBrokeBefore  = "The turn broke down before this call was run. It was not run."
)

// closeBroken gives the calls of a turn that breaks down their ends: what is
// known of each is known now, and the next turn goes on without them. It runs
// while the panic is on its way, and is nothing for a turn that has ended.
func (r *run) closeBroken() {
	if r.ended {
		return
	}
	for _, said := range openCalls(r.e.Items()) {
		c := r.calls[said.ID]
		if c == nil {
			c = &call{Call: said}
			r.calls[said.ID] = c
		}
		status := c.broken()
		if !r.settled(c, status) { // the conversation goes on also without the record
			r.place(llm.Result{CallID: c.ID, Name: c.Name, Status: status, Output: c.out.output, Images: c.out.images})
		}
	}
}

// broken completes what is known of a call whose turn breaks down.
func (c *call) broken() llm.Status {
	switch {
	case c.out.status != "": // it had ended
	case c.decision.Verdict == policy.Deny:
		return llm.StatusDenied
	case !c.begun.IsZero():
		c.flight.end()
		c.out = outcome{status: llm.StatusInterrupted, output: stopText(textBrokeRunning, c.flight.said())}
	default:
		c.out = outcome{status: llm.StatusCancelled, output: textBrokeBefore}
	}
	return c.out.status
}

// settled settles a call and reports whether its result stands in the
// conversation. What broke down once may do so again.
func (r *run) settled(c *call, status llm.Status) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			ok = !slices.ContainsFunc(openCalls(r.e.Items()), func(o llm.Call) bool { return o.ID == c.ID })
			r.e.o.Tell(event.Notice{Text: fmt.Sprintf("Could not keep how %s ended (%s).", c.Name, r.e.inWords(p))})
		}
	}()
	return r.settle(turn.Settle{CallID: c.ID, Status: status, Best: true}) == nil
}
