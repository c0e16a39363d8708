package guard

import (
	"path"
	"slices"
	"strings"

	"assent/internal/shell"
)

// walks are programs that list whole trees.
var walks = []string{"find", "gfind", "bfs", "fd", "fdfind"}

// wholeFolder says whether a word is a pattern that every name in a folder fits.
func wholeFolder(w shell.Word) bool {
	base := path.Base(w.Text)
	return w.Glob && strings.Contains(base, "*") && strings.Trim(base, "*?.") == ""
}

// partial says whether a list is of fewer files than a folder holds.
func partial(f shell.File) bool { return !wholeFolder(shell.Word{Text: f.Path, Glob: f.Glob}) }

// listed says whether a command is given whatever a walk through folders
// finds, by the walk itself, xargs or a substitution.
func (v view) listed() bool {
	for _, w := range v.c.Words[1:] {
		if w.Static {
			continue
		}
		if slices.ContainsFunc(w.Lists, func(f shell.File) bool { return f.Tree }) || len(w.Lists) > 0 && !slices.ContainsFunc(w.Lists, partial) || v.walked(w.Subst, 0) {
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
		return len(c.Words) > 0 && (slices.Contains(walks, shell.Program(c.Words[0].Text)) || listsAll(c)) || v.walked(c.PipedFrom, depth+1)
	})
}

// listsAll says whether a command is an ls of a folder as a whole.
func listsAll(c *shell.Command) bool {
	return shell.Program(c.Words[0].Text) == "ls" && !slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool {
		return !w.Static || !strings.HasPrefix(w.Text, "-") && !strings.HasSuffix(w.Text, "/") && strings.Trim(w.Text, ".") != ""
	})
}
