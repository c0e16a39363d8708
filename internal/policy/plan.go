package policy

import "assent/internal/shell"

// ShellPlan reads command text into a plan: a subject for every command, for
// every path that is written and every path that is read.
func ShellPlan(command string, o shell.Options) Plan {
	return ScriptPlan(shell.Parse(command, o))
}

// ScriptPlan makes the plan of a parsed script.
func ScriptPlan(s *shell.Script) Plan {
	p := Plan{
		Script: s, Content: []string{s.Source},
		Subjects: make([]Subject, 0, len(s.Commands)+len(s.Files)),
	}
	for i := range s.Commands {
		c := &s.Commands[i]
		p.Subjects = append(p.Subjects, Subject{
			Kind: KindCommand, Text: c.Text, Unknown: c.Unknown, Command: c, Dir: c.Dir,
		})
	}
	for i := range s.Files {
		f := &s.Files[i]
		access := AccessRead
		switch {
		case f.Write:
			access = AccessWrite
		case f.Tree:
			access = AccessTree
		}
		p.Subjects = append(p.Subjects, Subject{
			Kind: KindPath, Text: f.Path, Access: access, Unknown: f.Unknown, Dir: f.Dir, File: f,
		})
	}
	if s.Err != nil {
		// What was guessed stays, so that a denial of it holds.
		p.Subjects = append([]Subject{{
			Kind: KindCommand, Text: s.Source, Unknown: "the command cannot be read: " + s.Err.Error(),
		}}, p.Subjects...)
	}
	return p
}
