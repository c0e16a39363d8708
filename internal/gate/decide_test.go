package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/guard"
	"assent/internal/policy"
)

// TestOrderOfChecks holds the order of gate.md: what comes first cannot be
// lifted by what comes later.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	plan := gate.Mode{Name: "plan", Effects: []policy.Effect{policy.Read, policy.State}, Leave: "switch with /agent"}
	allow := &hook{v: gate.HookVerdict{Allow: true}}
	yes := gate.Answer{Choice: gate.Once}
	cases := []struct {
		name    string
		options gate.Options
		rules   []string
		answer  gate.Answer
		request gate.Request
		verdict policy.Verdict
		by      policy.By
		reason  string // part of it
		asked   int
	}{
		{
			name:    "a guard stands above rules, hooks, yolo and the user",
			options: gate.Options{Guards: []guard.Guard{no{word: "rm"}}, Hooks: allow, Yolo: true}, rules: []string{"allow bash(*)"},
			answer: yes, request: bash("rm x"), verdict: policy.Deny, by: policy.ByGuard, reason: "ask the user to run it",
		},
		{
			name:    "a guard that panics refuses",
			options: gate.Options{Guards: []guard.Guard{no{panic: true}}, Yolo: true}, rules: []string{"allow bash(*)"},
			answer: yes, request: bash("ls"), verdict: policy.Deny, by: policy.ByGuard, reason: "the guard failed",
		},
		{
			name:    "PERM-29 a mode refuses whatever the rules allow",
			options: gate.Options{Mode: plan, Yolo: true, Hooks: allow}, rules: []string{"allow write_file(*)"},
			answer: yes, request: writing("a.txt"), verdict: policy.Deny, by: policy.ByMode, reason: "switch with /agent",
		},
		{
			name:    "PERM-30 a mode lets reading through",
			options: gate.Options{Mode: plan}, request: reading("a.txt"), verdict: policy.Allow, by: policy.ByDefault,
		},
		{
			name:    "PERM-27 a mode without exec refuses commands",
			options: gate.Options{Mode: plan, Yolo: true}, rules: []string{"allow bash(*)"},
			request: bash("ls"), verdict: policy.Deny, by: policy.ByMode,
		},
		{name: "a rule allows", rules: []string{"allow bash(git *)"}, request: bash("git status"), verdict: policy.Allow, by: policy.ByRule},
		{
			name: "a rule denies", rules: []string{"deny bash(git push *)"}, answer: yes,
			request: bash("git push origin"), verdict: policy.Deny, by: policy.ByRule, reason: "git push *",
		},
		{
			name: "yolo reaches no deny rule", options: gate.Options{Yolo: true}, rules: []string{"deny bash(git push *)"},
			request: bash("git push origin"), verdict: policy.Deny, by: policy.ByRule,
		},
		{name: "yolo folds ask into allow", options: gate.Options{Yolo: true}, request: bash("make"), verdict: policy.Allow, by: policy.ByYolo},
		{name: "yolo opens no secret", options: gate.Options{Yolo: true}, request: reading(".env"), verdict: policy.Deny, by: policy.ByDefault, reason: "secrets"},
		{name: "yolo opens nothing outside", options: gate.Options{Yolo: true}, request: reading("/etc/hostname"), verdict: policy.Deny, by: policy.ByDefault, reason: "/etc/hostname is outside the workspace; the user can add its folder with --add-dir"},
		{
			name: "a rule opens nothing outside either", rules: []string{"allow read_file(/etc/*)"},
			request: reading("/etc/hostname"), verdict: policy.Deny, by: policy.ByDefault, reason: "--add-dir",
		},
		{
			name: "an allow that names the file lifts the secret denial", rules: []string{"allow read_file(.env)"},
			request: reading(".env"), verdict: policy.Allow, by: policy.ByRule,
		},
		{
			name: "a hook denies", options: gate.Options{Hooks: &hook{v: gate.HookVerdict{Deny: true, Reason: "not today"}}, Yolo: true},
			rules: []string{"allow bash(*)"}, request: bash("ls"), verdict: policy.Deny, by: policy.ByHook, reason: "not today",
		},
		{
			name: "a hook forces ask", options: gate.Options{Hooks: &hook{v: gate.HookVerdict{Ask: true, Reason: "look"}}},
			rules: []string{"allow bash(*)"}, answer: yes, request: bash("ls"), verdict: policy.Allow, by: policy.ByUser, asked: 1,
		},
		{name: "a hook's allow skips the prompt", options: gate.Options{Hooks: allow}, request: bash("make"), verdict: policy.Allow, by: policy.ByHook},
		{
			name: "a hook's allow lifts no deny rule", options: gate.Options{Hooks: allow}, rules: []string{"deny bash(make)"},
			request: bash("make"), verdict: policy.Deny, by: policy.ByRule,
		},
		{
			name:    "HOOK-01 a failing hook makes an allowed call ask",
			options: gate.Options{Hooks: &hook{v: gate.HookVerdict{Allow: true}, err: errors.New("timed out")}}, rules: []string{"allow bash(*)"},
			answer: gate.Answer{Choice: gate.Deny}, request: bash("ls"), verdict: policy.Deny, by: policy.ByUser, asked: 1,
		},
		{
			name:    "HOOK-01 a hook that panics makes an allowed call ask",
			options: gate.Options{Hooks: &hook{panic: true}}, rules: []string{"allow bash(*)"},
			answer: gate.Answer{Choice: gate.Deny}, request: bash("ls"), verdict: policy.Deny, by: policy.ByUser, asked: 1,
		},
		{
			name:    "HOOK-01 a failing hook headless refuses",
			options: gate.Options{Hooks: &hook{err: errors.New("timed out")}, Headless: true}, rules: []string{"allow bash(*)"},
			request: bash("ls"), verdict: policy.Deny, by: policy.ByHook, reason: "timed out",
		},
		{
			name:    "HOOK-01 yolo does not pass a failing hook",
			options: gate.Options{Hooks: &hook{err: errors.New("missing")}, Headless: true, Yolo: true},
			request: bash("ls"), verdict: policy.Deny, by: policy.ByHook, reason: "missing",
		},
		{
			name:    "headless denies what asks and says what would allow it",
			options: gate.Options{Headless: true}, request: bash("npm test"), verdict: policy.Deny, by: policy.ByHeadless, reason: "--allow 'bash(npm test *)' or --yolo",
		},
		{name: "no asker is headless", options: gate.Options{}, request: bash("npm test"), verdict: policy.Deny, by: policy.ByHeadless, asked: -1},
		{
			name:   "PERM-17 an unknown foreign tool asks",
			answer: yes, request: gate.Request{Tool: "mcp__x__y", Effect: policy.Foreign}, verdict: policy.Allow, by: policy.ByUser, asked: 1,
		},
		{
			name: "the user denies with a message", answer: gate.Answer{Choice: gate.Deny, Message: "use pnpm"},
			request: bash("npm test"), verdict: policy.Deny, by: policy.ByUser, reason: "use pnpm", asked: 1,
		},
		{name: "an answer without a choice denies", request: bash("npm test"), verdict: policy.Deny, by: policy.ByUser, asked: 1},
		{
			name: "PERM-09 a refusal says which part is unknown", options: gate.Options{Headless: true}, rules: []string{"allow bash(git *)"},
			request: bash("$TOOL --version"), verdict: policy.Deny, by: policy.ByHeadless, reason: "nobody to ask",
		},
		{
			name: "input that is no JSON is refused", options: gate.Options{Yolo: true},
			request: gate.Request{Tool: "bash", Effect: policy.Exec, Input: json.RawMessage("{")}, verdict: policy.Deny, by: policy.ByDefault,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ws, _ := open(t, map[string]string{"a.txt": "a", ".env": "KEY=1"})
			u := &user{answer: c.answer}
			o := c.options
			o.Workspace, o.Rules = ws, rules(t, c.rules...)
			if c.asked >= 0 {
				o.Asker = u
			}
			g := gate.New(o)
			grant, d := g.Decide(t.Context(), c.request)
			want(t, grant, d, c.verdict, c.by)
			if !strings.Contains(d.Reason, c.reason) {
				t.Errorf("reason %q does not say %q", d.Reason, c.reason)
			}
			if u.asked() != max(c.asked, 0) {
				t.Errorf("asked %d times, want %d", u.asked(), c.asked)
			}
		})
	}
}

