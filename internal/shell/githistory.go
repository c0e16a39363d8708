package shell

import (
	"slices"
	"strings"
)

// gitHistory notes a subcommand that shows or packs the content of whatever
// git tracks. It only may hold what is denied: a change need not touch it.
func (c *call) gitHistory(sub string, p parsed) {
	c.gitStages(sub, p)
	if !c.gitShows(sub, p) && (sub != "grep" || !p.has("cached")) {
		return
	}
	for _, s := range c.r.staged { // what the script itself made git keep
		c.file(File{Tree: true, Added: !s.ignored, Mention: s.folder && !s.ignored}, s.word)
	}
	if sub == "grep" {
		return
	}
	f := File{Mention: true, Tree: true, Tracked: true}
	for _, w := range c.command().Words {
		if strings.HasPrefix(w.Text, "--git-dir") || strings.HasPrefix(w.Text, "--work-tree") {
			f.Tracked = false // another repository
		}
	}
	if !c.narrowedByPath(sub, p) {
		f.Repository = true
		// Without a revision it is the work tree against the index.
		f.Changed = (sub == "diff" || sub == "diff-files" || sub == "add" || sub == "difftool") && len(p.rest) == 0 && !p.has("cached", "staged", "merge-base")
		f.Past = !f.Changed // what is in no index does not differ from it
		c.file(f, literal("."))
		return
	}
	f.Past = true
	for _, w := range restAfter(c.args, "--") {
		c.file(f, w)
	}
}

// staged is what a script makes git keep: a file, or what is in a folder. Of
// what git ignores it is only what the script names by force.
type staged struct {
	word            Word
	folder, ignored bool
}

// gitStages notes what a subcommand makes git keep that it did not keep before.
func (c *call) gitStages(sub string, p parsed) {
	force := p.has("f", "force")
	whole := staged{literal("."), true, force}
	whole.word.Shown = "what git " + sub + " adds"
	switch {
	case sub == "stash" && p.has("a", "all", "u", "include-untracked"):
		whole.ignored = p.has("a", "all")
		c.r.staged = append(c.r.staged, whole)
	case sub == "add" || sub == "stage" || sub == "update-index":
		if p.has("A", "all") {
			c.r.staged = append(c.r.staged, whole)
		}
		for _, w := range p.rest {
			if folder := strings.TrimRight(w.Text, "./") == "" || w.Glob || strings.HasPrefix(w.Text, ":"); folder {
				c.r.staged = append(c.r.staged, whole)
			} else {
				c.r.staged = append(c.r.staged, staged{w, false, force})
			}
		}
	}
	if len(c.r.staged) > mostStaged {
		c.r.staged = append(c.r.staged[:0:0], staged{literal("."), true, true})
	}
}

// mostStaged bounds what is kept of that; beyond it anything may be.
const mostStaged = 64

// gitShows says whether a subcommand shows content that git keeps.
func (c *call) gitShows(sub string, p parsed) bool {
	first := ""
	if len(p.rest) > 0 {
		first = p.rest[0].Text
	}
	switch sub {
	case "log", "reflog", "whatchanged":
		return p.has(gitPatches...) || p.has("L", "c", "cc", "dd", "remerge-diff") || sub == "whatchanged" && !gitSilent(p)
	case "diff", "show", "diff-tree", "diff-index", "diff-files":
		return !p.has("no-index") && !gitSilent(p) || p.has(gitPatches...)
	case "stash":
		return (first == "show" || first == "list") && p.has(gitPatches...) || p.has("p", "patch")
	case "archive":
		return !p.has("l", "list")
	case "fast-export":
		return !p.has("no-data")
	case "bundle":
		return first == "create"
	case "format-patch", "difftool", "unpack-file", "pack-objects", "range-diff", "request-pull":
		return sub != "request-pull" || p.has("p")
	case "merge-tree":
		return len(p.rest) > 2 && !p.has("write-tree")
	case "cat-file":
		return !p.has("e", "t", "s") && !slices.ContainsFunc(p.rest, func(w Word) bool { return strings.Contains(w.Text, ":") })
	case "checkout-index":
		return p.has("temp")
	case "commit":
		return p.has("v", "verbose", "p", "patch", "interactive")
	case "add", "checkout", "reset", "restore":
		return p.has("p", "patch", "i", "interactive")
	}
	return false
}

