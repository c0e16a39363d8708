//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"assent/internal/session"
)

// starve runs the program with a limit on the size of every file it writes, in
// bytes. A write beyond it fails as one on a full disk does. The shell's limit
// has too coarse a unit, so it is set by another run of this test.
func (w *world) starve(limit int64, args ...string) outcome {
	w.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestStarved$")
	cmd.Dir, cmd.Env = w.dir, append(w.env, fmt.Sprintf("STARVE=%d", limit), "STARVE_ARGS="+strings.Join(args, "\x1f"))
	return w.finish(cmd)
}

// TestStarved is the other half of starve.
func TestStarved(t *testing.T) {
	args, ok := os.LookupEnv("STARVE_ARGS")
	if !ok {
		t.Skip("it is run by other tests")
	}
	var limit uint64
	if _, err := fmt.Sscan(os.Getenv("STARVE"), &limit); err != nil {
		t.Fatal(err)
	}
	check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}))
	os.Exit(run(strings.Split(args, "\x1f")))
}

// SESS-11: with room for so many bytes of log and no more, at any point of a
// turn: the turn ends with the kind persistence and exit 1, the model is asked
// only what is on disk, no tool runs whose call is not, what was written stays
// readable, and with room again the session goes on.
func TestAFullDiskAtEveryRecord(t *testing.T) {
	t.Parallel()
	full := newWorld(t)
	turn := "text one\ncall write_file {\"path\":\"a.txt\",\"content\":\"a\"}\ncall bash {\"command\":\"echo b >b.txt; cat b.txt\"}\n---\ntext two"
	_, flags := full.serve(turn)
	if o := full.run(append([]string{"-p", "the prompt", "--yolo", "--json"}, flags...)...); o.code != 0 {
		t.Fatalf("exit %d %s", o.code, o.err)
	}
	log, err := os.ReadFile(full.logs()[0])
	check(t, err)
	var ends []int64 // of each record
	for at, b := range log {
		if b == '\n' {
			ends = append(ends, int64(at)+1)
		}
	}
	var clear, silent atomic.Int64
	t.Run("records", func(t *testing.T) {
		for n, end := range ends {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				server, flags := w.serve("match carry onward\ntext Gone on.\n---\n" + turn)
				before := end - 40 // in the middle of this record; lengths differ a little from run to run
				o := w.starve(before, append([]string{"-p", "the prompt", "--yolo", "--json"}, flags...)...)
				events := w.parse(o.out)
				required := w.starved(n, log)
				switch {
				case required && o.code != 1:
					t.Errorf("exit %d without room for record %d: %s%s", o.code, n, o.out, o.err)
				case required && !strings.Contains(o.out, `"kind":"persistence"`):
					t.Errorf("no error of kind persistence: %s%s", o.out, o.err)
				case !required && o.code != 0:
					t.Errorf("losing record %d stopped the turn: %s%s", n, o.out, o.err)
				case required:
					clear.Add(1)
				default:
					silent.Add(1)
				}
				if d := last(events); d["type"] != "done" {
					t.Errorf("last event %v", d)
				}
				if strings.Contains(o.out+o.err, "goroutine ") {
					t.Errorf("a stack trace: %s", o.err)
				}
				w.limited(n, len(server.Requests()))
				if len(w.logs()) == 0 {
					return
				}
				o = w.run(append([]string{"-r", w.load(w.logs()[0]).ID, "-p", "carry onward"}, flags...)...)
				if o.code != 0 || o.out != "Gone on.\n" {
					t.Errorf("with room again: exit %d %q %s", o.code, o.out, o.err)
				}
			})
		}
	})
	t.Logf("%d records: %d stop the turn, %d are lost with a warning", len(ends), clear.Load(), silent.Load())
}

// starved says whether a turn stops without the n-th record of a log and all
// that follow it.
func (w *world) starved(n int, log []byte) bool {
	for _, line := range strings.Split(strings.TrimSpace(string(log)), "\n")[n:] {
		best := false
		for _, kind := range []string{"usage", "timing", "title", "notice"} {
			best = best || strings.HasPrefix(line, `{"type":"`+kind+`"`)
		}
		if !best {
			return true
		}
	}
	return false
}

