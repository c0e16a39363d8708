package policy

import (
	"fmt"
	"path"
	"strings"

	"assent/internal/shell"
)

// gitPrograms are programs that ask git of the folder they run in.
var gitPrograms = map[string]bool{
	"git": true, "gh": true, "glab": true, "hub": true, "tig": true, "gitk": true, "lazygit": true, "git-lfs": true, "jj": true,
}

// stray says why git may take files of the workspace for a repository, whose
// configuration then runs programs: such a folder is there, or the script
// makes one.
func stray(q Call, c *shell.Command, paths Paths) string {
	if c.Remote || len(c.Words) == 0 {
		return ""
	}
	name := shell.Program(c.Words[0].Text)
	if !gitPrograms[name] && !strings.HasPrefix(name, "git-") {
		return ""
	}
	if q.Plan.Script != nil {
		for i := range q.Plan.Script.Files {
			f := &q.Plan.Script.Files[i]
			if f.Write && (strings.EqualFold(path.Base(f.Path), "HEAD") || strings.EqualFold(path.Base(f.Path), "commondir")) {
				return fmt.Sprintf("%s may find a repository in the folder of %s, whose configuration runs programs", quote(c.Text), f.Path)
			}
		}
	}
	s, ok := paths.(Strays)
	if !ok {
		return ""
	}
	dirs := c.Dirs
	if len(dirs) == 0 {
		dirs = []string{c.Dir}
	}
	for _, d := range dirs {
		if at := s.Stray(d); at != "" {
			return fmt.Sprintf("%s finds a repository in %s, among the files of the workspace: its configuration, which came with these, runs programs", quote(c.Text), quote(at))
		}
	}
	return ""
}
