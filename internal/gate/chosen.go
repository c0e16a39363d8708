package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"assent/internal/near"
	"assent/internal/policy"
)

// checker is what a question offers to those who edit its pattern. It looks at
// the disk anew each time: the question may be answered meanwhile.
func (g *Gate) checker(t trial, offer []policy.Rule) func(string) ([]policy.Rule, error) {
	return func(pattern string) (rules []policy.Rule, err error) {
		defer func() {
			if p := recover(); p != nil {
				rules, err = nil, fmt.Errorf("the pattern could not be checked (%v)", p)
			}
		}()
		fresh := t
		fresh.disk = g.sight(t.request.Plan)
		return fresh.chosen(pattern, offer)
	}
}

// chosen are the rules that a pattern of the user's adds. They must cover the
// call that is asked about.
func (t trial) chosen(pattern string, offer []policy.Rule) ([]policy.Rule, error) {
	rules, err := edited(t.request.Tool, pattern, offer)
	if err != nil {
		return nil, err
	}
	if t.rules.With(rules...).Decide(t.request.call(), t.disk).Verdict != policy.Allow {
		texts := make([]string, len(rules))
		for i, r := range rules {
			texts[i] = r.String()
		}
		return nil, fmt.Errorf("%s does not cover this call", strings.Join(texts, "; "))
	}
	return rules, nil
}

// edited are the rules that the user chose: what was offered, or what they
// made of it. What names no tool is a pattern of the call's own, and only tools
// that the call touches can be named: whoever answers a question about one
// command grants nothing else.
func edited(tool, pattern string, offer []policy.Rule) ([]policy.Rule, error) {
	was := shown(tool, offer)
	if pattern = strings.TrimSpace(pattern); pattern == "" {
		pattern = was
	}
	if pattern == "" {
		return nil, errors.New("no rule can cover it")
	}
	var rules []policy.Rule
	if pattern == was {
		rules = slices.Clone(offer)
	} else {
		tools := []string{tool}
		for _, r := range offer {
			if !slices.Contains(tools, r.Tool) {
				tools = append(tools, r.Tool)
			}
		}
		for _, text := range entries(pattern) {
			r, err := entered(text, tools)
			if err != nil {
				return nil, err
			}
			rules = append(rules, r)
		}
	}
	for i := range rules {
		rules[i].Verdict, rules[i].Layer, rules[i].Source = policy.Allow, policy.LayerGrant, "session"
	}
	return rules, nil
}

// entries parts a text of several rules. A "; " inside of a pattern parts
// nothing: there no bracket ends before it and no rule begins behind it.
func entries(text string) []string {
	var list []string
	from := 0
	for at := range len(text) {
		rest, parts := strings.CutPrefix(text[at:], "); ")
		if _, rule := named(rest); parts && rule {
			list = append(list, text[from:at+1])
			from = at + len("); ")
		}
	}
	return append(list, text[from:])
}

// named is the tool that a text begins with as a rule does, before a bracket.
func named(text string) (tool string, rule bool) {
	tool, _, rule = strings.Cut(text, "(")
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != '*'
	}
	return tool, rule && tool != "" && !strings.ContainsFunc(tool, odd)
}

// entered reads one rule; tools are those that it may name, the call's own
// first.
func entered(text string, tools []string) (policy.Rule, error) {
	text = strings.TrimSpace(text)
	tool, rule := named(text)
	switch {
	case !rule:
		return policy.Rule{Tool: tools[0], Pattern: text}, nil
	case !slices.Contains(tools, tool):
		return policy.Rule{}, fmt.Errorf("%s is no tool of this call%s: write a pattern of %s, or %s(pattern)", tool, near.Aside(tool, tools), tools[0], strings.Join(tools, "(pattern) or "))
	}
	return policy.ParseRule(text, policy.Allow, policy.LayerGrant, "session", nil)
}
