package host_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/session"
)

func TestPromptsRunInTheirOrder(t *testing.T) {
	t.Parallel()
	first, release := held("one")
	k := newKit(t, llmtest.New(t, first, llmtest.Step{Text: "two"}, llmtest.Step{Text: "three"}))
	k.do(host.Submit{Text: "a"})
	next[event.Text](k, nil)
	k.do(host.Submit{Text: "b"})
	k.do(host.Submit{Text: "c"})
	k.queue("b", "c")
	release()
	next[event.Done](k, nil)
	k.queue("c")
	next[event.Done](k, nil)
	k.queue()
	if d := next[event.Done](k, nil); d.Reason != "stop" {
		t.Errorf("the last turn ended with %q", d.Reason)
	}
	if got := k.prompts(); got != "a b c" {
		t.Errorf("prompts in the log: %s", got)
	}
}

func TestTheOpeningIsToldToEveryFront(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t))
	next[event.Session](k, nil)
	late := k.host.Events()
	defer late.Close()
	events, err := late.Next(t.Context())
	if err != nil || len(events) != 1 || events[0].Type() != "session" {
		t.Errorf("a late front was told %v, %v", events, err)
	}
}

func TestCancelEndsTheTurnAndClearsTheQueue(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "thinking", Hang: true}, llmtest.Step{Text: "afterwards"}))
	k.do(host.Submit{Text: "a"})
	next[event.Text](k, nil)
	k.do(host.Submit{Text: "never"})
	k.queue("never")
	k.do(host.Cancel{})
	k.queue()
	if d := next[event.Done](k, nil); d.Reason != "cancelled" {
		t.Errorf("reason %q", d.Reason)
	}
	k.do(host.Submit{Text: "b"})
	if d := next[event.Done](k, nil); d.Reason != "stop" {
		t.Errorf("the next turn ended with %q", d.Reason)
	}
	if got := k.prompts(); got != "a b" {
		t.Errorf("prompts in the log: %s", got)
	}
	k.do(host.Cancel{}) // nothing runs: nothing happens
}

func TestUnqueueGivesTheNewestBack(t *testing.T) {
	t.Parallel()
	first, release := held("one")
	k := newKit(t, llmtest.New(t, first, llmtest.Step{Text: "two"}))
	k.do(host.Submit{Text: "a"})
	next[event.Text](k, nil)
	k.do(host.Submit{Text: "b"})
	k.do(host.Submit{Text: "c", Expanded: "c with content"})
	if s, ok := k.host.Unqueue(); !ok || s.Text != "c" || s.Expanded != "c with content" {
		t.Errorf("took back %+v, %t", s, ok)
	}
	k.queue("b")
	release()
	next[event.Done](k, nil)
	next[event.Done](k, nil)
	if s, ok := k.host.Unqueue(); ok {
		t.Errorf("took %+v from an empty queue", s)
	}
	if got := k.prompts(); got != "a b" {
		t.Errorf("prompts in the log: %s", got)
	}
}

func TestASteerEntersTheRunningTurn(t *testing.T) {
	t.Parallel()
	first, release := held("one")
	k := newKit(t, llmtest.New(t, first, llmtest.Step{Text: "two"}))
	k.do(host.Submit{Text: "a"})
	next[event.Text](k, nil)
	k.do(host.Steer{Text: "and this"})
	release()
	next(k, func(p event.Prompt) bool { return p.Steer && p.Text == "and this" })
	next[event.Done](k, nil)
	if got := k.prompts(); got != "a ~and this" {
		t.Errorf("prompts in the log: %s", got)
	}
	if n := len(k.model.Requests()); n != 2 {
		t.Errorf("%d requests", n)
	}
}

// A steer carries what was added to it as a prompt does: the log has both, the
// model sees the long form, people the short one.
func TestASteerIsExpandedAsAPromptIs(t *testing.T) {
	t.Parallel()
	first, release := held("one")
	k := newKit(t, llmtest.New(t, first, llmtest.Step{Text: "two"}))
	k.do(host.Submit{Text: "a"})
	next[event.Text](k, nil)
	k.do(host.Steer{Text: "see #diff", Expanded: "see #diff\n+x"})
	release()
	next(k, func(p event.Prompt) bool { return p.Steer && p.Text == "see #diff" })
	next[event.Done](k, nil)
	tree, _, err := session.Load(k.log)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, e := range tree.Branch("").Entries {
		if s, ok := e.Record.(session.Steer); ok {
			found = s.Text == "see #diff" && s.Expanded == "see #diff\n+x"
		}
	}
	items := k.model.Requests()[1].Items
	if u, ok := items[len(items)-1].(llm.User); !found || !ok || u.Text != "see #diff\n+x" {
		t.Errorf("in the log %t, sent %#v", found, items[len(items)-1])
	}
}

