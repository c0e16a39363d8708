package gate_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// TestAlways covers PERM-12 and PERM-16: what is granted is the pattern that
// was shown, it covers the call that it came from, and not more.
func TestAlways(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	u := &user{answer: gate.Answer{Choice: gate.Session}}
	var kept []string
	g := gate.New(gate.Options{
		Workspace: ws, Asker: u, Rules: rules(t, "deny bash(npm publish *)"),
		Remember: func(_ context.Context, r policy.Rule) error { kept = append(kept, r.String()); return nil },
	})
	grant, d := g.Decide(t.Context(), bash("npm test ./a"))
	want(t, grant, d, policy.Allow, policy.ByUser)
	if u.prompts[0].Pattern != "npm test *" {
		t.Errorf("shown %q", u.prompts[0].Pattern)
	}
	u.answer = gate.Answer{}
	for _, c := range []string{"npm test", "npm test ./b", "npm test && npm test x"} {
		grant, d = g.Decide(t.Context(), bash(c))
		want(t, grant, d, policy.Allow, policy.ByRule)
		if d.Subjects[0].Source != "session" {
			t.Errorf("%s: source %q", c, d.Subjects[0].Source)
		}
	}
	for _, c := range []string{"npm install", "npm test; make", "npm test $(make)", "npm publish x"} {
		if grant, d = g.Decide(t.Context(), bash(c)); grant != nil {
			t.Errorf("%s: %s by %s", c, d.Verdict, d.By)
		}
	}
	if len(kept) != 0 {
		t.Errorf("a session's grant was kept: %q", kept)
	}
	u.answer = gate.Answer{Choice: gate.Project}
	grant, d = g.Decide(t.Context(), bash("go test ./... > out.txt"))
	want(t, grant, d, policy.Allow, policy.ByUser)
	if shown := u.prompts[len(u.prompts)-1].Pattern; shown != "bash(go test *); write_file(out.txt)" {
		t.Errorf("shown %q", shown)
	}
	if strings.Join(kept, ", ") != "bash(go test *), write_file(out.txt)" {
		t.Errorf("kept %q", kept)
	}
	u.answer = gate.Answer{}
	grant, d = g.Decide(t.Context(), bash("go test ./x > out.txt"))
	want(t, grant, d, policy.Allow, policy.ByRule)
	if g.Rules().Decide(policy.Call{Tool: "bash", Effect: policy.Exec}, nil).Verdict != policy.Ask {
		t.Error("the whole tool was granted")
	}
}

func TestAlwaysEdited(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, command, pattern string
		note                   string // part of the reason
		later                  map[string]bool
	}{
		{"narrower", "npm test a", "npm test a", "for this session", map[string]bool{"npm test a": true, "npm test b": false}},
		{"wider", "npm test a", "npm *", "for this session", map[string]bool{"npm install": true, "yarn": false}},
		{"another", "npm test a", "yarn *", "does not cover", map[string]bool{"npm test a": false, "yarn x": false}},
		{"no wider than a deny", "npm test a", "*", "for this session", map[string]bool{"npm publish x": false, "ls": true}},
		{"several", "npm test a > o", "bash(npm *); write_file(o*)", "for this session", map[string]bool{"npm x > o1": true, "npm x > p": false}},
		{"several, unreadable", "npm test a > o", "bash(npm *; write_file(o*)", "not kept", map[string]bool{"npm x": false}},
		{"every command, after two were offered", "npm test a; ls", "*", "for this session", map[string]bool{"npm x": true, "yarn": true}},
		{"every tool", "npm test a; ls", "*(*)", "is no tool of this call", map[string]bool{"npm test a": false}},
		{"another tool", "npm test a", "write_file(*)", "is no tool of this call", map[string]bool{"npm test a": false}},
		{"misspelt", "npm test a", "bsh(npm *)", `did you mean "bash"`, map[string]bool{"npm test a": false}},
		{"a bracket that is not closed", "npm test a", "bash(", "not closed", map[string]bool{"npm test a": false}},
		{"whole rule", "npm test a", "bash(npm *)", "for this session", map[string]bool{"npm install": true, "yarn": false}},
		{"a list of commands", "npm test a; ls", "npm *, ls *", "does not cover", map[string]bool{"npm x": false}},
		{"a deny word is no way to deny", "npm test a", "npm test *", "for this session", map[string]bool{"npm test z": true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ws, _ := open(t, nil)
			u := &user{answer: gate.Answer{Choice: gate.Session, Pattern: c.pattern}}
			g := gate.New(gate.Options{Workspace: ws, Asker: u, Rules: rules(t, "deny bash(npm publish *)")})
			grant, d := g.Decide(t.Context(), bash(c.command))
			want(t, grant, d, policy.Allow, policy.ByUser)
			if !strings.Contains(d.Reason, c.note) {
				t.Errorf("reason %q does not say %q", d.Reason, c.note)
			}
			u.answer = gate.Answer{}
			for command, allowed := range c.later {
				if grant, d := g.Decide(t.Context(), bash(command)); (grant != nil) != allowed {
					t.Errorf("%s: %s by %s (%s)", command, d.Verdict, d.By, d.Reason)
				}
			}
		})
	}
}

func TestAlwaysIsNotOfferedWhereNoRuleHelps(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	u := &user{answer: gate.Answer{Choice: gate.Session}}
	g := gate.New(gate.Options{Workspace: ws, Asker: u})
	grant, d := g.Decide(t.Context(), bash("$TOOL x"))
	want(t, grant, d, policy.Allow, policy.ByUser)
	if u.prompts[0].Pattern != "" {
		t.Errorf("shown %q", u.prompts[0].Pattern)
	}
	if !strings.Contains(d.Reason, "not kept") {
		t.Errorf("reason %q", d.Reason)
	}
	u.answer = gate.Answer{}
	if grant, _ := g.Decide(t.Context(), bash("$TOOL x")); grant != nil {
		t.Error("an unknown command was granted for good")
	}
}

