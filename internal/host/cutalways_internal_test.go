package host

import (
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/policy"
)

// TestNoAlwaysForWhatIsCut: a change that is not shown whole is allowed once or
// not at all, whatever a front answers.
func TestNoAlwaysForWhatIsCut(t *testing.T) {
	t.Parallel()
	told := make(chan event.Approval, 1)
	a := NewApprovals(func(e event.Event) {
		if e, ok := e.(event.Approval); ok {
			told <- e
		}
	}, nil, nil)
	p := gate.Prompt{
		Request: gate.Request{ID: "1", Tool: "edit_file", Effect: policy.Write, Detail: strings.Repeat("+x\n", mostLines+1)},
		Pattern: "gen/table.go", Offer: []policy.Rule{{Tool: "edit_file", Pattern: "gen/table.go", Verdict: policy.Allow}},
		Check: func(string) ([]policy.Rule, error) { return nil, nil },
	}
	done := make(chan gate.Answer, 1)
	go func() { answer, _ := a.Approve(t.Context(), p); done <- answer }()
	e := <-told
	if e.Hidden == "" || e.Pattern != "" || len(e.Rules) > 0 {
		t.Errorf("hidden %q, always offers %q %v", e.Hidden, e.Pattern, e.Rules)
	}
	if _, err := a.always(Always{ID: e.ID, Pattern: "*"}); err == nil {
		t.Error("a pattern was taken")
	}
	for _, c := range []gate.Choice{gate.Session, gate.Project} {
		if err := a.decide(Decide{ID: e.ID, Choice: string(c)}); err == nil {
			t.Fatalf("%s was taken", c)
		}
	}
	if err := a.decide(Decide{ID: e.ID, Choice: string(gate.Once)}); err != nil {
		t.Error(err)
	}
	if answer := <-done; answer.Choice != gate.Once {
		t.Errorf("answered %s", answer.Choice)
	}
}
