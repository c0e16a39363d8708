package policy

import (
	"fmt"
	"slices"
	"strings"
)

// Mode narrows what an agent may do, whatever the rules say.
type Mode struct {
	// Name is the agent's name, for the reason of a refusal.
	Name string
	// Effects are the allowed effects; nil allows all.
	Effects []Effect
	// ReadOnly lists the commands that the user declared to be read-only, as
	// patterns of which each also stands for what begins with it. When Effects
	// lacks exec, a shell call passes if every command of it is on the list,
	// none is unknown and nothing is written.
	ReadOnly []string
	// Tools, when not nil, are the only tools that may be called, by name or by
	// a key with "*".
	Tools []string
	// Leave says how the user widens the mode, for the reason of a refusal.
	Leave string
}

// Looks says whether the mode runs only what reads.
func (m Mode) Looks() bool { return m.Effects != nil && !slices.Contains(m.Effects, Exec) }

// Refuse is the mode's refusal of a call; why is the end of its reason.
func (m Mode) Refuse(why string, judged ...Judged) Decision {
	reason := fmt.Sprintf("the agent %q may not do this: %s", m.Name, why)
	if m.Leave != "" {
		reason += "; " + m.Leave
	}
	return Decision{Verdict: Deny, By: ByMode, Reason: reason, Subjects: judged}
}

// Decide says whether the mode refuses a call. A call that it does not refuse
// is not allowed by that: the rules come next.
func (m Mode) Decide(q Call) (Decision, bool) {
	refuse := func(why string, judged ...Judged) (Decision, bool) { return m.Refuse(why, judged...), true }
	if m.Tools != nil && !slices.ContainsFunc(m.Tools, func(key string) bool { return key != "" && Compile(key).Match(q.Tool) }) {
		return refuse(fmt.Sprintf("%s is not one of its tools", q.Tool))
	}
	if m.Effects == nil || slices.Contains(m.Effects, q.Effect) {
		return Decision{}, false
	}
	if q.Effect != Exec || q.Plan.Script == nil || len(m.ReadOnly) == 0 {
		return refuse(fmt.Sprintf("%s is for %s", q.Tool, effectName(q.Effect)))
	}
	if j, ok := ReadOnly(m.ReadOnly, q.Plan); !ok {
		return refuse(j.Reason, j)
	}
	return Decision{}, false
}

// ReadOnly says whether a shell call does nothing but run commands of a list.
// When it does more, the subject that is not on the list is returned.
func ReadOnly(list []string, p Plan) (Judged, bool) {
	no := func(s Subject, why string) (Judged, bool) {
		return Judged{Subject: s, Verdict: Deny, By: ByMode, Source: "readOnly", Reason: why}, false
	}
	commands := 0
	for _, s := range p.Subjects {
		switch {
		case s.Kind == KindPath && s.Access == AccessWrite:
			return no(s, fmt.Sprintf("it writes %s", quote(s.Text)))
		case s.Kind != KindCommand:
			continue
		case s.Unknown != "":
			return no(s, fmt.Sprintf("%s: %s", quote(s.Text), s.Unknown))
		case s.Command != nil && s.Command.Changes != "":
			return no(s, fmt.Sprintf("%s: %s", quote(s.Text), s.Command.Changes))
		case !slices.ContainsFunc(list, func(t string) bool { return prefixed(t, s.Text) }):
			return no(s, fmt.Sprintf("%s is not declared as read-only", quote(s.Text)))
		}
		commands++
	}
	if commands == 0 {
		return no(Subject{Kind: KindCommand}, "nothing in the command would run")
	}
	return Judged{}, true
}

// prefixed matches a pattern, or the pattern followed by more words.
func prefixed(pattern, text string) bool {
	pattern = strings.TrimSpace(pattern)
	return pattern != "" && (Compile(pattern).Match(text) || Compile(pattern+" *").Match(text))
}
