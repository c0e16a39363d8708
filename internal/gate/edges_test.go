package gate_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

func TestNamesThatLeadNowhere(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a", "d/b.txt": "b"})
	for link, target := range map[string]string{"loop": "loop", "gone": "nothing/here"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Rules: rules(t, "deny read_file(private/*)")})
	for _, r := range []gate.Request{reading("a\x00b"), reading("loop"), writing("loop/x")} {
		grant, d := g.Decide(t.Context(), r)
		want(t, grant, d, policy.Deny, policy.ByDefault)
	}
	h := granted(t, g, searching("."))
	if _, err := h.Read("loop", 0); err == nil {
		t.Error("a loop of links was read")
	}
	if _, err := h.Read("gone", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := h.Read("d", 0); err == nil {
		t.Error("a folder was read")
	}
	if info, err := h.Stat("d"); err != nil || !info.IsDir() {
		t.Errorf("got %v, %v", info, err)
	}
	if p, err := h.Resolve("d/../a.txt"); err != nil || p.RealRel != "a.txt" {
		t.Errorf("got %+v, %v", p, err)
	}
	for command, allowed := range map[string]bool{"cat loop": true, "cat loop/*": false, "cat gone": true, "cat {a,d/b}.txt": true, "cat /etc/host*": false, "ls d/": true} {
		g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)", "deny read_file(/etc/hostname)")})
		if grant, d := g.Decide(t.Context(), bash(command)); (grant != nil) != allowed {
			t.Errorf("%s: %s by %s (%s)", command, d.Verdict, d.By, d.Reason)
		}
	}
	w := granted(t, g, writing("d", "a.txt"))
	if err := w.Write("d", []byte("x"), 0); err == nil {
		t.Error("a folder was written")
	}
	if err := w.Write("\x00", nil, 0); err == nil {
		t.Error("a name that is none was written")
	}
	if _, ok := w.Seen("\x00"); ok {
		t.Error("a name that is none was seen")
	}
}

// TestOtherEffectsOpenNoFiles: only tools that read or write files are given
// any, whatever they planned.
func TestOtherEffectsOpenNoFiles(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	for _, e := range []policy.Effect{policy.State, policy.Net, policy.Foreign, policy.Exec} {
		g := gate.New(gate.Options{Workspace: ws, Yolo: true})
		h := granted(t, g, on("tool", e, policy.AccessWrite, "a.txt"))
		if err := h.Write("a.txt", nil, 0); !errors.Is(err, gate.ErrNotPlanned) {
			t.Errorf("%s wrote: %v", e, err)
		}
		h = granted(t, g, on("tool", e, policy.AccessRead, "a.txt"))
		if _, err := h.Read("a.txt", 0); !errors.Is(err, gate.ErrNotPlanned) {
			t.Errorf("%s read: %v", e, err)
		}
	}
}

func TestHeadlessNamesEveryRuleThatIsNeeded(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	g := gate.New(gate.Options{Workspace: ws, Headless: true})
	for command, part := range map[string]string{
		"npm test && go build ./... > out": "--allow 'bash(npm test *)' --allow 'bash(go build *)' --allow 'write_file(out)' or --yolo",
		"$TOOL":                            "can allow it with --yolo",
	} {
		_, d := g.Decide(t.Context(), bash(command))
		if !strings.HasSuffix(d.Reason, part) {
			t.Errorf("%s: %s", command, d.Reason)
		}
	}
}

func TestRewriteThatIsNoJSON(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	r := bash("ls")
	r.Replan = func(json.RawMessage) (gate.Request, error) {
		return gate.Request{Tool: "bash", Input: json.RawMessage("{")}, nil
	}
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Hooks: &hook{v: gate.HookVerdict{Input: json.RawMessage(`{"command":"x"}`)}}})
	grant, d := g.Decide(t.Context(), r)
	want(t, grant, d, policy.Deny, policy.ByHook)
}

// TestGuardNamesItsPart: a refusal shows as the subject that it is about.
func TestGuardNamesItsPart(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	g := gate.New(gate.Options{Workspace: ws, Guards: guards("rm")})
	d := g.Explain(t.Context(), bash("ls && rm x"))
	if len(d.Subjects) != 2 || d.Subjects[0].Subject.Text != "ls" || d.Subjects[0].Verdict != policy.Ask ||
		d.Subjects[1].Subject.Text != "rm x" || d.Subjects[1].By != policy.ByGuard || d.Subjects[1].Source != "no" {
		t.Errorf("got %+v", d.Subjects)
	}
	g = gate.New(gate.Options{Workspace: ws, Mode: gate.Mode{Name: "plan", Effects: []policy.Effect{policy.Read}, ReadOnly: []string{"ls"}}})
	d = g.Explain(t.Context(), bash("ls && rm x"))
	if len(d.Subjects) != 2 || d.Subjects[1].Subject.Text != "rm x" || d.Subjects[1].By != policy.ByMode {
		t.Errorf("got %+v", d.Subjects)
	}
	g = gate.New(gate.Options{Workspace: ws, Guards: guards("")})
	d = g.Explain(t.Context(), gate.Request{Tool: "x", Effect: policy.State})
	if d.By != policy.ByDefault {
		t.Errorf("got %+v", d)
	}
}

// TestCheckThatBreaksDown: whatever panics on the way, the call does not run.
func TestCheckThatBreaksDown(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	r := bash("ls")
	r.Replan = func(json.RawMessage) (gate.Request, error) { panic("broken") }
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Hooks: &hook{v: gate.HookVerdict{Input: json.RawMessage(`{"command":"x"}`)}}})
	grant, d := g.Decide(t.Context(), r)
	want(t, grant, d, policy.Deny, policy.ByDefault)
	if !strings.Contains(d.Reason, "broken") {
		t.Errorf("reason %q", d.Reason)
	}
}

// TestNothingIsReadable covers what answers about paths where none can be
// found: a gate without a workspace, a name that is none, a grant of nobody.
func TestNothingIsReadable(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a", ".env": "K=1"})
	g := gate.New(gate.Options{Workspace: ws})
	for name, want := range map[string]bool{"a.txt": false, ".env": true, "a\x00b": true} {
		if got := g.Unreadable("read_file", name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
	if !gate.New(gate.Options{}).Unreadable("read_file", "a.txt") {
		t.Error("a file is readable without a workspace")
	}
	if n := (*gate.Grant)(nil).Changes(); n != 0 {
		t.Errorf("no grant made %d changes", n)
	}
}
