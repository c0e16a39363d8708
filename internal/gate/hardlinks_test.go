package gate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

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

// TestManyHardLinks covers a tree where every file has several names, as
// package managers make them: what is named is not looked up one by one.
func TestManyHardLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the number of names is not known")
	}
	ws, _ := open(t, map[string]string{"one/x.txt": "x\n", "one/.env": "K=1\n"})
	for i := range 1500 {
		name := filepath.Join(ws.Root(), "one", fmt.Sprintf("f%d.txt", i))
		if err := os.Link(filepath.Join(ws.Root(), "one/x.txt"), name); err != nil {
			t.Skip(err)
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	start := time.Now()
	if d := g.Explain(bash("cat one/*.txt")); d.Verdict != policy.Allow {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("1,500 names took %v", took)
	}
	if err := os.Link(filepath.Join(ws.Root(), "one/.env"), filepath.Join(ws.Root(), "one/last.txt")); err != nil {
		t.Skip(err)
	}
	if d := g.Explain(bash("cat one/*.txt")); d.Verdict != policy.Deny {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
}
