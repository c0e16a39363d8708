package guard

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"assent/internal/policy"
	"assent/internal/shell"
)

// gitArgs are the arguments of git from the subcommand on; the subcommand is
// the first.
func gitArgs(name string, c *shell.Command) (string, []string) {
	words := []string{"git"}
	if sub, ok := strings.CutPrefix(name, "git-"); ok {
		words = append(words, sub)
	}
	for _, w := range c.Words[1:] {
		words = append(words, w.Text)
	}
	return "git", shell.Subcommand(words)[1:]
}

// gits is git when it throws away what was not committed or pushed.
func gits(v view) *finding {
	if v.name != "git" || len(v.args) == 0 {
		return nil
	}
	sub := view{call: v.call, script: v.script, c: v.c, index: v.index, name: v.args[0], args: v.args[1:]}
	switch sub.name {
	case "checkout", "restore", "switch":
		return gitCheckout(sub)
	case "push", "send-pack":
		return gitPush(sub)
	}
	for _, l := range gitLosses[sub.name] {
		if l.when(sub) {
			return &finding{l.reason, cmp.Or(l.instead, byUser)}
		}
	}
	return nil
}

// gitLoss is a way in which a subcommand throws something away.
type gitLoss struct {
	when    func(sub view) bool
	reason  string
	instead string // "" is that the user runs it
}

// gitLosses are these by subcommand.
var gitLosses = map[string][]gitLoss{
	"reset": {
		{when: view.resetsToMerge, reason: "git reset --merge throws away every change that is staged"},
		{
			when:    func(v view) bool { return v.option("", "hard") },
			reason:  "git reset --hard throws away every change that is not committed",
			instead: "put the changes aside with git stash, or " + byUser,
		},
	},
	"clean": {{
		when: func(v view) bool {
			return !v.option("n", "dry-run") && (v.option("f", "force") || requireForceOff(v.c))
		},
		reason:  "git clean deletes files that git does not know",
		instead: "list them with git clean -n, or " + byUser,
	}},
	"branch": {{
		when:    func(v view) bool { return v.option("D") || v.option("d", "delete") && v.option("f", "force") },
		reason:  "git branch -D deletes commits that may be nowhere else",
		instead: "use git branch -d, which refuses when they are, or " + byUser,
	}},
	"stash": {{
		when:   func(v view) bool { return v.begins("drop") || v.begins("clear") },
		reason: "a dropped stash cannot be brought back",
	}},
	"reflog": {{
		when:   func(v view) bool { return v.begins("expire") || v.begins("delete") },
		reason: "without the reflog lost commits cannot be brought back",
	}},
	"gc": {{
		when: func(v view) bool {
			return slices.Contains(v.args, "--prune=now") || slices.Contains(v.args, "--prune=all")
		},
		reason: losesCommits,
	}},
	"prune":         {{when: func(v view) bool { return !v.option("n", "dry-run") }, reason: losesCommits}},
	"filter-branch": {{when: always, reason: rewrites}},
	"filter-repo":   {{when: always, reason: rewrites}},
	"update-ref": {{
		when: func(v view) bool {
			return v.option("d") || v.option("", "stdin") && (strings.Contains(v.c.Stdin, "delete ") || !v.c.HasStdin)
		},
		reason: "it deletes a reference and perhaps its commits",
	}},
	"worktree": {{
		when:   func(v view) bool { return v.begins("remove") && v.option("f", "force") },
		reason: "it deletes a worktree with the changes in it",
	}},
	"submodule": {{
		when:   func(v view) bool { return v.begins("deinit") && v.option("f", "force") },
		reason: "it deletes a submodule with the changes in it",
	}},
	"rm": {{
		when:   func(v view) bool { return v.option("f", "force") && !v.option("", "cached") },
		reason: "git rm -f deletes changes that are not committed",
	}},
	"checkout-index": {{
		when: func(v view) bool {
			return v.option("f", "force") && (v.option("a", "all") || len(v.operands()) > 0)
		},
		reason: overwrites,
	}},
	"read-tree": {{when: func(v view) bool { return v.option("", "reset") || v.option("u") }, reason: overwrites}},
}

const (
	losesCommits = "it deletes commits that could still be brought back"
	rewrites     = "it rewrites the whole history"
	overwrites   = "it overwrites changes that are not committed"
)

func always(view) bool { return true }

// resetsToMerge says whether --merge is given, by a part of its name as well.
func (v view) resetsToMerge() bool {
	return slices.ContainsFunc(v.args, func(a string) bool { return len(a) > len("--m") && strings.HasPrefix("--merge", a) })
}

