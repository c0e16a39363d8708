package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/session"
	"assent/internal/tool"
	"assent/internal/turn"
)

func runs(commands ...string) llmtest.Step {
	var s llmtest.Step
	for _, c := range commands {
		s.Calls = append(s.Calls, llmtest.Call{Name: "run", Input: fmt.Sprintf(`{"command":%q}`, c)})
	}
	return s
}

// TestCancelClosesEveryCall cancels while the first of three calls runs
// (CTX-01, CTX-02, CTX-04, CTX-05, SHEL-11).
func TestCancelClosesEveryCall(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, runs("echo begun; sleep 60", "touch ran2"), llmtest.Step{Text: "and now"}))
	ctx, cancel := context.WithCancel(t.Context())
	ch := k.start(ctx, engine.Submit{})
	wait(t, k.told, func(e event.ToolOutput) bool { return strings.Contains(e.Chunk, "begun") })
	cancel()
	if done := k.ended(ch); done.Reason != turn.Cancel || done.Failure != nil {
		t.Errorf("done %+v", done)
	}
	got := k.results()
	if r := got["c1"]; r.Status != llm.StatusCancelled || !strings.Contains(r.Output, "begun") || !strings.Contains(r.Output, "Cancelled") {
		t.Errorf("the running call: %+v", r)
	}
	if r := got["c2"]; r.Status != llm.StatusCancelled {
		t.Errorf("the call that never ran: %+v", r)
	}
	if _, err := os.Stat(filepath.Join(k.root, "ran2")); err == nil {
		t.Error("the second call ran")
	}
	// The next turn is accepted by the model as it is.
	if done := k.run(t.Context(), engine.Submit{Text: "again"}); done.Reason != turn.Stop {
		t.Errorf("the next turn: %+v", done)
	}
}

func TestCancelBeforeTheStream(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t)
	k := newKit(t, m)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if done := k.run(ctx, engine.Submit{}); done.Reason != turn.Cancel {
		t.Errorf("done %+v", done)
	}
	if got := k.recordTypes(); got != "session user timing" {
		t.Errorf("records %s", got)
	}
}

func TestCancelWhileTheModelSpeaksKeepsWhatItSaid(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "half an answer.", Hang: true}, llmtest.Step{Text: "ok"}))
	ctx, cancel := context.WithCancel(t.Context())
	ch := k.start(ctx, engine.Submit{})
	wait(t, k.told, func(e event.Text) bool { return strings.Contains(e.Text, ".") })
	cancel()
	if done := k.ended(ch); done.Reason != turn.Cancel || done.Text != "half an answer." {
		t.Errorf("done %+v", done)
	}
	if got := k.recordTypes(); got != "session user assistant timing" {
		t.Errorf("records %s", got)
	}
	k.run(t.Context(), engine.Submit{Text: "again"})
}

func TestCancelWhileTheUserIsAsked(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "put", Input: `{"path":"x","text":"y"}`}}})
	k := newKit(t, m, func(_ *engine.Options, _ *engine.StepInput, g *gate.Options) {
		g.Yolo, g.Asker = false, asker(func(ctx context.Context, _ gate.Prompt) (gate.Answer, error) {
			<-ctx.Done()
			return gate.Answer{}, ctx.Err()
		})
	})
	ctx, cancel := context.WithCancel(t.Context())
	ch := k.start(ctx, engine.Submit{})
	wait[event.ToolCall](t, k.told, nil)
	cancel()
	if done := k.ended(ch); done.Reason != turn.Cancel {
		t.Errorf("done %+v", done)
	}
	if r := k.results()["c1"]; r.Status != llm.StatusCancelled {
		t.Errorf("result %+v", r)
	}
}

type asker func(context.Context, gate.Prompt) (gate.Answer, error)

func (a asker) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) { return a(ctx, p) }

func TestTheUserDeniesAndEndsTheTurn(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "put", Input: `{"path":"x","text":"y"}`}, {Name: "look", Input: `{"path":"x"}`}}})
	k := newKit(t, m, func(_ *engine.Options, _ *engine.StepInput, g *gate.Options) {
		g.Yolo, g.Asker = false, asker(func(context.Context, gate.Prompt) (gate.Answer, error) {
			return gate.Answer{Choice: gate.Deny, Cancel: true}, nil
		})
	})
	if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Cancel {
		t.Errorf("done %+v", done)
	}
	if got := k.results(); got["c1"].Status != llm.StatusDenied || got["c2"].Status != llm.StatusCancelled {
		t.Errorf("results %+v", got)
	}
}

