package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/session"
	"assent/internal/shell"
	"assent/internal/tool"
	"assent/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kit is a conversation over a real workspace, gate, log and real processes;
// only the model is a script.
type kit struct {
	t     *testing.T
	root  string
	model *llmtest.Model
	gate  *gate.Gate
	procs *proc.Table
	log   *session.Log
	disk  *disk
	eng   *engine.Engine
	in    engine.StepInput
	told  *told
}

// disk is the session log; it can be full.
type disk struct {
	*session.Log
	mu   sync.Mutex
	full func(session.Record) bool
	// blind says that no image can be stored.
	blind bool
	// before is called with every record before it is stored.
	before func(session.Record)
}

var errFull = errors.New("no space left on device")

func (d *disk) Append(r session.Record) error {
	d.mu.Lock()
	full, before := d.full, d.before
	d.mu.Unlock()
	if before != nil {
		before(r)
	}
	if full != nil && full(r) {
		return errFull
	}
	return d.Log.Append(r)
}

func (d *disk) Image(mime, name string, data []byte) (session.Image, error) {
	if d.blind {
		return session.Image{}, errFull
	}
	return d.Log.Image(mime, name, data)
}

func (d *disk) fill(full func(session.Record) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// told collects events and notes, for each, how many records there were.
type told struct {
	mu     sync.Mutex
	events []event.Event
	notify chan struct{}
	on     func(event.Event)
}

func (c *told) tell(e event.Event) {
	c.mu.Lock()
	c.events = append(c.events, e)
	on := c.on
	close(c.notify)
	c.notify = make(chan struct{})
	c.mu.Unlock()
	if on != nil {
		on(e)
	}
}

func (c *told) all() []event.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]event.Event(nil), c.events...)
}

// wait waits until an event satisfies ok.
func wait[E event.Event](t *testing.T, c *told, ok func(E) bool) E {
	t.Helper()
	end := time.After(10 * time.Second)
	for {
		c.mu.Lock()
		notify := c.notify
		for _, e := range c.events {
			if e, is := e.(E); is && (ok == nil || ok(e)) {
				c.mu.Unlock()
				return e
			}
		}
		c.mu.Unlock()
		select {
		case <-notify:
		case <-end:
			t.Fatalf("no such event among\n%s", c)
		}
	}
}

func find[E event.Event](c *told) (list []E) {
	for _, e := range c.all() {
		if e, ok := e.(E); ok {
			list = append(list, e)
		}
	}
	return list
}

