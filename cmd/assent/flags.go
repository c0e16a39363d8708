package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assent/internal/headless"
)

// define adds the flags of a conversation.
func (c *cli) define(cmd *cobra.Command) {
	f, v := cmd.Flags(), &c.flags
	f.SortFlags = false
	f.BoolVarP(&c.showVersion, "version", "V", false, "print the version")
	f.BoolVarP(&v.Print, "print", "p", false, "headless: one turn, the answer on stdout, everything else on stderr")
	f.StringVar(&v.Output, "output", "", "headless `FORMAT`: "+strings.Join(headless.Formats(), ", "))
	f.BoolVar(&c.json, "json", false, "short for --output stream-json")
	f.BoolVarP(&v.Continue, "continue", "c", false, "resume the newest session of this directory")
	f.StringVarP(&v.Resume, "resume", "r", "", "resume a session by `ID` or unique prefix")
	f.BoolVar(&v.Fork, "fork", false, "with -c or -r: continue in a new session file")
	f.BoolVar(&v.Plain, "plain", false, "terminal UI of lines only, for screen readers")
	f.StringVar(&v.Agent, "agent", "", "agent variant `NAME`: default, quick, deep, plan, review")
	f.StringVar(&v.Think, "think", "", "thinking `LEVEL`: off, low, medium, high, max")
	f.StringVarP(&v.Model, "model", "m", "", "model `ID`, or PROVIDER/ID")
	f.StringVar(&v.Provider, "provider", "", "provider preset `NAME`")
	f.StringVar(&v.BaseURL, "base-url", "", "endpoint `URL`, with or without /v1")
	f.BoolVar(&v.Yolo, "yolo", false, "allow what would ask; never lifts a deny rule or a guard")
	f.StringArrayVar(&v.Allow, "allow", nil, "allow `RULE` for this run, as bash(git *); repeatable")
	f.StringArrayVar(&v.Deny, "deny", nil, "deny `RULE` for this run; repeatable")
	f.BoolVar(&v.DeferQuestions, "defer-questions", false, "headless: keep a question for later and exit with 4")
	f.IntVar(&v.MaxSteps, "max-steps", 0, "stop after `N` model requests")
	f.Float64Var(&v.MaxCost, "max-cost", 0, "stop a turn before it costs more than `USD`")
	f.DurationVar(&v.Timeout, "timeout", 0, "stop after this `DURATION`, as 90s or 10m")
	f.StringVarP(&v.Dir, "cd", "C", "", "workspace root `DIR` (default: the current directory)")
	f.StringArrayVar(&v.AddDir, "add-dir", nil, "another root `DIR` that file tools may touch; repeatable")
	f.BoolVar(&v.NoInstructions, "no-instructions", false, "run without instructions")
	// These are accepted so that a script may isolate a run in any version; this
	// one has nothing that they would leave out.
	for name, to := range map[string]*bool{
		"no-mcp": &v.NoMCP, "no-subagents": &v.NoSubagents, "no-skills": &v.NoSkills, "no-plugins": &v.NoPlugins,
		"no-memory": &v.NoMemory, "no-hooks": &v.NoHooks,
	} {
		f.BoolVar(to, name, false, "run without "+strings.TrimPrefix(name, "no-"))
		f.Lookup(name).Hidden = true
	}
	f.Lookup("no-hooks").Hidden = false // hooks that are configured are an error without it
	f.Lookup("no-hooks").Usage = "start although hooks are configured, which this version does not run"
	f.Lookup("defer-questions").Hidden = true // nothing asks yet
	c.complete(cmd)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error { return c.checkFlags(cmd) }
}

// checkFlags refuses what does not go together before anything is opened.
func (c *cli) checkFlags(cmd *cobra.Command) error {
	v := &c.flags
	if c.json {
		if v.Output != "" && v.Output != string(headless.StreamJSON) {
			return usage("--json is --output stream-json; leave out one of --json and --output %s", v.Output)
		}
		v.Output = string(headless.StreamJSON)
	}
	if v.Output != "" && !slices.Contains(headless.Formats(), v.Output) {
		return usage("unknown output format %q (valid: %s)", v.Output, strings.Join(headless.Formats(), ", "))
	}
	if v.Output != "" && !v.Print && cmd.Name() == "assent" {
		return usage("--output and --json belong to a headless run; add -p")
	}
	if v.Continue && v.Resume != "" {
		return usage("-c and -r both name a session to resume; leave out one")
	}
	for _, name := range []string{"resume", "model", "provider", "base-url", "agent", "think", "output"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usage("--%s is empty; give it a value, or leave it out", name)
		}
	}
	if v.Fork && !v.Continue && v.Resume == "" {
		return usage("--fork needs -c or -r, which say what to fork")
	}
	for name, bad := range map[string]bool{
		"max-steps": v.MaxSteps < 0 || cmd.Flags().Changed("max-steps") && v.MaxSteps == 0,
		"max-cost":  v.MaxCost < 0 || cmd.Flags().Changed("max-cost") && v.MaxCost == 0,
		"timeout":   v.Timeout < 0 || cmd.Flags().Changed("timeout") && v.Timeout == 0,
	} {
		if bad {
			return usage("--%s must be more than 0", name)
		}
	}
	return nil
}
