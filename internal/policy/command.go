package policy

import (
	"fmt"
	"strings"

	"assent/internal/shell"
)

// judgeCommand decides one simple command of a shell call.
func (r Rules) judgeCommand(q Call, s Subject, paths Paths) Judged {
	j := r.judgeForms(q, s, commandForms(s))
	if j.Verdict != Allow || s.Command == nil {
		return j
	}
	if why := r.carries(q.Tool, s.Command); why != "" {
		j.Verdict, j.By, j.Reason, j.Pattern, j.Source = Ask, ByDefault, why, "", "default"
		return j
	}
	why := elsewhere(s.Command, paths)
	if why == "" {
		why = options(s.Command, paths)
	}
	if why == "" {
		why = stray(q, s.Command, paths)
	}
	if why != "" {
		if j.Pattern == "*" && j.By == ByRule {
			return j // the user allowed whatever runs
		}
		j.Verdict, j.By, j.Reason, j.Pattern, j.Source = Ask, ByDefault, why, "", "default"
	}
	return j
}

// carries says why a program of which nothing is known may run what a rule
// denies: its arguments hold such a command.
func (r Rules) carries(tool string, c *shell.Command) string {
	if !c.Opaque || !r.denies([]string{tool}) {
		return ""
	}
	words := make([]string, len(c.Words))
	for i, w := range c.Words {
		words[i] = w.Text
	}
	for i := 1; i < len(words); i++ {
		f := forms{all: []string{strings.Join(words[i:], " ")}}
		if d := r.find(tool, f.match); d != nil && d.Verdict == Deny && !d.any {
			return fmt.Sprintf("%s may run %s, which the rule %s (%s) denies", quote(c.Text), quote(f.all[0]), d.Rule, d.Source)
		}
	}
	return ""
}

// elsewhere says why a command may run outside the workspace.
func elsewhere(c *shell.Command, paths Paths) string {
	if c.Remote {
		return ""
	}
	if c.DirUnknown {
		return fmt.Sprintf("%s runs in a folder that cannot be known before the cd in front of it has run", quote(c.Text))
	}
	dirs := c.Dirs
	if len(dirs) == 0 && c.Dir != "" {
		dirs = []string{c.Dir}
	}
	for _, d := range dirs {
		if d != "" && paths.Place(d, "").Outside {
			return fmt.Sprintf("%s runs in %s, outside the workspace", quote(c.Text), d)
		}
	}
	return ""
}

// commandForms are the spellings of a command. What allows must match the text
// itself; what asks or denies matches without assignments, without quoting
// tricks, by the base name of the program and without the global options that
// stand before a subcommand.
func commandForms(s Subject) forms {
	f := forms{all: []string{s.Text}, unknown: s.Unknown != ""}
	c := s.Command
	if c == nil || len(c.Words) == 0 {
		return f
	}
	add := func(text string) {
		if text != "" && text != s.Text {
			f.also = append(f.also, text)
		}
	}
	var shown, known []string
	for _, w := range c.Words {
		shown = append(shown, w.Shown)
		if w.Text != "" {
			known = append(known, w.Text)
		}
	}
	add(strings.Join(shown, " "))
	add(strings.Join(known, " "))
	if len(known) == 0 {
		return f
	}
	if base := shell.Program(known[0]); base != known[0] {
		known = append([]string{base}, known[1:]...)
		add(strings.Join(known, " "))
	}
	if rest := shell.Subcommand(known); len(rest) > 0 && len(rest) != len(known) {
		add(strings.Join(rest, " "))
	}
	return f
}

// CommandTexts are all spellings of a command that rules which ask or deny are
// matched against, its text first.
func CommandTexts(s Subject) []string {
	f := commandForms(s)
	return append(f.all, f.also...)
}