// TestInterruptFailsOneCall kills one command; the turn goes on (SHEL-14,
// SHEL-15 for what it printed).
func TestInterruptFailsOneCall(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, runs("echo begun; sleep 60 & sleep 60", "echo second"), llmtest.Step{Text: "ok"})
	k := newKit(t, m)
	ch := k.start(t.Context(), engine.Submit{})
	wait(t, k.told, func(e event.ToolOutput) bool { return strings.Contains(e.Chunk, "begun") })
	if k.eng.Interrupt("c2") {
		t.Error("interrupted a call that does not run")
	}
	if !k.eng.Interrupt("") {
		t.Error("there was nothing to interrupt")
	}
	if done := k.ended(ch); done.Reason != turn.Stop {
		t.Errorf("done %+v", done)
	}
	r := k.results()["c1"]
	if r.Status != llm.StatusInterrupted || !strings.HasPrefix(r.Output, "The user interrupted this command. It did not finish, so its effects are unknown.") || !strings.Contains(r.Output, "begun") {
		t.Errorf("result %+v", r)
	}
	if r := k.results()["c2"]; r.Status != llm.StatusOK || !strings.Contains(r.Output, "second") {
		t.Errorf("the next call %+v", r)
	}
	if e := find[event.ToolError](k.told); len(e) != 1 || e[0].Status != llm.StatusInterrupted {
		t.Errorf("events %+v", e)
	}
}

func slow(begun chan<- string, heed bool, free <-chan struct{}) tool.Tool {
	return tool.Define(tool.Definition{Name: "slow", Effect: policy.State, Set: tool.Core, Description: "Wait."}, nil,
		func(ctx context.Context, h gate.Hands, _ nothing) (tool.Result, error) {
			h.Emit("so far\n")
			begun <- "slow"
			if heed {
				<-ctx.Done()
				return tool.Result{}, ctx.Err()
			}
			<-free
			h.Emit("too late\n")
			return tool.Result{Output: "late"}, nil
		})
}

func TestInterruptACallWithoutAProcess(t *testing.T) {
	t.Parallel()
	begun := make(chan string, 1)
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "slow"}}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m, func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) {
		in.Tools = append(in.Tools, slow(begun, true, nil))
	})
	ch := k.start(t.Context(), engine.Submit{})
	<-begun
	k.eng.Interrupt("c1")
	k.ended(ch)
	if r := k.results()["c1"]; r.Status != llm.StatusInterrupted || !strings.Contains(r.Output, "so far") {
		t.Errorf("result %+v", r)
	}
}

// TestACallThatDoesNotStopIsGivenUp ends a turn although its tool ignores it.
func TestACallThatDoesNotStopIsGivenUp(t *testing.T) {
	t.Parallel()
	begun, free := make(chan string, 1), make(chan struct{})
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "slow"}}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m, func(o *engine.Options, in *engine.StepInput, _ *gate.Options) {
		o.Grace = 20 * time.Millisecond
		in.Tools = append(in.Tools, slow(begun, false, free))
	})
	ctx, cancel := context.WithCancel(t.Context())
	ch := k.start(ctx, engine.Submit{})
	<-begun
	cancel()
	if done := k.ended(ch); done.Reason != turn.Cancel {
		t.Errorf("done %+v", done)
	}
	if r := k.results()["c1"]; r.Status != llm.StatusCancelled || !strings.Contains(r.Output, "so far") {
		t.Errorf("result %+v", r)
	}
	if n := find[event.Notice](k.told); len(n) != 1 || !strings.Contains(n[0].Text, "slow did not stop") {
		t.Errorf("notices %+v", n)
	}
	told := len(k.told.all())
	close(free) // what it does now is not heard
	k.run(t.Context(), engine.Submit{})
	for _, e := range k.told.all()[told:] {
		if e.Type() == "tool-output" || e.Type() == "tool-result" {
			t.Errorf("heard %+v", e)
		}
	}
}

