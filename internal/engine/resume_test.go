package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/session"
	"assent/internal/turn"
)

// TestAQuestionIsAnsweredLater ends a turn with an open call and goes on with
// its answer, in another engine over the same session.
func TestAQuestionIsAnsweredLater(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "question"}, {Name: "put", Input: `{"path":"x","text":"y"}`}}})
	k := newKit(t, m)
	if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Question {
		t.Fatalf("done %+v", done)
	}
	if _, err := os.Stat(filepath.Join(k.root, "x")); err == nil {
		t.Error("a call ran although the question is open")
	}
	done, open, held := session.FoldOpen(k.log.Branch())
	if len(open) != 1 || open[0].ID != "c1" || len(held) != 0 {
		t.Fatalf("open %+v, held %+v", open, held)
	}
	m2 := llmtest.New(t, llmtest.Step{Text: "thanks"})
	e := engine.New(engine.Options{Log: k.disk, Gate: k.gate, Tell: k.told.tell, Items: done, Step: stepper(k, m2)})
	ended, err := e.Run(t.Context(), engine.Submit{Open: []engine.OpenCall{{
		Call: open[0].Call, Result: &llm.Result{Status: llm.StatusOK, Output: "blue"},
	}}})
	if err != nil || ended.Reason != turn.Stop {
		t.Fatalf("%+v %v", ended, err)
	}
	if got := k.results()["c1"]; got.Output != "blue" || got.Status != llm.StatusOK {
		t.Errorf("result %+v", got)
	}
	if err := llmtest.WellFormed(session.Fold(k.log.Branch())); err != nil {
		t.Error(err)
	}
}

// TestUndecidedCallsAreDecidedAfterAResume goes on where a process was killed:
// one call may have run, one was never decided, and the user had steered.
func TestUndecidedCallsAreDecidedAfterAResume(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t))
	killed(k)
	items, open, held := session.FoldOpen(k.log.Branch())
	m := llmtest.New(t, llmtest.Step{Text: "ok"})
	e := engine.New(engine.Options{Log: k.disk, Gate: k.gate, Tell: k.told.tell, Items: items, Open: open, Held: held, Step: stepper(k, m)})
	s := engine.Submit{}
	for _, c := range open {
		o := engine.OpenCall{Call: c.Call}
		if c.Decided {
			o.Result = &llm.Result{Status: llm.StatusInterrupted, Output: session.Interrupted}
		}
		s.Open = append(s.Open, o)
	}
	if done, err := e.Run(t.Context(), s); err != nil || done.Reason != turn.Stop {
		t.Fatalf("%+v %v", done, err)
	}
	if b, err := os.ReadFile(filepath.Join(k.root, "x")); err != nil || string(b) != "y" {
		t.Errorf("the undecided call did not run: %v", err)
	}
	if got := k.results(); got["k1"].Status != llm.StatusInterrupted || got["k2"].Status != llm.StatusOK {
		t.Errorf("results %+v", got)
	}
	req := m.Requests()[0]
	if u, ok := req.Items[len(req.Items)-1].(llm.User); !ok || u.Text != "hurry" {
		t.Errorf("the last item %#v", req.Items[len(req.Items)-1])
	}
	if req.Reason != "resume" {
		t.Errorf("reason %q", req.Reason)
	}
	if n := len(find[event.Prompt](k.told)); n != 1 {
		t.Errorf("%d prompts told", n)
	}
}

// killed writes what a process leaves that dies in the middle of a turn.
func killed(k *kit) {
	k.t.Helper()
	for _, r := range []session.Record{
		session.User{Text: "go"},
		session.Assistant{Stop: llm.StopCalls, Calls: []session.SaidCall{
			{ID: "k1", Name: "run", Input: []byte(`{"command":"make"}`)},
			{ID: "k2", Name: "put", Input: []byte(`{"path":"x","text":"y"}`)},
		}},
		session.Call{CallID: "k1", Decide: "allow", By: "yolo"},
		session.Steer{Text: "hurry"},
	} {
		if err := k.log.Append(r); err != nil {
			k.t.Fatal(err)
		}
	}
}

