package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assent/internal/late"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/shell"
)

// A command that was declared to be read-only may still write, run or reach
// something by what it finds configured: git refreshes its index and runs what
// a repository names (a monitor of files, hooks, checkers of signatures,
// filters), go fetches modules. For an agent that only looks these are off, by
// the environment where that can be, else the call is refused.

// lookingEnv turns off what the environment can.
var lookingEnv = []string{
	"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
	"GIT_CONFIG_PARAMETERS=", // what a git around this program was given by -c would stand over these settings
	"GOPROXY=off", "GONOPROXY=none", "GOVCS=*:off",
}

// lookingConfig are settings of git that stand over those of a repository.
var lookingConfig = []string{
	"core.fsmonitor=false", "core.hooksPath=/dev/null", "diff.autoRefreshIndex=false", "diff.ignoreSubmodules=dirty", "diff.submodule=short",
	"status.submoduleSummary=false", "submodule.recurse=false", "log.showSignature=false",
	"gpg.program=false", "gpg.openpgp.program=false", "gpg.x509.program=false", "gpg.ssh.program=false",
}

// running are the keys of a repository's own configuration by which a reading
// subcommand would run something.
var (
	localRunning   = late.Regexp(`(?s)^(?:filter\..+\.(?:clean|smudge|process|required)|diff\..*(?:external|textconv|command)|alias\..+|tar\..+\.command|trailer\..+\.c(?:om)?ma?nd|submodule\..+\.ignore)$`)
	localDriver    = late.Regexp(`(?s)^diff\..*(?:external|textconv|command)$`)
	localSubmodule = late.Regexp(`(?s)^submodule\.(.+)\.ignore$`)
)

// narrowed reports whether a mode refuses the call, and makes a command of one
// that looks run with the environment for that.
func (g *Gate) narrowed(ctx context.Context, t *trial) bool {
	t.env = nil
	for _, m := range g.modes() {
		d, no := m.Decide(t.request.call())
		if !no && m.Looks() && t.request.Effect == policy.Exec && t.request.Plan.Script != nil && t.env == nil {
			var why string
			if t.env, why = g.quiet(ctx, t); why != "" {
				d, no = m.Refuse(why), true
			}
		}
		if no {
			d.Subjects = g.among(t, d.Subjects...)
			t.decision = d
			return true
		}
	}
	return false
}

// quiet is the environment in which the commands of a script change nothing by
// what is configured; why says what cannot be turned off.
func (g *Gate) quiet(ctx context.Context, t *trial) (env []string, why string) {
	set := slices.Clone(lookingConfig)
	known := map[string][]string{}
	for _, c := range t.request.Plan.Script.Commands {
		if len(c.Words) == 0 {
			continue
		}
		if why := cmp.Or(uncovered(c), dashed(t.disk, c)); why != "" {
			return nil, why
		}
		if !reachesGit(c) {
			continue
		}
		if why := foreign(c); why != "" {
			return nil, why
		}
		if c.DirUnknown {
			return nil, fmt.Sprintf("the folder that %q works in cannot be known", c.Text)
		}
		for _, dir := range append(slices.Clone(c.Dirs), c.Dir) {
			p, err := t.disk.Resolve(".", dir)
			if err != nil {
				return nil, fmt.Sprintf("the folder that %q works in cannot be found", c.Text)
			}
			top := configuredAt(p.Real)
			if top == "" {
				continue
			}
			keys, seen := known[top]
			if !seen {
				if keys, err = localKeys(ctx, top); err != nil {
					return nil, fmt.Sprintf("what the repository of %q configures cannot be read: %v", c.Text, err)
				}
				known[top] = keys
				set = append(set, disarming(keys)...)
			}
			if key := runs(c, keys); key != "" {
				return nil, fmt.Sprintf("the repository's own configuration makes %q run a program (%s); the git tools (git_diff, git_show, git_log, …) do not", c.Text, key)
			}
		}
		if word := intoSubmodules(c); word != "" {
			return nil, fmt.Sprintf("%q goes into submodules, whose configuration could run a program", word)
		}
	}
	env = append(slices.Clone(lookingEnv), "GIT_CONFIG_COUNT="+strconv.Itoa(len(set)))
	for i, s := range set {
		at := strings.LastIndexByte(s, '=') // no value holds one, a name may
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[:at]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[at+1:]))
	}
	return env, ""
}

// foreign says why a command of git is none for who only looks, whatever pattern
// declared it: it is no subcommand that reads, or one that has its pages shown
// by what is configured. It is empty for any other.
func foreign(c shell.Command) string {
	sub, rest := subcommand(c)
	if shell.Program(c.Words[0].Text) != "git" {
		return ""
	}
	page := sub == "help" && slices.ContainsFunc(rest, func(w shell.Word) bool { return !w.Static || !strings.HasPrefix(w.Text, "-") })
	for i, w := range c.Words {
		before := i < len(c.Words)-len(rest) // of the subcommand, where -p is no patch
		page = page || w.Text == "--help" || before && (w.Text == "-p" || w.Text == "--paginate")
	}
	switch {
	case page:
		return fmt.Sprintf("%q runs what is configured to show pages; -h prints its options", c.Text)
	case sub != "" && !reading(sub):
		return fmt.Sprintf("git %s is not among the subcommands of git that only read", sub)
	}
	return ""
}

