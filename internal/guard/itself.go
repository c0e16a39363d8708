package guard

import (
	"slices"
	"strings"

	"assent/internal/policy"
	"assent/internal/shell"
)

// itself is the name of this program.
const itself = "assent"

// telling are its subcommands that change nothing, run nothing and ask nobody
// else, with those of their own that are so; none is all of them. What asks a
// server (models) is not: it would take the user's key to any address.
var telling = map[string][]string{
	"version": nil, "help": nil, "completion": nil, "doctor": nil, "permissions": nil, "demo": nil,
	"config":   {"check", "get", "path", "schema", "show"},
	"sessions": {"export", "list", "show"},
}

// plainFlags are the flags behind such a subcommand that take no value. Another
// one may have taken the next word, so that what seems to be the subcommand is
// none, or names a file to write.
var plainFlags = []string{"-h", "--help", "--json", "--all", "--headless", "--plain"}

// starts is a command that starts this program anew, to change what it may do
// or to run another one beside this: that one decides by the configuration and
// the flags that the command gives it, and asks nobody.
func (p protect) starts(c Call) *Refusal {
	if c.Plan.Script == nil {
		return nil
	}
	for i := range c.Plan.Script.Commands {
		cmd := &c.Plan.Script.Commands[i]
		if len(cmd.Words) == 0 || shell.Program(cmd.Words[0].Text) != itself || looks(cmd.Words[1:]) || p.lets(cmd.Text) {
			continue
		}
		return &Refusal{
			Guard: Protect, Part: cmd.Text,
			Reason:  "it would change what the agent may do, or run another agent by rules of its own",
			Instead: "ask the user to run it",
		}
	}
	return nil
}

// looks says whether words make the program only tell something.
func looks(words []shell.Word) bool {
	var ops []string
	for i, w := range words {
		switch {
		case len(ops) > 0 && ops[0] == "permissions":
			return true // whatever is asked about
		case !w.Static || w.Glob:
			return false
		case slices.Contains([]string{"-h", "--help", "-V", "--version"}, w.Text) && len(ops) == i:
			return true
		case !strings.HasPrefix(w.Text, "-"):
			ops = append(ops, w.Text)
		case len(ops) == 0:
			return false // a flag of a run
		case ops[0] == "trust" && w.Text == "--show":
			ops = append(ops, w.Text)
		case !slices.Contains(plainFlags, w.Text):
			return false
		}
	}
	if len(ops) == 0 {
		return false
	}
	if ops[0] == "trust" {
		return slices.Contains(ops, "--show")
	}
	subs, known := telling[ops[0]]
	return known && (subs == nil || len(ops) == 1 || slices.Contains(subs, ops[1]))
}

// lets says whether the user lets a command pass.
func (p protect) lets(text string) bool {
	for _, e := range p.except {
		if e.Match(text) {
			return true
		}
	}
	return false
}

// linked is a link to what is protected: by its name, the rest of the script
// would write there unseen.
func (p protect) linked(c Call) *Refusal {
	if c.Plan.Script == nil {
		return nil
	}
	for i := range c.Plan.Script.Commands {
		cmd := &c.Plan.Script.Commands[i]
		if len(cmd.Words) < 2 || cmd.Remote {
			continue
		}
		if name := shell.Program(cmd.Words[0].Text); name != "ln" && name != "gln" {
			continue
		}
		for _, w := range cmd.Words[1:] {
			if strings.HasPrefix(w.Text, "-") || w.Text == "" {
				continue
			}
			spellings := append(slices.Clone(c.Paths.Place(w.Text, cmd.Dir).Spellings), policy.Spelling{Rel: strings.TrimLeft(w.Text, "./")})
			if strings.Contains(w.Text, ".git") {
				spellings = append(spellings, policy.Spelling{Rel: w.Text})
			}
			for _, s := range spellings {
				if r := p.refuse(w.Text, s, moves); r != nil {
					return r
				}
			}
		}
	}
	return nil
}
