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

// wholly says whether a listing is of folders as a whole: of every name in one,
// or in those that it was given.
func wholly(list []shell.File) bool {
	whole := func(f shell.File) bool { return wholeFolder(shell.Word{Text: f.Path, Glob: f.Glob}) }
	return slices.ContainsFunc(list, whole) && !slices.ContainsFunc(list, func(f shell.File) bool { return f.Glob && !whole(f) })
}

// listed says whether a command is given whatever a walk through folders
// finds, by the walk itself, xargs or a substitution.
func (v view) listed() bool {
	for _, w := range v.c.Words[1:] {
		if w.Static {
			continue
		}
		if slices.ContainsFunc(w.Lists, func(f shell.File) bool { return f.Tree }) || w.Tail == "" && wholly(w.Lists) || v.walked(w.Subst, 0) {
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

// listsAll says whether a command prints every name in a folder: an ls of
// folders, an echo of a pattern for all.
func listsAll(c *shell.Command) bool {
	switch shell.Program(c.Words[0].Text) {
	case "ls":
		return !slices.ContainsFunc(c.Words[1:], func(w shell.Word) bool { return !w.Static || w.Glob })
	case "echo", "printf":
		return slices.ContainsFunc(c.Words[1:], wholeFolder)
	}
	return false
}
