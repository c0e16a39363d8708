package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"assent/internal/gate"
)

// Planned is a call whose arguments were checked and whose touch is known. It
// has done nothing yet.
type Planned struct {
	tool    Tool
	request gate.Request
	run     runner
}

// Prepare checks a call's input and plans it. Empty input, white space and null
// are the empty object. The error is an *InvalidError, worded for the model.
func (t Tool) Prepare(callID string, input json.RawMessage) (p Planned, err error) {
	if t.t == nil {
		return Planned{}, &InvalidError{Rule: "there is no such tool"}
	}
	defer func() { // what a plan cannot read is no reason to end the program
		if r := recover(); r != nil {
			p, err = Planned{}, &InvalidError{Tool: t.t.Name, Rule: fmt.Sprintf("they could not be planned (%v)", r)}
		}
	}()
	input, err = t.check(input)
	if err != nil {
		return Planned{}, err
	}
	plan, run, err := t.t.bind(input)
	if err != nil {
		return Planned{}, &InvalidError{Tool: t.t.Name, Rule: err.Error()}
	}
	r := gate.Request{
		ID: callID, Tool: t.t.Name, Effect: t.t.Effect, Input: input, Plan: plan,
		Title: t.Title(string(input)),
	}
	if t.t.As != nil {
		if name := t.t.As(input); name != "" {
			r.Tool = name
		}
	}
	if t.t.Detail != nil {
		r.Detail = t.t.Detail(input)
	}
	r.Replan = func(input json.RawMessage) (gate.Request, error) {
		p, err := t.Prepare(callID, input)
		return p.request, err
	}
	return Planned{t, r, run}, nil
}

// BrokenError says that a tool broke down while it ran.
type BrokenError struct {
	Tool string
	// Cause is what it panicked with, and Stack where.
	Cause any
	Stack []byte
}

// Error is for the model.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("run %s: it broke down (%v); its effects are unknown", e.Tool, e.Cause)
}

// Request is what the gate decides. The caller may fill in whom it is for.
func (p Planned) Request() gate.Request { return p.request }

// Run spends the grant and runs the call. When a hook rewrote the input, the
// call that was granted runs, which is the rewritten one. Without a grant for
// this call nothing happens and the error says so. An error is a result for
// the model, unless it is the context's.
func (p Planned) Run(ctx context.Context, g *gate.Grant) (result Result, err error) {
	if p.run == nil {
		return Result{}, fmt.Errorf("run a call: %w", gate.ErrNoGrant)
	}
	if input, ok := g.Rewrote(p.request.ID, p.request.Tool, p.request.Input); ok {
		rewritten, err := p.tool.Prepare(p.request.ID, input)
		if err != nil {
			return Result{}, err
		}
		p = rewritten
	}
	hands, err := g.Spend(p.request.Tool, p.request.Input)
	if err != nil {
		return Result{}, fmt.Errorf("run %s: %w", p.request.Tool, err)
	}
	// Authority ends with the call, also when the run leaves a goroutine or a
	// panic behind.
	defer hands.Close()
	defer func() {
		if r := recover(); r != nil {
			result, err = Result{}, &BrokenError{p.request.Tool, r, debug.Stack()}
		}
	}()
	return p.run(ctx, hands)
}
