package gate_test

import (
	"context"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// TestExplainEnds: what Explain starts to ask what a repository configures ends
// with its context, and a command of which nothing is known does not run.
func TestExplainEnds(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\tbare = false\n", ".git/objects/x": "", ".git/refs/x": "",
	})
	m := gate.Mode{Name: "plan", Effects: []policy.Effect{policy.Read}, ReadOnly: []string{"git log"}}
	g := gate.New(gate.Options{Workspace: ws, Mode: m, Rules: rules(t)})
	if d := g.Explain(t.Context(), bash("git log")); d.Verdict != policy.Allow {
		t.Fatalf("%s: %s", d.Verdict, d.Reason)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d := g.Explain(ctx, bash("git log")); d.Verdict != policy.Deny || !strings.Contains(d.Reason, "cannot be read") {
		t.Errorf("with a context that ended: %s: %s", d.Verdict, d.Reason)
	}
}
