//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// tmux is the program in a real terminal multiplexer: what a user sees, types
// and has on disk afterwards.
type tmux struct {
	t *testing.T
	// home is the user's home folder, work the workspace.
	socket, home, work string
}

// script is what the scripted model says, a response a line.
func script(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// start runs the program with a script in a terminal of 90 by 30.
func start(t *testing.T, model string, args ...string) *tmux {
	t.Helper()
	x := open(t)
	x.run(model, args...)
	return x
}

// open makes a home and a workspace.
func open(t *testing.T) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: the journeys through a real terminal are left out")
	}
	t.Parallel()
	dir := t.TempDir()
	x := &tmux{t: t, socket: filepath.Join(dir, "tmux"), home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work")}
	for _, d := range []string{x.home, x.work, filepath.Join(dir, "bin")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// Under its own name the test binary is the program.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "bin", "assent")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.cmd("kill-server").Run() })
	return x
}

// run starts the program in a shell that tells its exit code.
func (x *tmux) run(model string, args ...string) {
	x.t.Helper()
	line := "assent"
	if model != "" {
		file := filepath.Join(x.home, "model.jsonl")
		if err := os.WriteFile(file, []byte(model), 0o600); err != nil {
			x.t.Fatal(err)
		}
		line += " --provider script --model '" + file + "'"
	}
	for _, a := range args {
		line += " '" + a + "'"
	}
	x.shell(line + "; echo exit=$?")
}

// shell runs a line in the terminal.
func (x *tmux) shell(line string) {
	x.t.Helper()
	if x.cmd("has-session").Run() != nil {
		x.must(x.cmd("new-session", "-d", "-x", "90", "-y", "30", "-c", x.work, "exec /bin/sh"))
		x.must(x.cmd("set-option", "-g", "history-limit", "10000"))
	}
	x.must(x.cmd("send-keys", "-l", line))
	x.keys("Enter")
}

func (x *tmux) cmd(args ...string) *exec.Cmd {
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	x.t.Cleanup(stop)
	c := exec.CommandContext(ctx, "tmux", append([]string{"-S", x.socket, "-f", os.DevNull}, args...)...)
	c.Env = []string{
		"HOME=" + x.home, "PATH=" + filepath.Join(filepath.Dir(x.home), "bin") + ":" + os.Getenv("PATH"), "TERM=xterm-256color",
		"LANG=C.UTF-8", "SHELL=/bin/sh", "PS1=$ ", "ENV=", "EDITOR=" + filepath.Join(x.home, "editor"), "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent",
	}
	return c
}

func (x *tmux) must(c *exec.Cmd) {
	x.t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		x.t.Fatalf("%s: %v\n%s", strings.Join(c.Args[4:], " "), err, out)
	}
}

// keys presses keys by their names, text types a text.
func (x *tmux) keys(names ...string) {
	x.t.Helper()
	x.must(x.cmd(append([]string{"send-keys"}, names...)...))
}

func (x *tmux) text(s string) {
	x.t.Helper()
	x.must(x.cmd("send-keys", "-l", s))
}

// paste pastes a text as a terminal does.
func (x *tmux) paste(s string) {
	x.t.Helper()
	x.must(x.cmd("set-buffer", s))
	x.must(x.cmd("paste-buffer", "-p"))
}

// all is everything from the first row on.
func (x *tmux) all() string {
	out, _ := x.cmd("capture-pane", "-p", "-S", "-").Output()
	return string(out)
}

// deadline bounds every wait.
const deadline = 30 * time.Second

// see waits for texts; it returns what stands there then.
func (x *tmux) see(texts ...string) string {
	x.t.Helper()
	all, missing := "", ""
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		all, missing = x.all(), ""
		for _, text := range texts {
			if !strings.Contains(all, text) {
				missing = text
			}
		}
		if missing == "" {
			return all
		}
	}
	x.t.Fatalf("never saw %q:\n%s", missing, all)
	return ""
}

// settle waits until the screen stays as it is for a few looks.
func (x *tmux) settle() {
	x.t.Helper()
	before, same := "", 0
	for end := time.Now().Add(deadline); same < 5; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			x.t.Fatalf("the screen never settles:\n%s", before)
		}
		if now := x.all(); now == before {
			same++
		} else {
			before, same = now, 0
		}
	}
}

// until polls until the screen is as wanted, and returns it.
func (x *tmux) until(what string, holds func(all string) bool) string {
	x.t.Helper()
	all := ""
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if all = x.all(); holds(all) {
			return all
		}
	}
	x.t.Fatalf("never: %s\n%s", what, all)
	return ""
}

// lose waits until a text is gone.
func (x *tmux) lose(text string) {
	x.t.Helper()
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if !strings.Contains(x.all(), text) {
			return
		}
	}
	x.t.Fatalf("still there: %q\n%s", text, x.all())
}

// ready waits until the prompt is there.
func (x *tmux) ready() { x.t.Helper(); x.see("/ commands, @ files") }

// bold is how tmux tells that what follows is.
var bold = regexp.MustCompile(`\x1b\[(0;)?1[;m]`)

// answerable waits until an approval takes keys: those of its choices are bold
// from then on.
func (x *tmux) answerable() {
	x.t.Helper()
	row := ""
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		out, _ := x.cmd("capture-pane", "-p", "-e").Output()
		for line := range strings.Lines(string(out)) {
			if row = line; strings.Contains(line, ask) {
				if bold.MatchString(line) {
					return
				}
				break
			}
		}
	}
	x.t.Fatalf("no approval takes keys: %q", row)
}

// exit leaves, and checks that the last words stand there once.
func (x *tmux) exit() string {
	x.t.Helper()
	x.text("/exit")
	x.keys("Enter")
	all := x.see("exit=0", "assent -c")
	if n := strings.Count(all, "assent -c"); n != 1 {
		x.t.Errorf("the last words stand there %d times:\n%s", n, all)
	}
	return all
}

func (x *tmux) read(name string) string {
	b, err := os.ReadFile(filepath.Join(x.work, name))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func (x *tmux) write(name, text string) {
	x.t.Helper()
	if err := os.WriteFile(filepath.Join(x.work, name), []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
}
