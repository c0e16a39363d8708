package gate_test

import (
	"path/filepath"
	"testing"

	"assent/internal/gate"
)

// TestTrackedSecrets covers what git shows by itself: a secret that it does not
// track is no reason to refuse, in a work tree of its own as well.
func TestTrackedSecrets(t *testing.T) {
	t.Parallel()
	ws, git := repository(t, map[string]string{"a.go": "a\n"})
	put(t, filepath.Join(ws.Root(), "sub/.env"), "K=1\n")
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	check := func(command string, want bool) {
		t.Helper()
		if grant, d := g.Decide(t.Context(), bash(command)); (grant != nil) != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
	commands := []string{"git grep a", "git diff", "git log -p", "git show", "git archive HEAD", "git -C sub grep a"}
	for _, c := range commands {
		check(c, true)
	}
	check("git grep --untracked a", false)
	for _, add := range [][]string{{"add", "-N", "sub/.env"}, {"add", "sub/.env"}, {"update-index", "--index-version", "4"}} {
		git(add...)
		for _, c := range commands {
			check(c, false)
		}
	}
	git("rm", "-q", "--cached", "-f", "sub/.env")
	check("git grep a", false) // the fourth version is not read
	git("update-index", "--index-version", "2")
	check("git grep a", true)
	git("update-index", "--split-index")
	check("git grep a", false)
}