// uncovered says why the commands behind env would run without the environment
// that a run of reading commands has, empty when they would not.
func uncovered(c shell.Command) string {
	if name := shell.Program(c.Words[0].Text); name != "env" && name != "genv" {
		return ""
	}
	for _, w := range c.Words[1:] {
		switch {
		case w.Static && (w.Text == "--" || w.Text == "-v" || w.Text == "-0"):
		case !w.Static || strings.HasPrefix(w.Text, "-"):
			return fmt.Sprintf("%q may take away the settings that keep the commands of a read-only agent from writing", c.Text)
		case !strings.Contains(w.Text, "="):
			return ""
		}
	}
	return ""
}

// dashed says why a pattern or a list of files may stand for options, empty
// when it does not: no file in their folders has a name that begins with a dash.
func dashed(disk paths, c shell.Command) string {
	for i, w := range c.Words[1:] {
		wild := w.Glob && w.Text != "" && strings.IndexByte("*?[", w.Text[0]) >= 0
		if !wild && len(w.Lists) == 0 || harmlessToRead(c, i+1) {
			continue
		}
		folders := [][2]string{{".", c.Dir}}
		for _, dir := range c.Dirs {
			folders = append(folders, [2]string{".", dir})
		}
		for _, f := range w.Lists {
			folders = append(folders, [2]string{f.Path, f.Dir})
		}
		for _, f := range folders {
			p, err := disk.Resolve(f[0], f[1])
			if err != nil {
				return fmt.Sprintf("what %q stands for in %q cannot be known", w.Shown, c.Text)
			}
			entries, err := os.ReadDir(p.Real)
			if info, no := os.Stat(p.Real); err != nil && no == nil && info.IsDir() { // what is no folder lists itself
				return fmt.Sprintf("the names that %q in %q stands for cannot be known, and one may be an option; write ./ before the pattern", w.Shown, c.Text)
			}
			for _, e := range entries {
				if strings.HasPrefix(e.Name(), "-") {
					return fmt.Sprintf("%q in %q stands for a file named %q as well, which would be taken for an option; write ./ before the pattern", w.Shown, c.Text, e.Name())
				}
			}
		}
	}
	return ""
}

// harmlessToRead says whether the word at a place can be no option that
// matters: no option of the program writes or runs, or it stands behind "--".
func harmlessToRead(c shell.Command, at int) bool {
	switch shell.Program(c.Words[0].Text) {
	case "ls", "cat", "head", "tail", "wc", "grep", "cut", "nl", "od", "stat", "du", "cmp", "comm", "echo", "printf", "test", "[", "basename", "dirname":
		return true
	case "find", "env", "xargs", "awk", "sed":
		return false
	}
	return slices.ContainsFunc(c.Words[:at], func(w shell.Word) bool { return w.Static && w.Text == "--" })
}

// reachesGit says whether a command may be git, or start it.
func reachesGit(c shell.Command) bool {
	switch shell.Program(c.Words[0].Text) {
	case "git", "go":
		return true
	}
	return c.Opaque
}

