//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assent/internal/jsonl"
	"assent/internal/llm"
	"assent/internal/provider/providertest"
	"assent/internal/session"
)

// world is a workspace, a home and an environment for runs of the program.
// When its test ends, no process of it may live.
type world struct {
	t *testing.T
	// dir is the workspace, home the folder of the program's own files.
	dir, home string
	env       []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	w := &world{t: t, dir: filepath.Join(top, "work"), home: filepath.Join(top, "assent")}
	check(t, os.MkdirAll(w.dir, 0o700))
	check(t, os.MkdirAll(filepath.Join(top, "home"), 0o700))
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(top, "home"), "ASSENT_HOME=" + w.home, "ANTHROPIC_API_KEY=k",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"TMPDIR=" + top, "WORLD=" + top, "GOMAXPROCS=2",
	}
	t.Cleanup(w.deserted)
	return w
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write makes a file of the workspace.
func (w *world) write(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	check(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	check(w.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// script makes a script of the model "script" and returns the flags for it.
func (w *world) script(lines ...string) []string {
	w.t.Helper()
	f, err := os.CreateTemp(filepath.Dir(w.dir), "script*.jsonl")
	check(w.t, err)
	_, err = f.WriteString(strings.Join(lines, "\n"))
	check(w.t, errors.Join(err, f.Close()))
	return []string{"--provider", "script", "--model", f.Name()}
}

// serve starts a model server and returns the flags for it.
func (w *world) serve(script string) (*providertest.Server, []string) {
	w.t.Helper()
	s := providertest.Start(w.t, script)
	w.t.Cleanup(func() {
		if p := s.Problems(); len(p) > 0 {
			w.t.Errorf("the server refused: %s", strings.Join(p, "; "))
		}
	})
	return s, []string{"--base-url", s.URL(), "--model", "claude-sonnet-4-5"}
}

// command is a run of the program, with nothing on stdin.
func (w *world) command(args ...string) *exec.Cmd {
	cmd := exec.Command("assent", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// patience bounds every wait of these tests; what hangs hangs for longer. Ten
// megabytes take a second here, and a minute under the race detector on a
// machine with ten times more to do than it can.
const patience = 3 * time.Minute

// outcome is how a run ended.
type outcome struct {
	code     int
	out, err string
}

// run runs the program to its end.
func (w *world) run(args ...string) outcome {
	w.t.Helper()
	return w.finish(w.command(args...))
}

// finish runs a command to its end; started are told its process id.
func (w *world) finish(cmd *exec.Cmd, started ...func(pid int)) outcome {
	w.t.Helper()
	var out, fault bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &fault
	}
	check(w.t, cmd.Start())
	for _, f := range started {
		f(cmd.Process.Pid)
	}
	limit := time.AfterFunc(patience, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) })
	err := cmd.Wait()
	if !limit.Stop() {
		w.t.Fatalf("%q did not end:\n%s\n%s", cmd.Args, out.String(), fault.String())
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), fault.String()}
}

// live is a run that is followed line by line.
type live struct {
	*exec.Cmd
	w     *world
	mu    sync.Mutex
	lines []map[string]any
	fault bytes.Buffer
	news  chan struct{}
	done  chan struct{}
}

// start starts a run with --json and reads its events.
func (w *world) start(args ...string) *live {
	w.t.Helper()
	l := &live{Cmd: w.command(args...), w: w, news: make(chan struct{}, 1), done: make(chan struct{})}
	out, err := l.StdoutPipe()
	check(w.t, err)
	l.Stderr = &l.fault
	check(w.t, l.Start())
	w.t.Cleanup(func() { _ = l.Process.Kill() })
	go func() {
		defer close(l.done)
		dec := json.NewDecoder(out)
		for {
			var e map[string]any
			if dec.Decode(&e) != nil {
				_, _ = io.Copy(io.Discard, out)
				return
			}
			l.mu.Lock()
			l.lines = append(l.lines, e)
			l.mu.Unlock()
			select {
			case l.news <- struct{}{}:
			default:
			}
		}
	}()
	return l
}

// events are the events so far.
func (l *live) events() []map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines[:len(l.lines):len(l.lines)]
}

// until waits until something is true, and looks whenever an event comes; it
// is false when the run ended before.
func (l *live) until(holds func() bool) bool {
	l.w.t.Helper()
	ctx, stop := context.WithTimeout(l.w.t.Context(), patience)
	defer stop()
	for !holds() {
		select {
		case <-l.news:
		case <-l.done:
			return holds()
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			l.w.t.Fatalf("waited in vain; events %.2000v", l.events())
		}
	}
	return true
}

// saw says that an event of a type came.
func (l *live) saw(kind string) func() bool {
	return func() bool {
		for _, e := range l.events() {
			if e["type"] == kind {
				return true
			}
		}
		return false
	}
}

