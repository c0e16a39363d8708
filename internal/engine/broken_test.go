package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/redact"
	"assent/internal/session"
	"assent/internal/tool"
	"assent/internal/turn"
)

// broken is a gate that breaks down.
type broken struct{ *gate.Gate }

func (broken) Decide(context.Context, gate.Request) (*gate.Grant, policy.Decision) {
	panic("the rules are upside down")
}

// What runs beside the turn may break down without taking the program along:
// a gate that cannot decide says no, a result stands as the tool gave it, and a
// list stands in for a summary.
func TestABreakdownEndsNothingButItself(t *testing.T) {
	t.Parallel()
	t.Run("gate", func(t *testing.T) {
		t.Parallel()
		m := llmtest.New(t, runs("touch ran"), llmtest.Step{Text: "ok"})
		k := newKit(t, m)
		e := engine.New(engine.Options{Log: k.disk, Gate: broken{k.gate}, Step: stepper(k, m), Tell: k.told.tell})
		if done, err := e.Run(t.Context(), engine.Submit{Text: "go"}); err != nil || done.Reason != turn.Stop {
			t.Fatalf("done %+v, %v", done, err)
		}
		d := find[event.ToolDenied](k.told)
		if len(d) != 1 || !strings.Contains(d[0].Reason, "upside down") || len(find[event.ToolRun](k.told)) != 0 {
			t.Errorf("told\n%s", k.told)
		}
	})
	t.Run("after a call", func(t *testing.T) {
		t.Parallel()
		k := newKit(t, llmtest.New(t, runs("echo hello"), llmtest.Step{Text: "ok"}), func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
			o.AfterCall = func(context.Context, gate.Request, tool.Result) tool.Result { panic("no such file") }
		})
		if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Stop {
			t.Fatalf("done %+v", done)
		}
		if r := k.results()["c1"]; r.Status != llm.StatusOK || r.Output != "hello\n" {
			t.Errorf("the result %+v", r)
		}
		if n := find[event.Notice](k.told); len(n) != 1 || !strings.Contains(n[0].Text, "no such file") {
			t.Errorf("notices %+v", n)
		}
	})
	t.Run("summary", func(t *testing.T) {
		t.Parallel()
		asked := 0
		m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
			if n > 30 {
				return llmtest.Step{Text: "ok"}
			}
			return wordyStep(n, req)
		})
		k := newKit(t, m, offering(4000, func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
			o.Summarise = func(context.Context, engine.SummaryOrder) (engine.Summary, error) {
				asked++
				panic("not what a server says")
			}
		}))
		if done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{Steps: 50}}); done.Reason != turn.Stop || asked == 0 {
			t.Fatalf("done %+v after %d summaries", done, asked)
		}
		n := find[event.Notice](k.told)
		if len(n) != asked || !strings.Contains(n[0].Text, "stands in for it") || !strings.Contains(n[0].Text, "not what a server says") {
			t.Errorf("%d summaries, notices %+v", asked, n)
		}
	})
}

// deaf is a front that breaks down over live output.
func deaf(k *kit) {
	k.told.on = func(e event.Event) {
		if _, ok := e.(event.ToolOutput); ok {
			panic("broken front: sk-ant-" + "api03-abcdefghijklmnopqrstuvwxyz0123456789")
		}
	}
}

// A part of this program that breaks down beside the turn ends nothing but
// itself, and is never passed over: the user is told, and a report is kept.
func TestABreakdownIsReported(t *testing.T) {
	t.Parallel()
	broke := tool.Define(tool.Definition{Name: "broke", Effect: policy.State, Set: tool.Core, Description: "Break."}, nil,
		func(context.Context, gate.Hands, nothing) (tool.Result, error) { panic("upside down") })
	speak := func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
		o.AfterCall = func(context.Context, gate.Request, tool.Result) tool.Result { panic("upside down") }
	}
	for name, c := range map[string]struct {
		call   llmtest.Step
		change func(*engine.Options, *engine.StepInput, *gate.Options)
		begin  func(*kit)
		status llm.Status
		says   []string // the result, or the last error where there is none
		report string
	}{
		"live output": {runs("echo hello"), nil, deaf, llm.StatusOK, []string{"live output", "broken front", "hello"}, "flight.go"},
		"a tool":      {llmtest.Step{Calls: []llmtest.Call{{Name: "broke", Input: "{}"}}}, nil, nil, llm.StatusError, []string{"broke down (upside down)"}, "broken_test.go"},
		"after it":    {runs("echo hello"), speak, nil, llm.StatusOK, []string{"hello"}, "broken_test.go"},
		"the model":   {llmtest.Step{Panic: true}, nil, nil, "", nil, "llmtest"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var reports []string
			changes := []change{func(o *engine.Options, in *engine.StepInput, _ *gate.Options) {
				in.Tools = append(in.Tools, broke)
				o.Crash = func(p any, stack []byte) error {
					mu.Lock()
					defer mu.Unlock()
					reports = append(reports, string(stack))
					return errors.New("the report is in FILE")
				}
			}}
			if c.change != nil {
				changes = append(changes, c.change)
			}
			script := []llmtest.Step{c.call, {Text: "ok"}}
			if c.status == "" {
				script = script[:1]
			}
			k := newKit(t, llmtest.New(t, script...), changes...)
			if c.begin != nil {
				c.begin(k)
			}
			done := k.run(t.Context(), engine.Submit{})
			if c.status == "" != (done.Reason == turn.Error) {
				t.Fatalf("done %+v %+v", done, done.Failure)
			}
			if len(reports) != 1 || !strings.Contains(reports[0], c.report) {
				t.Errorf("%d reports: %q", len(reports), reports)
			}
			if n := find[event.Notice](k.told); !slices.ContainsFunc(n, func(n event.Notice) bool { return n.Text == "the report is in FILE" }) {
				t.Errorf("notices %+v", n)
			}
			if c.status == "" {
				return
			}
			r := k.results()["c1"]
			if r.Status != c.status || strings.Contains(r.Output, "api03") {
				t.Errorf("the result %+v", r)
			}
			for _, want := range c.says {
				if !strings.Contains(r.Output, want) {
					t.Errorf("%q lacks %q", r.Output, want)
				}
			}
		})
	}
}