func TestAModelThatDoesNotStopIsGivenUp(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	m := llmtest.New(t, llmtest.Step{Text: "(", Deaf: true, Wait: free}, llmtest.Step{Text: "ok"})
	k := newKit(t, m, func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) { o.Grace = 20 * time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	ch := k.start(ctx, engine.Submit{})
	wait[event.Text](t, k.told, nil)
	cancel()
	if done := k.ended(ch); done.Reason != turn.Cancel {
		t.Errorf("done %+v", done)
	}
	close(free)
	k.run(t.Context(), engine.Submit{})
}

func TestSteeringEntersAfterTheResults(t *testing.T) {
	t.Parallel()
	begun := make(chan string, 1)
	free := make(chan struct{})
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "slow"}}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m, func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) {
		in.Tools = append(in.Tools, slow(begun, false, free))
	})
	ch := k.start(t.Context(), engine.Submit{})
	<-begun
	if err := k.eng.Steer(t.Context(), engine.Steering{Text: "use tabs"}); err != nil {
		t.Fatal(err)
	}
	if got := k.recordTypes(); !strings.HasSuffix(got, "call steer") {
		t.Errorf("not on the disk at once: %s", got)
	}
	close(free)
	k.ended(ch)
	items := m.Requests()[1].Items
	if u, ok := items[len(items)-1].(llm.User); !ok || u.Text != "use tabs" {
		t.Errorf("the last item %#v", items[len(items)-1])
	}
	if p := find[event.Prompt](k.told); len(p) != 2 || !p[1].Steer {
		t.Errorf("prompts %+v", p)
	}
	// The session folds to the same conversation.
	if got := session.Fold(k.log.Branch()); len(got) != len(k.eng.Items()) {
		t.Errorf("%d items on disk, %d in memory", len(got), len(k.eng.Items()))
	}
}

// Who cancels gets back what had not entered: the conversation has it neither in
// memory nor on disk. Where that cannot be stored it stays in both.
func TestACancelTakesSteeringBack(t *testing.T) {
	t.Parallel()
	for name, full := range map[string]bool{"": false, " on a full disk": true} {
		t.Run("taken back"+name, func(t *testing.T) {
			t.Parallel()
			m := llmtest.New(t, llmtest.Step{Text: "(", Hang: true}, llmtest.Step{Text: "ok"})
			k := newKit(t, m)
			ctx, cancel := context.WithCancel(t.Context())
			ch := k.start(ctx, engine.Submit{Text: "go"})
			wait[event.Text](t, k.told, nil)
			if err := k.eng.Steer(t.Context(), engine.Steering{Text: "use tabs"}); err != nil {
				t.Fatal(err)
			}
			k.disk.fill(func(r session.Record) bool { _, ok := r.(session.Withdrawn); return ok && full })
			cancel()
			if done := k.ended(ch); done.Reason != turn.Cancel {
				t.Errorf("done %+v", done)
			}
			if p := find[event.Prompt](k.told); (len(p) == 2) != full {
				t.Errorf("prompts %+v", p)
			}
			k.run(t.Context(), engine.Submit{Text: "again"})
			said := ""
			for _, it := range m.Requests()[1].Items {
				if u, ok := it.(llm.User); ok {
					said += u.Text + ";"
				}
			}
			if want := map[bool]string{false: "go;again;", true: "go;use tabs;again;"}[full]; said != want {
				t.Errorf("the model was told %q, want %q", said, want)
			}
			if got := session.Fold(k.log.Branch()); len(got) != len(k.eng.Items()) {
				t.Errorf("%d items on disk, %d in memory", len(got), len(k.eng.Items()))
			}
		})
	}
}

// The time that the user took is not the agent's.
func TestDurationsLeaveOutTheUser(t *testing.T) {
	t.Parallel()
	var later atomic.Bool
	after := func(d, by time.Duration) time.Duration {
		if later.Load() {
			return d + by
		}
		return d
	}
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "ok"}), func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
		o.Now = func() time.Time { return time.Unix(0, 0).Add(after(0, 50*time.Second)) }
		o.Waited = func() time.Duration { return after(3*time.Second, 30*time.Second) }
	})
	k.told.on = func(e event.Event) {
		if _, ok := e.(event.Text); ok {
			later.Store(true)
		}
	}
	done := k.run(t.Context(), engine.Submit{})
	if told := find[event.Done](k.told); done.Duration != 20*time.Second || len(told) != 1 || told[0].DurationMS != 20_000 {
		t.Errorf("worked %v, told %+v", done.Duration, told)
	}
}

func TestASteerThatCannotBeStoredEndsTheTurn(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "(", Hang: true}))
	ch := k.start(t.Context(), engine.Submit{})
	wait[event.Text](t, k.told, nil)
	k.disk.fill(func(r session.Record) bool { _, ok := r.(session.Steer); return ok })
	if err := k.eng.Steer(t.Context(), engine.Steering{Text: "y"}); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("steer: %v", err)
	}
	if done := k.ended(ch); done.Reason != turn.Error || done.Failure.Kind != llm.KindPersistence {
		t.Errorf("done %+v", done)
	}
}
