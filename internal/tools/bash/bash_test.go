package bash_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/tool"
	"assent/internal/tools/bash"
	"assent/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// room is a workspace with a gate that runs commands.
type room struct {
	testing.TB
	dir   string
	procs *proc.Table
	gate  *gate.Gate
	set   tool.Set
	calls int
}

// idle waits until no command runs.
func (r *room) idle() {
	r.Helper()
	for deadline := time.Now().Add(5 * time.Second); len(r.procs.Running()) > 0; {
		if time.Now().After(deadline) {
			r.Fatalf("still running: %v", r.procs.Running())
		}
		runtime.Gosched()
	}
}

func newRoom(t testing.TB, o bash.Options) *room {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	r := &room{TB: t, dir: dir, procs: &proc.Table{}, set: bash.Tools(o)}
	r.gate = gate.New(gate.Options{Workspace: ws, Procs: r.procs, Yolo: true})
	t.Cleanup(func() { r.procs.Close(); ws.Close() })
	return r
}

// start prepares a call with its grant.
func (r *room) start(name, id, input string, emit func(string)) (tool.Planned, *gate.Grant) {
	r.Helper()
	t, ok := r.set.Find(name)
	if !ok {
		r.Fatalf("there is no %s", name)
	}
	p, err := t.Prepare(id, json.RawMessage(input))
	if err != nil {
		r.Fatal(err)
	}
	q := p.Request()
	q.Emit = emit
	grant, d := r.gate.Decide(context.Background(), q)
	if grant == nil {
		r.Fatalf("refused by %s: %s", d.By, d.Reason)
	}
	return p, grant
}

func (r *room) call(ctx context.Context, name, input string) (tool.Result, error) {
	r.Helper()
	r.calls++
	p, g := r.start(name, fmt.Sprint("call", r.calls), input, nil)
	return p.Run(ctx, g)
}

func (r *room) run(command string) tool.Result {
	r.Helper()
	b, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		r.Fatal(err)
	}
	res, err := r.call(context.Background(), "bash", string(b))
	if err != nil {
		r.Fatal(err)
	}
	return res
}

func has(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

// TestEndings also shows that a command which ran and said no is a result: only
// one whose effects are unknown counts as failed.
func TestEndings(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, command string
		failed        bool
		parts         []string
	}{
		{"well", "echo hi", false, []string{"hi\n[exit code 0, "}},
		{"silent", "true", false, []string{"(no output)\n[exit code 0, "}},
		{"badly", "echo out; echo err >&2; exit 3", false, []string{"out\n", "err\n", "[exit code 3, "}},
		{"by a signal", "kill -SEGV $$", true, []string{"ended by the signal"}},
		{"unknown command", "nosuchcommand_x", false, []string{"[exit code 127, "}},
		{"in the root", "pwd", false, nil},
		{"SHEL-24 cd is told not to last", "cd / && pwd", false, []string{"/\n[exit code 0", "cd does not last"}},
		{"SHEL-17 escapes are stripped", `printf '\033[31mred\033[0m \033]0;title\007end\n'`, false, []string{"red end\n["}},
		{"SHEL-19 what is no text is repaired", `printf 'a\377b\n'`, false, []string{"a\ufffdb\n"}},
		{"SHEL-06 no terminal", "cat < /dev/tty", false, nil},
		{"no input", "cat; echo end", false, []string{"end\n[exit"}},
		{"SHEL-10 no editor", "git commit --allow-empty || $EDITOR x", false, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t, bash.Options{})
			res := r.run(c.command)
			if res.Failed != c.failed || res.Interrupted || res.Summary == "" {
				t.Errorf("got %+v", res)
			}
			has(t, res.Output, c.parts...)
			if c.command == "pwd" {
				has(t, res.Output, r.dir+"\n")
			}
		})
	}
}

func TestHints(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	for said, part := range map[string]string{
		"sudo: a password is required":                                              "ask the user to run this command",
		"sudo: a terminal is required to read the password":                         "ask the user to run this command",
		"error: Terminal is dumb, but EDITOR unset":                                 "there is no editor here",
		"fatal: could not read Username for 'https://x': terminal prompts disabled": "ask the user to log in",
		"the input device is not a TTY":                                             "non-interactive",
	} {
		res := r.run("echo " + `"` + said + `"` + " >&2; exit 1")
		has(t, res.Output, part)
		if res = r.run("echo " + `"` + said + `"`); strings.Contains(res.Output, part) {
			t.Errorf("a hint for a command that went well: %s", res.Output)
		}
	}
}

