package tui_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui"
	"assent/internal/tui/tuitest"
)

// The clock of the highlighter's regular expressions ends a second after the
// last one was matched.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// glass is an emulated terminal, and the clock that is told of each frame.
type glass struct {
	*tuitest.Glass
	time *clock // nil for none
}

func newGlass(cols, rows int) *glass { return &glass{Glass: tuitest.New(cols, rows)} }

func (g *glass) Write(b []byte) (int, error) {
	g.time.wrote() // before anybody sees it
	return g.Glass.Write(b)
}

func (g *glass) size() (cols, rows int)      { return g.Size() }
func (g *glass) resize(cols, rows int)       { g.Resize(cols, rows) }
func (g *glass) all() string                 { return g.All() }
func (g *glass) written() string             { return g.Written() }
func (g *glass) bytes() int                  { return g.Bytes() }
func (g *glass) cursor() (x int, row string) { return g.Cursor() }

// clock is the time of a run. It goes on by itself, and forward when a test
// says so.
type clock struct {
	mu           sync.Mutex
	ahead        time.Duration
	looks, asked int // how often it was looked at, and how often at the last frame
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	return time.Now().Add(c.ahead)
}

// wrote takes in that a frame was written: after it the front looks at the
// clock, to know since when a question stands there.
func (c *clock) wrote() {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked = c.looks
	}
}

// unguard lets the time go by in which an approval takes no key.
func (c *clock) unguard(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		c.mu.Lock()
		if seen := c.looks > c.asked; seen || time.Now().After(end) {
			c.ahead += 350 * time.Millisecond
			c.mu.Unlock()
			if !seen {
				t.Error("the front does not look at the clock after its frame")
			}
			return
		}
		c.mu.Unlock()
	}
}

// played is a run of the front before an emulated terminal.
type played struct {
	*glass
	*clock
	t    testing.TB
	host *fake
	in   *pipe
	done chan struct{}
	code int
	err  error
	stop context.CancelFunc
	size chan struct{}
}

// patience is how long a test waits for what must come.
const patience = 30 * time.Second

var environment = map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}

// play runs the front; change sets more options.
func play(t testing.TB, cols, rows int, change func(*tui.Options)) *played {
	t.Helper()
	in := newPipe()
	ctx, stop := context.WithCancel(context.Background())
	p := &played{glass: newGlass(cols, rows), clock: &clock{}, t: t, host: newFake(), in: in, done: make(chan struct{}), stop: stop, size: make(chan struct{}, 1)}
	p.time = p.clock
	o := tui.Options{
		In: in, Out: p.glass, Now: p.now, Size: p.glass.size, Resized: p.size, Version: "1.2.3", Agents: []string{"default", "plan"},
		Lookup: func(name string) (string, bool) { v, ok := environment[name]; return v, ok },
	}
	if change != nil {
		change(&o)
	}
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		_, _ = io.Copy(in, p.Glass) // what the terminal answers
	}()
	go func() {
		defer close(p.done)
		p.code, p.err = tui.Run(ctx, p.host, o)
	}()
	t.Cleanup(func() {
		stop()
		p.ended()
		_ = in.Close()
		_ = p.Glass.Close()
		<-answers
	})
	return p
}

// ended waits for the end of the run.
func (p *played) ended() {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Fatalf("the front does not end:\n%s", p.all())
	}
}

// keys types what the terminal would send.
func (p *played) keys(s string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, s); err != nil {
		p.t.Errorf("type %q: %v", s, err)
	}
}

// until polls until a condition holds.
func (p *played) until(what string, holds func() bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
	}
	p.t.Fatalf("never: %s\n%s\ndone: %v", what, p.all(), p.host.done())
}

// see waits for a text anywhere, lose until it is gone.
func (p *played) see(text string) {
	p.t.Helper()
	p.until("see "+text, func() bool { return strings.Contains(p.all(), text) })
}

func (p *played) lose(text string) {
	p.t.Helper()
	p.until("lose "+text, func() bool { return !strings.Contains(p.all(), text) })
}

// did waits for a command that the host was given.
func (p *played) did(want string) {
	p.t.Helper()
	p.until("do "+want, func() bool { return slices.Contains(p.host.done(), want) })
}

// resized changes the size of the terminal.
func (p *played) resized(cols, rows int) {
	p.resize(cols, rows)
	select {
	case p.size <- struct{}{}:
	default:
	}
}

// once fails when a text stands more or less than once on the terminal.
func (p *played) once(texts ...string) {
	p.t.Helper()
	all := p.all()
	for _, text := range texts {
		if n := strings.Count(all, text); n != 1 {
			p.t.Errorf("%q stands there %d times:\n%s", text, n, all)
		}
	}
}

