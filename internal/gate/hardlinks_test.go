package gate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/workspace"
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
		if d := g.Explain(t.Context(), bash(command)); d.Verdict != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
}

// A grant to write another name of a secret is none to read it, nor is a trial
// of that call.
func TestHardLinksAreNotReadToBeWritten(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{".env": "K=1\n", "a.txt": "a"})
	for from, to := range map[string]string{".env": "notes.txt", "a.txt": "b.txt"} {
		if err := os.Link(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil || runtime.GOOS == "windows" {
			t.Skip(err)
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	r := writing("notes.txt", "b.txt")
	tried, err := g.Try(r).Spend(r.Tool, g.Try(r).Input())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range []gate.Hands{tried, granted(t, g, r)} {
		f, err := h.Read("notes.txt", 0)
		if denied, ok := errors.AsType[*gate.DeniedError](err); !ok || !denied.Secret || len(f.Data) > 0 {
			t.Errorf("read %q: %v", f.Data, err)
		}
		if _, err := h.Read("b.txt", 0); err != nil {
			t.Error(err)
		}
	}
}

// TestManyHardLinks covers a tree where every file has several names, as
// package managers make them: what is named is not looked up one by one, for
// each of the names. What is allocated tells: it grows as the names do, not as
// their square.
func TestManyHardLinks(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	few, _ := linked(t, 150)
	many, ws := linked(t, 1500)
	work := func(g *gate.Gate) float64 {
		return testing.AllocsPerRun(1, func() {
			if d := g.Explain(t.Context(), bash("cat one/*.txt")); d.Verdict != policy.Allow {
				t.Errorf("%s: %s", d.Verdict, d.Reason)
			}
		})
	}
	if one, ten := work(few), work(many); ten > 15*one {
		t.Errorf("%.0f allocations for 150 names, %.0f for 1,500", one, ten)
	}
	if err := os.Link(filepath.Join(ws.Root(), "one/.env"), filepath.Join(ws.Root(), "one/last.txt")); err != nil {
		t.Skip(err)
	}
	if d := many.Explain(t.Context(), bash("cat one/*.txt")); d.Verdict != policy.Deny {
		t.Errorf("%s: %s", d.Verdict, d.Reason)
	}
}

// BenchmarkHardLinks decides on a glob that names 1,500 names of one file.
func BenchmarkHardLinks(b *testing.B) {
	g, _ := linked(b, 1500)
	for b.Loop() {
		g.Explain(b.Context(), bash("cat one/*.txt"))
	}
}

// linked is a gate of a workspace where a file has so many names more.
func linked(tb testing.TB, names int) (*gate.Gate, *workspace.Workspace) {
	tb.Helper()
	if runtime.GOOS == "windows" {
		tb.Skip("the number of names is not known")
	}
	ws, _ := open(tb, map[string]string{"one/x.txt": "x\n", "one/.env": "K=1\n"})
	for i := range names {
		name := filepath.Join(ws.Root(), "one", fmt.Sprintf("f%d.txt", i))
		if err := os.Link(filepath.Join(ws.Root(), "one/x.txt"), name); err != nil {
			tb.Skip(err)
		}
	}
	return gate.New(gate.Options{Workspace: ws, Rules: rules(tb, "allow bash(*)")}), ws
}
