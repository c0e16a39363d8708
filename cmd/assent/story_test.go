//go:build unix

package main

import (
	"bytes"
	"errors"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"assent/internal/storytest"
)

// TestStories tells every story of testdata/story by the headless front and by
// the terminal front: the real program both times, without a terminal and
// before an emulated one.
func TestStories(t *testing.T) {
	t.Parallel()
	storytest.Play(t, "testdata/story", *updating, headlessFront{}, terminalFront{})
}

// headlessFront tells stories with -p: what asks is denied, and the flags of
// the story stand for the answers.
type headlessFront struct{}

func (headlessFront) Name() string { return "headless" }

// Tell runs the program once for each prompt.
func (headlessFront) Tell(t *testing.T, w *storytest.World, s storytest.Story) storytest.Told {
	told := storytest.Told{}
	var run *headlessRun
	var queued []string
	begin := func(prompt string) {
		args := append([]string{"-p", prompt}, w.Args()...)
		if w.Turns() > 0 {
			args = append(args, "-c")
		}
		run = startHeadless(t, w, args)
	}
	end := func() {
		for run != nil {
			told.Exit = run.wait(t)
			told.Seen += run.seen.String()
			run = nil
			if len(queued) > 0 {
				begin(queued[0])
				queued = queued[1:]
			}
		}
	}
	for _, a := range s.Acts {
		switch a.Verb {
		case "prompt", "resume":
			end()
			begin(a.Text)
		case "queue":
			queued = append(queued, a.Text)
		case "touch":
			w.Touch(a.Text)
		case "until":
			w.Until("the file "+a.Text, run.seen.String, func() bool { return w.Has(a.Text) })
		case "cancel":
			if err := run.cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Error(err)
			}
		case "allow", "always", "project", "deny": // the flags stand for it
		default:
			t.Fatalf("nobody can %s a headless run; say why in not.headless", a.Verb)
		}
	}
	end()
	return told
}

// headlessRun is a run of the program without a terminal.
type headlessRun struct {
	cmd  *exec.Cmd
	seen spooled
}

// spooled is what a process wrote so far.
type spooled struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *spooled) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *spooled) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func startHeadless(t *testing.T, w *storytest.World, args []string) *headlessRun {
	t.Helper()
	r := &headlessRun{cmd: exec.CommandContext(t.Context(), "assent", args...)}
	r.cmd.Dir, r.cmd.Env = w.Dir, w.Env()
	r.cmd.Stdout, r.cmd.Stderr = &r.seen, &r.seen
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// wait waits for the end and returns the exit code.
func (r *headlessRun) wait(t *testing.T) int {
	t.Helper()
	limit := time.AfterFunc(patience, func() { _ = r.cmd.Process.Kill() })
	defer limit.Stop()
	var exit *exec.ExitError
	if err := r.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return r.cmd.ProcessState.ExitCode()
}

// terminalFront tells stories with the keys of a person before a terminal.
type terminalFront struct{}

func (terminalFront) Name() string { return "terminal" }

// turnEnd is the line that closes a turn: why it ended and how long it took.
var turnEnd = regexp.MustCompile(`(?m)^  [a-z' ]+ · [0-9.hms]+( · [0-9]+ steps?)?( · \$[0-9.]+)?$`)

// Tell starts the program and presses what the acts say.
func (terminalFront) Tell(t *testing.T, w *storytest.World, s storytest.Story) storytest.Told {
	told, begun := storytest.Told{}, 0
	here := 0 // of them, in this run of the program
	var g *glass
	begin := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "assent", append(w.Args(), args...)...)
		cmd.Dir, cmd.Env = w.Dir, append(w.Env(), terminal...)
		g = behind(t, cmd, 110, 40)
		g.ready()
	}
	// idle waits until every turn that was begun has ended, and shows it.
	idle := func() {
		t.Helper()
		w.Until("the end of the turn", g.all, func() bool { return w.Turns() == begun })
		g.until("the end of the turn on the screen", func() bool { return len(turnEnd.FindAllString(g.all(), -1)) >= here })
		g.ready()
	}
	leave := func() {
		t.Helper()
		idle()
		told.Exit = g.leave()
		told.Seen += g.all() + "\n"
	}
	begin()
	for _, a := range s.Acts {
		switch a.Verb {
		case "prompt":
			idle()
			begun++
			here++
			g.keys(a.Text + keyEnter)
		case "resume":
			leave()
			begin("-c")
			here = 1
			begun++
			g.keys(a.Text + keyEnter)
		case "queue":
			begun++
			here++
			g.keys(a.Text + keyEnter)
			g.see("queued: 1")
		case "steer":
			g.keys(a.Text + keyEnter)
			g.see("queued: 1")
			g.keys(keyEnter)
			g.lose("queued: 1")
		case "until":
			w.Until("the file "+a.Text, g.all, func() bool { return w.Has(a.Text) })
		case "touch":
			w.Touch(a.Text)
		case "allow", "always", "project":
			g.answer(map[string]string{"allow": "y", "always": "a", "project": "p"}[a.Verb])
		case "deny":
			if a.Text == "" {
				g.answer("n")
				break
			}
			g.answerable()
			g.keys("d")
			g.see("enter denies and says this")
			g.keys(a.Text + keyEnter)
			g.lose("enter denies and says this")
		case "interrupt":
			g.see("ctrl+c ends the command")
			g.keys("\x03")
		case "cancel":
			g.keys(keyEsc)
		default:
			t.Fatalf("no key for %s", a.Verb)
		}
	}
	leave()
	return told
}
