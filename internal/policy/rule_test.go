package policy_test

import (
	"testing"

	"assent/internal/policy"
)

// FuzzRule: a rule that is read is read alike from its own words, and judges
// without falling over.
func FuzzRule(f *testing.F) {
	for _, s := range []string{"bash(git *)", "write_file(docs/*)", "bash", "bash()", "(x)", "bash(a(b))", " bash ( x ) ", "mcp__*(a)", "b*(", "é(\xff)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := policy.ParseRule(text, policy.Allow, policy.LayerAllow, "a flag", nil)
		if err != nil {
			return
		}
		if r.Tool == "" {
			t.Fatalf("%q names no tool", text)
		}
		again := r.Tool
		if r.Pattern != "" {
			again += "(" + r.Pattern + ")"
		}
		if got, err := policy.ParseRule(again, policy.Allow, policy.LayerAllow, "a flag", nil); err != nil || got != r {
			t.Fatalf("%q is %+v, read again %+v, %v", text, r, got, err)
		}
		policy.Compile(r.Pattern).Match("git status")
		policy.Compile(r.Tool).Match("bash")
		_ = policy.CheckTool(r.Tool, []string{"bash", "write_file"}) // a name or an error
	})
}
