//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent/internal/provider/providertest"
)

// ends are the signals that ask the program to end.
var ends = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// phase is a moment of a run: a script, and how a test sees that it has come.
type phase struct {
	name, script string
	now          func(*live, *providertest.Server) bool
}

func phases() []phase {
	event := func(kind string) func(*live, *providertest.Server) bool {
		return func(l *live, _ *providertest.Server) bool { return l.saw(kind)() }
	}
	return []phase{
		{"the model is asked", "hang", func(_ *live, s *providertest.Server) bool { return len(s.Requests()) > 0 }},
		{"an answer streams", "text one two three\nhang", event("text")},
		{"a call streams", "text before\ncall bash {\"command\":\"true\"}\nhang", event("tool-start")},
		{"it waits to try again", "status 529\nheader retry-after: 50\nrepeat", event("notice")},
		{
			"a command runs", "call bash {\"command\":\"sleep 60 & setsid sleep 60 & echo on; sleep 60\"}\ncall write_file {\"path\":\"late.txt\",\"content\":\"x\"}",
			event("tool-output"),
		},
		{
			"a command ignores it", "call bash {\"command\":\"trap '' TERM INT HUP; echo on; while :; do sleep 1; done\"}",
			event("tool-output"),
		},
		{"after a result", "call bash {\"command\":\"echo one\"}\n---\ntext two\nhang", event("tool-result")},
	}
}

// A signal ends a run in every phase in the same way: exit 130, a last event
// that says cancelled, no process left, and a log that the next run goes on
// with. SUB-04 and SHEL-11 are of this kind.
func TestASignalEndsEveryPhase(t *testing.T) {
	t.Parallel()
	for _, p := range phases() {
		for _, s := range ends {
			t.Run(p.name+" "+s.String(), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				server, flags := w.serve("match carry onward\ntext Gone on.\n---\n" + p.script)
				run := w.start(append([]string{"-p", "begin", "--yolo", "--json"}, flags...)...)
				if !run.until(func() bool { return p.now(run, server) }) {
					t.Fatalf("it ended before: %v %s", last(run.events()), run.fault.String())
				}
				check(t, run.Process.Signal(s))
				if code := run.end(); code != 130 {
					t.Errorf("exit %d, want 130: %s", code, run.fault.String())
				}
				if e := last(run.events()); e["type"] != "done" || e["reason"] != "cancelled" {
					t.Errorf("last event %v", e)
				}
				left := slices.DeleteFunc(w.inhabitants(), func(p string) bool { return strings.Contains(p, "marks=") }) // proc's warden ends a moment later
				if len(left) > 0 {
					t.Errorf("at its end there lived %q", left)
				}
				w.paired(w.logs()[0])
				if files, _ := filepath.Glob(filepath.Join(w.dir, "*")); len(files) > 0 {
					t.Errorf("after the signal it wrote %q", files)
				}
				if o := w.run(append([]string{"-c", "-p", "carry onward"}, flags...)...); o.code != 0 || o.out != "Gone on.\n" {
					t.Errorf("resumed: exit %d %q %s", o.code, o.out, o.err)
				}
			})
		}
	}
}

// A signal while stdin is read: nothing was sent, and nothing stays.
func TestASignalWhileStdinIsRead(t *testing.T) {
	t.Parallel()
	for _, s := range ends {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cmd := w.command(append([]string{"-p"}, w.script(`{"text":"no"}`)...)...)
			in, err := cmd.StdinPipe()
			check(t, err)
			fault, err := cmd.StderrPipe()
			check(t, err)
			check(t, cmd.Start())
			line, _ := bufio.NewReader(fault).ReadString('\n')
			if !strings.Contains(line, "waiting for the end of stdin") {
				t.Errorf("stderr %q", line)
			}
			check(t, cmd.Process.Signal(s))
			_, _ = io.Copy(io.Discard, fault)
			_ = cmd.Wait()
			_ = in.Close()
			if code := cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("%s: exit %d", s, code)
			}
			if len(w.logs()) > 0 {
				t.Error("a session was left")
			}
		})
	}
}

// What whoever started the program wants ignored stays ignored: a run under
// nohup outlives its terminal.
func TestAnIgnoredSignalStaysIgnored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server, flags := w.serve("wait news\ntext Still here.")
	cmd := w.command()
	args := append([]string{"-c", `trap '' HUP; exec assent "$@"`, "sh", "-p", "hi"}, flags...)
	sh := exec.Command("/bin/sh", args...)
	sh.Dir, sh.Env = cmd.Dir, cmd.Env
	done, begun := make(chan outcome, 1), make(chan int, 1)
	go func() { done <- w.finish(sh, func(pid int) { begun <- pid }) }()
	pid := <-begun
	for len(server.Requests()) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	check(t, syscall.Kill(pid, syscall.SIGHUP))
	server.Release("news")
	if o := <-done; o.code != 0 || o.out != "Still here.\n" {
		t.Errorf("exit %d %q %s", o.code, o.out, o.err)
	}
}

// These tests mean the same when whoever runs them has signals ignored, as
// nohup and a shell's background have.
func TestSignalsWhereTheyWereIgnored(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	check(t, err)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	again := exec.CommandContext(ctx, "/bin/sh", "-c", `trap '' HUP INT QUIT TERM; exec "$0" -test.run '^TestASignalWhileStdinIsRead$'`, self)
	if out, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Nobody reads on: the turn ends in an orderly way, and its commands with it.
func TestAReaderThatLeaves(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "stream-json"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			flags := w.script(`{"text":"one two three","calls":[{"name":"bash","input":{"command":"sleep 60 & echo on; sleep 0.3; echo more; sleep 1; echo more"}}]}`,
				`{"text":"more","chunkMs":5}`)
			cmd := w.command(append([]string{"-p", "hi", "--yolo", "--output", format}, flags...)...)
			out, err := cmd.StdoutPipe()
			check(t, err)
			var said strings.Builder
			cmd.Stderr = &said
			check(t, cmd.Start())
			_, err = io.ReadFull(out, make([]byte, 8))
			check(t, errors.Join(err, out.Close()))
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(said.String(), "broken pipe") {
				t.Errorf("exit %v, stderr %q", cmd.ProcessState, said.String())
			}
			w.paired(w.logs()[0])
		})
	}
}

// A listing whose reader leaves is no news to anybody.
func TestAListingThatNobodyReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cmd := w.command("doctor")
	r, p, err := newPipe()
	check(t, err)
	check(t, r.Close())
	cmd.Stdout = p
	o := w.finish(cmd)
	check(t, p.Close())
	if o.code != 1 || o.err != "" {
		t.Errorf("exit %d, stderr %q", o.code, o.err)
	}
}

// A second signal, some time after the first, ends also a run whose output is
// stuck.
func TestASecondSignalIsNotRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	flags := w.script(fmt.Sprintf(`{"text":%q,"calls":[{"name":"bash","input":{"command":"sleep 60"}}]}`, strings.Repeat("x", 300_000)))
	cmd := w.command(append([]string{"-p", "hi", "--yolo"}, flags...)...)
	out, err := cmd.StdoutPipe() // nobody reads it
	check(t, err)
	defer out.Close()
	check(t, cmd.Start())
	for len(w.logs()) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for deadline := time.After(patience); ; {
		check(t, ignoreDone(cmd.Process.Signal(syscall.SIGTERM)))
		select {
		case <-ended:
			return
		case <-deadline:
			_ = cmd.Process.Kill()
			t.Fatal("it never ended")
		case <-time.After(250 * time.Millisecond):
		}
	}
}
