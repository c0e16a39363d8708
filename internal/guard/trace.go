package guard

import (
	"path"
	"slices"

	"assent/internal/shell"
)

// trace follows text back to where it comes from: through pipes,
// substitutions, functions and the files that the script writes. Each command
// and file is looked at once, since what a script writes and reads may go in
// circles.
type trace struct {
	view
	seen map[step]bool
}

// step is a command, a command as the reader of a file of that name, or a file.
type step struct {
	command int
	name    string
}

const noCommand = -1

func (v view) trace() *trace { return &trace{view: v, seen: map[step]bool{}} }

// first says whether a step is taken for the first time.
func (t *trace) first(s step) bool {
	if t.seen[s] {
		return false
	}
	t.seen[s] = true
	return true
}

// fromFetcher says whether any of the commands brings text from the network,
// itself or through its own input.
func (v view) fromFetcher(list []int) bool { return len(list) > 0 && v.trace().from(list) }

// from says whether one of these commands brings text from the network.
func (t *trace) from(list []int) bool {
	for _, i := range list {
		if i < 0 || i >= len(t.script.Commands) || !t.first(step{command: i}) {
			continue
		}
		c := &t.script.Commands[i]
		if fetches(c) || len(c.Words) > 0 && t.function(c.Words[0].Text) || t.reachesOut(i) || t.reads(i, "") {
			return true
		}
		for _, w := range c.Words {
			if t.from(w.Subst) {
				return true
			}
		}
		if t.from(c.PipedFrom) {
			return true
		}
	}
	return false
}

// function says whether a function of the script downloads.
func (t *trace) function(name string) bool {
	if name == "" || !slices.Contains(t.script.Functions, name) {
		return false
	}
	for i := range t.script.Commands {
		if t.script.Commands[i].Function == name && t.from([]int{i}) {
			return true
		}
	}
	return false
}

// reads says whether a command reads a downloaded file, one of that name if a
// name is given.
func (t *trace) reads(index int, base string) bool {
	if !t.first(step{index, "<" + base}) {
		return false
	}
	files := t.script.Files
	if t.touched != nil {
		files = t.touched[index]
	}
	for _, f := range files {
		if f.Command == index && !f.Write && (base == "" || path.Base(f.Path) == base) && t.downloaded(f.Path) {
			return true
		}
	}
	return false
}

// downloaded says whether a command of the script wrote a download to a file,
// which may have been moved or copied since.
func (t *trace) downloaded(name string) bool {
	if network(name) {
		return true
	}
	if name = path.Clean(name); !t.first(step{noCommand, name}) {
		return false
	}
	for _, f := range t.script.Files {
		if !f.Write || f.Command < 0 || f.Command >= len(t.script.Commands) {
			continue
		}
		if path.Clean(f.Path) == path.Dir(name) && t.reads(f.Command, path.Base(name)) {
			return true
		}
		if path.Clean(f.Path) != name && !t.meets(f, name) {
			continue
		}
		c := &t.script.Commands[f.Command]
		if fetches(c) || t.reads(f.Command, "") || t.from(c.PipedFrom) {
			return true
		}
	}
	return slices.ContainsFunc(t.script.Commands, func(c shell.Command) bool { return t.names(&c, name) })
}
