package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"assent/internal/guard"
	"assent/internal/policy"
)

// Decide passes a call through every check, asks the user where they say so,
// and returns a grant if, and only if, the verdict is Allow. It returns soon
// after ctx ended, with a denial.
func (g *Gate) Decide(ctx context.Context, r Request) (*Grant, policy.Decision) {
	t := g.judge(ctx, r, g.options.Hooks)
	d := t.decision
	if d.Verdict != policy.Deny && g.repeat.arrive(t.request) {
		d = repeated(d)
	}
	if d.Verdict == policy.Ask {
		d = g.ask(ctx, t, d)
		// While the user was asked, the agent may have become one that only looks.
		if d.Verdict == policy.Allow && g.narrowed(ctx, &t) {
			d = t.decision
		}
	}
	if d.Verdict == policy.Allow && ctx.Err() != nil {
		d = deny(d, policy.ByUser, "the turn was cancelled before the call could run")
	}
	if d.Verdict != policy.Allow {
		d.Verdict = policy.Deny // a word that nobody knows allows nothing
		return nil, d
	}
	return &Grant{&mint{gate: g, request: t.request, asked: t.asked, paths: t.paths, env: t.env}}, d
}

// Explain judges a call as Decide does, without asking, running hooks or
// counting it. The programs that it asks about a command end with ctx.
func (g *Gate) Explain(ctx context.Context, r Request) policy.Decision {
	return g.judge(ctx, r, nil).decision
}

// trial is a call on its way through the checks.
type trial struct {
	request Request
	// asked is the input before hooks rewrote it.
	asked []byte
	disk  paths
	paths []planned
	// env is what a command of an agent that only looks runs with.
	env []string
	// outside is a path of the plan that hands could not open.
	outside  *policy.Judged
	rules    policy.Rules
	decision policy.Decision
}

// judge runs every check that needs no person. A check that breaks down has
// not passed.
func (g *Gate) judge(ctx context.Context, r Request, hooks Hooks) (t trial) {
	t = trial{request: r}
	defer func() {
		if p := recover(); p != nil {
			t.decision = deny(policy.Decision{}, policy.ByDefault, fmt.Sprintf("the call could not be judged (%v), and so it does not run", p))
		}
	}()
	input, err := Canonical(r.Input)
	if err != nil {
		t.decision = deny(policy.Decision{}, policy.ByDefault, err.Error())
		return t
	}
	t.request.Input, t.asked = input, input
	if g.refused(ctx, &t) {
		return t
	}
	var said hooked
	if hooks != nil {
		said = consult(ctx, hooks, t.request)
		if said.Deny {
			t.decision = deny(policy.Decision{}, policy.ByHook, said.reason("a hook refused this call"))
			return t
		}
		if len(said.Input) > 0 {
			if err := t.rewrite(said.Input); err != nil {
				t.decision = deny(policy.Decision{}, policy.ByHook, "a hook rewrote the input: "+err.Error())
				return t
			}
			if g.refused(ctx, &t) {
				return t
			}
		}
	}
	g.rule(&t)
	said.fold(&t.decision)
	if g.options.Yolo && t.decision.Verdict == policy.Ask && said.failed == nil {
		t.decision.Verdict, t.decision.By = policy.Allow, policy.ByYolo
	}
	return t
}

// rewrite puts a hook's input in the place of the call's and plans it anew.
func (t *trial) rewrite(input []byte) error {
	canonical, err := Canonical(input)
	if err != nil {
		return err
	}
	if bytes.Equal(canonical, t.request.Input) {
		return nil
	}
	if t.request.Replan == nil {
		return errors.New("this call's input cannot be rewritten")
	}
	r, err := t.request.Replan(canonical)
	if err != nil {
		return err
	}
	// The call stays the same call of the same agent; only what it would do is
	// new.
	was := t.request
	if r.Tool != was.Tool {
		return fmt.Errorf("it would become a call of %s", r.Tool)
	}
	r.ID, r.Subagent, r.Conversation, r.Turn = was.ID, was.Subagent, was.Conversation, was.Turn
	r.Emit, r.Replan = was.Emit, was.Replan
	if r.Input, err = Canonical(r.Input); err != nil {
		return err
	}
	t.request = r
	return nil
}

