package policy

import (
	"path"
	"strings"

	"assent/internal/shell"
)

// Always proposes the rules that "always" would add for a call that asks: one
// for each subject that asked, as narrow as is useful. It returns none when no
// rule could cover the call, so that "always" is not offered: a command that
// cannot be known, a path that cannot be known, a folder outside the
// workspace. With the proposed rules as LayerGrant the call is allowed.
func (r Rules) Always(q Call, d Decision, paths Paths) []Rule {
	if d.Verdict != Ask {
		return nil
	}
	var out []Rule
	for _, j := range d.Subjects {
		if j.Verdict != Ask {
			continue
		}
		found := propose(q, j.Subject, paths)
		if len(found) == 0 {
			return nil
		}
		for _, f := range found {
			f.Verdict, f.Layer = Allow, LayerGrant
			if !contains(out, f) {
				out = append(out, f)
			}
		}
	}
	if len(out) == 0 || r.With(out...).Decide(q, paths).Verdict != Allow {
		return nil
	}
	return out
}

func contains(list []Rule, r Rule) bool {
	for _, l := range list {
		if l.Tool == r.Tool && l.Pattern == r.Pattern {
			return true
		}
	}
	return false
}

// propose gives the rules that would cover one subject.
func propose(q Call, s Subject, paths Paths) []Rule {
	if s.Unknown != "" {
		return nil
	}
	switch s.Kind {
	case KindCommand:
		pattern := CommandPattern(s)
		if pattern == "" {
			return nil
		}
		return []Rule{{Tool: q.Tool, Pattern: pattern}}
	case KindPath:
		return proposePath(q, s, paths)
	case KindURL:
		return []Rule{{Tool: q.Tool, Pattern: urlPattern(s.Text)}}
	case KindTool:
	}
	if q.Effect == Foreign && s.Text == q.Tool {
		return []Rule{{Tool: q.Tool}}
	}
	return exact(q.Tool, s.Text)
}

// exact is a rule for one text; none when a wildcard in it would match more.
func exact(tool, text string) []Rule {
	if text == "" || strings.ContainsAny(text, "*?") {
		return nil
	}
	return []Rule{{Tool: tool, Pattern: text}}
}

// proposePath names the exact path in each of its spellings, absolute when it
// lies outside the workspace.
func proposePath(q Call, s Subject, paths Paths) []Rule {
	if paths == nil {
		paths = Lexical{}
	}
	tool := q.Tool
	if s.File != nil {
		tool = writeTool
	}
	var out []Rule
	for _, spelling := range paths.Place(s.Text, s.Dir).Spellings {
		name := spelling.Rel
		if climbs(name) && spelling.Abs != "" {
			name = spelling.Abs
		}
		if strings.HasPrefix(name, "~") {
			return nil // a pattern with "~" means the home folder
		}
		found := exact(tool, name)
		if found == nil {
			return nil
		}
		out = append(out, found...)
	}
	return out
}

func urlPattern(text string) string {
	scheme, rest, ok := strings.Cut(plainURL(text), "://")
	if !ok || strings.ContainsAny(rest, "*?") && strings.ContainsAny(strings.SplitN(rest, "/", 2)[0], "*?") {
		return text
	}
	return scheme + "://" + strings.SplitN(rest, "/", 2)[0] + "/*"
}

// CommandPattern is the pattern that "always" offers for a command: the
// command word, with its subcommand for tools that have them ("go test *").
// Shells, interpreters, launchers and what deletes never get a wide pattern,
// but the exact command. Empty means that no pattern can cover it.
func CommandPattern(s Subject) string {
	c := s.Command
	if c == nil || s.Unknown != "" || len(c.Words) == 0 || s.Text == "" {
		return ""
	}
	precise := func() string {
		if strings.ContainsAny(s.Text, "*?") {
			return ""
		}
		return s.Text
	}
	word := c.Words[0]
	if !word.Static || word.Glob || strings.ContainsAny(word.Text, "*? ") || !strings.HasPrefix(s.Text, word.Text) {
		return precise()
	}
	base := path.Base(word.Text)
	if shell.Launcher(base) || exactOnly[base] {
		return precise()
	}
	deep, ok := subcommands[base]
	if !ok {
		return word.Text + " *"
	}
	text := word.Text
	for i := 1; i <= deep && i < len(c.Words); i++ {
		w := c.Words[i]
		if !w.Static || w.Glob || w.Text == "" || strings.ContainsAny(w.Text, "*? ") || strings.HasPrefix(w.Text, "-") {
			if i == 1 {
				return precise()
			}
			break
		}
		text += " " + w.Text
	}
	if exactOnly[base+" "+strings.TrimPrefix(text, word.Text+" ")] {
		return precise()
	}
	return text + " *"
}