func TestHookRewritesInput(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	rewrite := func(to string) *hook {
		return &hook{v: gate.HookVerdict{Input: json.RawMessage(`{ "command": ` + quoted(to) + ` }`)}}
	}
	t.Run("the new input is what is judged and granted", func(t *testing.T) {
		t.Parallel()
		g := gate.New(gate.Options{Workspace: ws, Hooks: rewrite("git log"), Rules: rules(t, "allow bash(git *)")})
		r := bash("make")
		grant, d := g.Decide(t.Context(), r)
		want(t, grant, d, policy.Allow, policy.ByRule)
		if string(grant.Input()) != `{"command":"git log"}` {
			t.Errorf("granted %s", grant.Input())
		}
		input, ok := grant.Rewrote(r.ID, "bash", r.Input)
		if !ok || string(input) != `{"command":"git log"}` {
			t.Errorf("rewrote %s, %v", input, ok)
		}
		if _, ok := grant.Rewrote("another", "bash", r.Input); ok {
			t.Error("another call was taken for the rewritten one")
		}
		if _, ok := grant.Rewrote(r.ID, "bash", json.RawMessage(`{"command":"ls"}`)); ok {
			t.Error("another input was taken for the rewritten one")
		}
		if _, err := grant.Spend("bash", r.Input); !errors.Is(err, gate.ErrNoGrant) {
			t.Errorf("the former input was granted too: %v", err)
		}
		if _, err := grant.Spend("bash", input); err != nil {
			t.Error(err)
		}
	})
	t.Run("the guards see the new input", func(t *testing.T) {
		t.Parallel()
		g := gate.New(gate.Options{Workspace: ws, Hooks: rewrite("rm x"), Guards: []guard.Guard{no{word: "rm"}}, Rules: rules(t, "allow bash(*)")})
		grant, d := g.Decide(t.Context(), bash("ls"))
		want(t, grant, d, policy.Deny, policy.ByGuard)
	})
	t.Run("the mode sees the new input", func(t *testing.T) {
		t.Parallel()
		m := gate.Mode{Name: "plan", Effects: []policy.Effect{policy.Read}, ReadOnly: []string{"ls"}}
		g := gate.New(gate.Options{Workspace: ws, Mode: m, Hooks: rewrite("touch x"), Rules: rules(t, "allow bash(*)")})
		grant, d := g.Decide(t.Context(), bash("ls"))
		want(t, grant, d, policy.Deny, policy.ByMode)
	})
	t.Run("an input that the tool refuses is denied", func(t *testing.T) {
		t.Parallel()
		for _, input := range []string{`{"command":""}`, `{"command":`, `{}`} {
			h := &hook{v: gate.HookVerdict{Input: json.RawMessage(input)}}
			g := gate.New(gate.Options{Workspace: ws, Hooks: h, Rules: rules(t, "allow bash(*)")})
			grant, d := g.Decide(t.Context(), bash("ls"))
			want(t, grant, d, policy.Deny, policy.ByHook)
		}
	})
	t.Run("a call that cannot be planned anew is denied", func(t *testing.T) {
		t.Parallel()
		r := bash("ls")
		r.Replan = nil
		g := gate.New(gate.Options{Workspace: ws, Hooks: rewrite("git log"), Rules: rules(t, "allow bash(*)")})
		grant, d := g.Decide(t.Context(), r)
		want(t, grant, d, policy.Deny, policy.ByHook)
	})
	t.Run("a rewrite into another tool is denied", func(t *testing.T) {
		t.Parallel()
		r := bash("ls")
		r.Replan = func(json.RawMessage) (gate.Request, error) { return writing("a.txt"), nil }
		g := gate.New(gate.Options{Workspace: ws, Hooks: rewrite("git log"), Yolo: true})
		grant, d := g.Decide(t.Context(), r)
		want(t, grant, d, policy.Deny, policy.ByHook)
	})
	t.Run("the same input is no rewrite", func(t *testing.T) {
		t.Parallel()
		r := bash("ls")
		r.Replan = nil
		g := gate.New(gate.Options{Workspace: ws, Hooks: rewrite("ls"), Rules: rules(t, "allow bash(*)")})
		grant, d := g.Decide(t.Context(), r)
		want(t, grant, d, policy.Allow, policy.ByRule)
		if _, ok := grant.Rewrote(r.ID, "bash", r.Input); ok {
			t.Error("it counts as rewritten")
		}
	})
}