// fake is a conversation that a test plays.
type fake struct {
	log event.Log

	mu       sync.Mutex
	commands []string
	queue    []host.Submit
	answer   func(host.Query) (host.Answer, error)
	refuse   func(host.Command) error
	// slow keeps what was steered with until a test says next; waits are those.
	slow  bool
	waits []string
	// auto begins a turn for a prompt, else a test does.
	auto bool
	busy bool
}

func newFake() *fake { return &fake{auto: true} }

func (f *fake) Events() *event.Cursor {
	return f.log.Follow(event.Session{ID: "0123456789", CWD: "/work", Model: "model-1", Provider: "maker", Agent: "default"},
		event.State{Agent: "default", Provider: "maker", Model: "model-1", Level: "medium"})
}

func (f *fake) tell(list ...event.Event) {
	for _, e := range list {
		f.log.Tell(e)
	}
}

func (f *fake) done() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.commands)
}

func (f *fake) Do(_ context.Context, c host.Command) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commands = append(f.commands, spell(c))
	if f.refuse != nil {
		if err := f.refuse(c); err != nil {
			return err
		}
	}
	switch c := c.(type) {
	case host.Submit:
		if f.busy {
			f.queue = append(f.queue, c)
			f.tellQueue()
			return nil
		}
		if f.auto {
			f.busy = true
			f.log.Tell(event.Prompt{Text: c.Text})
			f.log.Tell(event.Step{Number: 1})
		}
	case host.Promote:
		if len(f.queue) > 0 {
			s := f.queue[0]
			f.queue = f.queue[1:]
			f.tellQueue()
			f.steered(s.Text)
		}
	case host.Steer:
		f.steered(c.Text)
	case host.Cancel:
		f.queue, f.waits = nil, nil
		f.end("cancelled")
	case host.Decide:
		f.log.Tell(event.ApprovalDone{ID: c.ID, Choice: c.Choice})
	case host.Use:
		f.log.Tell(event.State{Agent: cmp(c.Agent, "default"), Provider: "maker", Model: cmp(c.Model, "model-1"), Level: "medium"})
	}
	return nil
}

func cmp(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// steered takes a prompt into the running turn.
func (f *fake) steered(text string) {
	f.waits = append(f.waits, text)
	if !f.slow {
		f.enter()
	}
}

func (f *fake) enter() {
	for _, text := range f.waits {
		f.log.Tell(event.Prompt{Text: text, Steer: true})
	}
	f.waits = nil
}

// next begins another step, with which what was steered with enters.
func (f *fake) next() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.enter()
	f.log.Tell(event.Step{Number: 2})
}

// finish ends the turn.
func (f *fake) finish() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.end("stop")
}

func (f *fake) end(reason string) {
	if f.busy {
		f.busy = false
		f.log.Tell(event.Done{Reason: reason, Steps: 1, DurationMS: 10})
	}
}

func (f *fake) tellQueue() {
	q := event.Queue{}
	for _, s := range f.queue {
		q.Prompts = append(q.Prompts, s.Text)
	}
	f.log.Tell(q)
}

func (f *fake) Unqueue() (host.Submit, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 {
		return host.Submit{}, false
	}
	s := f.queue[len(f.queue)-1]
	f.queue = f.queue[:len(f.queue)-1]
	f.tellQueue()
	return s, true
}

func (f *fake) Ask(_ context.Context, q host.Query) (host.Answer, error) {
	f.mu.Lock()
	answer := f.answer
	f.commands = append(f.commands, spell(q))
	f.mu.Unlock()
	if answer != nil {
		if a, err := answer(q); a != nil || err != nil {
			return a, err
		}
	}
	switch q := q.(type) {
	case host.Always:
		return host.RuleList{Rules: []string{"bash(" + q.Pattern + ")"}}, nil
	case host.Paths:
		return host.PathList{Paths: []string{"main.go", "src/", "src/old.go", "with blank.txt"}}, nil
	case host.History:
		return host.PromptList{Prompts: []string{"oldest", "the one before"}}, nil
	case host.Expand:
		return host.Expansion{OK: true, Label: "added " + q.Word, Text: "content"}, nil
	case host.Models:
		return host.ModelList{Models: []host.Model{{Provider: "maker", ID: "model-1", Window: 1000}, {Provider: "maker", ID: "model-2"}}}, nil
	case host.Sessions:
		return host.SessionList{Sessions: []host.SessionInfo{{ID: "abc", Title: "an earlier one", Turns: 3}}}, nil
	case host.Report:
		return host.Page{Title: q.Name, Markdown: "report of **" + q.Name + "**"}, nil
	}
	return host.Page{}, nil
}

// spell writes a command or a query out, without what is empty.
func spell(c any) string {
	return strings.NewReplacer("host.", "", ", Expanded:\"\"", "", ", Images:[]llm.Image(nil)", "").Replace(fmt.Sprintf("%#v", c))
}
