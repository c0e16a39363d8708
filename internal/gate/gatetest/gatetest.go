// Package gatetest gives tests grants through a real gate: there is no back
// door, only a gate whose rules allow.
package gatetest

import (
	"context"
	"testing"

	"assent/internal/gate"
	"assent/internal/workspace"
)

// Grant returns a grant for a request from a gate over ws that allows
// everything its rules can allow. Guards and denials still hold; a refusal
// fails the test.
func Grant(tb testing.TB, ws *workspace.Workspace, r gate.Request) *gate.Grant {
	tb.Helper()
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	grant, decision := g.Decide(context.Background(), r)
	if grant == nil {
		tb.Fatalf("the gate refused %s: %s by %s: %s", r.Tool, decision.Verdict, decision.By, decision.Reason)
	}
	return grant
}
