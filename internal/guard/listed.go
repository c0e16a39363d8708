package guard

import (
	"slices"

	"assent/internal/shell"
)

// walks are programs that list whole trees.
var walks = []string{"find", "gfind", "bfs", "fd", "fdfind"}

// listed says whether a command is given whatever a walk through folders
// finds, by the walk itself, xargs or a substitution.
func (v view) listed() bool {
	for _, w := range v.c.Words[1:] {
		if w.Static {
			continue
		}
		if slices.ContainsFunc(w.Lists, func(f shell.File) bool { return f.Tree }) || v.walked(w.Subst, 0) {
			return true
		}
	}
	return false
}

func (v view) walked(list []int, depth int) bool {
	return depth < 8 && slices.ContainsFunc(list, func(i int) bool {
		if i < 0 || i >= len(v.script.Commands) {
			return false
		}
		c := &v.script.Commands[i]
		return len(c.Words) > 0 && slices.Contains(walks, shell.Program(c.Words[0].Text)) || v.walked(c.PipedFrom, depth+1)
	})
}