func (c *told) String() string {
	var b strings.Builder
	for _, e := range c.all() {
		line, err := event.Marshal(e)
		if err != nil {
			line = []byte(err.Error())
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}

// types lists the types of the events, deltas of one block once.
func (c *told) types() string {
	var list []string
	for _, e := range c.all() {
		if n := len(list); n > 0 && list[n-1] == e.Type() && (e.Type() == "text" || e.Type() == "reasoning" || e.Type() == "tool-output") {
			continue
		}
		list = append(list, e.Type())
	}
	return strings.Join(list, " ")
}

type change func(*engine.Options, *engine.StepInput, *gate.Options)

func newKit(t *testing.T, m *llmtest.Model, changes ...change) *kit {
	t.Helper()
	k := &kit{t: t, model: m, root: t.TempDir(), procs: &proc.Table{}, told: &told{notify: make(chan struct{})}}
	ws, err := workspace.Open(workspace.Options{Root: k.root})
	if err != nil {
		t.Fatal(err)
	}
	k.log, err = session.Store{Dir: filepath.Join(t.TempDir(), "sessions")}.Create(k.root)
	if err != nil {
		t.Fatal(err)
	}
	k.disk = &disk{Log: k.log}
	t.Cleanup(func() {
		k.procs.Close()
		if err := errors.Join(k.log.Close(), ws.Close()); err != nil {
			t.Error(err)
		}
	})
	k.in = engine.StepInput{
		Model: m, Provider: "test", Name: "scripted", Level: llm.LevelOff, System: "You are a test.",
		Tools: tool.Set{look, lookTwice, put, run, question},
	}
	guarded := gate.Options{Workspace: ws, Yolo: true, Procs: k.procs}
	o := engine.Options{
		Log: k.disk, Tell: k.told.tell, Session: "s1", Interrupt: k.procs.Interrupt, Grace: 3 * time.Second,
		Step: func(context.Context) (engine.StepInput, error) { return k.in, nil },
	}
	for _, c := range changes {
		c(&o, &k.in, &guarded)
	}
	k.gate = gate.New(guarded)
	o.Gate = k.gate
	k.eng = engine.New(o)
	return k
}

// run runs a turn with short waits.
func (k *kit) run(ctx context.Context, s engine.Submit) engine.Done {
	k.t.Helper()
	if s.Text == "" && len(s.Open) == 0 {
		s.Text = "go"
	}
	if s.Limits.Backoff == 0 {
		s.Limits.Backoff = time.Millisecond
	}
	done, err := k.eng.Run(ctx, s)
	if err != nil {
		k.t.Fatal(err)
	}
	if done.Reason != "question" {
		if err := llmtest.WellFormed(k.eng.Items()); err != nil && len(k.eng.Items()) > 0 {
			k.t.Errorf("the history after the turn: %v", err)
		}
	}
	for end := time.Now().Add(2 * time.Second); len(k.procs.Running()) > 0; { // the table learns of an end a moment later
		if time.Now().After(end) {
			k.t.Errorf("commands still run: %v", k.procs.Running())
			break
		}
		runtime.Gosched()
	}
	return done
}

// start runs a turn beside the test.
func (k *kit) start(ctx context.Context, s engine.Submit) <-chan engine.Done {
	ch := make(chan engine.Done, 1)
	go func() { ch <- k.run(ctx, s) }()
	return ch
}

func (k *kit) ended(ch <-chan engine.Done) engine.Done {
	k.t.Helper()
	select {
	case d := <-ch:
		return d
	case <-time.After(20 * time.Second):
		k.t.Fatalf("the turn does not end; told:\n%s", k.told)
		return engine.Done{}
	}
}

// records reads the session back from the disk.
func (k *kit) records() []session.Record {
	k.t.Helper()
	tree, _, err := session.Load(k.log.Path())
	if err != nil {
		k.t.Fatal(err)
	}
	var list []session.Record
	for _, e := range tree.Branch("").Entries {
		list = append(list, e.Record)
	}
	return list
}

func (k *kit) recordTypes() string {
	var list []string
	for _, r := range k.records() {
		list = append(list, r.Type())
	}
	return strings.Join(list, " ")
}

func (k *kit) results() map[string]session.Result {
	list := map[string]session.Result{}
	for _, r := range k.records() {
		if r, ok := r.(session.Result); ok {
			list[r.CallID] = r
		}
	}
	return list
}

// The tools: two that read, one that writes, one that runs a command, one whose
// answer comes from outside.
type path struct {
	Path string `json:"path"`
}

func reads(p path) policy.Plan {
	return policy.Plan{Subjects: []policy.Subject{{Kind: policy.KindPath, Text: p.Path, Access: policy.AccessRead}}}
}

func reader(name string) tool.Tool {
	return tool.Define(tool.Definition{Name: name, Effect: policy.Read, Set: tool.Core, Description: "Read a file."}, reads,
		func(_ context.Context, h gate.Hands, p path) (tool.Result, error) {
			f, err := h.Read(p.Path, 1<<20)
			if err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Output: string(f.Data), Summary: "read"}, nil
		})
}

var (
	look      = reader("look")
	lookTwice = reader("look_twice")
)

type content struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

var put = tool.Define(tool.Definition{Name: "put", Effect: policy.Write, Set: tool.Core, Description: "Write a file."},
	func(c content) policy.Plan {
		return policy.Plan{
			Subjects: []policy.Subject{{Kind: policy.KindPath, Text: c.Path, Access: policy.AccessWrite}},
			Content:  []string{c.Text},
		}
	},
	func(_ context.Context, h gate.Hands, c content) (tool.Result, error) {
		if err := h.Write(c.Path, []byte(c.Text), 0); err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Output: "written", Diff: "+" + c.Text}, nil
	})

type command struct {
	Command string `json:"command"`
}

var run = tool.Define(tool.Definition{Name: "run", Effect: policy.Exec, Set: tool.Core, Description: "Run a command."},
	func(c command) policy.Plan {
		script := shell.Parse(c.Command, shell.Options{})
		var p policy.Plan
		for i := range script.Commands {
			p.Subjects = append(p.Subjects, policy.Subject{
				Kind: policy.KindCommand, Text: script.Commands[i].Text, Command: &script.Commands[i],
			})
		}
		p.Script = script
		return p
	},
	func(ctx context.Context, h gate.Hands, c command) (tool.Result, error) {
		r, err := h.Shell(ctx, c.Command, gate.ShellOptions{})
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Output: string(r.Output), Failed: r.Exit != 0, Interrupted: r.Interrupted}, nil
	})

type later struct{}

func (later) Error() string { return "the answer comes later" }
func (later) Waits()        {}

type nothing struct{}

var question = tool.Define(tool.Definition{Name: "question", Effect: policy.State, Set: tool.Session, Description: "Ask."}, nil,
	func(context.Context, gate.Hands, nothing) (tool.Result, error) { return tool.Result{}, later{} })

// reader2 is a tool whose calls wait for each other.
func reader2(t *testing.T, both chan struct{}) tool.Tool {
	return tool.Define(tool.Definition{Name: "meet", Effect: policy.Read, Set: tool.Core, Description: "Meet."}, reads,
		func(ctx context.Context, _ gate.Hands, p path) (tool.Result, error) {
			both <- struct{}{}
			for len(both) < 2 {
				select {
				case <-ctx.Done():
					return tool.Result{}, ctx.Err()
				case <-time.After(time.Millisecond):
				}
			}
			return tool.Result{Output: p.Path}, nil
		})
}

// stepper gives the kit's step input with another model.
func stepper(k *kit, m engine.Model) func(context.Context) (engine.StepInput, error) {
	in := k.in
	in.Model = m
	return func(context.Context) (engine.StepInput, error) { return in, nil }
}

// spy looks at what a gate is asked.
type spy struct {
	*gate.Gate
	seen func(gate.Request)
}

func (s *spy) Decide(ctx context.Context, r gate.Request) (*gate.Grant, policy.Decision) {
	s.seen(r)
	return s.Gate.Decide(ctx, r)
}
