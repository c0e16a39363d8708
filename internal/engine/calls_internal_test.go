package engine

import (
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// A "no" without words is told to the model as one that holds.
func TestRefusal(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		gate.SaidNo:               "do not reach the same end another way",
		"the user says: use make": "and did not run: the user says: use make",
		"":                        "(by user) and did not run.",
	} {
		if got := refusal(policy.Decision{By: policy.ByUser, Reason: reason}); !strings.Contains(got, want) {
			t.Errorf("%q: %s", reason, got)
		}
	}
}