// TestTimeout covers SHEL-11, SHEL-14 and SHEL-15: at the timeout the whole
// tree is gone, and what was printed so far is told.
func TestTimeout(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	res, err := r.call(t.Context(), "bash", `{"command":"echo early; (sleep 300; touch late) & sleep 300","timeout":1000}`)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Failed || res.Interrupted {
		t.Errorf("%+v", res)
	}
	has(t, res.Output, "early\n", "did not finish within 1s", "effects are unknown")
	has(t, res.Summary, "timed out")
	r.idle()
}

// TestSurvivors covers SHEL-01 and SHEL-03: a call ends with its shell, and
// what it left running is stopped and told.
func TestSurvivors(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	res := r.run("sleep 300 & echo $! > pid; echo done")
	if res.Failed {
		t.Errorf("%+v", res)
	}
	has(t, res.Output, "done\n", "1 process that it left running was stopped")
}

func TestInterruptAndCancel(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	wait := make(chan string, 16)
	p, g := r.start("bash", "c7", `{"command":"echo begun; sleep 300"}`, func(s string) { wait <- s })
	done := make(chan tool.Result, 1)
	go func() {
		res, err := p.Run(context.Background(), g)
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	if s := <-wait; s != "begun\n" {
		t.Errorf("told %q", s)
	}
	if !r.procs.Interrupt("c7") {
		t.Error("nothing to interrupt")
	}
	res := <-done
	if !res.Failed || !res.Interrupted {
		t.Errorf("got %+v", res)
	}
	if !strings.HasPrefix(res.Output, "The user interrupted this command. It did not finish, so its effects are unknown.\nbegun") {
		t.Errorf("got %q", res.Output)
	}

	ctx, cancel := context.WithCancel(t.Context())
	p, g = r.start("bash", "c8", `{"command":"echo begun; sleep 301"}`, func(string) { cancel() })
	res, err := p.Run(ctx, g)
	if err != nil || !res.Interrupted || res.Output != "begun" {
		t.Errorf("got %+v, %v", res, err)
	}
	r.idle()
	r.procs.Close()
	p, g = r.start("bash", "c9", `{"command":"echo begun; sleep 302"}`, nil)
	if res, err := p.Run(t.Context(), g); err != nil || !res.Interrupted {
		t.Errorf("at the end of the program: %+v, %v", res, err)
	}
}

func TestShortened(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{Shorten: func(s, command string) (string, bool) {
		if !strings.HasPrefix(command, "seq") {
			return s, false
		}
		return "short", true
	}})
	res := r.run("seq 3")
	if res.Raw != "1\n2\n3" || !strings.HasPrefix(res.Output, "short\n[exit code 0") {
		t.Errorf("got %+v", res)
	}
	if res = r.run("echo 1"); res.Raw != "" {
		t.Errorf("got %+v", res)
	}
}

// TestExit: a command that said no is a result with its code, which one that
// was ended from outside has not.
func TestExit(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	for command, want := range map[string]int{"true": 0, "exit 3": 3, "kill -9 $$": 0} {
		if res := r.run(command); res.Exit != want || res.Failed != (command == "kill -9 $$") {
			t.Errorf("%s: %+v", command, res)
		}
	}
}

func TestLiveOutput(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	var mu sync.Mutex
	var told strings.Builder
	p, g := r.start("bash", "c1", `{"command":"for i in 1 2 3; do echo $i; done"}`, func(s string) {
		mu.Lock()
		defer mu.Unlock()
		told.WriteString(s)
	})
	if _, err := p.Run(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if told.String() != "1\n2\n3\n" {
		t.Errorf("told %q", told.String())
	}
}

// until calls bash_output until what it said so far holds a part.
func (r *room) until(id, part string) string {
	r.Helper()
	var all strings.Builder
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		res, err := r.call(context.Background(), "bash_output", `{"id":"`+id+`"}`)
		if err != nil {
			r.Fatal(err)
		}
		all.WriteString(res.Output + "\n")
		if strings.Contains(all.String(), part) {
			return all.String()
		}
	}
	r.Fatalf("never said %q:\n%s", part, all.String())
	return ""
}

