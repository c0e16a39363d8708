package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assent/internal/app"
	"assent/internal/headless"
)

// cli is one run of the program.
type cli struct {
	version  string
	in       *os.File
	out, err io.Writer
	env      func(string) (string, bool)
	flags    app.Flags
	json     bool
	// code is the exit code of a command that ended without an error.
	code int
}

// execute parses and carries out a command line.
func (c *cli) execute(ctx context.Context, args []string) error {
	root := c.root()
	root.SetArgs(promptArgs(root, args))
	root.SetIn(c.in)
	help := &keeper{out: c.out}
	root.SetOut(help)
	root.SetErr(c.err)
	return errors.Join(root.ExecuteContext(ctx), help.err)
}

// keeper keeps the error of a write that its caller does not look at.
type keeper struct {
	out io.Writer
	err error
}

// Write writes until the first error.
func (k *keeper) Write(b []byte) (int, error) {
	if k.err != nil {
		return 0, k.err
	}
	n, err := k.out.Write(b)
	k.err = err
	return n, err
}

// promptArgs keeps a prompt from being taken for a subcommand: what follows -p
// is a prompt, and so is a first word that names no subcommand.
func promptArgs(root *cobra.Command, args []string) []string {
	for i, a := range args {
		if a == "--" {
			return args
		}
		if a == "-p" || a == "--print" {
			return guardWords(root, args, i)
		}
		if !strings.HasPrefix(a, "-") && isCommand(root, a) {
			return args
		}
	}
	return args
}

// guardWords puts flags first and the words behind a "--", so that no word is
// looked up among the subcommands.
func guardWords(root *cobra.Command, args []string, print int) []string {
	var flags, words []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			words = append(words, args[i+1:]...)
			i = len(args)
		case len(a) > 1 && a[0] == '-':
			flags = append(flags, a)
			if takesValue(root, a) && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		case i < print && isCommand(root, a):
			return args // assent sessions -p …: the subcommand says what is wrong
		default:
			words = append(words, a)
		}
	}
	return append(append(flags, "--"), words...)
}

// takesValue reports whether a flag's value is the next argument.
func takesValue(root *cobra.Command, arg string) bool {
	if strings.Contains(arg, "=") {
		return false
	}
	if name, long := strings.CutPrefix(arg, "--"); long {
		f := root.Flags().Lookup(name)
		return f != nil && f.NoOptDefVal == ""
	}
	// Of a cluster of short flags only the last can take the next argument.
	f := root.Flags().ShorthandLookup(arg[len(arg)-1:])
	first := root.Flags().ShorthandLookup(arg[1:2])
	return f != nil && f.NoOptDefVal == "" && (len(arg) == 2 || first != nil && first.NoOptDefVal != "")
}

func isCommand(root *cobra.Command, name string) bool {
	return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == name || c.HasAlias(name) }) ||
		name == "help" || name == "completion" || strings.HasPrefix(name, "__complete")
}

// root is the command without a subcommand: the terminal UI, or with -p a
// headless run.
func (c *cli) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "assent [PROMPT]",
		Short: "A coding agent for the terminal that asks instead of guessing",
		Long: `assent reads a code base, edits it, runs its tests, and asks instead of guessing.

  assent                     open the terminal UI
  assent -p "fix the test"   one turn without a terminal UI, the answer on stdout
  assent demo                see it work, with no key and no network`,
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			code, err := c.app().Run(cmd.Context(), c.flags, args)
			c.code = code
			return err
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	c.define(root)
	root.AddCommand(c.versionCmd(), c.demoCmd(), c.sessionsCmd(), c.configCmd(), c.modelsCmd(),
		c.permissionsCmd(), c.doctorCmd(), c.trustCmd(), c.completionCmd(root))
	return root
}

// define adds the flags of a conversation.
func (c *cli) define(cmd *cobra.Command) {
	f, v := cmd.Flags(), &c.flags
	f.SortFlags = false
	f.BoolVarP(&v.Print, "print", "p", false, "headless: one turn, the answer on stdout, everything else on stderr")
	f.StringVar(&v.Output, "output", "", "headless format: "+strings.Join(headless.Formats(), ", "))
	f.BoolVar(&c.json, "json", false, "short for --output stream-json")
	f.BoolVarP(&v.Continue, "continue", "c", false, "resume the newest session of this directory")
	f.StringVarP(&v.Resume, "resume", "r", "", "resume a session by `ID` or unique prefix")
	f.BoolVar(&v.Fork, "fork", false, "with -c or -r: continue in a new session file")
	f.BoolVar(&v.Plain, "plain", false, "terminal UI of lines only, for screen readers")
	f.StringVar(&v.Agent, "agent", "", "agent variant: default, quick, deep, plan, review")
	f.StringVar(&v.Think, "think", "", "thinking `LEVEL`: off, low, medium, high, max")
	f.StringVarP(&v.Model, "model", "m", "", "model `ID`, or PROVIDER/ID")
	f.StringVar(&v.Provider, "provider", "", "provider preset `NAME`")
	f.StringVar(&v.BaseURL, "base-url", "", "endpoint `URL`, with or without /v1")
	f.BoolVar(&v.Yolo, "yolo", false, "allow what would ask; never lifts a deny rule or a guard")
	f.StringArrayVar(&v.Allow, "allow", nil, "allow `RULE` for this run, as bash(git *); repeatable")
	f.StringArrayVar(&v.Deny, "deny", nil, "deny `RULE` for this run; repeatable")
	f.BoolVar(&v.DeferQuestions, "defer-questions", false, "headless: keep a question for later and exit with 4")
	f.IntVar(&v.MaxSteps, "max-steps", 0, "stop after `N` model requests")
	f.Float64Var(&v.MaxCost, "max-cost", 0, "stop before the run costs more than `USD`")
	f.DurationVar(&v.Timeout, "timeout", 0, "stop after this `DURATION`, as 90s or 10m")
	f.StringVarP(&v.Dir, "cd", "C", "", "workspace root `DIR` (default: the current directory)")
	f.StringArrayVar(&v.AddDir, "add-dir", nil, "another root `DIR` that file tools may touch; repeatable")
	for _, layer := range []struct {
		name string
		to   *bool
	}{
		{"mcp", &v.NoMCP},
		{"subagents", &v.NoSubagents},
		{"instructions", &v.NoInstructions},
		{"skills", &v.NoSkills},
		{"plugins", &v.NoPlugins},
		{"memory", &v.NoMemory},
		{"hooks", &v.NoHooks},
	} {
		f.BoolVar(layer.to, "no-"+layer.name, false, "run without "+layer.name)
	}
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

func usage(format string, args ...any) error {
	return &app.UsageError{Err: fmt.Errorf(format, args...)}
}

// flagError names the nearest flag.
func flagError(cmd *cobra.Command, err error) error {
	text := err.Error()
	if name, unknown := strings.CutPrefix(text, "unknown flag: --"); unknown {
		if near := nearestFlag(cmd, name); near != "" {
			text += ", did you mean --" + near + "?"
		}
	}
	return &app.UsageError{Err: errors.New(text + " (see " + cmd.CommandPath() + " --help)")}
}

func nearestFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflagFlag) { names = append(names, f.Name) })
	return app.Nearest(name, names)
}

// app returns the builder of everything for this run.
func (c *cli) app() *app.App {
	return app.New(app.Env{Version: c.version, In: c.in, Out: c.out, Err: c.err, Lookup: c.env})
}
