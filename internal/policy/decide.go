package policy

import (
	"fmt"
	"strconv"
)

// Call is what is to be decided: a tool, its effect and its plan.
type Call struct {
	Tool   string
	Effect Effect
	Plan   Plan
}

// Decide judges every subject of a call; the strictest decides. A nil Paths
// knows no disk (see Lexical). Decide never allows a call of a shell tool that
// would run nothing.
func (r Rules) Decide(q Call, paths Paths) Decision {
	if paths == nil {
		paths = Lexical{}
	}
	judged := make([]Judged, 0, len(q.Plan.Subjects))
	for i := range q.Plan.Subjects {
		s := q.Plan.Subjects[i]
		j, ok := r.judge(q, s, paths)
		if !ok || j.Verdict == Allow && s.Command != nil && s.Command.Expansion {
			continue // nothing new beside the command that it is a form of
		}
		judged = append(judged, j)
	}
	if len(judged) == 0 {
		judged = append(judged, r.judgeWhole(q))
	}
	return strictest(judged)
}

// strictest makes the decision of judged subjects; of equals the first counts,
// but a rule's word comes before a default's.
func strictest(judged []Judged) Decision {
	top := judged[0]
	for _, j := range judged[1:] {
		if stricter(j.Verdict, top.Verdict) || (j.Verdict == top.Verdict && top.By == ByDefault && j.By == ByRule && j.Verdict != Allow) {
			top = j
		}
	}
	return Decision{Verdict: top.Verdict, By: top.By, Reason: top.Reason, Subjects: judged}
}

// judge decides one subject. ok is false for what a shell command reads when
// nothing is against it: it is no subject of its own then.
func (r Rules) judge(q Call, s Subject, paths Paths) (Judged, bool) {
	switch {
	case s.Kind == KindPath && s.File != nil && s.Access == AccessWrite:
		return r.judgeShellWrite(s, paths)
	case s.Kind == KindPath && s.File != nil:
		return r.judgeShellRead(s, paths)
	case s.Kind == KindPath:
		return r.judgePath(q, s, paths), true
	case s.Kind == KindCommand:
		return r.judgeCommand(q, s, paths), true
	case s.Kind == KindURL:
		return r.judgeForms(q, s, urlForms(s.Text)), true
	}
	return r.judgeForms(q, s, forms{all: []string{s.Text}}), true
}

// judgeWhole decides a call that touches nothing that it could name.
func (r Rules) judgeWhole(q Call) Judged {
	s := Subject{Kind: KindTool, Text: q.Tool}
	if q.Plan.Script == nil {
		return r.judgeForms(q, s, forms{all: []string{q.Tool}})
	}
	s = Subject{Kind: KindCommand, Text: q.Plan.Script.Source}
	j := r.judgeForms(q, s, forms{all: []string{""}, unknown: true})
	if j.Verdict == Allow {
		j = Judged{Subject: s, Verdict: Ask, By: ByDefault, Source: "default"}
	}
	if j.Verdict == Ask {
		j.Reason = "nothing in the command would run, so no rule can allow it"
	}
	return j
}

// forms are the texts of a subject. A rule that allows must match all of
// them; one that asks or denies needs to match one of all or of also.
type forms struct {
	all, also []string
	// unknown lets only a bare wildcard allow.
	unknown bool
}

// match says whether a rule is about a command: one that allows must match every
// form of it, one that does not, any.
func (f forms) match(c *rule) bool {
	if c.any {
		return true
	}
	if c.Verdict == Allow {
		if f.unknown {
			return false
		}
		for _, t := range f.all {
			if !c.pat.Match(t) {
				return false
			}
		}
		return true
	}
	for _, t := range f.all {
		if c.pat.Match(t) {
			return true
		}
	}
	for _, t := range f.also {
		if c.pat.Match(t) {
			return true
		}
	}
	return false
}

// judgeForms decides a subject by the rules of the call's tool.
func (r Rules) judgeForms(q Call, s Subject, f forms) Judged {
	return result(s, r.find(q.Tool, f.match), byDefault(q.Effect), q.Effect)
}

// result says what a rule, or the default when there is none, means for a
// subject.
func result(s Subject, c *rule, fallback Verdict, e Effect) Judged {
	j := Judged{Subject: s, Verdict: fallback, By: ByDefault, Source: "default"}
	if c == nil {
		j.Reason = fmt.Sprintf("no rule speaks of %s: the default for %s is %s", quote(s.Text), effectName(e), fallback)
		if s.Unknown != "" {
			j.Reason = s.Unknown + ": " + j.Reason
		}
		return j
	}
	j.Verdict, j.By, j.Pattern, j.Source = c.Verdict, ByRule, c.Pattern, c.Source
	if c.Layer == LayerDefault {
		j.By = ByDefault
	}
	if c.Pattern == "" {
		j.Pattern = "*"
	}
	if rank(j.Verdict) > rank(Deny) {
		j.Verdict = Deny
	}
	j.Reason = because(j, c)
	if s.Unknown != "" && j.Verdict == Ask {
		j.Reason = fmt.Sprintf("%s: only a rule for %q could allow it (%s)", s.Unknown, "*", j.Reason)
	}
	return j
}

// because names a rule and what it does to a subject.
func because(j Judged, c *rule) string {
	verb := " denies "
	switch j.Verdict {
	case Allow:
		verb = " allows "
	case Ask:
		verb = " asks about "
	case Deny:
	}
	return "the rule " + c.Rule.String() + " (" + c.Source + ")" + verb + quote(j.Subject.Text)
}

func effectName(e Effect) string {
	switch e {
	case Exec:
		return "running commands"
	case Net:
		return "the network"
	case Foreign:
		return "tools of other programs"
	case Write:
		return "writing files"
	case Read:
		return "reading files"
	case State:
		return "the agent's own state"
	}
	return "an unknown effect"
}

// quote puts a text between quotation marks, cut to a line that can be read.
func quote(s string) string {
	const most = 120
	if len(s) > most {
		cut := most
		for cut > 0 && s[cut]&0xC0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}
