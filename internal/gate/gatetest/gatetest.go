// Package gatetest gives tests grants through a real gate: there is no back
// door, only a gate that asks nobody.
package gatetest

import (
	"context"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/workspace"
)

// Gate returns a gate over ws that allows what its rules and the built-in
// denials let it allow, without asking. Its processes end with the test.
func Gate(tb testing.TB, ws *workspace.Workspace, rules ...policy.Rule) *gate.Gate {
	tb.Helper()
	procs := &proc.Table{}
	tb.Cleanup(procs.Close)
	return gate.New(gate.Options{
		Workspace: ws, Rules: policy.New(policy.Options{Rules: rules}), Procs: procs, Yolo: true,
	})
}

// Grant returns a grant for a request from a fresh gate. A refusal fails the
// test.
func Grant(tb testing.TB, ws *workspace.Workspace, r gate.Request) *gate.Grant {
	tb.Helper()
	return From(tb, Gate(tb, ws), r)
}

// From is Grant with a gate that remembers earlier calls. A refusal fails the
// test.
func From(tb testing.TB, g *gate.Gate, r gate.Request) *gate.Grant {
	tb.Helper()
	grant, decision := g.Decide(context.Background(), r)
	if grant == nil {
		tb.Fatalf("the gate refused %s %s: %s by %s: %s", r.Tool, r.Input, decision.Verdict, decision.By, decision.Reason)
	}
	return grant
}
