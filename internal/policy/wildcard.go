package policy

import (
	"fmt"
	"strings"

	"assent/internal/shell"
)

// options says why the program of a command may be given options that nobody
// wrote: a pattern stands for a file whose name begins like one. Whoever brings
// the files then chooses what the program does.
func options(c *shell.Command, paths Paths) string {
	if len(c.Words) == 0 || c.Remote {
		return ""
	}
	dirs := c.Dirs
	if len(dirs) == 0 {
		dirs = []string{c.Dir}
	}
	for _, w := range c.Words[1:] {
		if w.Static && !w.Glob && w.Text == "--" {
			return ""
		}
		if !w.Glob || w.Text == "" || !strings.ContainsRune("-*?[@+!", rune(w.Text[0])) {
			continue
		}
		for _, dir := range dirs {
			names, whole := paths.Expand(w.Text, dir)
			if !whole { // then any name in the folder may be meant
				more, _ := paths.Expand("*", dir)
				names = append(names, more...)
			}
			for _, name := range names {
				if strings.HasPrefix(name, "-") {
					return fmt.Sprintf("the pattern %s may stand for the file %s, which %s takes for an option: write ./%s, or -- before it", w.Text, quote(name), c.Words[0].Text, w.Text)
				}
			}
		}
	}
	return ""
}
