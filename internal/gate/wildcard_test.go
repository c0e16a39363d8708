package gate_test

import (
	"path/filepath"
	"testing"

	"assent/internal/gate"
)

// A file that a repository brings is no option: where a pattern stands for a
// name that begins with a dash, a narrow rule does not cover the command.
func TestPatternsThatStandForOptions(t *testing.T) {
	t.Parallel()
	ws, _ := repository(t, map[string]string{"a.go": "a\n"})
	check := func(rule, command string, want bool) {
		t.Helper()
		g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, rule), Headless: true})
		g.Begin()
		if grant, d := g.Decide(t.Context(), bash(command)); (grant != nil) != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
	patterns := []string{
		"git log *", "git diff HEAD *", "git log *.go", "git show --*", "git log ?-output*",
		"for f in *; do git log $f; done", `for f in *; do git log "$f"; done`, "x=*; git log $x", `x=(-*); git log "${x[@]}"`,
	}
	for _, c := range patterns {
		check("allow bash(git *)", c, true)
	}
	put(t, filepath.Join(ws.Root(), "--output=x.go"), "")
	for _, c := range patterns {
		check("allow bash(git *)", c, false)
		check("allow bash(*)", c, true)
	}
	for _, c := range []string{"git log [-]*", "git log [!b]*", "git log **/*.go"} {
		check("allow bash(git *)", c, false)
	}
	for _, c := range []string{"git log ./*", "git log -- *", "git log a*", "git log --author=a*", "git log"} {
		check("allow bash(git *)", c, true)
	}
}
