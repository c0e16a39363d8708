package gate

import (
	"context"
	"errors"
	"testing"

	"assent/internal/policy"
)

// silent is an asker that must not be asked.
type silent struct{ t *testing.T }

func (s silent) Approve(context.Context, Prompt) (Answer, error) {
	s.t.Error("the user is asked about what was allowed")
	return Answer{}, errors.New("nobody answers")
}

// TestGrantBeforeTheQuestion covers a grant that comes after the rules of a
// call were read and before its question waits.
func TestGrantBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	g := New(Options{Asker: silent{t}})
	r := Request{Tool: "bash", Effect: policy.Exec, Plan: policy.Plan{Subjects: []policy.Subject{{Kind: policy.KindTool, Text: "x"}}}}
	stale := g.judge(t.Context(), r, nil)
	if stale.decision.Verdict != policy.Ask {
		t.Fatalf("%+v", stale.decision)
	}
	g.add(policy.Rule{Tool: "bash", Pattern: "*", Verdict: policy.Allow, Layer: policy.LayerGrant, Source: "session"})
	_, granted, err := g.put(t.Context(), stale, Prompt{Request: r, Offer: []policy.Rule{{Tool: "bash"}}})
	if granted == nil || !errors.Is(err, ErrCovered) {
		t.Errorf("granted %v, %v", granted, err)
	}
}
