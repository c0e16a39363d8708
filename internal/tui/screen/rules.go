package screen

import (
	"fmt"
	"slices"
	"strings"

	"assent/internal/tui/ink"
)

// aroundRules is how many rows an approval needs besides the rules of always:
// the other choices at their shortest, the question, a glimpse of the call, the
// prompt and the status line.
const aroundRules = 7

// Rules are what always would allow, each rule whole with its tool: what stands
// here is what is granted.
func (a Approval) Rules() []string {
	switch {
	case a.Pattern == "":
		return nil
	case len(a.rules) > 0:
		return a.rules
	case len(a.Approval.Rules) > 0:
		return a.Approval.Rules
	}
	return []string{a.Name + "(" + a.Pattern + ")"}
}

// always says in the scrollback what was allowed for longer, and for how long.
func (s State) always(a Approval, choice string) State {
	return s.interject(Notice{clipHead("Allowed from now on in this "+choice+": "+strings.Join(a.Rules(), "; "), noticeLimit)})
}

// Always reports whether always is offered: there are rules, and the terminal
// has room for all of them at once. Nobody grants what was not seen.
func (a Approval) Always() bool {
	rules := a.Rules()
	if len(rules) == 0 {
		return false
	}
	return a.width == 0 || a.ruleRows(rules) <= a.height-aroundRules || a.height == MinHeight && a.ruleRows(rules) == 1
}

// Untold is how many rules always would add if there were room to show them.
func (a Approval) Untold() int {
	if a.Always() {
		return 0
	}
	return len(a.Rules())
}

// ruleMargin is the width that the rules leave free: margins and the cell that
// no line takes.
const ruleMargin = 5

// ruleRows is how many rows the list of the rules takes.
func (a Approval) ruleRows(rules []string) int {
	if a.width < MinWidth {
		return a.height
	}
	if len(rules) == 1 && a.Inline() {
		return 1
	}
	n := 1 // the line above
	for _, r := range rules {
		n += len(ink.Chop(ink.Reveal(r, ink.Look{}), a.width-ruleMargin))
	}
	return n
}

// Inline reports whether the choices themselves name what they allow: one rule
// that fits into their line and has nothing to hide.
func (a Approval) Inline() bool {
	rules := a.Rules()
	if len(rules) != 1 || ink.OneLine(rules[0]) != rules[0] {
		return false
	}
	const words = len("  p  always allow  in this project")
	return a.width == 0 || words+ink.Width(rules[0]) < a.width
}

// what names the rules in a choice; it begins with a blank. Rules that do not
// fit there are listed above it.
func (a Approval) what() string {
	switch rules := a.Rules(); {
	case a.Inline():
		return " allow " + rules[0]
	case len(rules) > 1:
		return fmt.Sprintf(" allow these %d rules", len(rules))
	default:
		return ""
	}
}

// refitted tells the approvals a new size of the terminal. Where the choices
// become others the cursor goes back to the first, and the guard is up.
func (s State) refitted() State {
	s.Approvals = slices.Clone(s.Approvals)
	for i := range s.Approvals {
		a := &s.Approvals[i]
		was := a.Always()
		a.width, a.height = s.Width, s.Height
		if a.Always() != was {
			a.Cursor, a.aimed = 0, false
			if i == 0 {
				a.Since = s.Now
			}
		}
	}
	return s
}