// pushesByForce says whether a setting makes every push a forced one.
func pushesByForce(w shell.Word) bool {
	key, value, _ := strings.Cut(strings.ToLower(w.Text), "=")
	return strings.HasPrefix(key, "remote.") &&
		(strings.HasSuffix(key, ".push") && strings.HasPrefix(value, "+") || strings.HasSuffix(key, ".mirror") && value != "false")
}

func requireForceOff(c *shell.Command) bool {
	return slices.ContainsFunc(c.Words, func(w shell.Word) bool {
		return strings.HasPrefix(strings.ToLower(w.Text), "clean.requireforce=")
	})
}

// gitCheckout is checkout and restore of whole folders, and the forced ones.
func gitCheckout(v view) *finding {
	lost := func(part string) *finding {
		return &finding{
			"git " + v.name + " of " + part + " throws away changes that are not committed",
			"restore single files by name, put changes aside with git stash, or " + byUser,
		}
	}
	switch v.name {
	case "switch":
		if v.option("fC", "force", "discard-changes", "force-create") && !v.option("C", "force-create") {
			return lost("a branch by force")
		}
		return nil
	case "checkout":
		if v.option("f", "force") {
			return lost("a branch by force")
		}
	case "restore":
		if v.option("S", "staged") && !v.option("W", "worktree") {
			return nil // the index alone
		}
	}
	paths := v.gitTargets()
	for _, p := range paths {
		if whole(p) || v.folder(p) {
			return lost(p)
		}
	}
	if v.option("", "pathspec-from-file") {
		return lost("the files of a list")
	}
	return nil
}

// gitTargets are the operands that may be paths, without the values of
// options.
func (v view) gitTargets() []string {
	var out []string
	for i := 0; i < len(v.args); i++ {
		a := v.args[i]
		switch {
		case a == "--":
			return append(out, v.args[i+1:]...)
		case a == "-s" || a == "--source" || a == "-b" || a == "-B" || a == "--orphan" || a == "-t" || a == "--track" || a == "--conflict":
			i++
		case strings.HasPrefix(a, "-"):
		default:
			out = append(out, a)
		}
	}
	return out
}

// whole says whether a pathspec stands for a whole folder by its form.
func whole(spec string) bool {
	for strings.HasPrefix(spec, ":") { // pathspec magic: :/ :(top) :!
		if strings.HasPrefix(spec, ":(") {
			magic, rest, ok := strings.Cut(spec, ")")
			if !ok || strings.Contains(magic, "exclude") {
				return true
			}
			spec = rest
		} else {
			rest := strings.TrimLeft(spec, ":/!^")
			if strings.ContainsAny(spec[:len(spec)-len(rest)], "!^") {
				return true // all but this
			}
			spec = rest
		}
		if spec == "" {
			return true
		}
	}
	if strings.HasSuffix(spec, "/") || strings.ContainsAny(spec, "*?[") {
		return spec != ""
	}
	clean := path.Clean(spec)
	return spec != "" && (clean == "." || clean == ".." || strings.HasSuffix(clean, "/..") || clean == "/")
}

// folder says whether an operand is a folder on disk.
func (v view) folder(name string) bool {
	if name == "" || v.c.Remote {
		return false
	}
	found := false
	for _, dir := range v.dirs() {
		at := v.call.Paths.Place(name, dir)
		v.call.Paths.Below(name, dir, func(p policy.Place) bool {
			found = found || len(p.Spellings) > 0 && len(at.Spellings) > 0 && p.Spellings[0].Rel != at.Spellings[0].Rel
			return false
		})
	}
	return found
}

// gitPush is a push that overwrites or deletes what others may have.
func gitPush(v view) *finding {
	if slices.ContainsFunc(v.c.Words, pushesByForce) {
		return no("its configuration makes the push a forced one")
	}
	forced := &finding{
		"a forced push or the deletion of a branch changes what others have",
		"push without force to a new branch, or " + byUser,
	}
	if v.option("fd", "force", "force-with-lease", "force-if-includes", "mirror", "delete", "prune") {
		return forced
	}
	for i, a := range v.args {
		if i > 0 && (v.args[i-1] == "-o" || v.args[i-1] == "--push-option" || v.args[i-1] == "--repo") {
			continue
		}
		if strings.HasPrefix(a, "+") || strings.HasPrefix(a, ":") && a != ":" {
			return forced
		}
	}
	return nil
}