// late is a model that does not heed its context, and speaks on after it.
type late struct{ speak, spoke chan struct{} }

func (m late) Stream(_ context.Context, _ llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	emit(llm.TextDelta{Text: "begun "})
	<-m.speak
	emit(llm.TextDelta{Text: "too late "})
	emit(llm.CallStart{ID: "c9", Name: "run"})
	close(m.spoke)
	return llm.Reply{Parts: []llm.Part{llm.Text{Text: "begun too late"}}, Stop: llm.StopEnd}, nil
}

// A request that was given up is not heard any more: what it says would stand
// in the next turn of every front.
func TestARequestThatWasGivenUpIsNotHeard(t *testing.T) {
	t.Parallel()
	m := late{make(chan struct{}), make(chan struct{})}
	k := newKit(t, llmtest.New(t), func(o *engine.Options, in *engine.StepInput, _ *gate.Options) {
		in.Model, o.Grace = m, 10*time.Millisecond
	})
	ctx, cancel := context.WithCancel(t.Context())
	ch := k.start(ctx, engine.Submit{})
	wait(t, k.told, func(e event.Text) bool { return strings.Contains(e.Text, "begun") })
	cancel()
	if done := k.ended(ch); done.Reason != turn.Cancel {
		t.Errorf("done %+v", done)
	}
	told := len(k.told.all())
	close(m.speak)
	<-m.spoke
	if all := k.told.all(); len(all) != told {
		t.Errorf("told after the end: %+v", all[told:])
	}
}

// A turn that breaks down leaves calls behind: what ran may have had its
// effects, what had not begun had none, and both have their end at once.
func TestATurnThatBreaksDownEndsItsCalls(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, runs("echo begun; sleep 60", "touch ran"), llmtest.Step{Text: "ok"}))
	k.disk.before = func(r session.Record) {
		if _, ok := r.(session.Steer); ok {
			panic("upside down")
		}
	}
	broke := make(chan any, 1)
	go func() {
		defer func() { broke <- recover() }()
		_, _ = k.eng.Run(context.Background(), engine.Submit{Text: "go"})
	}()
	wait(t, k.told, func(e event.ToolOutput) bool { return strings.Contains(e.Chunk, "begun") })
	if err := k.eng.Steer(t.Context(), engine.Steering{Text: "hurry"}); !errors.Is(err, engine.ErrIdle) {
		t.Errorf("a message that no turn took: %v", err)
	}
	if p := <-broke; p != "upside down" {
		t.Fatalf("the turn ended with %v", p)
	}
	ends := map[string]string{}
	for _, e := range find[event.ToolError](k.told) {
		ends[e.ID] = e.Error
	}
	if done := k.run(t.Context(), engine.Submit{Text: "more"}); done.Reason != turn.Stop {
		t.Fatalf("done %+v", done)
	}
	var ids []string
	for _, c := range find[event.ToolCall](k.told) {
		ids = append(ids, c.ID)
	}
	if len(ids) != 2 {
		t.Fatalf("calls %v", ids)
	}
	for i, want := range []string{"effects are unknown.\nOutput so far:\nbegun", "It was not run."} {
		if got := k.results()[ids[i]]; !strings.Contains(got.Output, want) {
			t.Errorf("the log says %+v, not %q", got, want)
		}
		if !strings.Contains(ends[ids[i]], want) {
			t.Errorf("told %q, not %q", ends[ids[i]], want)
		}
	}
}

// What a panic said is told without keys, and not at the length of a report.
func TestABreakdownTellsNoKey(t *testing.T) {
	t.Parallel()
	key := "of-no-known-shape-" + "12345678"
	k := newKit(t, llmtest.New(t, runs("echo hello"), llmtest.Step{Text: "ok"}), func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
		o.Redact = redact.New(key)
		o.AfterCall = func(context.Context, gate.Request, tool.Result) tool.Result {
			panic("sent " + key + strings.Repeat(" and more", 100_000))
		}
	})
	k.run(t.Context(), engine.Submit{})
	said := ""
	for _, n := range find[event.Notice](k.told) {
		said += n.Text
	}
	if !strings.Contains(said, "(sent ") || strings.Contains(said, key) || len(said) > 2000 {
		t.Errorf("%d bytes: %.300s", len(said), said)
	}
}