// configuredAt is the folder at or above one where git finds a repository, in
// whatever form, or fails for what it finds; empty when there is none.
func configuredAt(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || bare(dir) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// localKeys are the keys of a repository's own configuration that matter here.
func localKeys(ctx context.Context, top string) ([]string, error) {
	var all []string
	// Without a configuration of its own git may refuse to tell that of a work
	// tree; a broken one fails with --local already.
	sources := [][]string{{"--local"}, {"--worktree"}}
	modules := path.Join(filepath.ToSlash(top), ".gitmodules")
	if _, err := os.ReadFile(modules); err == nil {
		sources = append(sources, []string{"--file", modules})
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err // git would warn and call it empty
	}
	for _, from := range sources {
		argv := slices.Concat([]string{"git"}, gitFixed, []string{"config"}, from, []string{"--includes", "-z", "--name-only", "--get-regexp", `^(filter|diff|alias|tar|trailer|submodule)\.`})
		res, err := proc.Run(ctx, proc.Spec{Argv: argv, Dir: top, Env: gitEnv, Timeout: 10 * time.Second, MaxOutput: gitOutput})
		if err != nil {
			return nil, err
		}
		if res.Truncated > 0 || res.Exit < 0 || res.Exit > 1 && from[0] != "--worktree" {
			return nil, fmt.Errorf("git config ended with code %d", res.Exit)
		}
		for _, key := range parted(res.Stdout) {
			if localRunning().MatchString(key) {
				all = append(all, key)
			}
		}
	}
	return all, nil
}

// disarming are the settings that turn off what keys would run, where an empty
// value does.
func disarming(keys []string) []string {
	var set []string
	for _, key := range keys {
		switch {
		case strings.HasPrefix(key, "filter.") && strings.HasSuffix(key, ".required"):
			set = append(set, key+"=false")
		case strings.HasPrefix(key, "filter."):
			set = append(set, key+"=")
		case localSubmodule().MatchString(key):
			set = append(set, key+"=dirty")
		}
	}
	return set
}

// plainLog are the options of a log that shows no content, and numbers.
var plainLog = late.Regexp(`^(?:--|-\d+|-n\d*|--oneline|--graph|--all|--branches|--tags|--remotes|--stat(?:=.*)?|--shortstat|--numstat|--name-only|--name-status|--no-merges|--merges|--reverse|--decorate(?:=.*)?|--follow|--date=.*|--first-parent|--topo-order|--date-order|--abbrev-commit|--no-patch|-s|-i|--no-color|--max-count=.*|--skip=.*|--(?:since|until|after|before|author|grep|format|pretty)(?:=.*)?)$`)

// runs is the key by which a command of git would run something, empty when
// none does.
func runs(c shell.Command, keys []string) string {
	sub, rest := subcommand(c)
	if sub == "" {
		return ""
	}
	content := false
	switch sub {
	case "diff", "show", "blame", "annotate", "whatchanged", "stash", "format-patch", "range-diff", "difftool", "diff-tree", "diff-index", "diff-files", "grep", "cat-file":
		content = true
	case "log", "rev-list", "shortlog", "reflog":
		content = slices.ContainsFunc(rest, func(w shell.Word) bool {
			return !w.Static || strings.HasPrefix(w.Text, "-") && !plainLog().MatchString(w.Text)
		})
	}
	for _, key := range keys {
		switch {
		case content && localDriver().MatchString(key),
			!reading(sub) && strings.EqualFold(key, "alias."+sub),
			sub == "archive" && strings.HasPrefix(key, "tar.") && formatted(rest),
			sub == "interpret-trailers" && strings.HasPrefix(key, "trailer."):
			return key
		}
	}
	return ""
}

// reading says whether a word is a subcommand of git itself that reads, at
// least in one of its forms; of these with others shell.Command.Changes tells.
// An alias never stands over one.
func reading(sub string) bool {
	switch sub {
	case "annotate", "archive", "bisect", "blame", "branch", "bundle", "cat-file", "check-attr", "check-ignore", "check-mailmap",
		"check-ref-format", "cherry", "config", "count-objects", "describe", "diff", "diff-files", "diff-index", "diff-tree",
		"for-each-ref", "fsck", "get-tar-commit-id", "grep", "hash-object", "help", "interpret-trailers", "log", "ls-files",
		"ls-remote", "ls-tree", "merge-base", "name-rev", "notes", "patch-id", "range-diff", "reflog", "remote", "rerere",
		"rev-list", "rev-parse", "shortlog", "show", "show-branch", "show-index", "show-ref", "sparse-checkout", "stash", "status",
		"stripspace", "submodule", "symbolic-ref", "tag", "var", "verify-commit", "verify-pack", "verify-tag", "version",
		"whatchanged", "worktree":
		return true
	}
	return false
}

// formatted says whether an archive is made in a form that is named.
func formatted(words []shell.Word) bool {
	return slices.ContainsFunc(words, func(w shell.Word) bool {
		return !w.Static || strings.HasPrefix(w.Text, "--f") || strings.HasPrefix(w.Text, "-o") || strings.HasPrefix(w.Text, "--o")
	})
}

// subcommand is that of a command of git, and what follows it.
func subcommand(c shell.Command) (sub string, rest []shell.Word) {
	if shell.Program(c.Words[0].Text) != "git" {
		return "", nil
	}
	for i := 1; i < len(c.Words); i++ {
		switch w := c.Words[i].Text; {
		case w == "-C" || w == "-c" || w == "--git-dir" || w == "--work-tree" || w == "--namespace":
			i++
		case !strings.HasPrefix(w, "-"):
			return w, c.Words[i+1:]
		}
	}
	return "", nil
}

// intoSubmodules is an option that makes git look into submodules.
func intoSubmodules(c shell.Command) string {
	if shell.Program(c.Words[0].Text) != "git" {
		return ""
	}
	for _, w := range c.Words[1:] {
		for _, o := range []string{"--ignore-submodules=none", "--ignore-submodules=untracked", "--recurse-submodules", "--submodule"} {
			if len(w.Text) > len("--s") && (strings.HasPrefix(w.Text, o) || strings.HasPrefix(o, w.Text) && strings.HasPrefix(w.Text, "--submo")) {
				return w.Text
			}
		}
	}
	return ""
}