// TestOpenCallsAreClosedWhenTheUserGoesOn is CTX-01 after a kill: a new prompt
// closes what was open, in memory and on the disk.
func TestOpenCallsAreClosedWhenTheUserGoesOn(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t))
	killed(k)
	items, open, held := session.FoldOpen(k.log.Branch())
	m := llmtest.New(t, llmtest.Step{Text: "ok"})
	e := engine.New(engine.Options{Log: k.disk, Gate: k.gate, Items: items, Open: open, Held: held, Step: stepper(k, m)})
	if done, err := e.Run(t.Context(), engine.Submit{Text: "never mind"}); err != nil || done.Reason != turn.Stop {
		t.Fatalf("%+v %v", done, err)
	}
	got := k.results()
	if got["k1"].Output != session.Interrupted || got["k2"].Output != session.Undecided {
		t.Errorf("results %+v", got)
	}
	var said []string
	for _, it := range m.Requests()[0].Items {
		if u, ok := it.(llm.User); ok {
			said = append(said, u.Text)
		}
	}
	if strings.Join(said, "|") != "go|hurry|never mind" {
		t.Errorf("said %q", said)
	}
	if disk := session.Fold(k.log.Branch()); len(disk) != len(e.Items()) {
		t.Errorf("%d items on disk, %d in memory", len(disk), len(e.Items()))
	}
}

// TestAResumedSessionGoesOn folds a finished session and asks again.
func TestAResumedSessionGoesOn(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, llmtest.Step{Think: "x", Calls: []llmtest.Call{{ID: "call_0", Name: "look", Input: `{"path":"a"}`}}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m)
	k.file("a", "A")
	k.run(t.Context(), engine.Submit{})
	m2 := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{ID: "call_0", Name: "look", Input: `{"path":"a"}`}}}, llmtest.Step{Text: "again"})
	e := engine.New(engine.Options{Log: k.disk, Gate: k.gate, Items: session.Fold(k.log.Branch()), Step: stepper(k, m2)})
	if done, err := e.Run(t.Context(), engine.Submit{Text: "more"}); err != nil || done.Reason != turn.Stop {
		t.Fatalf("%+v %v", done, err)
	}
	if first := m2.Requests()[0]; len(first.Items) != 5 || first.Epoch != 1 || first.Reason != "resume" {
		t.Errorf("the first request has %d items, epoch %d (%s)", len(first.Items), first.Epoch, first.Reason)
	}
}

// A subagent is one with the turn of its parent: the gate knows who asks, and
// has not forgotten afterwards what the parent did in its turn.
func TestASubagentSharesTheGate(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t))
	k.file("a", "A")
	var asked []gate.Request
	g := spy{Gate: k.gate, seen: func(r gate.Request) { asked = append(asked, r) }}
	run := func(o engine.Options, steps ...llmtest.Step) {
		t.Helper()
		o.Gate, o.Step = &g, stepper(k, llmtest.New(t, append(steps, llmtest.Step{Text: "found"})...))
		done, err := engine.New(o).Run(t.Context(), engine.Submit{Text: "look around"})
		if err != nil || done.Reason != turn.Stop || done.Text != "found" {
			t.Fatalf("%+v %v", done, err)
		}
	}
	look := llmtest.Step{Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a"}`}}}
	run(engine.Options{Session: "parent"}, look, look)
	run(engine.Options{Session: "nested", Subagent: "explore"}, look)
	if len(asked) != 3 || asked[2].Subagent != "explore" || asked[2].Conversation != "nested" {
		t.Fatalf("asked %+v", asked)
	}
	if grant, d := k.gate.Decide(t.Context(), asked[1]); grant != nil || d.By != policy.ByRepeat {
		t.Errorf("a third time it is %+v", d)
	}
	if got := k.recordTypes(); strings.Contains(got, "result") {
		t.Errorf("the parent's log has %s", got)
	}
}
