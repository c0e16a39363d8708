package gate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/workspace"
)

// onlooker is a gate of an agent that only looks, to whom reading programs are
// declared.
func onlooker(t *testing.T, ws *workspace.Workspace) *gate.Gate {
	t.Helper()
	procs := &proc.Table{}
	t.Cleanup(procs.Close)
	return gate.New(gate.Options{Workspace: ws, Yolo: true, Procs: procs, Mode: policy.Mode{
		Name: "plan", Effects: []policy.Effect{policy.Read}, Leave: "leave plan",
		ReadOnly: []string{"git *", "sort *", "cat *", "cd *"},
	}})
}

// looked judges a command and runs it when it may.
func looked(t *testing.T, g *gate.Gate, command string) (out, refused string) {
	t.Helper()
	g.Begin()
	r := bash(command)
	grant, d := g.Decide(t.Context(), r)
	if grant == nil {
		return "", d.Reason
	}
	h, err := grant.Spend("bash", r.Input)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	res, err := h.Shell(t.Context(), command, gate.ShellOptions{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return string(res.Output), ""
}

// TestALookIsSureOfTheConfiguration covers repositories whose configuration is
// found in an unusual way or cannot be read: what git would run is known, or
// the command is refused.
func TestALookIsSureOfTheConfiguration(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of sh")
	}
	for name, c := range map[string]struct {
		dir     string
		arrange func(t *testing.T, root string, git func(...string) string)
		refused string // empty is let run
	}{
		"plain": {".", func(*testing.T, string, func(...string) string) {}, "diff.d."},
		"a repository inside": {"inner", func(_ *testing.T, _ string, _ func(...string) string) {
		}, "diff.d."},
		"a long file .git": {"inner", func(t *testing.T, root string, _ func(...string) string) {
			move(t, root)
			put(t, filepath.Join(root, "inner/.git"), "gitdir: "+filepath.Join(root, ".git/kept")+strings.Repeat("\n", 5000))
		}, "diff.d."},
		"a file .git": {"inner", func(t *testing.T, root string, _ func(...string) string) {
			move(t, root)
			put(t, filepath.Join(root, "inner/.git"), "gitdir: "+filepath.Join(root, ".git/kept")+"\n")
		}, "diff.d."},
		"a bare repository": {"inner", func(t *testing.T, root string, git func(...string) string) {
			git("clone", "-q", "--bare", "inner", "naked.x")
			git("-C", "naked.x", "config", "diff.d.textconv", filepath.Join(root, "none"))
			move(t, root)
			if err := os.RemoveAll(filepath.Join(root, "inner")); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(root, "naked.x"), filepath.Join(root, "inner")); err != nil {
				t.Fatal(err)
			}
		}, "diff.d."},
		"a link .git": {"inner", func(t *testing.T, root string, _ func(...string) string) {
			move(t, root)
			if err := os.Symlink(filepath.Join(root, ".git/kept"), filepath.Join(root, "inner/.git")); err != nil {
				t.Skip(err)
			}
		}, "diff.d."},
		"a broken .gitmodules": {".", func(t *testing.T, root string, git func(...string) string) {
			git("config", "--remove-section", "diff.d")
			put(t, filepath.Join(root, ".gitmodules"), "[broken\n")
		}, "cannot be read"},
		"a folder .gitmodules": {".", func(t *testing.T, root string, git func(...string) string) {
			git("config", "--remove-section", "diff.d")
			put(t, filepath.Join(root, ".gitmodules/x"), "x\n")
		}, "cannot be read"},
		"a broken configuration of the work tree": {".", func(t *testing.T, root string, git func(...string) string) {
			git("config", "--remove-section", "diff.d")
			git("config", "extensions.worktreeConfig", "true")
			put(t, filepath.Join(root, ".git/config.worktree"), "[broken\n")
		}, "cannot be read"},
		"several work trees": {".", func(_ *testing.T, _ string, git func(...string) string) {
			git("config", "--remove-section", "diff.d")
			git("worktree", "add", "-q", "tree")
		}, ""},
		"nothing that runs": {".", func(_ *testing.T, _ string, git func(...string) string) {
			git("config", "--remove-section", "diff.d")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws, git := repository(t, map[string]string{"a.txt": "one\n", ".gitattributes": "*.txt diff=d\n"})
			root := ws.Root()
			evil := filepath.Join(t.TempDir(), "evil")
			if err := os.WriteFile(evil, []byte("#!/bin/sh\ntouch '"+root+"/made'\ncat \"$1\"\n"), 0o700); err != nil { //nolint:gosec // a program is to be run
				t.Fatal(err)
			}
			git("init", "-q", "-b", "main", "inner")
			put(t, filepath.Join(root, "inner/b.txt"), "one\n")
			put(t, filepath.Join(root, "inner/.gitattributes"), "*.txt diff=d\n")
			git("-C", "inner", "add", ".")
			git("-C", "inner", "commit", "-q", "-m", "Inner")
			git("-C", "inner", "config", "diff.d.textconv", evil)
			put(t, filepath.Join(root, "inner/b.txt"), "two\n")
			put(t, filepath.Join(root, "a.txt"), "two\n")
			git("config", "diff.d.textconv", evil)
			c.arrange(t, root, git)
			g := onlooker(t, ws)
			out, refused := looked(t, g, "git -C "+c.dir+" diff")
			if (refused == "") != (c.refused == "") || !strings.Contains(refused, c.refused) || c.refused == "" && !strings.Contains(out, "+two") {
				t.Errorf("%q, refused: %s", out, refused)
			}
			if _, err := os.Lstat(filepath.Join(root, "made")); err == nil {
				t.Error("what is configured was run")
			}
		})
	}
}

