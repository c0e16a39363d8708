package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/workspace"
)

// PermissionsExplain prints which rule would decide a call, and why, without
// running it. input is the call's JSON when it is an object, else the bare
// command, path, pattern or URL.
func (a *App) PermissionsExplain(_ context.Context, f Flags, name, input string, asJSON bool) error {
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
		return &UsageError{fmt.Errorf("open the workspace: %w", err)}
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
		return usagef("%w", unknownWord("tool", name, toolNames()))
	}
	planned, err := t.Prepare("explain", inputOf(t, input))
	if err != nil {
		return &UsageError{err}
	}
	r := planned.Request()
	e := gate.NewExplanation(r, g.Explain(r))
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

// inputOf reads the call's input: an object as it is, else the value of the
// tool's load-bearing argument.
func inputOf(t tool.Tool, input string) json.RawMessage {
	text := bytes.TrimSpace([]byte(input))
	if bytes.HasPrefix(text, []byte("{")) && json.Valid(text) {
		return text
	}
	bare, err := json.Marshal(map[string]string{t.TitleArgument(): input})
	if err != nil {
		return text
	}
	return bare
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
