//go:build unix

package proc_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent/internal/proc"
)

func TestEnvironTurnsPromptsOff(t *testing.T) { // SHEL-09
	t.Setenv("ASSENT_API_KEY", "not for children")
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("GIT_SSH_COMMAND", "")
	t.Setenv("GIT_SSH", "")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	r := run(t, sh(t, `echo "$TERM|$PAGER|$GIT_PAGER|$GIT_TERMINAL_PROMPT|$DEBIAN_FRONTEND|$ASSENT_API_KEY|$GIT_SSH_COMMAND"`))
	if want := "dumb|cat|cat|0|noninteractive||ssh -o BatchMode=yes\n"; string(r.Stdout) != want {
		t.Errorf("%q, want %q", r.Stdout, want)
	}
	s := sh(t, `echo "$PAGER"`)
	s.Env = []string{"PAGER=less"}
	if r := run(t, s); string(r.Stdout) != "less\n" {
		t.Errorf("Spec.Env does not win: %q", r.Stdout)
	}
}

func TestSSHCommandOfTheUserStays(t *testing.T) { // SHEL-09
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_SSH", "")
	t.Setenv("GIT_SSH_COMMAND", "ssh -i work")
	if env := proc.Environ(); !slices.Contains(env, "GIT_SSH_COMMAND=ssh -i work") || slices.Contains(env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes") {
		t.Error("GIT_SSH_COMMAND was overridden")
	}
	t.Setenv("GIT_SSH_COMMAND", "")
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[core]\n\tsshCommand = ssh -i work\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(proc.Environ(), "GIT_SSH_COMMAND=ssh -o BatchMode=yes") {
		t.Error("core.sshCommand is overridden")
	}
}

// TestEnvironmentIsNotFrozen: what the terminal's environment is now counts,
// not what it was at the first call.
func TestEnvironmentIsNotFrozen(t *testing.T) { // SHEL-21, SHEL-23
	for _, value := range []string{"first", "second"} {
		t.Setenv("ASSENT_TEST_TOOLS", value)
		if r := run(t, sh(t, "echo $ASSENT_TEST_TOOLS")); string(r.Stdout) != value+"\n" {
			t.Errorf("%q, want %q", r.Stdout, value)
		}
	}
}

func TestFolderDoesNotDrift(t *testing.T) { // SHEL-24
	t.Parallel()
	s := sh(t, "pwd; cd / && pwd")
	first := run(t, s)
	if second := run(t, s); string(second.Stdout) != string(first.Stdout) || !strings.HasSuffix(string(first.Stdout), "\n/\n") {
		t.Errorf("%q, then %q", first.Stdout, second.Stdout)
	}
}

func git(t *testing.T, dir, script string) proc.Result {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	s := sh(t, script)
	s.Timeout = 20 * time.Second
	s.Env = []string{
		"HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
	}
	return run(t, s)
}

// TestEditorsFailAtOnceWithAHint uses git itself, and a program that splits
// the variable at blanks.
func TestEditorsFailAtOnceWithAHint(t *testing.T) { // SHEL-06, SHEL-10
	t.Parallel()
	r := git(t, t.TempDir(), `git init -q && echo a >a && git add a && git commit`)
	if r.Exit == 0 || r.TimedOut || !strings.Contains(string(r.Stderr), "no editor here") {
		t.Errorf("commit: %+v, stderr %s", r.Exit, r.Stderr)
	}
	r = git(t, t.TempDir(), `set -e
git init -q && echo a >a && git add a && git commit -q -m one
git checkout -q -b side && echo b >a && git commit -q -am two
git checkout -q - && echo c >a && git commit -q -am three
git rebase -q side || { echo d >a; git add a; git rebase --continue; }`)
	if r.Exit == 0 || r.TimedOut || !strings.Contains(string(r.Stderr), "no editor here") {
		t.Errorf("rebase: %+v, stderr %s", r.Exit, r.Stderr)
	}
	if r := run(t, sh(t, `$EDITOR file; echo $?`)); string(r.Stdout) != "1\n" {
		t.Errorf("split at blanks: %q", r.Stdout)
	}
}

// TestCredentialsAreNotAsked: a remote that wants a password fails.
func TestCredentialsAreNotAsked(t *testing.T) { // SHEL-09
	t.Parallel()
	r := git(t, t.TempDir(), `printf 'protocol=https\nhost=example.invalid\n\n' | git credential fill`)
	if r.Exit == 0 || r.TimedOut || !strings.Contains(string(r.Stderr), "terminal prompts disabled") {
		t.Errorf("exit %d, stderr %s", r.Exit, r.Stderr)
	}
}