// move puts the repository of inner out of the way, where nothing else is
// configured on the way up.
func move(t *testing.T, root string) {
	t.Helper()
	if err := os.Rename(filepath.Join(root, "inner/.git"), filepath.Join(root, ".git/kept")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("git", "config", "--remove-section", "diff.d")
	c.Dir = root
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestALookRefusesAFolderItCannotList covers a folder whose names cannot be
// known: one may be an option.
func TestALookRefusesAFolderItCannotList(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("every folder can be read")
	}
	ws, dir := open(t, map[string]string{"d/a": "1\n"})
	if err := os.Chmod(filepath.Join(dir, "d"), 0o300); err != nil { //nolint:gosec // a folder that cannot be listed
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "d"), 0o700) }) //nolint:gosec // so that it can be removed
	if out, refused := looked(t, onlooker(t, ws), "cd d && sort *"); !strings.Contains(refused, "one may be an option") {
		t.Errorf("%q, refused: %s", out, refused)
	}
}

// TestALookStandsOverTheEnvironment covers settings that the environment of the
// whole program already holds: those of a look are in their place. It sets
// variables, and so runs alone.
func TestALookStandsOverTheEnvironment(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of sh")
	}
	ws, _ := repository(t, map[string]string{"a.txt": "one\n"})
	put(t, filepath.Join(ws.Root(), "a.txt"), "two\n")
	made := filepath.Join(ws.Root(), "made")
	evil := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\ntouch '"+made+"'\n"), 0o700); err != nil { //nolint:gosec // a program is to be run
		t.Fatal(err)
	}
	for name, env := range map[string][]string{
		"count":      {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=" + evil},
		"parameters": {"GIT_CONFIG_PARAMETERS='core.fsmonitor'='" + evil + "'"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range env {
				key, value, _ := strings.Cut(e, "=")
				t.Setenv(key, value)
			}
			out, refused := looked(t, onlooker(t, ws), "git status --short")
			if refused != "" || !strings.Contains(out, "a.txt") {
				t.Errorf("%q, refused: %s", out, refused)
			}
			if _, err := os.Lstat(made); err == nil {
				t.Error("what is configured was run")
			}
			_ = os.Remove(made)
		})
	}
}
