package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assent/internal/engine"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/session"
)

// waiting are the calls at the end of a session that wait for the user's
// decision, with those beside them. It is nil when the first that is undecided
// would not ask: nothing runs by itself because a session is opened.
func (c *conversation) waiting(ctx context.Context, open []session.OpenCall) []engine.OpenCall {
	var list []engine.OpenCall
	asks := false
	for _, o := range open {
		call := engine.OpenCall{Call: o.Call}
		switch {
		case o.Decided:
			call.Result = &llm.Result{CallID: o.ID, Name: o.Name, Status: llm.StatusInterrupted, Output: session.Interrupted}
		case !asks && !c.asks(ctx, o.Call):
			return nil
		default:
			asks = true
		}
		list = append(list, call)
	}
	if !asks {
		return nil
	}
	return list
}

// asks reports whether the gate would ask the user about a call.
func (c *conversation) asks(ctx context.Context, call llm.Call) bool {
	t, ok := c.tools.Find(call.Name)
	if !ok {
		return false
	}
	planned, err := t.Prepare(call.ID, call.Input)
	return err == nil && c.gate.Explain(ctx, planned.Request()).Verdict == policy.Ask && c.try(ctx, planned.Request()).told == ""
}

// heir is what a conversation takes over from the one that the user leaves for
// it.
type heir struct {
	// use is the choice of agent, model and thinking.
	use host.Use
	// granted are the rules that held for the session that was left.
	granted []string
}

// heritage is what the next conversation takes over: where the user stays in
// place the choices too.
func (c *conversation) heritage(stays bool) heir {
	var h heir
	for _, r := range c.gate.Rules().All() {
		if r.Layer == policy.LayerGrant {
			h.granted = append(h.granted, r.String())
		}
	}
	if c.flags.demo || !stays {
		return h
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	h.use = host.Use{Agent: c.agent.name, Provider: c.choice.preset.Name, Model: c.choice.model, Level: c.level}
	return h
}

// inherit takes over what the user chose before, and says what does not hold
// any more.
func (c *conversation) inherit(ctx context.Context, h heir) []string {
	var notices []string
	c.mu.Lock()
	use := h.use
	if use.Agent == c.agent.name {
		use.Agent = ""
	}
	if use.Level == c.level {
		use.Level = ""
	}
	if use.Provider == c.choice.preset.Name && use.Model == c.choice.model {
		use.Provider, use.Model = "", ""
	}
	c.mu.Unlock()
	if use != (host.Use{}) {
		// It is kept with the first prompt: opening a session writes nothing.
		later := func(agent, llm.Level, choice) error { return nil }
		if _, err := c.change(ctx, use, later); err != nil {
			notices = append(notices, fmt.Sprintf("Could not keep what was chosen before: %v", err))
		}
	}
	var now []string
	for _, r := range c.gate.Rules().All() {
		now = append(now, r.String())
	}
	gone := slices.DeleteFunc(slices.Clone(h.granted), func(r string) bool { return slices.Contains(now, r) })
	if len(gone) > 0 {
		notices = append(notices, "What you allowed for the session before asks again: "+strings.Join(gone, "; "))
	}
	return notices
}
