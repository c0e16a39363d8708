package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"assent/internal/app"
)

// cli is one run of the program.
type cli struct {
	version  string
	in       *os.File
	out, err io.Writer
	env      func(string) (string, bool)
	flags    app.Flags
	json     bool
	// showVersion is the flag that stands for the command version.
	showVersion bool
	// built is the one App of the run, nil until it is needed.
	built *app.App
	// code is the exit code of a command that ended without an error.
	code int
}

// execute parses and carries out a command line.
func (c *cli) execute(ctx context.Context, args []string) error {
	root := c.root()
	root.SetArgs(promptArgs(root, inputArgs(root, args)))
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
			if c.showVersion {
				_, err := fmt.Fprintln(c.out, app.Version(c.version))
				return err
			}
			if !c.flags.Print {
				if err := mistyped(cmd, args); err != nil {
					return err
				}
			}
			code, err := c.app().Run(cmd.Context(), c.flags, args)
			c.code = code
			return err
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	c.define(root)
	root.SetHelpCommand(helpCmd(root))
	root.AddCommand(c.versionCmd(), c.demoCmd(), c.sessionsCmd(), c.configCmd(), c.modelsCmd(),
		c.permissionsCmd(), c.doctorCmd(), c.trustCmd(), c.completionCmd(root))
	return root
}

// app returns the builder of everything for this run.
func (c *cli) app() *app.App {
	if c.built == nil {
		c.built = app.New(app.Env{Version: c.version, In: c.in, Out: c.out, Err: c.err, Lookup: c.env, Interrupted: interrupted})
	}
	return c.built
}
