package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/workspace"
)

// PermissionsExplain prints which rule would decide a call, and why, without
// running it. input is the call's JSON when it is an object, else the bare
// command, path, pattern or URL.
func (a *App) PermissionsExplain(ctx context.Context, f Flags, name, input string, asJSON bool) error {
	l, err := a.load(f)
	if err != nil {
		return err
	}
	ruleSet, err := rules(l, f)
	if err != nil {
		return err
	}
	ws, err := workspace.Open(workspace.Options{Root: l.root, Extra: f.AddDir})
	if err != nil {
		return usagef("--add-dir: %w; name a folder", err)
	}
	defer func() { _ = ws.Close() }() // only looked at
	variant, _ := findAgent(l.Agent)
	g := a.gate(l, ws, gate.Options{
		Workspace: ws, Home: a.home(), Rules: ruleSet, Mode: variant.mode(l.ReadOnly), Yolo: f.Yolo,
		Asker: nobody{}, ConfigHome: a.get("XDG_CONFIG_HOME"),
	})
	set := tools(unwired)
	t, ok := set.Find(name)
	if !ok {
		if slices.Contains(plannedNames, name) {
			return usagef("explain %s: rules may name it, but this build does not offer it (valid: %s)", name, strings.Join(set.Names(), ", "))
		}
		return usagef("%w", unknownWord("tool", name, set.Names()))
	}
	planned, err := t.Prepare("explain", inputOf(t, input))
	if err != nil {
		return &UsageError{err}
	}
	r := planned.Request()
	e := gate.NewExplanation(r, g.Explain(ctx, r))
	if e.By == policy.ByYolo {
		e.Reason = "--yolo allows what would ask: " + e.Reason
	}
	if asJSON {
		return a.json(e)
	}
	return a.explained(e)
}

// nobody answers nothing; Explain does not ask.
type nobody struct{}

func (nobody) Approve(context.Context, gate.Prompt) (gate.Answer, error) {
	return gate.Answer{}, errors.New("nobody is asked by an explanation")
}

// explained prints an explanation for people.
func (a *App) explained(e gate.Explanation) error {
	if _, err := fmt.Fprintf(a.env.Out, "%s (by %s)", e.Decision, e.By); err != nil {
		return err
	}
	if e.Reason != "" {
		fmt.Fprint(a.env.Out, ": "+printable(e.Reason))
	}
	fmt.Fprintln(a.env.Out)
	if len(e.Subjects) == 0 {
		return nil
	}
	rows := [][]string{{"DECISION", "KIND", "SUBJECT", "PATTERN", "SOURCE"}}
	for _, s := range e.Subjects {
		rows = append(rows, []string{string(s.Decision), string(s.Kind), clip(s.Text, 60), s.Pattern, s.Source})
	}
	if err := a.table(rows...); err != nil {
		return err
	}
	for _, s := range e.Subjects {
		if s.Reason != "" && s.Decision != policy.Allow {
			fmt.Fprintf(a.env.Out, "  %s: %s\n", clip(printable(s.Text), 60), printable(s.Reason))
		}
	}
	return nil
}
