package guard

import (
	"path"
	"slices"
	"strings"

	"assent/internal/shell"
)

// carriers are the programs that are looked for among the arguments of one of
// which nothing is known: it may be a launcher.
var carriers = map[string]bool{
	"rm": true, "grm": true, "shred": true, "git": true, "find": true, "chmod": true, "chown": true, "dd": true, "wipefs": true,
	"shutdown": true, "reboot": true, "poweroff": true, "halt": true, "terraform": true, "kubectl": true,
}

// carried is a command among the arguments of an unknown program that would be
// refused if it were run.
func carried(v view) *finding {
	if !v.c.Opaque {
		return nil
	}
	for i := 1; i < len(v.c.Words); i++ {
		w := v.c.Words[i]
		if i > 1 && runsText(v.c.Words[i-1].Text) && strings.IndexByte(w.Text, ' ') > 0 {
			if f := v.text(w.Text); f != nil {
				return f
			}
		}
		if !carriers[path.Base(w.Text)] {
			continue
		}
		inner := *v.c
		inner.Words, inner.Opaque = v.c.Words[i:], false
		f := check(v.as(&inner))
		// "tool rm -f name" is as likely the tool's own subcommand.
		own := i == 1 && w.Text == "rm" && !slices.ContainsFunc(inner.Words, func(w shell.Word) bool { return hasOption(w.Text, "rR", "recursive") })
		if f != nil && !own {
			return f
		}
	}
	return nil
}

// runsText says whether an option is one that often takes a command line.
func runsText(option string) bool {
	return slices.Contains([]string{"-c", "--command", "--exec", "-x", "-ex"}, option)
}

// text looks at what may be a command line.
func (v view) text(text string) *finding {
	s := shell.Parse(text, shell.Options{})
	for i := range s.Commands {
		w := newView(v.call, s, i)
		if carriers[w.name] {
			if f := check(w); f != nil {
				return f
			}
		}
	}
	return nil
}

// as is the view of another command in the place of this one.
func (v view) as(c *shell.Command) view {
	script := *v.script
	script.Commands = []shell.Command{*c}
	return newView(v.call, &script, 0)
}

// check asks every check but the one for unknown programs.
func check(v view) *finding {
	for _, one := range checks {
		if f := one(v); f != nil {
			return f
		}
	}
	return nil
}