// refused resolves the call's paths, runs guards and modes, and reports whether
// one of them refused. The paths that a tool names are resolved here once: it
// is these resolutions that are judged and, later, held against what the hands
// find.
func (g *Gate) refused(ctx context.Context, t *trial) bool {
	t.disk = g.sight(t.request.Plan)
	t.paths, t.outside = t.disk.plan(t.request)
	if r := guard.Check(g.options.Guards, guard.Call{
		Tool: t.request.Tool, Effect: t.request.Effect, Plan: t.request.Plan, Paths: t.disk,
	}); r != nil {
		j := policy.Judged{
			Subject: part(t.request, r.Part), Verdict: policy.Deny, By: policy.ByGuard, Source: r.Guard, Reason: r.Reason,
		}
		t.decision = deny(policy.Decision{Subjects: g.among(t, j)}, policy.ByGuard, r.Error())
		return true
	}
	return g.narrowed(ctx, t)
}

// sight is what one decision about a plan looks at the disk with. It remembers
// what it saw, so no two decisions at once may share it.
func (g *Gate) sight(p policy.Plan) paths {
	disk := g.disk()
	disk.known, disk.indexes = map[spot]policy.Place{}, &g.indexes
	disk.links = &links{}
	disk.remember(p)
	return disk
}

// among puts what was refused among the call's other subjects, which are shown
// as the rules judge them.
func (g *Gate) among(t *trial, refused ...policy.Judged) []policy.Judged {
	list := g.current().Decide(t.request.call(), t.disk).Subjects
	for _, j := range refused {
		i := slices.IndexFunc(list, func(k policy.Judged) bool { return k.Subject.Text == j.Subject.Text && k.By != j.By })
		if i < 0 {
			list = append(list, j)
			continue
		}
		list[i] = j
	}
	return list
}

// part is the subject that a guard named, or one of its own.
func part(r Request, text string) policy.Subject {
	for _, s := range r.Plan.Subjects {
		if s.Text == text {
			return s
		}
	}
	return policy.Subject{Kind: policy.KindTool, Text: text}
}

// call is what policy judges of a request.
func (r Request) call() policy.Call {
	return policy.Call{Tool: r.Tool, Effect: r.Effect, Plan: r.Plan}
}

// rule judges the call by the rules.
func (g *Gate) rule(t *trial) {
	t.rules = g.current()
	for _, m := range g.modes() {
		t.rules = declared(t.rules, m, t.request)
	}
	t.decision = t.rules.Decide(t.request.call(), t.disk)
	no := t.outside
	if no == nil || t.decision.Verdict == policy.Deny {
		return
	}
	for i, j := range t.decision.Subjects {
		if j.Subject.Text == no.Subject.Text && j.Subject.Kind == policy.KindPath {
			t.decision.Subjects[i] = *no
		}
	}
	t.decision = deny(t.decision, no.By, no.Reason)
}

// declared adds what the user declared to be read-only to the defaults, in a
// mode that runs nothing else: such a command is let through as reading is.
func declared(rules policy.Rules, m Mode, r Request) policy.Rules {
	if r.Effect != policy.Exec || m.Effects == nil || slices.Contains(m.Effects, policy.Exec) {
		return rules
	}
	for _, p := range m.ReadOnly {
		for _, p := range []string{p, p + " *"} {
			rules = rules.With(policy.Rule{
				Tool: r.Tool, Pattern: p, Verdict: policy.Allow, Layer: policy.LayerDefault, Source: "readOnly",
			})
		}
	}
	return rules
}

// repeated makes a call that comes too often ask.
func repeated(d policy.Decision) policy.Decision {
	d.Verdict, d.By = policy.Ask, policy.ByRepeat
	d.Reason = "this exact call was already made twice in this turn and nothing was changed in between"
	return d
}

func deny(d policy.Decision, by policy.By, reason string) policy.Decision {
	d.Verdict, d.By, d.Reason = policy.Deny, by, reason
	return d
}
