package bash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/shell"
	"assent/internal/tool"
)

// Limits of a command's time in milliseconds, as the model gives it.
const (
	defaultTimeout = 120_000
	leastTimeout   = 1_000
	mostTimeout    = 600_000
)

// Options make the tools.
type Options struct {
	// Shell is how commands are read; the zero value works.
	Shell shell.Options
	// Shorten cuts an output to what a model should see and reports whether it
	// cut anything. Nil cuts nothing.
	Shorten func(output, command string) (short string, cut bool)
	// Now is the clock that tells how long a background command has run.
	Now func() time.Time
}

type input struct {
	Command     string `json:"command"`
	Timeout     int    `json:"timeout,omitempty" jsonschema:"milliseconds, default 120000"`
	Description string `json:"description,omitempty" jsonschema:"what it does, in a few words"`
	Background  bool   `json:"background,omitempty" jsonschema:"return at once; follow it with bash_output"`
}

// Tools returns bash, bash_output and bash_kill. Background commands live as
// long as the process table that the gate runs them in.
func Tools(o Options) tool.Set {
	if o.Shorten == nil {
		o.Shorten = func(s, _ string) (string, bool) { return s, false }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	jobs := &jobs{options: o}
	return tool.Set{run(o, jobs), output(jobs), kill(jobs)}
}

func run(o Options, jobs *jobs) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "bash", Effect: policy.Exec, Set: tool.Core,
		Description: "Run a shell command. Each call starts in the workspace root; no terminal, no input. " +
			"Prefer the file and search tools to cat, sed, find and grep.",
		Title:  "command",
		Bounds: map[string]tool.Bound{"command": {Min: 1}, "timeout": {Min: leastTimeout, Max: mostTimeout}},
		// A person decides on the whole command, not on its first line.
		Detail: func(raw json.RawMessage) string {
			var in input
			if json.Unmarshal(raw, &in) != nil {
				return string(raw)
			}
			return in.Command
		},
	}, func(in input) policy.Plan {
		return policy.ShellPlan(in.Command, o.Shell)
	}, func(ctx context.Context, h gate.Hands, in input) (tool.Result, error) {
		if in.Background {
			return jobs.start(ctx, h, in)
		}
		limit := in.Timeout
		if limit == 0 {
			limit = defaultTimeout
		}
		timeout := time.Duration(limit) * time.Millisecond
		res, err := h.Shell(ctx, in.Command, gate.ShellOptions{Timeout: timeout})
		if errors.Is(err, proc.ErrClosed) {
			return tool.Result{Interrupted: true, Output: "The program is ending; the command was not started."}, nil
		}
		if err != nil {
			return tool.Result{}, fmt.Errorf("run the command: %w", err)
		}
		r := report(o, in.Command, res, timeout, ctx.Err() != nil)
		if ctx.Err() == nil && changesFolder(in.Command, o.Shell) {
			r.Output += "\n[cd does not last: the next command starts in the workspace root again]"
		}
		return r, nil
	})
}

// changesFolder says whether a command line leaves the shell in another folder
// than it began in.
func changesFolder(command string, o shell.Options) bool {
	for _, c := range shell.Parse(command, o).Commands {
		if len(c.Words) > 0 && c.Wrapper == "" && (c.Words[0].Text == "cd" || c.Words[0].Text == "pushd") {
			return true
		}
	}
	return false
}
