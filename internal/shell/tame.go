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

// tameStmt is tame of one statement.
func (r *reader) tameStmt(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		return len(c.Args) > 0 && len(c.Assigns) == 0 && !r.names[staticText(c.Args[0])] && tameCall(c.Args)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return r.tameStmt(c.Y) || r.tameStmt(c.X) && passes(c.Y)
		}
		return r.tameStmt(c.X) && r.tameStmt(c.Y)
	case *syntax.Subshell:
		return r.tame(c.Stmts)
	}
	return false
}

// behind is what may stand behind the words of a tame call.
type behind int

const (
	nothing behind = iota
	names          // of programs, settings, or numbers
	others         // anything but options: the output does not repeat it
	pair           // a pattern and one file, so that no name of a file is printed
	commits        // HEAD and what lies behind it
	format         // of a date, without what parts words or is not of dates
)

// tameCalls are calls whose output is a number, a date, a commit, a folder:
// never an option of another command and never a name that the script chose.
// So each is listed with the operands that it does not repeat.
var tameCalls = map[string]behind{
	"pwd": nothing, "nproc": nothing, "whoami": nothing, "id -u": nothing, "id -un": nothing, "id -g": nothing,
	"uname": nothing, "uname -s": nothing, "uname -m": nothing, "uname -r": nothing, "hostname": nothing, "arch": nothing,
	"tty": nothing, "true": nothing, "jobs -p": nothing, "mktemp": nothing, "mktemp -d": nothing, "date -I": nothing,
	"wc -l": nothing, "wc -c": nothing, "wc -w": nothing, "sw_vers -productVersion": nothing,
	"go list": others, "go list -f {{.ImportPath}}": others, "go list -f {{.Dir}}": others, // paths of packages begin with no dash
	"go version": nothing, "go list -m": nothing, "go env GOPATH": nothing, "go env GOROOT": nothing, "go env GOMODCACHE": nothing,
	"go env GOOS": nothing, "go env GOARCH": nothing, "node --version": nothing, "node -v": nothing,
	"npm root": nothing, "npm prefix": nothing, "npm bin": nothing, "git write-tree": nothing,
	"git rev-parse --show-toplevel": nothing, "git rev-parse --git-dir": nothing, "git rev-parse --abbrev-ref HEAD": nothing,
	"git branch --show-current": nothing, "git symbolic-ref --short HEAD": nothing,
	"git describe": nothing, "git describe --always": nothing, "git describe --tags": nothing, "git describe --tags --abbrev=0": nothing,
	"git describe --tags --always": nothing, "git describe --tags --always --dirty": nothing,
	"date": format, "date -u": format,
	"git rev-parse": commits, "git rev-parse --short": commits,
	"which": names, "command -v": names, "type -p": names, "getconf": names, "sysctl -n": names, "seq": names,
	"pgrep": names, "pgrep -f": names, "pgrep -x": names,
	"cd": others, "stat -c %s": others, "stat -c %Y": others, "stat -f %z": others, "git merge-base": others, "git hash-object": others,
	"git rev-parse --verify": others, "git rev-list": others, "git rev-list -1": others, "git rev-list -n 1": others,
	"git rev-list --max-count=1": others, "git rev-list --count": others, "git log -1 --format=%H": others, "git log -1 --format=%h": others,
	"git log --format=%H": others, "git log -1 --pretty=%H": others,
	"grep -c": pair,
}

// tameCall says whether the words of a call are those of a tame one.
func tameCall(list []*syntax.Word) bool {
	words := make([]string, 0, len(list))
	for _, w := range list {
		text, whole := static(w)
		if !whole {
			return false
		}
		words = append(words, text)
	}
	for n := len(words); n > 0; n-- {
		if o, ok := tameCalls[strings.Join(words[:n], " ")]; ok {
			return o.allow(words[n:])
		}
	}
	return false
}

func (o behind) allow(words []string) bool {
	if o == pair && len(words) > 2 || o == format && len(words) > 1 {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !o.fits(w) })
}

// fits says whether a word is one that may stand there.
func (o behind) fits(word string) bool {
	switch o {
	case names:
		return onlyOf(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+.-") && word[0] != '-' && word[0] != '.'
	case others, pair:
		return word == "--" || word != "" && word[0] != '-' && !strings.ContainsAny(word, "*?[{")
	case commits:
		rest, head := strings.CutPrefix(word, "HEAD")
		return head && strings.Trim(rest, "~^0123456789") == ""
	case format:
		return strings.HasPrefix(word, "+%") && onlyOf(word[1:], "%YmdHMSsFTjyIu_:.-")
	default:
		return false
	}
}

// onlyOf says whether a word is not empty and made of some characters only.
func onlyOf(word, set string) bool { return word != "" && strings.Trim(word, set) == "" }

// passes says whether a statement passes on some of the lines that it is given,
// whole: what is tame stays so.
func passes(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Assigns)+len(s.Redirs) > 0 {
		return false
	}
	operands := 0
	for _, w := range c.Args[1:] {
		text, whole := static(w)
		switch {
		case !whole:
			return false
		case !strings.HasPrefix(text, "-"):
			operands++
		case strings.Trim(text[1:], "vEFiwxnu0123456789") != "":
			return false
		}
	}
	switch staticText(c.Args[0]) {
	case "grep", "egrep", "fgrep":
		return operands == 1
	case "head", "tail":
		return operands == 0 || operands == 1 && staticText(c.Args[1]) == "-n" && len(c.Args) == 3
	case "sort", "uniq":
		return operands == 0
	}
	return false
}