// gitPatches are the options that show the text of changes.
var gitPatches = []string{"p", "u", "U", "patch", "unified", "binary", "patch-with-stat", "patch-with-raw"}

// gitSilent says whether options replace the text of changes by a summary.
func gitSilent(p parsed) bool {
	return p.has("stat", "shortstat", "numstat", "dirstat", "name-only", "name-status", "summary", "quiet", "raw", "check", "no-patch", "s")
}

// gitAlone are options of git show that no value follows.
var gitAlone = map[string]bool{
	"-p": true, "-s": true, "-q": true, "-w": true, "--patch": true, "--no-patch": true, "--stat": true, "--raw": true, "--oneline": true,
	"--color": true, "--no-color": true, "--textconv": true, "--no-textconv": true, "--no-ext-diff": true, "--no-renames": true, "--quiet": true,
}

// narrowedByPath says whether paths are given, which are judged by themselves:
// behind "--", or by each operand as a revision with a path.
func (c *call) narrowedByPath(sub string, p parsed) bool {
	words := restAfter(c.args, "--")
	if len(words) == 0 {
		return sub == "show" && len(p.rest) > 0 && !slices.ContainsFunc(c.args, func(w Word) bool {
			if strings.HasPrefix(w.Text, "-") {
				return !strings.Contains(w.Text, "=") && !gitAlone[w.Text] // its value would look like an operand
			}
			return !strings.Contains(w.Text, ":") || strings.Contains(w.Text, ":/")
		})
	}
	return !slices.ContainsFunc(words, func(w Word) bool {
		return !w.Static || w.Glob || strings.ContainsAny(w.Text, ":*?[") || w.Text == "." || w.Text == "/"
	})
}

// revision says whether an operand looks like a name of commits rather than of
// files.
func revision(w Word) bool {
	hash := len(w.Text) >= 7 && strings.Trim(w.Text, "0123456789abcdef") == ""
	return !w.Static || hash || strings.ContainsAny(w.Text, "~^@") || strings.Contains(w.Text, "..") ||
		slices.Contains([]string{"HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "main", "master"}, w.Text) || strings.HasPrefix(w.Text, "origin/") || strings.HasPrefix(w.Text, "refs/")
}

// gitStrategies are the ways of merging that git brings itself; of any other
// name it runs a program.
var gitStrategies = map[string]bool{"ort": true, "recursive": true, "resolve": true, "octopus": true, "ours": true, "subtree": true}

// gitPatch notes that a patch chooses the files that it changes.
func (c *call) gitPatch(sub string, p parsed) {
	switch {
	case sub == "am" && !p.has("abort", "quit", "show-current-patch"),
		sub == "apply" && (p.has("apply") || !p.has("check", "stat", "numstat", "summary")):
		dir, known := folderOption(p, "directory")
		if text, ok := c.patchText(p.rest); !ok || !known || !c.patched(text, strips(p, 1), dir) {
			c.patches()
		}
	}
}

// patchCall is patch, which writes the file that it is given or those that the
// patch names.
func patchCall(c *call) outcome {
	x := programs["patch"]
	p := x.parse(c.args)
	if len(p.rest) == 0 && !p.has("dry-run", "check", "C") {
		var files []Word
		if o, ok := p.get("i", "input"); ok && o.has {
			files = []Word{o.val}
		}
		dir, known := folderOption(p, "d", "directory")
		if text, ok := c.patchText(files); !ok || !known || !c.patched(text, strips(p, -1), dir) {
			c.patches()
		}
	}
	return x.look(c)
}

func (c *call) patches() {
	c.file(File{Write: true, Mention: true}, dynamic("that a patch names"))
}
