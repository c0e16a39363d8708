package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestSSHCommandOfARepositoryStays: wherever git finds an ssh command of the
// user's, so do we; git itself is asked. (SHEL-09)
func TestSSHCommandOfARepositoryStays(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	for _, c := range []struct {
		name, script, at string // the script runs in an empty home; at is the folder below it
		want             bool
	}{
		{"none", `git init -q r`, "r", false},
		{"top", `git init -q r; git -C r config core.sshCommand x`, "r", true},
		{"below the top", `git init -q r; mkdir -p r/a/b; git -C r config core.sshCommand x`, "r/a/b", true},
		{"work tree", `git init -q r; c r; git -C r worktree add -q ../w; git -C r config core.sshCommand x`, "w", true},
		{"below a work tree", `git init -q r; c r; git -C r worktree add -q ../w; mkdir w/a; git -C r config core.sshCommand x`, "w/a", true},
		{"of a work tree alone", `git init -q r; c r; git -C r worktree add -q ../w; git -C r config extensions.worktreeConfig true; git -C w config --worktree core.sshCommand x`, "w", true},
		{"submodule", `git init -q s; c s; git init -q r; git -C r -c protocol.file.allow=always submodule add -q ../s m; git -C r/m config core.sshCommand x`, "r/m", true},
		{"included by the repository", `git init -q r; printf '[core]\n\tsshcommand = x\n' >r/.git/more; git -C r config include.path more`, "r", true},
		{"included twice", `git init -q r; printf '[include]\npath = "b"\n' >a; printf '[core]\n\tSSHCommand=x\n' >b; git config --global include.path '~/a'`, "r", true},
		{"included on a condition", `git init -q r; printf '[core]\n\tsshCommand = x\n' >a; git config --global includeIf."gitdir:~/r/".path '~/a'`, "r", true},
		{"included with a remark", `git init -q r; printf '[core]\n\tsshCommand = x\n' >a; printf '[include]\n\tpath = ~/a # mine\n' >.gitconfig`, "r", true},
		{"included in quotes with a remark", `git init -q r; printf '[core]\n\tsshCommand = x\n' >'a#;'; printf '[include]\n\tpath = "a#;" ; mine\n' >.gitconfig`, "r", true},
		{"included by a name with quotes", `git init -q r; printf '[core]\n\tsshCommand = x\n' >'a"b'; printf '[include]\n\tpath = a\\"b\n' >.gitconfig`, "r", true},
		{"included over two lines", `git init -q r; printf '[core]\n\tsshCommand = x\n' >ab; printf '[include]\n\tpath = a\\\nb\n' >.gitconfig`, "r", true},
		{"including itself", `git init -q r; printf '[include] path = c\n' >.gitconfig; printf '[user] name = c\n' >c`, "r", false},
		{"another repository beside", `git init -q r; git init -q o; git -C o config core.sshCommand x`, "r", false},
		{"no repository", `mkdir r`, "r", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			home, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env = append(env, "GIT_"+who+"_NAME=n", "GIT_"+who+"_EMAIL=e@example.com")
			}
			git := func(dir string, argv ...string) ([]byte, error) {
				cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
				cmd.Dir, cmd.Env = dir, env
				return cmd.CombinedOutput()
			}
			out, err := git(home, "sh", "-ec", `c() { git -C "$1" commit -q --allow-empty -m x; }; `+c.script)
			if err != nil {
				t.Skipf("this git cannot: %s", out)
			}
			dir := filepath.Join(home, c.at)
			out, err = git(dir, "git", "config", "--get", "core.sshCommand")
			if (err == nil) != c.want {
				t.Fatalf("git itself says %q, %v", out, err)
			}
			if got := configuresSSH(env, dir); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if !configuresSSH([]string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.sshCommand", "GIT_CONFIG_VALUE_0=x"}, t.TempDir()) {
		t.Error("the environment's is overridden")
	}
}