func TestASteerOfNothingIsAPrompt(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "one"}))
	k.do(host.Steer{Text: "a"})
	next[event.Done](k, nil)
	if got := k.prompts(); got != "a" {
		t.Errorf("prompts in the log: %s", got)
	}
}

func TestPromoteSteersWithTheOldest(t *testing.T) {
	t.Parallel()
	first, release := held("one")
	k := newKit(t, llmtest.New(t, first, llmtest.Step{Text: "two"}, llmtest.Step{Text: "three"}))
	if err := k.host.Do(t.Context(), host.Promote{}); !errors.Is(err, host.ErrNothing) {
		t.Errorf("promote of an empty queue: %v", err)
	}
	k.do(host.Submit{Text: "a"})
	next[event.Text](k, nil)
	k.do(host.Submit{Text: "b"})
	k.do(host.Submit{Text: "c"})
	k.do(host.Promote{})
	k.queue("c")
	release()
	next[event.Done](k, nil)
	next[event.Done](k, nil)
	if got := k.prompts(); got != "a ~b c" {
		t.Errorf("prompts in the log: %s", got)
	}
}

// between is an engine that takes no steer: the moment between two turns.
type between struct {
	host.Engine
	err error
	on  func()
}

func (b between) Steer(context.Context, engine.Steering) error {
	if b.on != nil {
		b.on()
	}
	return b.err
}

// A prompt that no turn took stays the oldest: b would run after c otherwise.
func TestPromoteBetweenTurnsKeepsTheOrder(t *testing.T) {
	t.Parallel()
	errFull := errors.New("no space left")
	for _, tt := range []struct {
		name string
		err  error
	}{{"idle", engine.ErrIdle}, {"not stored", errFull}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			first, release := held("one")
			k := newKit(t, llmtest.New(t, first, llmtest.Step{Text: "two"}, llmtest.Step{Text: "three"}), func(o *host.Options) {
				o.Engine = between{Engine: o.Engine, err: tt.err}
			})
			k.do(host.Submit{Text: "a"})
			next[event.Text](k, nil)
			k.do(host.Submit{Text: "b"})
			k.do(host.Submit{Text: "c"})
			if err := k.host.Do(t.Context(), host.Promote{}); errors.Is(err, tt.err) == errors.Is(tt.err, engine.ErrIdle) {
				t.Errorf("promote: %v", err)
			}
			k.queue("c")
			k.queue("b", "c")
			release()
			for range 3 {
				next[event.Done](k, nil)
			}
			if got := k.prompts(); got != "a b c" {
				t.Errorf("prompts in the log: %s", got)
			}
		})
	}
}

func TestCancelTakesAPromptThatIsBeingPromoted(t *testing.T) {
	t.Parallel()
	var k *kit
	k = newKit(t, llmtest.New(t, llmtest.Step{Text: "one", Hang: true}), func(o *host.Options) {
		o.Engine = between{Engine: o.Engine, err: engine.ErrIdle, on: func() { k.do(host.Cancel{}) }}
	})
	k.do(host.Submit{Text: "a"})
	next[event.Text](k, nil)
	k.do(host.Submit{Text: "b"})
	k.do(host.Promote{})
	next[event.Done](k, nil)
	if _, waits := k.host.Unqueue(); waits {
		t.Error("a cancelled prompt waits")
	}
	if got := k.prompts(); got != "a" {
		t.Errorf("prompts in the log: %s", got)
	}
}

func TestATurnThatCannotBeginIsTold(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t), func(o *host.Options) {
		o.Prepare = func(context.Context, host.Submit) (engine.Submit, error) {
			return engine.Submit{}, errors.New("read the image: gone")
		}
	})
	k.do(host.Submit{Text: "a"})
	if e := next[event.Error](k, nil); e.Message != "read the image: gone" {
		t.Errorf("told %+v", e)
	}
	if d := next[event.Done](k, nil); d.Reason != "error" {
		t.Errorf("reason %q", d.Reason)
	}
}

func TestInterruptEndsOneCommand(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t,
		llmtest.Step{Calls: []llmtest.Call{{ID: "c1", Name: "bash", Input: `{"command":"echo begun; sleep 60"}`}}},
		llmtest.Step{Text: "I see"},
	))
	if err := k.host.Do(t.Context(), host.Interrupt{}); !errors.Is(err, host.ErrNothing) {
		t.Errorf("interrupt of nothing: %v", err)
	}
	k.do(host.Submit{Text: "a"})
	k.do(host.Decide{ID: next[event.Approval](k, nil).ID, Choice: "once"})
	next(k, func(o event.ToolOutput) bool { return strings.Contains(o.Chunk, "begun") })
	k.do(host.Interrupt{CallID: "c1"})
	if e := next[event.ToolError](k, nil); e.Status != "interrupted" {
		t.Errorf("told %+v", e)
	}
	if d := next[event.Done](k, nil); d.Reason != "stop" {
		t.Errorf("the turn ended with %q", d.Reason)
	}
}

