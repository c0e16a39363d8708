package shell

import "strings"

// findCall is find: a walk that may run commands, write and delete.
func findCall(c *call) outcome {
	var roots []Word
	i := 0
	for ; i < len(c.args); i++ {
		w := c.args[i]
		if w.Static && (w.Text == "-H" || w.Text == "-L" || w.Text == "-P" || strings.HasPrefix(w.Text, "-O")) {
			continue
		}
		if w.Static && w.Text == "-D" {
			i++
			continue
		}
		if w.Static && strings.HasPrefix(w.Text, "-") || w.Text == "(" || w.Text == "!" {
			break
		}
		if !w.Static && w.Head == "" && w.Made {
			c.unknown("an argument of find cannot be known before it runs, and could run a command")
		}
		roots = append(roots, w)
	}
	if len(roots) == 0 {
		roots = []Word{literal(".")}
	}
	files := findFiles(roots, c.args[i:])
	for ; i < len(c.args); i++ {
		w := c.args[i]
		if !w.Static {
			if w.Head == "" && w.Made {
				c.unknown("an argument of find cannot be known before it runs, and could run a command")
			}
			continue
		}
		switch w.Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			i = c.findExec(i+1, files)
		case "-fprint", "-fprint0", "-fls", "-fprintf":
			c.unknown("find " + w.Text + " writes a file")
			if i+1 < len(c.args) {
				c.write(c.args[i+1])
				i++
			}
		case "-files0-from":
			if i+1 < len(c.args) {
				c.read(c.args[i+1])
			}
		case "-delete":
			for _, r := range roots {
				c.writeTree(r)
			}
		}
	}
	return c.stays()
}

// findExec runs the command after -exec and returns where it ends.
func (c *call) findExec(from int, files []File) int {
	end := from
	for ; end < len(c.args); end++ {
		t := c.args[end].Text
		if t == ";" || t == "+" && end > from && c.args[end-1].Text == "{}" {
			break
		}
	}
	words := substitute(c.args[from:end], "{}", []Word{{Made: true, Lists: files, Shown: "{}", listing: true}})
	if len(words) > 0 {
		inner := *c.sc
		inner.stdin = stdin{}
		c.runIn(&inner, words, "find "+c.args[from-1].Text)
	}
	return end
}

// findFiles are the files that a find visits: the trees of its roots, narrowed
// by its tests of names when they are sure to hold for all.
func findFiles(roots, tests []Word) []File {
	only, narrow := findNames(tests)
	var out []File
	for _, r := range roots {
		f := File{Path: r.Text, Tree: true, Glob: r.Glob}
		if !r.Static {
			f.Path, f.Unknown = "*"+r.Tail, "where find looks cannot be known before it runs"
		}
		if narrow && len(only) > 0 {
			f.Only = only
		}
		out = append(out, f)
	}
	return out
}

// listing gives the files that a command lists by name on its output: find,
// ls, git ls-files, grep -l, rg --files, fd.
func listing(c *Command) ([]File, bool) {
	if len(c.Words) == 0 || !c.Words[0].Static || c.Unknown != "" || c.DirUnknown {
		return nil, false
	}
	args := c.Words[1:]
	for _, w := range args {
		if w.Made && !w.Static {
			return nil, false
		}
	}
	switch c.Words[0].Text {
	case "find":
		roots := 0
		for roots < len(args) && !strings.HasPrefix(args[roots].Text, "-") && args[roots].Text != "(" && args[roots].Text != "!" {
			roots++
		}
		for _, w := range args[roots:] {
			if w.Text == "-printf" || strings.HasPrefix(w.Text, "-exec") || strings.HasPrefix(w.Text, "-ok") {
				return nil, false
			}
		}
		if roots == 0 {
			return findFiles([]Word{literal(".")}, args), true
		}
		return findFiles(args[:roots], args[roots:]), true
	case "ls":
		return lsNames(args)
	case "git":
		if len(args) > 0 && args[0].Text == "ls-files" {
			return operandTrees(args[1:])
		}
		if len(args) > 1 && args[0].Text == "diff" && strings.HasPrefix(args[1].Text, "--name-only") {
			return []File{{Path: ".", Tree: true}}, true
		}
		if len(args) > 1 && args[0].Text == "grep" && (args[1].Text == "-l" || args[1].Text == "--files-with-matches") {
			return []File{{Path: ".", Tree: true}}, true
		}
	case "grep", "rg", "ag", "egrep", "fgrep":
		for _, w := range args {
			if w.Static && len(w.Text) > 1 && w.Text[0] == '-' && w.Text[1] != '-' && strings.ContainsAny(w.Text, "lL") ||
				w.Text == "--files" || w.Text == "--files-with-matches" || w.Text == "--files-without-match" {
				return []File{{Path: ".", Tree: true}}, plainRoots(args)
			}
		}
	case "fd", "fdfind":
		for _, w := range args {
			if w.Text == "-x" || w.Text == "-X" || strings.HasPrefix(w.Text, "--exec") {
				return nil, false
			}
		}
		return []File{{Path: ".", Tree: true}}, plainRoots(args)
	}
	return nil, false
}

// plainRoots says whether no argument leads out of the folder.
func plainRoots(args []Word) bool {
	for _, w := range args {
		if !w.Static || strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "~") || strings.Contains(w.Text, "..") {
			return false
		}
	}
	return true
}

// operandTrees are the trees that operands name; patterns of git ("*.go")
// narrow the whole tree.
func operandTrees(args []Word) ([]File, bool) {
	var out []File
	var only []string
	for _, w := range args {
		switch {
		case !w.Static:
			return nil, false
		case strings.HasPrefix(w.Text, "-"):
		case strings.HasPrefix(w.Text, "*.") && !strings.Contains(w.Text, "/"):
			only = append(only, w.Text)
		case strings.HasPrefix(w.Text, ":"):
			return []File{{Path: ".", Tree: true}}, true
		default:
			out = append(out, File{Path: w.Text, Tree: true, Glob: w.Glob || hasGlob(w.Text)})
		}
	}
	if len(only) > 0 {
		out = append(out, File{Path: ".", Tree: true, Only: only})
	}
	if len(out) == 0 {
		out = append(out, File{Path: ".", Tree: true})
	}
	return out, true
}

// lsNames are the names that ls prints: those that it is given, and the names
// of what is in folders, which the next program reads in its own folder.
func lsNames(args []Word) ([]File, bool) {
	out := []File{{Path: "*", Glob: true}}
	for _, w := range args {
		switch {
		case !w.Static:
			return nil, false
		case strings.HasPrefix(w.Text, "-"):
			if strings.ContainsAny(w.Text, "aAf") {
				out = append(out, File{Path: ".*", Glob: true})
			}
		default:
			out = append(out, File{Path: w.Text, Glob: w.Glob})
		}
	}
	return out, true
}
