package engine

import (
	"fmt"
	"slices"
	"strings"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/session"
	"assent/internal/turn"
)

// textUnanswered is the result of a question that the user did not answer but
// went on from.
const textUnanswered = "The user did not answer and went on with another message."

// reopened takes over calls that an earlier process, or a turn that ended with
// a question, left open.
func (r *run) reopened(f turn.Submitted) turn.Fact {
	in, err := r.step, r.stepErr
	for _, o := range r.submit.Open {
		c := turn.Call{ID: o.Call.ID}
		r.calls[c.ID] = &call{Call: o.Call}
		switch {
		case o.Result != nil:
			c.Status = o.Result.Status
			r.calls[c.ID].out = outcome{status: c.Status, output: r.e.mask(o.Result.Output), images: o.Result.Images}
		case err != nil:
			c.Invalid = fmt.Sprintf("Not run: the session could not go on (%v).", err)
		default:
			c = r.prepare(o.Call, in)
		}
		f.Calls = append(f.Calls, c)
		r.tell(event.ToolCall{ID: o.Call.ID, Name: o.Call.Name, Input: o.Call.Input, Title: r.calls[o.Call.ID].title()})
	}
	for _, it := range r.e.takeHeld() {
		if u, ok := it.(llm.User); ok {
			id := len(r.steered) + 1
			r.steered[id] = steering{Steering: Steering{Text: u.Text, Images: u.Images}}
			f.Steers = append(f.Steers, id)
			r.outside++
		}
	}
	return f
}

// closeOpen gives the calls that were left open their result, because the
// conversation goes on without them.
func (r *run) closeOpen() {
	var ran, undecided []string
	left := map[string]session.OpenCall{}
	for _, o := range r.e.o.Open {
		left[o.ID] = o
	}
	for _, c := range openCalls(r.e.Items()) {
		res := llm.Result{CallID: c.ID, Name: c.Name, Status: llm.StatusCancelled, Output: textUnanswered}
		if o, ok := left[c.ID]; ok {
			res.Status, res.Output = llm.StatusInterrupted, session.Undecided
			if name := strings.TrimSpace(c.Name + " " + o.Decision.Title); o.Decided {
				res.Output = session.Interrupted
				ran = append(ran, name)
			} else {
				undecided = append(undecided, name)
			}
		}
		r.saveBest(session.Result{CallID: c.ID, Name: c.Name, Status: res.Status, Output: res.Output})
		r.place(res)
	}
	r.append(r.e.takeHeld()...)
	if len(ran) > 0 {
		r.notice("This was running when the session ended, so its effects are unknown: " + strings.Join(ran, "; "))
	}
	if len(undecided) > 0 {
		r.notice("This was not decided when the session ended, and was not run: " + strings.Join(undecided, "; "))
	}
}

// takeHeld returns the messages that were stored while calls were open, once.
func (e *Engine) takeHeld() []llm.Item {
	held := e.o.Held
	e.o.Held = nil
	return held
}

// openCalls lists the calls of the last response that have no result.
func openCalls(items []llm.Item) []llm.Call {
	at := lastResponse(items)
	if at < 0 {
		return nil
	}
	ended := map[string]bool{}
	for _, it := range items[at:] {
		if r, ok := it.(llm.Result); ok {
			ended[r.CallID] = true
		}
	}
	return slices.DeleteFunc(items[at].(llm.Assistant).Calls(), func(c llm.Call) bool { return ended[c.ID] })
}

func lastResponse(items []llm.Item) int {
	for i := len(items) - 1; i >= 0; i-- {
		if _, ok := items[i].(llm.Assistant); ok {
			return i
		}
	}
	return -1
}

// place appends a result, or, where results of later calls stand already
// because this call was left open, puts it before them. Those were never sent
// without it: a request with an open call is refused everywhere.
func (r *run) place(res llm.Result) {
	r.e.mu.Lock()
	defer r.e.mu.Unlock()
	items := r.e.items
	at, last, order := len(items), r.e.lastCalls.at, r.e.lastCalls.order
	if order == nil {
		last = lastResponse(items)
		order = callOrder(items, last)
		r.e.lastCalls.at, r.e.lastCalls.order = last, order
	}
	for last >= 0 && at > last+1 && !precedes(items[at-1], order, res.CallID) {
		at--
	}
	if at == len(items) {
		r.e.items = append(items, res)
		return
	}
	r.e.items = slices.Insert(slices.Clone(items), at, llm.Item(res))
}

// lastCalls remembers the newest response's calls: a response may hold many,
// and each result looks for its place among theirs.
type lastCalls struct {
	at    int            // the response in items, -1 for none
	order map[string]int // its calls' places; nil: not known
}

// callOrder is the place of each call of a response, its first one where an id
// repeats.
func callOrder(items []llm.Item, at int) map[string]int {
	order := map[string]int{}
	if at < 0 {
		return order
	}
	for i, c := range items[at].(llm.Assistant).Calls() {
		if _, there := order[c.ID]; !there {
			order[c.ID] = i
		}
	}
	return order
}

// precedes reports whether an item stands rightly before the result of a call:
// everything but a later call's result, and what came after such a one.
func precedes(it llm.Item, order map[string]int, id string) bool {
	switch it := it.(type) {
	case llm.Result:
		return placeOf(order, it.CallID) < placeOf(order, id)
	case llm.User, llm.Note:
		return false
	case llm.Assistant:
	}
	return true
}

// placeOf is -1 for a call that is not of the response.
func placeOf(order map[string]int, id string) int {
	if i, ok := order[id]; ok {
		return i
	}
	return -1
}