// TestHooksRunForSubagents covers HOOK-02 to HOOK-04: hooks see the calls of
// subagents and of every tool.
func TestHooksRunForSubagents(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	h := &hook{v: gate.HookVerdict{Deny: true}}
	g := gate.New(gate.Options{Workspace: ws, Hooks: h, Yolo: true})
	child := g.Child(gate.Mode{})
	for _, r := range []gate.Request{reading("a.txt"), {Tool: "task", Effect: policy.State}, {Tool: "mcp__x__y", Effect: policy.Foreign}} {
		r.Subagent = "explore"
		grant, d := child.Decide(t.Context(), r)
		want(t, grant, d, policy.Deny, policy.ByHook)
	}
	if len(h.seen) != 3 {
		t.Errorf("the hook saw %q", h.seen)
	}
}

// TestChild covers PERM-19 and PERM-20: a subagent has its own limits and
// those of whoever started it, at the time of the call.
func TestChild(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	parent := gate.New(gate.Options{Workspace: ws, Mode: gate.Mode{Name: "main", Tools: []string{"read_*", "bash"}}, Yolo: true})
	child := parent.Child(gate.Mode{Name: "explore", Effects: []policy.Effect{policy.Read}})
	grant, d := child.Decide(t.Context(), bash("ls"))
	want(t, grant, d, policy.Deny, policy.ByMode)
	grant, d = child.Decide(t.Context(), searching("."))
	want(t, grant, d, policy.Deny, policy.ByMode)
	grant, d = child.Decide(t.Context(), reading("a.txt"))
	want(t, grant, d, policy.Allow, policy.ByDefault)
	grant, d = parent.Decide(t.Context(), bash("ls"))
	want(t, grant, d, policy.Allow, policy.ByYolo)
	parent.SetMode(gate.Mode{Name: "plan", Tools: []string{}})
	grant, d = child.Decide(t.Context(), reading("a.txt"))
	want(t, grant, d, policy.Deny, policy.ByMode)
}

