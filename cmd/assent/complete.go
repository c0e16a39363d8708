package main

import (
	"github.com/spf13/cobra"

	"assent/internal/app"
	"assent/internal/headless"
)

// complete offers the values of a command's flags to the shell.
func (c *cli) complete(cmd *cobra.Command) {
	fixed := map[string][]string{
		"output": headless.Formats(), "agent": app.Agents(), "think": app.Levels(), "provider": app.Providers(),
	}
	for flag, words := range fixed {
		if cmd.Flags().Lookup(flag) != nil {
			_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // the flag is there
		}
	}
	if cmd.Flags().Lookup("resume") != nil {
		_ = cmd.RegisterFlagCompletionFunc("resume", c.sessionIDs) // the flag is there
	}
}

// sessionIDs offers the sessions of the directory.
func (c *cli) sessionIDs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return c.app().SessionIDs(c.flags.Dir), cobra.ShellCompDirectiveNoFileComp
}

// first offers words for the first argument of a command.
func first(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
