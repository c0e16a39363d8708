package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// tame says whether statements print nothing that the script could choose: a
// date, a count, a commit.
func (r *reader) tame(list []*syntax.Stmt) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(s *syntax.Stmt) bool { return !r.tameStmt(s) })
}

func (r *reader) tameStmt(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 || len(c.Assigns) > 0 {
			return false
		}
		var text strings.Builder
		for _, w := range c.Args {
			text.WriteString(staticText(w))
			text.WriteByte(' ')
		}
		name := staticText(c.Args[0])
		return !r.names[name] && slices.ContainsFunc(tamePrefixes, func(p string) bool {
			return strings.HasPrefix(text.String(), p) && text.String()[len(p)] == ' '
		})
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return r.tameStmt(c.Y)
		}
		return r.tameStmt(c.X) && r.tameStmt(c.Y)
	case *syntax.Subshell:
		return r.tame(c.Stmts)
	}
	return false
}

// tamePrefixes are commands whose output is a number, a date, a commit, a
// folder: never an option of another command and never a name that the
// script chose.
var tamePrefixes = []string{
	"pwd", "nproc", "whoami", "id -u", "id -un", "id -g", "uname", "hostname", "arch", "tty", "wc -l", "wc -c", "wc -w", "grep -c",
	"rg -c", "date", "date +%s", "date +%Y-%m-%d", "date -u", "seq", "true", "cd",
	"git rev-parse HEAD", "git rev-parse --short HEAD", "git rev-parse --show-toplevel", "git rev-parse --abbrev-ref HEAD",
	"git merge-base", "git describe", "git branch --show-current", "git symbolic-ref --short HEAD",
	"git hash-object", "git write-tree", "git rev-list", "git log -1 --format=%H", "git log -1 --format=%h",
	"git log --format=%H", "git log -1 --pretty=%H", "git rev-parse",
	"go env GOPATH", "go env GOROOT", "go env GOMODCACHE", "go env GOOS", "go env GOARCH", "go version", "go list -m",
	"node --version", "node -v", "npm root", "npm prefix", "npm bin", "which", "command -v", "type -p", "mktemp",
	"getconf", "sw_vers", "sysctl -n", "pgrep", "jobs -p", "stat -c %s", "stat -c %Y", "stat -f %z", "du -s",
}