func TestCloseWaitsForEverything(t *testing.T) {
	t.Parallel()
	asked, using := make(chan struct{}), make(chan struct{})
	k := newKit(t, llmtest.New(t,
		llmtest.Step{Calls: []llmtest.Call{{Name: "bash", Input: `{"command":"echo begun; sleep 60"}`}}},
	), func(o *host.Options) {
		ending := o.Close
		o.Ask = func(ctx context.Context, _ host.Query) (host.Answer, error) {
			close(asked)
			<-ctx.Done() // Close ends it
			return nil, ctx.Err()
		}
		o.Use = func(context.Context, host.Use) (event.State, error) {
			close(using)
			<-asked
			return event.State{}, nil
		}
		o.Close = func() error { return errors.Join(ending(), errors.New("from closing")) }
	})
	k.do(host.Submit{Text: "a"})
	k.do(host.Submit{Text: "never"})
	k.do(host.Decide{ID: next[event.Approval](k, nil).ID, Choice: "once"})
	next[event.ToolOutput](k, nil)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := k.host.Do(context.Background(), host.Use{Agent: "plan"}); err != nil {
			t.Errorf("use: %v", err)
		}
	})
	<-using
	wg.Go(func() {
		if _, err := k.host.Ask(context.Background(), host.History{}); !errors.Is(err, context.Canceled) {
			t.Errorf("ask: %v", err)
		}
	})
	<-asked
	for range 3 { // every caller waits for the end, and is told the same
		wg.Go(func() {
			err := k.host.Do(context.Background(), host.Close{})
			if err == nil || !strings.Contains(err.Error(), "from closing") || k.closed.Load() != 1 {
				t.Errorf("close: %v, closed %d times", err, k.closed.Load())
			}
		})
	}
	wg.Wait()
	if d := next[event.Done](k, nil); d.Reason != "cancelled" {
		t.Errorf("the turn ended with %q", d.Reason)
	}
	if _, err := k.cursor.Next(context.Background()); !errors.Is(err, event.ErrClosed) {
		t.Errorf("the events go on: %v", err)
	}
	for _, c := range []host.Command{host.Submit{Text: "late"}, host.Steer{Text: "late"}, host.Use{Agent: "plan"}} {
		if err := k.host.Do(context.Background(), c); !errors.Is(err, host.ErrClosed) {
			t.Errorf("%T after the end: %v", c, err)
		}
	}
	if _, err := k.host.Ask(context.Background(), host.Always{}); !errors.Is(err, host.ErrClosed) {
		t.Errorf("rules of an approval: %v", err)
	}
	if _, err := k.host.Ask(context.Background(), host.History{}); !errors.Is(err, host.ErrClosed) {
		t.Errorf("ask after the end: %v", err)
	}
	if got := k.prompts(); got != "a" {
		t.Errorf("prompts in the log: %s", got)
	}
	k.host = host.New(context.Background(), host.Options{Events: &event.Log{}}) // the first one's error is not the test's
}

// SRCH-11: a list of files that takes long holds up neither the turn nor the
// next command.
func TestAQueryHoldsUpNothing(t *testing.T) {
	t.Parallel()
	begun, goOn := make(chan struct{}), make(chan struct{})
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "one"}), func(o *host.Options) {
		o.Ask = func(context.Context, host.Query) (host.Answer, error) {
			close(begun)
			<-goOn
			return host.PathList{}, nil
		}
	})
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := k.host.Ask(t.Context(), host.Paths{}); err != nil {
			t.Error(err)
		}
	})
	<-begun
	k.do(host.Submit{Text: "a"})
	next[event.Done](k, nil)
	k.do(host.Cancel{})
	close(goOn)
	wg.Wait()
}

func TestWhatNobodyDoesIsSaid(t *testing.T) {
	t.Parallel()
	h := host.New(t.Context(), host.Options{Events: &event.Log{}})
	if err := h.Do(t.Context(), host.Use{Agent: "plan"}); err == nil {
		t.Error("use without anybody who does it")
	}
	if err := h.Do(t.Context(), host.Decide{ID: "x", Choice: "once"}); !errors.Is(err, host.ErrNothing) {
		t.Errorf("decide without approvals: %v", err)
	}
	if _, err := h.Ask(t.Context(), host.History{}); err == nil || !strings.Contains(err.Error(), "host.History") {
		t.Errorf("ask without anybody who answers: %v", err)
	}
	if err := h.Do(t.Context(), host.Close{}); err != nil {
		t.Error(err)
	}
}