// end waits for the end and returns the exit code, -1 after a signal.
func (l *live) end() int {
	l.w.t.Helper()
	limit := time.AfterFunc(patience, func() { _ = l.Process.Signal(syscall.SIGQUIT) })
	<-l.done
	_ = l.Wait()
	if !limit.Stop() {
		l.w.t.Fatalf("did not end: %s", l.fault.String())
	}
	return l.ProcessState.ExitCode()
}

// last is the last event of a list.
func last(events []map[string]any) map[string]any {
	if len(events) == 0 {
		return nil
	}
	return events[len(events)-1]
}

// parse reads the events of a run that has ended; a line that is none fails
// the test.
func (w *world) parse(out string) []map[string]any {
	w.t.Helper()
	var list []map[string]any
	for line := range strings.Lines(out) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			w.t.Fatalf("no event: %.300q: %v", line, err)
		}
		list = append(list, e)
	}
	return list
}

// logs are the session files.
func (w *world) logs() []string {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.home, "sessions", "*", "*.jsonl"))
	check(w.t, err)
	return files
}

// load reads a session file, which must not be damaged but for a torn last
// line.
func (w *world) load(path string) session.Tree {
	w.t.Helper()
	tree, faults, err := session.Load(path)
	if err != nil {
		w.t.Errorf("load: %v", err)
	}
	for _, f := range faults.List {
		if f.Kind != jsonl.Torn {
			w.t.Errorf("damage in %s: %+v", filepath.Base(path), f)
		}
	}
	return tree
}

// paired fails unless every call of the newest branch of a log has one result.
func (w *world) paired(path string) {
	w.t.Helper()
	open := map[string]int{}
	for _, e := range w.load(path).Branch("").Entries {
		switch r := e.Record.(type) {
		case session.Assistant:
			for _, c := range r.Calls {
				open[c.ID]++
			}
		case session.Result:
			open[r.CallID]--
		default:
		}
	}
	for id, n := range open {
		if n != 0 {
			w.t.Errorf("call %s lacks %d results", id, n)
		}
	}
}

// results are the results of a log by call.
func results(tree session.Tree) map[string]session.Result {
	all := map[string]session.Result{}
	for _, e := range tree.Branch("").Entries {
		if r, ok := e.Record.(session.Result); ok {
			all[r.CallID] = r
		}
	}
	return all
}

// said is the last answer of a log.
func said(tree session.Tree) string {
	text := ""
	for _, it := range session.Fold(tree.Branch("")) {
		if a, ok := it.(llm.Assistant); ok {
			text = a.Text()
		}
	}
	return text
}

// deserted fails when a process of this world lives on a moment after its
// test, and ends it.
func (w *world) deserted() {
	var left []string
	for deadline := time.Now().Add(5 * time.Second); ; {
		left = w.inhabitants()
		if len(left) == 0 || time.Now().After(deadline) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, l := range left {
		pid, _, _ := strings.Cut(l, " ")
		if n, err := strconv.Atoi(pid); err == nil {
			_ = syscall.Kill(n, syscall.SIGKILL)
		}
		w.t.Errorf("still alive: %s", l)
	}
}

// inhabitants lists the living processes that carry the mark of this world,
// where the system shows it.
func (w *world) inhabitants() []string {
	if runtime.GOOS != "linux" {
		return nil
	}
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var list []string
	for _, f := range files {
		env, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(env, []byte("WORLD="+filepath.Dir(w.dir)+"\x00")) {
			continue
		}
		name, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "cmdline"))
		stat, _ := os.ReadFile(filepath.Join(filepath.Dir(f), "stat"))
		if _, state, ok := bytes.Cut(stat, []byte(") ")); !ok || state[0] == 'Z' {
			continue
		}
		list = append(list, fmt.Sprintf("%s %.80q", filepath.Base(filepath.Dir(f)), name))
	}
	return list
}

func newPipe() (r, w *os.File, err error) { return os.Pipe() }

// ignoreDone forgives a signal that came after the end.
func ignoreDone(err error) error {
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// watchMemory looks at the memory of a run and returns what gives the most that
// was seen, in megabytes; 0 where the system does not show it.
func watchMemory(pid int) (most func() int) {
	var mb int
	stop, done := make(chan struct{}), make(chan struct{})
	tick := time.NewTicker(20 * time.Millisecond)
	go func() {
		defer close(done)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, rest, _ := strings.Cut(string(status), "VmHWM:")
			if f := strings.Fields(rest); len(f) > 0 {
				if kb, err := strconv.Atoi(f[0]); err == nil {
					mb = max(mb, kb>>10)
				}
			}
		}
	}()
	return func() int {
		close(stop)
		<-done
		return mb
	}
}