func TestProjectGrantThatCannotBeKept(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	u := &user{answer: gate.Answer{Choice: gate.Project}}
	g := gate.New(gate.Options{Workspace: ws, Asker: u, Remember: func(context.Context, policy.Rule) error { return errors.New("disk full") }})
	grant, d := g.Decide(t.Context(), bash("npm test"))
	want(t, grant, d, policy.Allow, policy.ByUser)
	if !strings.Contains(d.Reason, "disk full") {
		t.Errorf("reason %q", d.Reason)
	}
	g = gate.New(gate.Options{Workspace: ws, Asker: u})
	_, d = g.Decide(t.Context(), bash("npm test"))
	if !strings.Contains(d.Reason, "for this session") {
		t.Errorf("reason %q", d.Reason)
	}
}

// TestEscape covers PERM-16: esc denies and cancels the turn.
func TestEscape(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	g := gate.New(gate.Options{Workspace: ws, Asker: &user{answer: gate.Answer{Choice: gate.Session, Cancel: true}}})
	grant, d := g.Decide(t.Context(), bash("npm test"))
	want(t, grant, d, policy.Deny, policy.ByUser)
	if !d.Cancel {
		t.Error("the turn is not cancelled")
	}
}

func TestAskerThatFails(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	for name, asker := range map[string]gate.Asker{
		"error": &user{answer: gate.Answer{Choice: gate.Once}, err: errors.New("gone")},
		"panic": broken{},
	} {
		g := gate.New(gate.Options{Workspace: ws, Asker: asker})
		grant, d := g.Decide(t.Context(), bash("npm test"))
		if grant != nil || d.By != policy.ByUser || d.Cancel {
			t.Errorf("%s: %s by %s", name, d.Verdict, d.By)
		}
	}
}

type broken struct{}

func (broken) Approve(context.Context, gate.Prompt) (gate.Answer, error) { panic("no screen") }

// TestManyWait: several approvals wait at once, each gets its own answer.
func TestManyWait(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	m := &meeting{want: 8, met: make(chan struct{})}
	g := gate.New(gate.Options{Workspace: ws, Asker: m})
	var wait sync.WaitGroup
	for i := range m.want {
		wait.Go(func() {
			r := writing("f" + string(rune('a'+i)) + ".txt")
			grant, d := g.Decide(t.Context(), r)
			if (grant != nil) != (i%2 == 0) {
				t.Errorf("%s: %s by %s", r.Input, d.Verdict, d.By)
			}
		})
	}
	wait.Wait()
}

// meeting answers when all have come.
type meeting struct {
	mu   sync.Mutex
	want int
	come int
	met  chan struct{}
}

func (m *meeting) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	m.mu.Lock()
	if m.come++; m.come == m.want {
		close(m.met)
	}
	m.mu.Unlock()
	select {
	case <-m.met:
	case <-ctx.Done():
		return gate.Answer{}, ctx.Err()
	}
	if (p.Request.Plan.Subjects[0].Text[1]-'a')%2 == 0 {
		return gate.Answer{Choice: gate.Once}, nil
	}
	return gate.Answer{Choice: gate.Deny}, nil
}

// The reason of the user's "no" is the user's own.
func TestTheReasonOfANo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answer gate.Answer
		want   string
	}{
		{gate.Answer{Choice: gate.Deny}, gate.SaidNo},
		{gate.Answer{Choice: gate.Deny, Message: " use make\n"}, "the user says: use make"},
		{gate.Answer{Choice: gate.Deny, Cancel: true}, "the user cancelled the turn"},
	} {
		ws, _ := open(t, nil)
		g := gate.New(gate.Options{Workspace: ws, Asker: &user{answer: c.answer}})
		if grant, d := g.Decide(t.Context(), bash("npm test")); grant != nil || d.By != policy.ByUser || d.Reason != c.want {
			t.Errorf("%+v: %s by %s: %q", c.answer, d.Verdict, d.By, d.Reason)
		}
	}
}

// Whoever edits a pattern is told beforehand what it would grant, or why it
// grants nothing; no other tool is within reach.
func TestAPatternIsChecked(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	u := &user{}
	g := gate.New(gate.Options{Workspace: ws, Asker: u})
	g.Decide(t.Context(), bash("npm test a; ls"))
	for pattern, want := range map[string]string{
		"":                                   "bash(npm test *) bash(ls *)",
		"*":                                  "bash(*)",
		"bash(npm *); bash(ls)":              "bash(npm *) bash(ls)",
		"bash(npm *;  ls)":                   "! bash(npm *;  ls) does not cover this call",
		"npm *; ls":                          "! bash(npm *; ls) does not cover this call",
		"*(*)":                               "! * is no tool of this call: write a pattern of bash, or bash(pattern)",
		"bash(npm *); bash(ls); write_file(": "! write_file is no tool of this call: write a pattern of bash, or bash(pattern)",
		"bash(npm *); bash(ls":               `! read the rule "bash(ls" from session: the bracket is not closed: write tool(pattern)`,
	} {
		got := ""
		rules, err := u.prompts[0].Check(pattern)
		for _, r := range rules {
			got += " " + r.String()
		}
		if got = strings.TrimSpace(got); err != nil {
			got = "! " + err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", pattern, got, want)
		}
	}
}
