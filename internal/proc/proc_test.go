//go:build unix

package proc_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/proc"
)

func TestResultSaysHowItEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script        string
		exit                int
		signal, stdout, err string
	}{
		{"success", "echo hi", 0, "", "hi\n", ""},
		{"failure", "echo no >&2; exit 3", 3, "", "", "no\n"},
		{"signal", "kill -KILL $$", -1, "SIGKILL", "", ""},
		{"not found", "no-such-program-here", 127, "", "", ""},
		{"input is closed", "read x; echo got:$x:$?", 0, "", "got::1\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, sh(t, c.script))
			if r.Exit != c.exit || r.Signal != c.signal || string(r.Stdout) != c.stdout {
				t.Errorf("exit %d, signal %q, stdout %q", r.Exit, r.Signal, r.Stdout)
			}
			if c.err != "" && string(r.Stderr) != c.err {
				t.Errorf("stderr %q", r.Stderr)
			}
			if r.TimedOut || r.Interrupted || r.Survivors != 0 || r.Duration <= 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestWhatCannotStart(t *testing.T) {
	t.Parallel()
	if _, err := proc.Run(t.Context(), proc.Spec{}); !errors.Is(err, proc.ErrNoCommand) {
		t.Errorf("no command: %v", err)
	}
	if _, err := proc.Run(t.Context(), proc.Spec{Argv: []string{"/no/such/program"}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing program: %v", err)
	}
	s := sh(t, "true")
	s.Dir = filepath.Join(s.Dir, "missing")
	if _, err := proc.Run(t.Context(), s); err == nil {
		t.Error("missing folder: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := proc.Run(ctx, sh(t, "true")); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
}

func TestInputIsFed(t *testing.T) {
	t.Parallel()
	s := sh(t, "cat")
	s.Stdin = bytes.Repeat([]byte("line\n"), 100_000)
	s.MaxOutput = 2 << 20
	if r := run(t, s); !bytes.Equal(r.Stdout, s.Stdin) {
		t.Errorf("%d bytes came back of %d", len(r.Stdout), len(s.Stdin))
	}
	s = sh(t, "exit 0") // reads nothing
	s.Stdin = make([]byte, 1<<20)
	if r := run(t, s); r.Exit != 0 {
		t.Errorf("exit %d", r.Exit)
	}
	s = sh(t, "sleep 300 <&0 & exit 0") // a survivor holds the input
	s.Stdin = make([]byte, 1<<20)
	if r := run(t, s); r.Survivors != 1 || r.Duration > 5*time.Second {
		t.Errorf("%+v", r)
	}
}

func TestOutIsToldLiveFromOneGoroutine(t *testing.T) {
	t.Parallel()
	s := sh(t, "echo one; echo two >&2; until test -f go; do sleep 0.01; done; echo three")
	var told bytes.Buffer // not guarded: the race detector watches
	opened := false
	s.Out = func(b []byte) {
		told.Write(b)
		if !opened && strings.Contains(told.String(), "one") && strings.Contains(told.String(), "two") {
			opened = true
			if err := os.WriteFile(filepath.Join(s.Dir, "go"), nil, 0o600); err != nil {
				t.Error(err)
			}
		}
	}
	r := run(t, s)
	if !bytes.Equal(told.Bytes(), r.Output) || !strings.HasSuffix(told.String(), "three\n") {
		t.Errorf("told %q, output %q", told.String(), r.Output)
	}
}

func TestFloodIsBounded(t *testing.T) {
	t.Parallel()
	s := sh(t, `echo first; head -c 20000000 /dev/zero | tr '\0' x; echo; echo last`)
	s.MaxOutput = 10_000
	var told int
	s.Out = func(b []byte) { told += len(b) }
	r := run(t, s)
	if len(r.Output) > 10_100 || len(r.Stdout) > 10_100 {
		t.Errorf("kept %d and %d bytes", len(r.Output), len(r.Stdout))
	}
	if !bytes.HasPrefix(r.Output, []byte("first\n")) || !bytes.HasSuffix(r.Output, []byte("last\n")) {
		t.Error("head or tail is missing")
	}
	if want := int64(20_000_012 - 10_000); r.Truncated != want || !bytes.Contains(r.Output, []byte("19990012 bytes cut")) {
		t.Errorf("truncated %d, want %d", r.Truncated, want)
	}
	if told != 20_000_012 {
		t.Errorf("told %d bytes", told)
	}
}

func TestTimeoutKeepsTheOutputSoFar(t *testing.T) { // SHEL-15
	t.Parallel()
	s := sh(t, "echo begun; sleep 300 & echo $! >pids; sleep 300 & echo $! >>pids; wait")
	s.Timeout = 400 * time.Millisecond
	r := run(t, s)
	if !r.TimedOut || r.Interrupted || string(r.Stdout) != "begun\n" || r.Duration > 5*time.Second {
		t.Errorf("%+v", r)
	}
	gone(t, pids(t, s, "pids")...)
}

func TestWhatIgnoresTermIsKilled(t *testing.T) { // SHEL-11
	t.Parallel()
	s := sh(t, `trap '' TERM; echo $$ >pids; (trap '' TERM; sh -c 'echo $$' >>pids; while :; do sleep 1; done) & while :; do sleep 1; done`)
	s.Timeout = 300 * time.Millisecond
	r := run(t, s)
	if !r.TimedOut || r.Signal != "SIGKILL" || r.Duration > 5*time.Second {
		t.Errorf("%+v", r)
	}
	gone(t, pids(t, s, "pids")...)
}

func TestContextEndsTheTree(t *testing.T) {
	t.Parallel()
	s := sh(t, "sleep 300 & echo $! >>pids; wait")
	ctx, cancel := context.WithCancel(t.Context())
	h, err := proc.Start(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	until(t, filepath.Join(s.Dir, "pids"))
	cancel()
	if r := h.Wait(); !r.Interrupted || r.TimedOut {
		t.Errorf("%+v", r)
	}
	gone(t, append(pids(t, s, "pids"), h.Pid())...)
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if r, err := proc.Run(ctx, sh(t, "sleep 300")); err != nil || !r.TimedOut || r.Interrupted {
		t.Errorf("deadline: %+v, %v", r, err)
	}
}

func TestNoTerminal(t *testing.T) { // SHEL-06, SHEL-08
	t.Parallel()
	r := run(t, sh(t, "if (: </dev/tty) 2>/dev/null; then echo terminal; else echo none; fi; test -t 0 || test -t 1 || test -t 2 || echo blind"))
	if string(r.Stdout) != "none\nblind\n" {
		t.Errorf("%q", r.Stdout)
	}
}
