package guard

import (
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
	case "reset":
		if slices.ContainsFunc(sub.args, func(a string) bool { return len(a) > len("--m") && strings.HasPrefix("--merge", a) }) {
			return no("git reset --merge throws away every change that is staged")
		}
		if sub.option("", "hard") {
			return &finding{
				"git reset --hard throws away every change that is not committed",
				"put the changes aside with git stash, or " + byUser,
			}
		}
	case "clean":
		if !sub.option("n", "dry-run") && (sub.option("f", "force") || requireForceOff(v.c)) {
			return &finding{"git clean deletes files that git does not know", "list them with git clean -n, or " + byUser}
		}
	case "checkout", "restore", "switch":
		return gitCheckout(sub)
	case "push", "send-pack":
		if slices.ContainsFunc(v.c.Words, pushesByForce) {
			return no("its configuration makes the push a forced one")
		}
		return gitPush(sub)
	case "branch":
		if sub.option("D") || sub.option("d", "delete") && sub.option("f", "force") {
			return &finding{"git branch -D deletes commits that may be nowhere else", "use git branch -d, which refuses when they are, or " + byUser}
		}
	case "stash":
		if sub.begins("drop") || sub.begins("clear") {
			return no("a dropped stash cannot be brought back")
		}
	case "reflog":
		if sub.begins("expire") || sub.begins("delete") {
			return no("without the reflog lost commits cannot be brought back")
		}
	case "gc":
		if slices.ContainsFunc(sub.args, func(a string) bool { return a == "--prune=now" || a == "--prune=all" }) {
			return no("it deletes commits that could still be brought back")
		}
	case "prune":
		if !sub.option("n", "dry-run") {
			return no("it deletes commits that could still be brought back")
		}
	case "filter-branch", "filter-repo":
		return no("it rewrites the whole history")
	case "update-ref":
		if sub.option("d") || sub.option("", "stdin") && (strings.Contains(v.c.Stdin, "delete ") || !v.c.HasStdin) {
			return no("it deletes a reference and perhaps its commits")
		}
	case "worktree":
		if sub.begins("remove") && sub.option("f", "force") {
			return no("it deletes a worktree with the changes in it")
		}
	case "submodule":
		if sub.begins("deinit") && sub.option("f", "force") {
			return no("it deletes a submodule with the changes in it")
		}
	case "rm":
		if sub.option("f", "force") && !sub.option("", "cached") {
			return no("git rm -f deletes changes that are not committed")
		}
	case "checkout-index":
		if sub.option("f", "force") && (sub.option("a", "all") || len(sub.operands()) > 0) {
			return no("it overwrites changes that are not committed")
		}
	case "read-tree":
		if sub.option("", "reset") || sub.option("u") {
			return no("it overwrites changes that are not committed")
		}
	}
	return nil
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
