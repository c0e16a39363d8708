package shell

import (
	"slices"
	"strings"
)

// gitHistory notes a subcommand that shows or packs the content of whatever
// git tracks. It only may hold what is denied: a change need not touch it.
func (c *call) gitHistory(sub string, p parsed) {
	shows := false
	switch sub {
	case "log", "reflog", "whatchanged":
		shows = p.has(gitPatches...) || p.has("L", "c", "cc")
	case "diff", "show", "diff-tree", "diff-index", "diff-files":
		shows = !p.has("no-index") && !gitSilent(p) || p.has(gitPatches...)
	case "stash":
		shows = len(p.rest) > 0 && (p.rest[0].Text == "show" || p.rest[0].Text == "list") && p.has(gitPatches...)
	case "archive":
		shows = !p.has("l", "list")
	case "fast-export":
		shows = !p.has("no-data")
	case "bundle":
		shows = len(p.rest) > 0 && p.rest[0].Text == "create"
	case "format-patch":
		shows = true
	}
	if !shows {
		return
	}
	f := File{Mention: true, Tree: true, Tracked: true}
	if !c.narrowedByPath(sub) {
		c.file(f, literal("."))
		return
	}
	for _, w := range restAfter(c.args, "--") {
		c.file(f, w)
	}
}

// gitPatches are the options that show the text of changes.
var gitPatches = []string{"p", "u", "U", "patch", "unified", "binary", "patch-with-stat", "patch-with-raw"}

// gitSilent says whether options replace the text of changes by a summary.
func gitSilent(p parsed) bool {
	return p.has("stat", "shortstat", "numstat", "dirstat", "name-only", "name-status", "summary", "quiet", "raw", "check", "no-patch", "s")
}

// narrowedByPath says whether paths are given, which are judged by themselves:
// behind "--", or a revision with a path.
func (c *call) narrowedByPath(sub string) bool {
	words := restAfter(c.args, "--")
	if len(words) == 0 {
		return sub == "show" && slices.ContainsFunc(c.args, func(w Word) bool {
			return !strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, ":") && !strings.Contains(w.Text, ":/")
		})
	}
	return !slices.ContainsFunc(words, func(w Word) bool {
		return !w.Static || w.Glob || strings.ContainsAny(w.Text, ":*?[") || w.Text == "." || w.Text == "/"
	})
}

// gitStrategies are the ways of merging that git brings itself; of any other
// name it runs a program.
var gitStrategies = map[string]bool{"ort": true, "recursive": true, "resolve": true, "octopus": true, "ours": true, "subtree": true}

// gitPatch notes that a patch chooses the files that it changes.
func (c *call) gitPatch(sub string, p parsed) {
	switch {
	case sub == "am" && !p.has("abort", "quit", "show-current-patch"),
		sub == "apply" && (p.has("apply") || !p.has("check", "stat", "numstat", "summary")):
		c.patches()
	}
}

// patchCall is patch, which writes the file that it is given or those that the
// patch names.
func patchCall(c *call) outcome {
	x := programs["patch"]
	if p := x.parse(c.args); len(p.rest) == 0 && !p.has("dry-run", "check", "C") {
		c.patches()
	}
	return x.look(c)
}

func (c *call) patches() {
	c.file(File{Write: true, Mention: true}, dynamic("that a patch names"))
}
