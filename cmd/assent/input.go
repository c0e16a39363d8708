package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// inputArgs puts the INPUT of `permissions explain` behind "--" when it begins
// with a dash and is none of the command's flags: a shell command may, and
// must be explained as it is.
func inputArgs(root *cobra.Command, args []string) []string {
	at := []string{"permissions", "explain"}
	if len(args) <= len(at) || !slices.Equal(args[:len(at)], at) {
		return args
	}
	cmd, _, err := root.Find(at)
	if err != nil {
		return args
	}
	tool := false
	for i := len(at); i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return args
		}
		if len(a) < 2 || a[0] != '-' {
			if tool {
				return args
			}
			tool = true
			continue
		}
		f, known := flagOf(cmd, a)
		if tool && !known {
			rest := slices.Concat(args[:i], args[i+1:])
			return append(rest, "--", a)
		}
		if f != nil && f.NoOptDefVal == "" && !strings.Contains(a, "=") && (strings.HasPrefix(a, "--") || len(a) == 2) {
			i++ // its value
		}
	}
	return args
}

// flagOf is the flag that an argument gives; help is known without one.
func flagOf(cmd *cobra.Command, a string) (f *pflag.Flag, known bool) {
	if a == "-h" || a == "--help" {
		return nil, true
	}
	if name, long := strings.CutPrefix(a, "--"); long {
		name, _, _ = strings.Cut(name, "=")
		f = cmd.Flag(name)
	} else if !strings.ContainsAny(a, " \t\n") {
		f = cmd.Flags().ShorthandLookup(a[1:2])
	}
	return f, f != nil
}
