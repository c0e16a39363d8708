//go:build linux

package proc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCallEndsWithItsShell: whatever was left behind, in whatever way it hides,
// the call ends with its shell and nothing lives on. A call that waited for what
// is left would have nothing to end, and would count no survivors.
// Each script writes the ids of what it leaves to pids.
func TestCallEndsWithItsShell(t *testing.T) {
	for _, c := range []struct {
		name, script string
		alone        bool // can only be told while no other command runs
	}{
		{"SHEL-01 a server that prints", `sh -c 'echo $$ >>pids; while :; do echo noise; sleep 0.01; done' & until test -s pids; do sleep 0.01; done; echo done`, false},
		{"SHEL-03 a daemon that holds the pipes", `sleep 300 & echo $! >pids; echo done`, false},
		{"SHEL-14 detached, holds the pipes", `setsid sh -c 'echo $$ >>pids; exec sleep 300' & until test -s pids; do sleep 0.01; done; echo done`, false},
		{"detached, silent", `setsid sh -c 'echo $$ >>pids; exec sleep 300' </dev/null >/dev/null 2>&1 & until test -s pids; do sleep 0.01; done; echo done`, false},
		{"orphaned twice", `( ( setsid sh -c 'echo $$ >>pids; exec sleep 300' >/dev/null 2>&1 & ) & ) ; until test -s pids; do sleep 0.01; done; echo done`, false},
		{"own process groups", `set -m; sleep 300 & echo $! >>pids; sleep 300 & echo $! >>pids; echo done`, false},
		{"nohup", `nohup sleep 300 >/dev/null 2>&1 & echo $! >pids; echo done`, false},
		{"clean environment, holds a pipe", `( env -i setsid sh -c 'echo $$ >>pids; exec sleep 300' & ); until test -s pids; do sleep 0.01; done; echo done`, false},
		{"clean environment, silent", `( env -i setsid sh -c 'echo $$ >>pids; exec sleep 300' </dev/null >/dev/null 2>&1 & ); until test -s pids; do sleep 0.01; done; echo done`, true},
		{"ignores TERM", `setsid sh -c 'trap "" TERM; echo $$ >>pids; while :; do sleep 300; done' >/dev/null 2>&1 & until test -s pids; do sleep 0.01; done; echo done`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.alone {
				t.Parallel()
			}
			s := sh(t, c.script)
			r := run(t, s)
			if !strings.Contains(string(r.Stdout), "done\n") || r.Exit != 0 {
				t.Errorf("exit %d, stdout %q", r.Exit, r.Stdout)
			}
			if r.Survivors == 0 {
				t.Error("survivors were not counted")
			}
			gone(t, pids(t, s, "pids")...)
		})
	}
}

// TestWhatEndsByItselfIsNoSurvivor: a helper that outlives the shell by a
// moment may finish, and its output counts.
func TestWhatEndsByItselfIsNoSurvivor(t *testing.T) {
	t.Parallel()
	r := run(t, sh(t, "(sleep 0.03; echo late) & echo early"))
	if r.Survivors != 0 || string(r.Stdout) != "early\nlate\n" {
		t.Errorf("%+v", r)
	}
}

// TestStrangersLive: a process that no command of ours started is never hit,
// whatever it looks like.
func TestStrangersLive(t *testing.T) {
	t.Parallel()
	stranger := exec.CommandContext(t.Context(), "sleep", "300")
	stranger.Env = []string{} // no mark, and a child of this very process
	if err := stranger.Start(); err != nil {
		t.Skip(err)
	}
	run(t, sh(t, "sleep 300 & exit 0"))
	if _, err := os.Stat(filepath.Join("/proc", itoa(stranger.Process.Pid))); err != nil || zombie(stranger.Process.Pid) {
		t.Error("a stranger was ended")
	}
	if err := stranger.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = stranger.Wait() // killed just now
}

// TestNoZombiesPile: orphans that were handed to this process and died are
// reaped.
func TestNoZombiesPile(t *testing.T) {
	t.Parallel()
	s := sh(t, `( setsid sh -c 'echo $$ >>pids; exec sleep 300' >/dev/null 2>&1 & ); until test -s pids; do sleep 0.01; done`)
	run(t, s)
	for _, pid := range pids(t, s, "pids") {
		if zombie(pid) {
			t.Errorf("%d was not reaped", pid)
		}
	}
}

// TestForkersAreEnded covers processes that make new ones as fast as they are
// ended: when the call is over none is left that works in its folder.
func TestForkersAreEnded(t *testing.T) {
	t.Parallel()
	s := sh(t, `f() { sleep 0.02; echo x >>count; f & f2 & }; f2() { sleep 0.02; f & }; f & wait; until test -f never; do sleep 0.05; done`)
	s.Timeout = 250 * time.Millisecond
	r := run(t, s)
	if !r.TimedOut {
		t.Errorf("%+v", r)
	}
	if text, err := os.ReadFile(filepath.Join(s.Dir, "count")); err != nil || len(text) == 0 {
		t.Errorf("nothing was forked: %q, %v", text, err)
	}
	if list := working(t, s.Dir); len(list) > 0 {
		t.Errorf("forkers live on: %v", list)
	}
}

// working are the processes whose folder is dir and that are not dead.
func working(t *testing.T, dir string) (list []string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil || len(links) == 0 {
		t.Fatalf("no processes: %v", err)
	}
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && at == dir { // of a dead one it cannot be read
			list = append(list, filepath.Base(filepath.Dir(link)))
		}
	}
	return list
}
