package gate_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// TestHardLinksToSecrets covers another name of a file that holds secrets,
// made before the agent came.
func TestHardLinksToSecrets(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the number of names is not known")
	}
	ws, _ := open(t, map[string]string{".env": "K=1\n", "d/x.txt": "x\n", "d/server.pem": "k\n", "b.txt": "b\n"})
	home := t.TempDir()
	link := func(from, to string) {
		t.Helper()
		if err := os.Link(from, filepath.Join(ws.Root(), to)); err != nil {
			t.Skip(err)
		}
	}
	put(t, filepath.Join(home, ".netrc"), "n\n")
	link(filepath.Join(ws.Root(), ".env"), "d/notes.txt")
	link(filepath.Join(ws.Root(), "d/server.pem"), "d/notes2.txt")
	link(filepath.Join(ws.Root(), "b.txt"), "d/c.txt")
	if err := os.Link(filepath.Join(home, ".netrc"), filepath.Join(ws.Root(), "n.txt")); err == nil {
		defer func() { _ = os.Remove(filepath.Join(ws.Root(), "n.txt")) }()
	}
	g := gate.New(gate.Options{Workspace: ws, Home: home, Rules: rules(t, "allow bash(*)")})
	for command, want := range map[string]policy.Verdict{
		"cat d/notes.txt": policy.Deny, "cat d/notes2.txt": policy.Deny, "cat n.txt": policy.Deny, "head < d/notes.txt": policy.Deny,
		"cat d/c.txt": policy.Allow, "cat b.txt d/x.txt": policy.Allow, "cat d/*2.txt": policy.Deny,
	} {
		if d := g.Explain(bash(command)); d.Verdict != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
}
