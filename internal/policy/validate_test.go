package policy_test

import (
	"strings"
	"testing"

	"assent/internal/policy"
)

var names = []string{"bash", "read_file", "write_file", "edit_file", "git_status", "grep"}

func TestParseRule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]policy.Rule{
		"bash(git *)":      {Tool: "bash", Pattern: "git *"},
		" bash ":           {Tool: "bash"},
		"bash(echo (a) b)": {Tool: "bash", Pattern: "echo (a) b"},
		"bash( x )":        {Tool: "bash", Pattern: " x "},
		"mcp__a__b":        {Tool: "mcp__a__b"},
		"mcp__*":           {Tool: "mcp__*"},
		"git_*(x)":         {Tool: "git_*", Pattern: "x"},
		"*":                {Tool: "*"},
		"write_file(a(1))": {Tool: "write_file", Pattern: "a(1)"},
	} {
		want.Verdict, want.Layer, want.Source = policy.Allow, policy.LayerAllow, "--allow"
		got, err := policy.ParseRule(text, policy.Allow, policy.LayerAllow, "--allow", names)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if again, err := policy.ParseRule(got.String(), policy.Allow, policy.LayerAllow, "--allow", names); err != nil || again != got {
			t.Errorf("%q is not read back: %v", got, err)
		}
	}
	for text, part := range map[string]string{
		"bash(git": "not closed", "bash()": "empty", "(x)": "names no tool", "": "names no tool", "bsh(x)": `did you mean "bash"`, "read_fil": `"read_file"`, "qqqqqqqq": "valid names", "zz_*": "unknown tool",
	} {
		_, err := policy.ParseRule(text, policy.Deny, policy.LayerDeny, "--deny", names)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v does not hold %q", text, err, part)
		}
	}
	if _, err := policy.ParseRule("anything(x)", policy.Deny, policy.LayerDeny, "--deny", nil); err != nil {
		t.Error(err)
	}
}
