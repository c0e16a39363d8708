package engine_test

import (
	"fmt"
	"testing"

	"assent/internal/engine"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/session"
	"assent/internal/turn"
)

// A response with more calls than anybody needs costs what they cost, and not
// the square of it, which would take many minutes; also when the session that
// holds it goes on later.
func TestAFloodOfCalls(t *testing.T) {
	t.Parallel()
	const all, most = 20_000, 512
	calls := make([]llmtest.Call, all)
	for i := range calls {
		calls[i] = llmtest.Call{Name: "look", Input: `{"path":"a.txt"}`}
	}
	k := newKit(t, llmtest.New(t, llmtest.Step{Calls: calls}, llmtest.Step{Text: "Enough."}))
	k.file("a.txt", "content of a")
	if done := k.run(t.Context(), engine.Submit{Text: "do it"}); done.Reason != turn.Stop || done.Text != "Enough." {
		t.Errorf("done %+v", done)
	}
	decided, refused := 0, 0
	for _, r := range k.results() {
		switch r.Status {
		case llm.StatusOK, llm.StatusDenied: // the repeat guard denies most
			decided++
		case llm.StatusError:
			refused++
		default:
		}
	}
	if decided != most || refused != all-most {
		t.Errorf("%d were decided, %d refused", decided, refused)
	}
	again, open, held := session.FoldOpen(k.log.Branch())
	if len(again) != len(k.eng.Items()) || len(open)+len(held) > 0 {
		t.Errorf("%d items come back of %d, %d open, %d held", len(again), len(k.eng.Items()), len(open), len(held))
	}
}

// Calls that are all left open are closed as quickly.
func TestAFloodOfOpenCalls(t *testing.T) {
	t.Parallel()
	const all = 20_000
	said := llm.Assistant{Provider: "test", Model: "scripted", Stop: llm.StopCalls}
	var open []session.OpenCall
	for range all {
		c := llm.Call{ID: fmt.Sprint("c", len(open)), Name: "look", Input: []byte(`{"path":"a.txt"}`)}
		said.Parts = append(said.Parts, c)
		open = append(open, session.OpenCall{Call: c, Decided: len(open)%2 == 0})
	}
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "On."}))
	o := engine.Options{
		Log: k.disk, Tell: k.told.tell, Gate: k.gate, Step: stepper(k, k.model), Open: open,
		Items: []llm.Item{llm.User{Text: "go"}, said},
	}
	k.eng = engine.New(o)
	if done := k.run(t.Context(), engine.Submit{Text: "on"}); done.Text != "On." {
		t.Errorf("done %+v", done)
	}
	if n := len(k.results()); n != all {
		t.Errorf("%d results", n)
	}
}
