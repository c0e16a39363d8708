package gate

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/shell"
)

// plainly is a command of static words.
func plainly(text string) shell.Command {
	c := shell.Command{Text: text}
	for _, w := range strings.Fields(text) {
		c.Words = append(c.Words, shell.Word{Text: w, Shown: w, Static: true})
	}
	return c
}

// TestUncoveredCommands covers the ways in which env takes settings away.
func TestUncoveredCommands(t *testing.T) {
	t.Parallel()
	for text, refused := range map[string]bool{
		"env git status": false, "env A=1 git status": false, "env -- git status": false, "env": false, "git -i": false,
		"env -i git status": true, "env -u GIT_CONFIG_COUNT git status": true, "/usr/bin/env - git status": true, "genv A=1 -i git log": true,
	} {
		if why := uncovered(plainly(text)); (why != "") != refused {
			t.Errorf("%s: %q", text, why)
		}
	}
}

// TestIntoSubmodules covers the options that look into submodules, shortened too.
func TestIntoSubmodules(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"git status": "", "git diff --stat": "", "git diff --ignore-submodules=all": "", "ls --submodule": "",
		"git diff --submodule=diff": "--submodule=diff", "git diff --submod": "--submod",
		"git grep --recurse-submodules x": "--recurse-submodules", "git status --ignore-submodules=none": "--ignore-submodules=none",
	} {
		if got := intoSubmodules(plainly(text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestWhatConfigurationRuns covers which key makes which subcommand run something.
func TestWhatConfigurationRuns(t *testing.T) {
	t.Parallel()
	keys := []string{"diff.x.textconv", "alias.st", "tar.tgz.command", "trailer.a.cmd"}
	for text, want := range map[string]string{
		"git status": "", "git log --oneline -5": "", "git archive HEAD": "", "go vet": "", "git --version": "",
		"git diff": "diff.x.textconv", "git -C sub show": "diff.x.textconv", "git log -p": "diff.x.textconv",
		"git st": "alias.st", "git ST": "alias.st", "git archive --format=tgz HEAD": "tar.tgz.command", "git archive -ox.tgz HEAD": "tar.tgz.command",
		"git interpret-trailers": "trailer.a.cmd",
	} {
		if got := runs(plainly(text), keys); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestKeysOfRepository covers where a repository's own configuration may stand.
func TestKeysOfRepository(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	top := t.TempDir()
	git := exec.CommandContext(t.Context(), "git", "init", "-q", top)
	git.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, text := range map[string]string{
		".git/config":          "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n[include]\n\tpath = more\n[includeIf \"gitdir:**\"]\n\tpath = some\n",
		".git/more":            "[ALIAS]\n\tST = !id\n",
		".git/some":            "[filter \"a=b\"]\n\tclean = id\n\trequired = true\n",
		".git/config.worktree": "[diff \"x\"]\n\ttextconv = id\n",
		".gitmodules":          "[submodule \"s\"]\n\tignore = none\n",
	} {
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keys, err := localKeys(t.Context(), top)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"alias.st", "filter.a=b.clean", "filter.a=b.required", "diff.x.textconv", "submodule.s.ignore"} {
		if !slices.Contains(keys, want) {
			t.Errorf("%s is missing in %q", want, keys)
		}
	}
	for _, want := range []string{"filter.a=b.clean=", "filter.a=b.required=false", "submodule.s.ignore=dirty"} {
		if !slices.Contains(disarming(keys), want) {
			t.Errorf("%s is not turned off", want)
		}
	}
	if err := os.WriteFile(filepath.Join(top, ".git/config"), []byte("[broken\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if keys, err := localKeys(t.Context(), top); err == nil {
		t.Errorf("a broken configuration was read: %q", keys)
	}
}

// TestHarmlessWords covers which words may be options that matter.
func TestHarmlessWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"ls *": true, "git log -- *": true, "sort *": false, "find -- *": false, "sed -- *": false, "git log * --": false,
	} {
		if c := plainly(text); harmlessToRead(c, slices.IndexFunc(c.Words, func(w shell.Word) bool { return w.Text == "*" })) != want {
			t.Errorf("%s: want %t", text, want)
		}
	}
}
