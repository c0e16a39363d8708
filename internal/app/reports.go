package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/session"
)

// reports are the names that host.Report takes.
var reports = []string{"context", "cost", "tools", "permissions", "config", "doctor", "diff", "session", "header"}

// report writes a page that a command shows.
func (q *answers) report(ctx context.Context, name string) (host.Page, error) {
	var text string
	var err error
	switch name {
	case "context":
		text = q.context()
	case "cost":
		text = q.cost()
	case "tools":
		text = q.toolList()
	case "permissions":
		text = q.permissions()
	case "config":
		text, err = q.printed(func(a *App) error { return a.ConfigShow(q.c.flags, false) })
		text = q.inUse() + text
	case "doctor":
		text, err = q.printed(func(a *App) error { return a.Doctor(ctx, q.c.flags, false) })
	case "diff":
		text, err = q.diff(ctx)
	case "header":
		text = q.header()
	case "session":
		text = fmt.Sprintf("Go on with `assent -c`, or with `assent -r %s`.", q.c.log.ID())
	default:
		return host.Page{}, unknownWord("report", name, reports)
	}
	return host.Page{Title: name, Markdown: text}, err
}

// inUse says which model answers now, where the configuration says another.
func (q *answers) inUse() string {
	q.c.mu.Lock()
	defer q.c.mu.Unlock()
	now := q.c.choice
	if now.model == "" || now.model == q.c.loaded.Model && now.preset.Name == q.c.loaded.Provider {
		return ""
	}
	return fmt.Sprintf("In use now: model `%s` of %s.\n\n", strings.ReplaceAll(now.model, "`", "'"), now.preset.Name)
}

// printed takes what a command would print as a block of text.
func (q *answers) printed(f func(*App) error) (string, error) {
	var b bytes.Buffer
	env := q.app.env
	env.Out = &b
	err := f(New(env))
	if errors.Is(err, errUnsound) {
		err = nil // the page says so
	}
	return "```text\n" + b.String() + "```", err
}

// estimate is how many tokens a text is about.
func estimate(n int) int { return (n + 3) / 4 }

// context tells what fills the window.
func (q *answers) context() string {
	in := q.c.seen()
	schemas := 0
	for _, s := range in.Tools.Specs() {
		schemas += len(s.Name) + len(s.Description) + len(s.Schema)
	}
	var said, results, notes int
	for _, item := range q.c.items() {
		switch item := item.(type) {
		case llm.Result:
			results += len(item.Output)
		case llm.Note:
			notes += len(item.Text)
		case llm.User:
			said += len(item.Text)
		case llm.Assistant:
			said += len(item.Text())
			for _, c := range item.Calls() {
				said += len(c.Input)
			}
		}
	}
	rows := []struct {
		name   string
		tokens int
	}{
		{"system text", estimate(len(in.System))},
		{"tool schemas", estimate(schemas)},
		{"notes", estimate(notes)},
		{"conversation", estimate(said)},
		{"results", estimate(results)},
	}
	total := 0
	for _, r := range rows {
		total += r.tokens
	}
	window := in.Window
	var b strings.Builder
	b.WriteString("```text\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "%-14s %8d  %s\n", r.name, r.tokens, bar(r.tokens, max(window, total)))
	}
	fmt.Fprintf(&b, "%-14s %8d", "together", total)
	if window > 0 {
		fmt.Fprintf(&b, "  of %d (%.0f %%)", window, 100*float64(total)/float64(window))
	}
	b.WriteString("\n```\nTokens are estimated at four bytes each.")
	return b.String()
}

func bar(n, of int) string {
	const width = 30
	if of == 0 {
		return ""
	}
	return strings.Repeat("▰", min(width, (n*width+of-1)/of))
}

// cost tells the four classes of tokens and what they cost.
func (q *answers) cost() string {
	s := session.Restore(q.c.log.Branch())
	u := s.Usage
	cost := "not known: the catalogue has no price for this model"
	if s.CostUSD != nil {
		cost = fmt.Sprintf("$%.4f", *s.CostUSD)
	}
	hit := 0.0
	if sent := u.Input + u.CacheRead + u.CacheWrite; sent > 0 {
		hit = 100 * float64(u.CacheRead) / float64(sent)
	}
	return fmt.Sprintf("```text\ninput        %10d\ncache read   %10d\ncache write  %10d\noutput       %10d  (%d of it reasoning)\n```\n"+
		"%.0f %% of what was sent came from the cache. Cost: %s.", u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning, hit, cost)
}

// toolList tells each offered tool, its set, its effect and its weight.
func (q *answers) toolList() string {
	q.c.mu.Lock()
	offered, withheld := q.c.offered()
	q.c.mu.Unlock()
	var b strings.Builder
	b.WriteString("| tool | effect | set | bytes |\n|---|---|---|---|\n")
	for _, t := range offered {
		s := t.Spec()
		fmt.Fprintf(&b, "| %s | %s | %s | %d |\n", t.Name(), t.Effect(), t.Set(), len(s.Name)+len(s.Description)+len(s.Schema))
	}
	if len(withheld) > 0 {
		fmt.Fprintf(&b, "\nWithheld by agent or rules: %s.", strings.Join(withheld.Names(), ", "))
	}
	return b.String()
}

// permissions tells the rules in force, the last match wins.
func (q *answers) permissions() string {
	rules := q.c.gate.Rules().All()
	var b strings.Builder
	if len(rules) == 0 {
		b.WriteString("No rules are set. ")
	} else {
		b.WriteString("| rule | decision | from |\n|---|---|---|\n")
		for _, r := range rules {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(r.String(), "|", `\|`), r.Verdict, r.Source)
		}
		b.WriteString("\nThe last match wins. ")
	}
	b.WriteString("Without a match, reading and the agent's own state are allowed; writing, running and the network ask.")
	if off := guardsOff(q.loaded()); len(off) > 0 {
		slices.Sort(off)
		b.WriteString("\n\nGuards that are off: " + strings.Join(off, ", ") + ".")
	}
	return b.String()
}

func (q *answers) diff(ctx context.Context) (string, error) {
	e, err := q.expand(ctx, "#diff")
	if err != nil {
		return "", err
	}
	return "```diff\n" + e.Text + "\n```", nil
}
