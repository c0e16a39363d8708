package gate

import (
	"context"

	"assent/internal/policy"
)

// Try judges a call that would write files as Explain does and, unless that
// denies it, gives a grant that carries no authority to change anything: its
// hands read what the call's own would and say of each change with what error
// it would fail. So a call can be run before anybody is asked, to show what it
// makes of the files, or why it cannot. It is nil for every other call.
func (g *Gate) Try(r Request) *Grant {
	if r.Effect != policy.Write {
		return nil
	}
	t := g.judge(context.Background(), r, nil)
	if t.decision.Verdict == policy.Deny {
		return nil
	}
	return &Grant{&mint{gate: g, request: t.request, asked: t.asked, paths: t.paths, disk: t.disk, trial: true}}
}

// Reads judges a trial's paths as those of a call of a reading tool, by where
// they led when the trial was judged. Its hands reach nothing else, so what it
// says of files is covered by this, whatever took the place of a path since.
func (g *Grant) Reads(tool string) policy.Verdict {
	if g == nil || g.m == nil || !g.m.trial {
		return policy.Deny
	}
	c := policy.Call{Tool: tool, Effect: policy.Read}
	for _, s := range g.m.request.Plan.Subjects {
		if s.Kind == policy.KindPath {
			s.Access = policy.AccessRead
			c.Plan.Subjects = append(c.Plan.Subjects, s)
		}
	}
	v := g.m.gate.current().Decide(c, g.m.disk).Verdict
	if v == policy.Ask && g.m.gate.options.Yolo {
		return policy.Allow
	}
	return v
}

// Changes counts the changes that the hands of a grant of Try were asked for.
func (g *Grant) Changes() int {
	if g == nil || g.m == nil {
		return 0
	}
	return int(g.m.changes.Load())
}

// tries notes that a change was asked for, and reports whether it is only
// tried.
func (s *span) tries() bool {
	if s.trial {
		s.changes.Add(1)
	}
	return s.trial
}