// TestReadOnly covers PERM-31: declared commands run in a mode without exec,
// unasked, and nothing else does.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	m := gate.Mode{Name: "plan", Effects: []policy.Effect{policy.Read}, ReadOnly: []string{"kubectl get"}}
	cases := []struct {
		command string
		rules   []string
		verdict policy.Verdict
		by      policy.By
	}{
		{"kubectl get pods", nil, policy.Allow, policy.ByDefault},
		{"kubectl get pods | kubectl get -f x", nil, policy.Allow, policy.ByDefault},
		{"kubectl delete pods", []string{"allow bash(*)"}, policy.Deny, policy.ByMode},
		{"kubectl get pods > out", []string{"allow bash(*)"}, policy.Deny, policy.ByMode},
		{"kubectl get $(rm x)", []string{"allow bash(*)"}, policy.Deny, policy.ByMode},
		{"kubectl get pods", []string{"deny bash(kubectl *)"}, policy.Deny, policy.ByRule},
		{"kubectl get pods", []string{"ask bash(kubectl *)"}, policy.Deny, policy.ByHeadless},
	}
	for _, c := range cases {
		g := gate.New(gate.Options{Workspace: ws, Mode: m, Rules: rules(t, c.rules...)})
		grant, d := g.Decide(t.Context(), bash(c.command))
		if d.Verdict != c.verdict || d.By != c.by || (grant != nil) != (c.verdict == policy.Allow) {
			t.Errorf("%s with %v: %s by %s (%s), want %s by %s", c.command, c.rules, d.Verdict, d.By, d.Reason, c.verdict, c.by)
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t), Mode: gate.Mode{ReadOnly: []string{"kubectl get"}}})
	grant, d := g.Decide(t.Context(), bash("kubectl get pods"))
	want(t, grant, d, policy.Deny, policy.ByHeadless)
}

func TestExplainHasNoEffect(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	u, h := &user{answer: gate.Answer{Choice: gate.Once}}, &hook{}
	g := gate.New(gate.Options{Workspace: ws, Asker: u, Hooks: h, Rules: rules(t, "allow bash(git *)")})
	r := bash("git status && make")
	for range 5 {
		if d := g.Explain(t.Context(), r); d.Verdict != policy.Ask || d.By != policy.ByDefault {
			t.Fatalf("%s by %s", d.Verdict, d.By)
		}
	}
	if u.asked() != 0 || len(h.seen) != 0 {
		t.Errorf("asked %d times, ran hooks %d times", u.asked(), len(h.seen))
	}
	grant, d := g.Decide(t.Context(), r)
	want(t, grant, d, policy.Allow, policy.ByUser)

	text, err := json.Marshal(gate.NewExplanation(r, g.Explain(t.Context(), r)))
	if err != nil {
		t.Fatal(err)
	}
	var e gate.Explanation
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	if e.Tool != "bash" || e.Decision != "ask" || len(e.Subjects) != 2 || e.Subjects[0].Text != "git status" ||
		e.Subjects[0].Pattern != "git *" || e.Subjects[0].Source != "config.json:1" || e.Subjects[0].Decision != "allow" ||
		e.Subjects[1].Decision != "ask" || e.Subjects[1].Kind != "command" {
		t.Errorf("got %s", text)
	}
	if !strings.Contains(string(text), `"decision":"ask","by":"default","reason":`) {
		t.Errorf("got %s", text)
	}
}

func TestCancelledBeforeAndWhileAsking(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Asker: waiting{}})
	cancel()
	grant, d := g.Decide(ctx, bash("ls"))
	want(t, grant, d, policy.Deny, policy.ByUser)

	ctx, cancel = context.WithCancel(t.Context())
	g = gate.New(gate.Options{Workspace: ws, Asker: waiting{cancel}})
	grant, d = g.Decide(ctx, bash("ls"))
	want(t, grant, d, policy.Deny, policy.ByUser)
	if d.Cancel {
		t.Error("an ended context is not the user's cancel")
	}
}

// waiting never answers; it waits until it is no longer wanted.
type waiting struct{ begun func() }

func (w waiting) Approve(ctx context.Context, _ gate.Prompt) (gate.Answer, error) {
	w.begun()
	<-ctx.Done()
	return gate.Answer{Choice: gate.Once}, ctx.Err()
}
