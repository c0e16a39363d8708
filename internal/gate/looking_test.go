package gate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/gate"
	"assent/internal/policy"
)

// planner is an agent that only looks, with whole programs declared.
func planner() policy.Mode {
	return policy.Mode{
		Name: "plan", Effects: []policy.Effect{policy.Read}, Leave: "leave plan",
		ReadOnly: []string{"git *", "go *", "sort *", "cat *", "ls", "env", "xargs *", "cd *"},
	}
}

// armed is a repository whose configuration makes whatever git runs leave a
// file named made, and how a command is judged and run in it.
type armed struct {
	t    *testing.T
	dir  string
	gate *gate.Gate
	runs int
}

func newArmed(t *testing.T) *armed {
	t.Helper()
	ws, git := repository(t, map[string]string{
		"a.txt": "one\n", ".gitattributes": "*.txt filter=f diff=d\n", "sub/b.txt": "two\n", "go.mod": "module m\n",
	})
	dir := ws.Root()
	evil := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\ntouch "+dir+"/made\ncat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, ".git/hooks/post-index-change"), "#!/bin/sh\ntouch "+dir+"/made\n")
	if err := os.Chmod(filepath.Join(dir, ".git/hooks/post-index-change"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{
		"core.fsmonitor", "filter.f.clean", "filter.f.process", "filter.f.smudge", "diff.d.textconv", "diff.d.command",
		"gpg.program", "man.v.cmd", "alias.st", "core.pager", "tar.tgz.command", "core.sshCommand",
	} {
		git("config", key, evil)
	}
	git("config", "alias.st", "!"+evil)
	git("config", "filter.f.required", "true")
	git("config", "man.viewer", "v")
	git("config", "log.showSignature", "true")
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Procs: procs(t), Mode: planner()})
	return &armed{t: t, dir: dir, gate: g}
}

// run judges a command and runs it when it may.
func (a *armed) run(command string) (out, refused string) {
	a.t.Helper()
	a.gate.Begin()
	r := bash(command)
	a.runs++
	r.ID = fmt.Sprint("call-", a.runs)
	grant, d := a.gate.Decide(a.t.Context(), r)
	if grant == nil {
		return "", d.Reason
	}
	h, err := grant.Spend("bash", grant.Input())
	if err != nil {
		a.t.Fatal(err)
	}
	defer h.Close()
	res, err := h.Shell(a.t.Context(), command, gate.ShellOptions{Timeout: time.Minute})
	if err != nil {
		a.t.Fatal(err)
	}
	return string(res.Output), ""
}

// PERM-30: what an agent that only looks is let run leaves nothing behind,
// whatever the repository configures, and the rest is refused with a reason.
func TestALookRunsNothingThatIsConfigured(t *testing.T) {
	t.Parallel()
	a := newArmed(t)
	put(t, filepath.Join(a.dir, "a.txt"), "changed\n")
	index := func() string {
		b, err := os.ReadFile(filepath.Join(a.dir, ".git/index"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	was := index()
	for command, want := range map[string]string{
		"git status --short":                        "a.txt", // the one that changed
		"git log --oneline | cat -":                 "First",
		"git -C sub log --oneline":                  "First",
		"git ls-files":                              "sub/b.txt",
		"git log --format=%G?":                      "N",
		"go env GOPROXY":                            "off",
		"ls | xargs git ls-files --":                "a.txt",
		"git config --get core.fsmonitor":           "false",
		"git remote -v && git branch && git tag -l": "main",
		"cat a.txt":                                 "changed",
	} {
		out, refused := a.run(command)
		if refused != "" || !strings.Contains(out, want) {
			t.Errorf("%s: %q, refused: %s", command, out, refused)
		}
	}
	for command, why := range map[string]string{
		"git diff":                            "diff.d.",
		"git show HEAD":                       "diff.d.",
		"git log -p":                          "diff.d.",
		"git st":                              "only read",
		"git archive --format=tgz HEAD":       "tar.tgz.command",
		"git commit --allow-empty -m x":       "only read",
		"git update-index --refresh":          "only read",
		"git push":                            "only read",
		"git --attr-source HEAD gc":           "only read",
		"git help log":                        "show pages",
		"git help \"$x\"":                     "",
		"git log --help":                      "show pages",
		"git --help log":                      "show pages",
		"git -p log":                          "show pages",
		"git $x":                              "cannot be known",
		"x=gc; git $x":                        "cannot be known",
		"git branch x":                        "changes the repository",
		"git config core.pager less":          "can run another program",
		"env -i git status":                   "may take away",
		"env -u GIT_CONFIG_COUNT git gc":      "may take away",
		"git status --ignore-submodules=none": "submodules",
		"git -C \"$HOME\" status":             "",
		"git status > made":                   "",
		"touch made":                          "",
	} {
		out, refused := a.run(command)
		if refused == "" || !strings.Contains(refused, why) {
			t.Errorf("%s: %q, refused: %s", command, out, refused)
		}
	}
	if _, err := os.Lstat(filepath.Join(a.dir, "made")); err == nil {
		t.Error("something that is configured was run")
	}
	if index() != was {
		t.Error("the index was written anew")
	}
}

// The user's own settings by the environment are replaced, not added beside.
func TestALookReplacesSettingsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	a := newArmed(t)
	for _, key := range []string{"GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "GIT_OPTIONAL_LOCKS", "GIT_ALLOW_PROTOCOL"} {
		out, refused := a.run("env | cat -")
		if refused != "" || strings.Count("\n"+out, "\n"+key+"=") > 1 {
			t.Errorf("%s: %q, refused: %s", key, out, refused)
		}
	}
}

// A pattern stands for each name of its folder, options among them.
func TestALookTakesNoNameForAnOption(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a": "1\n", "d/-ox": "2\n", "list": "a\n", "clean/a": "3\n"})
	a := &armed{t: t, dir: dir, gate: gate.New(gate.Options{Workspace: ws, Yolo: true, Procs: procs(t), Mode: planner()})}
	for command, refused := range map[string]bool{
		"sort *": false, "cd d && sort *": true, "cd d && sort ./*": false, "cd d && sort -- *": false, "cd d && cat *": false,
		"cd clean && sort *": false, "cd d; ls | xargs sort": true, "cd clean; ls | xargs sort": false,
	} {
		if out, why := a.run(command); (why != "") != refused || refused && !strings.Contains(why, "option") && !strings.Contains(why, "folder") {
			t.Errorf("%s: %q, refused: %s", command, out, why)
		}
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "d", "*")); !slices.Equal(names, []string{filepath.Join(dir, "d", "-ox")}) {
		t.Errorf("left: %v", names)
	}
}
