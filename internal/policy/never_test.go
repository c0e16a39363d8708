package policy_test

import (
	"testing"

	"assent/internal/policy"
)

// PERM-21: a tool that can never be called is not offered; one that a rule may
// allow for some subject stays offered.
func TestNever(t *testing.T) {
	t.Parallel()
	rule := func(tool, pattern string, v policy.Verdict) policy.Rule {
		return policy.Rule{Tool: tool, Pattern: pattern, Verdict: v, Layer: policy.LayerUser}
	}
	tests := []struct {
		name  string
		rules []policy.Rule
		want  bool
	}{
		{"no rule", nil, false},
		{"whole tool denied", []policy.Rule{rule("bash", "", policy.Deny)}, true},
		{"everything denied", []policy.Rule{rule("bash", "*", policy.Deny)}, true},
		{"by a wide key", []policy.Rule{rule("*", "", policy.Deny)}, true},
		{"one thing denied", []policy.Rule{rule("bash", "rm *", policy.Deny)}, false},
		{"something allowed later", []policy.Rule{rule("bash", "", policy.Deny), rule("bash", "git *", policy.Allow)}, false},
		{"denied after all", []policy.Rule{rule("bash", "git *", policy.Allow), rule("bash", "", policy.Deny)}, true},
		{"another tool", []policy.Rule{rule("edit_file", "", policy.Deny)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := policy.New(policy.Options{Rules: tt.rules}).Never("bash"); got != tt.want {
				t.Errorf("got %t, want %t", got, tt.want)
			}
		})
	}
}
