package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/session"
	"assent/internal/tool"
	"assent/internal/turn"
)

// call is what the engine holds of a call of the current response.
type call struct {
	llm.Call
	planned  tool.Planned
	ready    bool // planned is set
	flight   *flight
	decision policy.Decision
	grant    *gate.Grant
	out      outcome
	begun    time.Time
}

func (c *call) title() string {
	if c == nil || !c.ready {
		return ""
	}
	return c.planned.Request().Title
}

// Waiter is an error of a tool whose result comes later, from outside: the
// call stays open and the turn ends with the reason "question".
type Waiter interface {
	error
	// Waits marks the error.
	Waits()
}

// prepare checks a call against the tools that were offered.
func (r *run) prepare(c llm.Call, in StepInput) turn.Call {
	held := &call{Call: c}
	r.calls[c.ID] = held
	t, ok := in.Tools.Find(c.Name)
	if !ok {
		t, ok = in.Withheld.Find(c.Name)
	}
	if !ok {
		return turn.Call{ID: c.ID, Invalid: unknownTool(c.Name, in.Tools)}
	}
	planned, err := t.Prepare(c.ID, c.Input)
	if err != nil {
		return turn.Call{ID: c.ID, Invalid: err.Error()}
	}
	held.planned, held.ready = planned, true
	return turn.Call{ID: c.ID, Read: t.Effect() == policy.Read}
}

func unknownTool(name string, tools tool.Set) string {
	text := fmt.Sprintf("There is no tool %q.", name)
	if near := tools.Nearest(name); len(near) > 0 {
		return text + " The nearest: " + strings.Join(near, ", ") + "."
	}
	return text + " The tools are: " + strings.Join(tools.Names(), ", ") + "."
}

// permit asks the gate for its decision.
func (r *run) permit(id string) {
	c := r.calls[id]
	if c == nil || !c.ready || r.ctx.Err() != nil { // the cancel is the next fact
		r.post(turn.Denied{CallID: id})
		return
	}
	c.flight = &flight{id: id, tell: r.e.o.Tell, mask: r.e.o.Redact.Output()}
	req := r.addressed(c.planned.Request(), c.flight)
	r.tools.flying++
	ctx := r.tools.ctx
	r.beside(func() {
		grant, decision := r.e.decide(ctx, req)
		r.send(message{apply: func() { r.decided(c, grant, decision) }})
	})
}

// addressed fills in whom a request is for, also after a hook rewrote its
// input.
func (r *run) addressed(req gate.Request, f *flight) gate.Request {
	req.Subagent, req.Conversation, req.Turn, req.Emit = r.e.o.Subagent, r.e.o.Session, r.number, f.emit
	if replan := req.Replan; replan != nil {
		req.Replan = func(input json.RawMessage) (gate.Request, error) {
			again, err := replan(input)
			return r.addressed(again, f), err
		}
	}
	return req
}

// decided takes a decision in.
func (r *run) decided(c *call, grant *gate.Grant, d policy.Decision) {
	if r.calls[c.ID] != c || c.decision.Verdict != "" {
		return // it came after it was given up
	}
	r.tools.flying--
	c.grant, c.decision = grant, d
	if grant == nil {
		c.decision.Verdict = policy.Deny
		c.out = outcome{output: first(r.e.mask(d.Fails), refusal(d))}
		r.post(turn.Denied{CallID: c.ID, Cancel: d.Cancel, Failed: d.Fails != ""})
		return
	}
	r.post(turn.Granted{CallID: c.ID})
}

// refusal words a denial for the model.
func refusal(d policy.Decision) string {
	switch {
	case d.Reason == gate.SaidNo:
		return textNo
	case d.Reason == "":
		return fmt.Sprintf("The call was denied (by %s) and did not run.", d.By)
	}
	return fmt.Sprintf("The call was denied (by %s) and did not run: %s", d.By, d.Reason)
}

// saveCall stores a call with its decision.
func (r *run) saveCall(id string) error {
	c := r.calls[id]
	if c == nil {
		return nil
	}
	d := c.decision
	rec := session.Call{CallID: id, Name: c.Name, Title: c.title(), Decide: d.Verdict, By: d.By, Reason: d.Reason}
	for _, s := range d.Subjects {
		if s.Verdict == d.Verdict && s.By == d.By {
			rec.Rule, rec.Source = s.Pattern, s.Source
			break
		}
	}
	return r.save(rec)
}

// runCall runs a granted call.
func (r *run) runCall(id string) {
	c := r.calls[id]
	if c == nil || c.grant == nil || r.ctx.Err() != nil { // the cancel is the next fact
		r.post(turn.Finished{CallID: id, Status: llm.StatusCancelled})
		return
	}
	ctx, stop := context.WithCancel(r.tools.ctx)
	c.flight.stop = stop
	c.begun = r.e.o.Now()
	r.e.take(c.flight)
	r.tools.flying++
	r.tell(event.ToolRun{ID: id, Name: c.Name})
	r.beside(func() {
		result, err := c.planned.Run(ctx, c.grant)
		var broke *tool.BrokenError
		if errors.As(err, &broke) {
			r.e.report(broke.Cause, broke.Stack)
		}
		if err == nil {
			result = r.after(ctx, c.planned.Request(), result)
		}
		stopped := ctx.Err() != nil
		stop()
		r.e.drop(c.flight)
		c.flight.end()
		out, waits := r.outcome(c, result, err, stopped)
		if b := c.flight.broke(); b != nil && !waits {
			r.e.report(b.cause, b.stack)
			out = r.unheard(out, b)
		}
		r.send(message{apply: func() { r.landed(c, out, waits) }})
	})
}

// landed takes the end of a call in.
func (r *run) landed(c *call, out outcome, waits bool) {
	if r.calls[c.ID] != c || c.out.status != "" {
		return // it came after it was given up
	}
	r.tools.flying--
	out.duration = r.e.o.Now().Sub(c.begun)
	c.out = out
	r.post(turn.Finished{CallID: c.ID, Status: out.status, Size: tokens(llm.Result{Output: out.output, Images: out.images}), Waits: waits})
}

// abandon gives up what did not stop within the grace: its facts are made up,
// and whatever it still does is not heard any more.
func (r *run) abandon() {
	if r.model.flying > 0 {
		r.model.flying = 0
		r.ear.close()
		r.notice("The request to the model did not stop in time; its connection was left behind.")
		r.post(turn.Broke{Kind: llm.KindNetwork, Message: "the request did not stop in time"}, turn.Folded{}, turn.Rebuilt{})
	}
	for id, c := range r.calls {
		switch {
		case c.flight == nil || c.out.status != "":
		case c.decision.Verdict == "":
			c.decision = policy.Decision{Verdict: policy.Deny, Reason: "the turn ended"}
			r.post(turn.Denied{CallID: id})
		case c.grant != nil && !c.begun.IsZero():
			c.flight.end()
			r.e.drop(c.flight)
			c.out = outcome{status: llm.StatusCancelled, output: stopText(textCancelled, c.flight.said())}
			r.notice(fmt.Sprintf("%s did not stop in time and may still be running.", c.Name))
			r.post(turn.Finished{CallID: id, Status: llm.StatusCancelled})
		}
	}
	r.tools.flying = 0
}

// take and drop keep the list of running calls.
func (e *Engine) take(f *flight) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flights = append(e.flights, f)
}

func (e *Engine) drop(f *flight) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flights = slices.DeleteFunc(e.flights, func(g *flight) bool { return g == f })
}
