package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assent/internal/near"
)

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
			if !takesValue(root, a) {
				continue
			}
			if i++; i == len(args) || args[i] == "--" {
				return flags // the parser says which flag lacks its value
			}
			flags = append(flags, args[i])
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

// mistyped refuses a first word that is nearly a subcommand's name: who
// mistypes one does not mean to send it to a model. Behind "--", in quotes with
// more words, or with a capital it is a prompt.
func mistyped(root *cobra.Command, args []string) error {
	if len(args) == 0 || root.ArgsLenAtDash() >= 0 {
		return nil
	}
	word := args[0]
	if len(args) <= 3 && slices.Contains(planned, word) {
		return usage("this version has no command %q; to send it as a prompt, write assent -- %s", word, strings.Join(args, " "))
	}
	edits := 2
	if len(word) <= 4 {
		edits = 1 // half of a short word is another word
	}
	for _, c := range root.Commands() {
		if !c.Hidden && c.Name() != word && near.Distance(word, c.Name()) <= edits {
			return usage("unknown command %q, did you mean %q? To send it as a prompt, write assent -- %s", word, c.Name(), strings.Join(args, " "))
		}
	}
	return nil
}

// planned are commands that this version has not: who writes one does not mean to
// send it to a model.
var planned = []string{"acp", "answer", "mcp", "registry"}