// limited checks what happened against what is on disk.
func (w *world) limited(n, requests int) {
	w.t.Helper()
	seen := map[string]int{}
	if logs := w.logs(); len(logs) > 0 {
		for _, e := range w.load(logs[0]).Branch("").Entries {
			seen[e.Record.Type()]++
			if r, ok := e.Record.(session.Result); ok {
				seen["result "+r.Name]++
			}
		}
	}
	if requests > 0 && seen["user"] == 0 || requests > 1 && seen["result"] < 2 {
		w.t.Errorf("record %d: asked %d times with %v on disk", n, requests, seen)
	}
	for i, name := range []string{"a.txt", "b.txt"} {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err == nil && seen["call"] <= i {
			w.t.Errorf("record %d: %s was made with %v on disk", n, name, seen)
		}
	}
}

// The same on a disk that is really full: a small one that only this test
// sees.
func TestAReallyFullDisk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	server, flags := w.serve("match carry onward\nrepeat\ntext Gone on.\n---\nmatch the prompt\nflood 12000 4000\ncall bash {\"command\":\"yes abcdefgh | head -c 60000\"}\n---\nrepeat\ntext and more")
	check(t, os.MkdirAll(w.home, 0o700))
	// Fill the disk but for a few pages, run, then make room and run again.
	script := `set -e
mount -t tmpfs -o size=256k,nr_inodes=100 none "$ASSENT_HOME"
mkdir -p "$ASSENT_HOME/sessions"
head -c $((256*1024 - $ROOM)) /dev/zero >"$ASSENT_HOME/full" || true
set +e
assent -p 'the prompt' --yolo --json "$@"; echo "code $?"
rm "$ASSENT_HOME/full"
assent -c -p 'carry onward' --json "$@" || assent -p 'carry onward' --json "$@"; echo "code $?"
assent sessions list
`
	for _, room := range []int{0, 8 << 10, 16 << 10, 32 << 10} {
		before := len(server.Requests())
		cmd := exec.Command("unshare", append([]string{"-m", "--propagation", "private", "/bin/sh", "-c", script, "sh"}, flags...)...)
		cmd.Dir, cmd.Env = w.dir, append(w.env, fmt.Sprintf("ROOM=%d", room))
		if _, err := exec.LookPath("unshare"); err != nil || os.Getuid() != 0 {
			t.Skip("needs root and unshare, to mount a small disk that nobody else sees")
		}
		o := w.finish(cmd)
		if strings.Contains(o.err, "mount:") || strings.Contains(o.err, "unshare") {
			t.Skipf("cannot mount here: %s", o.err)
		}
		first, second, _ := strings.Cut(o.out, "code ")
		switch {
		case strings.HasPrefix(second, "1\n") && !strings.Contains(first, `"kind":"persistence"`):
			t.Errorf("room %d: no error of kind persistence: %s%s", room, first, o.err)
		case room == 0 && (!strings.HasPrefix(second, "1\n") || len(server.Requests()) > before+1):
			t.Errorf("room %d: the model was asked without a log: code %s %s", room, second, o.err)
		case !strings.HasPrefix(second, "1\n") && !strings.HasPrefix(second, "0\n"):
			t.Errorf("room %d: code %s %s", room, second, o.err)
		}
		if !strings.Contains(second, "code 0") || !strings.Contains(second, "Gone on.") || !strings.Contains(o.out, "carry onward") && !strings.Contains(o.out, "the prompt") {
			t.Errorf("room %d: with room again: %s%s", room, second, o.err)
		}
		t.Logf("room %d: %.1s", room, second)
	}
}

// A full disk for what goes out: the answer is the output, so a run that
// cannot write it has failed, whatever the format.
func TestAFullDiskAsOutput(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-p", "hi"},
		{"-p", "hi", "--json"},
		{"-p", "hi", "--output", "json"},
		{"version"},
		{"sessions", "list", "--json"},
		{"doctor"},
		{"completion", "bash"},
		{"config", "schema"},
		{"--help"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if args[0] == "-p" {
				args = append(args, w.script(`{"text":"hello","calls":[{"name":"bash","input":{"command":"sleep 20"}}]}`, `{"text":"more"}`)...)
				args = append(args, "--yolo", "--timeout", "1s")
			}
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			check(t, err)
			defer full.Close()
			cmd := w.command(args...)
			cmd.Stdout = full
			o := w.finish(cmd)
			if o.code == 0 || !strings.Contains(o.err, "no space left on device") {
				t.Errorf("exit %d, stderr %q", o.code, o.err)
			}
		})
	}
}