func TestBackground(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	p, g := r.start("bash", "c1", `{"command":"echo one; while [ ! -e go ]; do sleep 0.01; done; echo two; exit 4","background":true}`, nil)
	res, err := p.Run(ctx, g)
	cancel() // the turn that started it ends
	if err != nil || res.Failed {
		t.Fatalf("%+v, %v", res, err)
	}
	has(t, res.Output, "as bg1")
	said := r.until("bg1", "one\n")
	has(t, said, "bg1 is running")
	if err := os.WriteFile(filepath.Join(r.dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	said = r.until("bg1", "has ended")
	has(t, said, "two\n", "exit code 4")
	if strings.Contains(said, "one") {
		t.Errorf("told twice: %s", said)
	}
	res, err = r.call(t.Context(), "bash_kill", `{"id":"bg1"}`)
	if err != nil {
		t.Fatal(err)
	}
	has(t, res.Output, "bg1 had ended already", "(no new output)")

	p, g = r.start("bash", "c2", `{"command":"sleep 300","background":true}`, nil)
	if _, err = p.Run(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	res, err = r.call(t.Context(), "bash_kill", `{"id":"bg2"}`)
	if err != nil || res.Failed {
		t.Fatalf("%+v, %v", res, err)
	}
	has(t, res.Output, "bg2 has ended: it was stopped")
	if _, err = r.call(t.Context(), "bash_kill", `{"id":"bg3"}`); err == nil || !strings.Contains(err.Error(), "there are bg1, bg2") {
		t.Errorf("got %v", err)
	}
	p, g = r.start("bash", "c3", `{"command":"sleep 300","background":true,"timeout":1000}`, nil)
	if _, err = p.Run(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	has(t, r.until("bg3", "has ended"), "stopped at its timeout")
	r.idle()
	r = newRoom(t, bash.Options{})
	if _, err = r.call(t.Context(), "bash_output", `{"id":"bg1"}`); err == nil || !strings.Contains(err.Error(), "none was started") {
		t.Errorf("got %v", err)
	}
}

func TestBackgroundIsBounded(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	start := func(id, command string) error {
		p, g := r.start("bash", id, `{"command":`+quote(command)+`,"background":true}`, nil)
		_, err := p.Run(t.Context(), g)
		return err
	}
	for i := range 16 {
		if err := start("c"+string(rune('a'+i)), "sleep 300; : "+string(rune('a'+i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := start("cz", "sleep 301"); err == nil || !strings.Contains(err.Error(), "16 are running already") {
		t.Errorf("got %v", err)
	}
	r.procs.KillAll()
	if err := start("cz", "sleep 301"); err != nil {
		t.Error(err)
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func TestPlanAndSchema(t *testing.T) {
	t.Parallel()
	set := bash.Tools(bash.Options{})
	for _, tl := range set {
		if err := tl.Check(); err != nil {
			t.Error(err)
		}
		if tl.Set() != tool.Core {
			t.Errorf("%s is in %s", tl.Name(), tl.Set())
		}
	}
	tl, _ := set.Find("bash")
	p, err := tl.Prepare("c1", json.RawMessage(`{"command":"git status && rm x > out"}`))
	if err != nil {
		t.Fatal(err)
	}
	r := p.Request()
	var subjects []string
	for _, s := range r.Plan.Subjects {
		subjects = append(subjects, string(s.Kind)+" "+s.Text)
	}
	if r.Effect != policy.Exec || r.Title != "git status && rm x > out" || r.Plan.Script == nil || r.Plan.Script.Source != r.Title ||
		!strings.Contains(strings.Join(subjects, "; "), "command git status; command rm x") {
		t.Errorf("got %+v, %v", r, subjects)
	}
	for _, input := range []string{`{}`, `{"command":""}`, `{"command":"ls","timeout":30}`, `{"command":"ls","timeout":600001}`, `{"command":["ls"]}`} {
		if _, err := tl.Prepare("c1", json.RawMessage(input)); err == nil {
			t.Errorf("%s was taken", input)
		}
	}
}