func TestShellIsTheUsers(t *testing.T) {
	fallback := "/bin/sh"
	if found, err := exec.LookPath("bash"); err == nil {
		fallback = found // commands are judged as what a bash reads
	}
	for _, c := range []struct{ shell, want string }{
		{"/bin/sh", fallback}, {"/usr/bin/fish", fallback}, {"/no/such/bash", fallback}, {"", fallback}, {"/bin/false", fallback},
	} {
		t.Setenv("SHELL", c.shell)
		if proc.PlainShell() != (c.want == "/bin/sh") {
			t.Errorf("%q: plain: %v", c.shell, proc.PlainShell())
		}
		if got, err := proc.Shell("echo hi"); err != nil || len(got) != 3 || got[0] != c.want || got[1] != "-c" || got[2] != "echo hi" {
			t.Errorf("%q: %q", c.shell, got)
		}
	}
	for _, found := range []string{"bash", "zsh"} {
		if path, err := exec.LookPath(found); err == nil {
			t.Setenv("SHELL", path)
			if got, err := proc.Shell("x"); err != nil || got[0] != path {
				t.Errorf("%q: %q", path, got)
			}
			argv, err := proc.Shell("-x; echo ran")
			if err != nil {
				t.Fatal(err)
			}
			if r := run(t, proc.Spec{Argv: argv}); string(r.Stdout) != "ran\n" {
				t.Errorf("a command that begins with a dash: %q %q", r.Stdout, r.Stderr)
			}
		}
	}
}

// TestZshReadsItsEnvFile documents what a shell sources: zsh its .zshenv.
func TestZshReadsItsEnvFile(t *testing.T) { // SHEL-22
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("zsh is not installed")
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".zshenv"), []byte("export FROM_ZSHENV=yes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := run(t, proc.Spec{Argv: []string{zsh, "-c", "echo $FROM_ZSHENV"}, Env: []string{"HOME=" + home, "ZDOTDIR=" + home}})
	if string(r.Stdout) != "yes\n" {
		t.Errorf("%q", r.Stdout)
	}
}

func TestLoginAddsWhatProfilesSet(t *testing.T) { // SHEL-23
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".bash_profile"), []byte("echo welcome\nexport PATH=/opt/brew/bin:$PATH FROM_PROFILE='two\nlines'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("SHELL", bash)
	env, err := proc.Login(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(env, "FROM_PROFILE=two\nlines") {
		t.Errorf("%q", env)
	}
	if !slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "PATH=/opt/brew/bin:") }) {
		t.Errorf("no PATH of the profile in %q", env)
	}
}

// SHEL-23: the login shell is asked once, at the first command, and what it
// says is below what a command is given.
func TestLoginOnce(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	home := t.TempDir()
	profile := func(text string) {
		if err := os.WriteFile(filepath.Join(home, ".bash_profile"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("SHELL", bash)
	profile("export WHO=profile ALSO=profile\n")
	var told []error
	table := &proc.Table{Env: proc.LoginOnce(func(err error) { told = append(told, err) })}
	defer table.Close()
	ended, stop := context.WithCancel(t.Context())
	stop()
	if env := table.Env(ended); env != nil || told != nil {
		t.Errorf("an ended question has the answer %q, %v", env, told)
	}
	for _, call := range []string{"one", "two"} {
		r, err := table.Run(t.Context(), call, proc.Spec{Argv: []string{"/bin/sh", "-c", "echo $WHO $ALSO"}, Env: []string{"WHO=spec"}})
		if err != nil || string(r.Stdout) != "spec profile\n" {
			t.Errorf("%q, %v", r.Stdout, err)
		}
		profile("export ALSO=changed\n")
	}
	profile("echo nvm is gone >&2\necho and more >&2\nexit 3\n")
	env := proc.LoginOnce(func(err error) { told = append(told, err) })
	for range 2 {
		if got := env(t.Context()); got != nil {
			t.Errorf("%q", got)
		}
	}
	if len(told) != 1 || !strings.HasSuffix(told[0].Error(), "ended with 3: nvm is gone") {
		t.Errorf("told %v", told)
	}
}

// While a slow profile is read for one command, another that is given up does
// not wait for it (SHEL-23).
func TestLoginOnceWaitsNoLongerThanItsCommand(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	home := t.TempDir()
	gate := filepath.Join(home, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	if err := os.WriteFile(filepath.Join(home, ".bash_profile"), []byte("echo x > '"+gate+"'\nread -r line < '"+gate+"'\nexport WHO=profile\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("SHELL", bash)
	env := proc.LoginOnce(func(err error) { t.Error(err) })
	first := make(chan []string, 1)
	go func() { first <- env(t.Context()) }()
	if _, err := os.ReadFile(gate); err != nil { // the profile is being read, and waits
		t.Fatal(err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	second := make(chan []string, 1)
	go func() { second <- env(ended) }()
	select {
	case got := <-second:
		if got != nil {
			t.Errorf("it has %q", got)
		}
	case <-time.After(5 * time.Second):
		t.Error("it waits for another command's answer")
	}
	if err := os.WriteFile(gate, []byte("go on\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := <-first; !slices.Contains(got, "WHO=profile") {
		t.Errorf("the first has %q", got)
	}
}
