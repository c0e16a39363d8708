package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/session"
	"assent/internal/turn"
)

func (k *kit) file(name, text string) {
	k.t.Helper()
	if err := os.WriteFile(filepath.Join(k.root, name), []byte(text), 0o600); err != nil {
		k.t.Fatal(err)
	}
}

func TestATurnWithCalls(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t,
		llmtest.Step{Think: "hm", Text: "I look first.", Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a.txt"}`}, {Name: "put", Input: `{"path":"b.txt","text":"new"}`}}, Usage: llm.Usage{Input: 10, Output: 5}},
		llmtest.Step{Text: "Done.", Usage: llm.Usage{Input: 3, CacheRead: 12, Output: 2}},
	)
	k := newKit(t, m)
	k.file("a.txt", "content of a")
	done := k.run(t.Context(), engine.Submit{Text: "do it", Expanded: "do it\n<file>"})
	if done.Reason != turn.Stop || done.Steps != 2 || done.Text != "Done." || done.Failure != nil {
		t.Errorf("done %+v", done)
	}
	if done.Usage.InputTokens != 25 || done.Usage.CachedTokens != 12 || done.Usage.CostUSD != nil {
		t.Errorf("usage %+v", done.Usage)
	}
	if got, want := k.recordTypes(), "session user usage assistant call result call result usage assistant timing"; got != want {
		t.Errorf("records\n%s, want\n%s", got, want)
	}
	want := "prompt step reasoning text tool-start tool-start usage tool-call tool-call tool-run tool-result tool-run tool-result step text usage done"
	if got := k.told.types(); got != want {
		t.Errorf("events\n%s, want\n%s", got, want)
	}
	if b, err := os.ReadFile(filepath.Join(k.root, "b.txt")); err != nil || string(b) != "new" {
		t.Errorf("the file: %q %v", b, err)
	}
	reqs := m.Requests()
	if u, ok := reqs[0].Items[0].(llm.User); !ok || u.Text != "do it\n<file>" {
		t.Errorf("the model was sent %#v", reqs[0].Items[0])
	}
	items := reqs[1].Items
	if res, ok := items[2].(llm.Result); !ok || res.Output != "content of a" || res.Status != llm.StatusOK {
		t.Errorf("the first result %#v", items[2])
	}
	if a, ok := items[1].(llm.Assistant); !ok || len(a.Parts) != 4 || a.Parts[0].(llm.Reasoning).Opaque.Data == nil {
		t.Errorf("the response lost something: %#v", items[1])
	}
	for _, r := range k.records() {
		if a, ok := r.(session.Assistant); ok && strings.Contains(a.Text, "hm") {
			t.Error("reasoning is on the disk")
		}
		if c, ok := r.(session.Call); ok && (c.Decide != policy.Allow || c.By == "" || c.Title == "") {
			t.Errorf("the call record %+v", c)
		}
	}
}

// TestRecordsComeBeforeEvents counts, at every event of a fact, what is on the
// disk.
func TestRecordsComeBeforeEvents(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t,
		llmtest.Step{Text: "a", Calls: []llmtest.Call{{Name: "look", Input: `{"path":"none"}`}, {Name: "put", Input: `{"path":"x","text":"y"}`}, {Name: "nope"}}},
		llmtest.Step{Text: "b"},
	)
	k := newKit(t, m)
	has := func(ok func(session.Record) bool) bool { return slices.ContainsFunc(k.records(), ok) }
	result := func(id string) bool {
		return has(func(r session.Record) bool { s, ok := r.(session.Result); return ok && s.CallID == id })
	}
	k.told.on = func(e event.Event) {
		ok := true
		switch e := e.(type) {
		case event.Prompt:
			ok = has(func(r session.Record) bool { _, ok := r.(session.User); return ok })
		case event.ToolCall:
			ok = has(func(r session.Record) bool { _, ok := r.(session.Assistant); return ok })
		case event.ToolResult:
			ok = result(e.ID)
		case event.ToolError:
			ok = result(e.ID)
		case event.Usage:
			return
		}
		if !ok {
			t.Errorf("%s was told before it was stored", e.Type())
		}
	}
	k.run(t.Context(), engine.Submit{})
	if got := k.results(); got["c1"].Status != llm.StatusError || got["c2"].Status != llm.StatusOK || !strings.Contains(got["c3"].Output, `no tool "nope"`) {
		t.Errorf("results %+v", got)
	}
}

// TestTheCallIsStoredBeforeItRuns looks at the disk from inside the tool.
func TestTheCallIsStoredBeforeItRuns(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "put", Input: `{"path":"x","text":"y"}`}}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m)
	k.disk.before = func(r session.Record) {
		if c, ok := r.(session.Call); ok && c.CallID == "c1" {
			if _, err := os.Stat(filepath.Join(k.root, "x")); err == nil {
				t.Error("it ran before it was stored")
			}
		}
	}
	k.run(t.Context(), engine.Submit{})
	if got, want := k.recordTypes(), "session user assistant call result assistant timing"; got != want {
		t.Errorf("records %s, want %s", got, want)
	}
}

// TestReadsRunTogether holds two reads back until both run.
func TestReadsRunTogether(t *testing.T) {
	t.Parallel()
	both := make(chan struct{}, 2)
	meet := reader2(t, both)
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "meet", Input: `{"path":"a"}`}, {Name: "meet", Input: `{"path":"b"}`}}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m, func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) { in.Tools = append(in.Tools, meet) })
	k.file("a", "A")
	k.file("b", "B")
	k.run(t.Context(), engine.Submit{})
	results := find[event.ToolResult](k.told)
	if len(results) != 2 || results[0].ID != "c1" || results[1].ID != "c2" {
		t.Errorf("results %+v", results)
	}
}

func TestDeniedNeverRuns(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t,
		llmtest.Step{Calls: []llmtest.Call{{Name: "put", Input: `{"path":"x","text":"y"}`}, {Name: "look", Input: `{"path":"a"}`}}},
		llmtest.Step{Text: "ok"},
	)
	k := newKit(t, m, func(_ *engine.Options, _ *engine.StepInput, g *gate.Options) { g.Yolo, g.Headless = false, true })
	k.file("a", "A")
	if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Stop {
		t.Errorf("ended as %s", done.Reason)
	}
	if _, err := os.Stat(filepath.Join(k.root, "x")); err == nil {
		t.Error("the denied call ran")
	}
	denied := find[event.ToolDenied](k.told)
	if len(denied) != 1 || denied[0].By != "headless" || denied[0].Reason == "" {
		t.Errorf("denied %+v", denied)
	}
	res := m.Requests()[1].Items[2].(llm.Result)
	if res.Status != llm.StatusDenied || !strings.Contains(res.Output, "denied") {
		t.Errorf("the model was told %+v", res)
	}
	if got := k.recordTypes(); got != "session user assistant call result call result assistant timing" {
		t.Errorf("records %s", got)
	}
}

func TestInvalidAndUnknownCallsAreAnswered(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t,
		llmtest.Step{Calls: []llmtest.Call{
			{Name: "put", Input: `{"path":"x"`}, {Name: "put", Input: `{"path":1,"text":"y"}`}, {Name: "lok", Input: `{}`}, {Name: "question", Input: ``},
		}, Stop: llm.StopLength},
		llmtest.Step{Calls: []llmtest.Call{{Name: "put", Input: `{"path":"x"`}, {Name: "put", Input: `{"path":1,"text":"y"}`}, {Name: "lok", Input: `{}`}}},
		llmtest.Step{Text: "ok"},
	)
	k := newKit(t, m)
	k.run(t.Context(), engine.Submit{})
	got := k.results()
	for _, id := range []string{"c1", "c2", "c3", "c4"} { // PROV-21, PROV-23
		if r := got[id]; r.Status != llm.StatusError || !strings.Contains(r.Output, "cut off") {
			t.Errorf("%s: %+v", id, r)
		}
	}
	for id, want := range map[string]string{"c5": "JSON", "c6": "path", "c7": "look"} {
		if r := got[id]; r.Status != llm.StatusError || !strings.Contains(r.Output, want) {
			t.Errorf("%s: %+v, want %q in it", id, r, want)
		}
	}
}

// TestEmptyArgumentsAreAnObject is PROV-10.
func TestEmptyArgumentsAreAnObject(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "question", Input: "null"}}})
	k := newKit(t, m)
	if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Question {
		t.Errorf("ended as %s", done.Reason)
	}
}

func TestRepeatedCallIDsAreReplaced(t *testing.T) {
	t.Parallel()
	call := llmtest.Call{ID: "call_0", Name: "look", Input: `{"path":"a"}`}
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{call, call}}, llmtest.Step{Calls: []llmtest.Call{call}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m) // llmtest refuses requests whose ids repeat
	k.file("a", "A")
	k.run(t.Context(), engine.Submit{})
	if got := len(k.results()); got != 3 {
		t.Errorf("%d results", got)
	}
}

func TestBusy(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "x", Wait: hold}))
	ch := k.start(t.Context(), engine.Submit{})
	wait[event.Step](t, k.told, nil)
	if _, err := k.eng.Run(t.Context(), engine.Submit{Text: "y"}); err != engine.ErrBusy {
		t.Errorf("a second turn: %v", err)
	}
	if _, err := k.eng.Compact(t.Context(), ""); err != engine.ErrBusy {
		t.Errorf("compact: %v", err)
	}
	close(hold)
	k.ended(ch)
	if err := k.eng.Steer(t.Context(), engine.Steering{Text: "late"}); err != engine.ErrIdle {
		t.Errorf("steering an idle engine: %v", err)
	}
}

func TestNotesAreAppendedOnceWhenTheyChange(t *testing.T) {
	t.Parallel()
	todo := "todo: 1"
	m := llmtest.New(t,
		llmtest.Step{Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a"}`}}},
		llmtest.Step{Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a"}`}}},
		llmtest.Step{Text: "ok"},
	)
	k := newKit(t, m, func(o *engine.Options, in *engine.StepInput, _ *gate.Options) {
		n := 0
		o.Step = func(context.Context) (engine.StepInput, error) {
			if n++; n == 3 {
				todo = "todo: 2"
			}
			in.Notes = []engine.Note{{Topic: "todo", Text: todo}, {Topic: "none"}}
			return *in, nil
		}
	})
	k.file("a", "A")
	k.run(t.Context(), engine.Submit{})
	var notes []string
	for _, it := range k.eng.Items() {
		if n, ok := it.(llm.Note); ok {
			notes = append(notes, n.Text)
		}
	}
	if !slices.Equal(notes, []string{"todo: 1", "todo: 2"}) {
		t.Errorf("notes %q", notes)
	}
	for _, r := range m.Requests() {
		if r.Epoch != 1 { // CTX-24: state never edits the prefix
			t.Errorf("epoch %d: %s", r.Epoch, r.Reason)
		}
	}
}

// TestChangesBeginAnEpoch switches what requests are made of between steps.
func TestChangesBeginAnEpoch(t *testing.T) {
	t.Parallel()
	look := llmtest.Step{Think: "t", Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a"}`}}}
	m := llmtest.New(t, look, look, look, look, llmtest.Step{Text: "ok"})
	k := newKit(t, m, func(o *engine.Options, in *engine.StepInput, _ *gate.Options) {
		n := 0
		o.Step = func(context.Context) (engine.StepInput, error) {
			switch n++; n {
			case 2:
				in.System = "You are another test."
			case 3:
				in.Tools = in.Tools[:2]
			case 4:
				in.Level = llm.LevelHigh
			case 5:
				in.Name = "bigger"
			}
			return *in, nil
		}
	})
	k.file("a", "A")
	k.run(t.Context(), engine.Submit{})
	var reasons []string
	for i, r := range m.Requests() {
		if r.Epoch != i+1 {
			t.Errorf("request %d has epoch %d", i+1, r.Epoch)
		}
		reasons = append(reasons, r.Reason)
	}
	want := []string{"start", "the system text changed", "the tools changed", "another thinking level", "another model"}
	if !slices.Equal(reasons, want) {
		t.Errorf("reasons %q", reasons)
	}
	n := 0
	for _, r := range k.records() {
		if r, ok := r.(session.Notice); ok && strings.Contains(r.Text, "sent anew") {
			n++
		}
	}
	if n != 4 {
		t.Errorf("%d reasons on record", n)
	}
}

func TestCostLimit(t *testing.T) {
	t.Parallel()
	look := llmtest.Step{Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a"}`}}, Usage: llm.Usage{Input: 100}}
	m := llmtest.New(t, look, look)
	k := newKit(t, m, func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
		o.Price = func(_, _ string, u llm.Usage) (float64, bool) { return float64(u.Input) / 100, true }
	})
	k.file("a", "A")
	done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{CostUSD: 1.2}})
	if done.Reason != turn.MaxCost || done.Usage.CostUSD == nil || *done.Usage.CostUSD != 2 {
		t.Errorf("done %+v", done)
	}
	if n := find[event.Notice](k.told); len(n) != 2 || !strings.Contains(n[0].Text, "$1.0000 of at most $1.2000") {
		t.Errorf("notices %+v", n)
	}
	if got := k.results(); len(got) != 2 || got["c2"].Status != llm.StatusOK {
		t.Errorf("results %+v", got)
	}
}

func TestUnknownPriceIsSaid(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "x", Usage: llm.Usage{Input: 1}}))
	done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{CostUSD: 1}})
	if done.Usage.CostUSD != nil || len(find[event.Notice](k.told)) != 1 {
		t.Errorf("done %+v, %s", done, k.told)
	}
}

func TestNestedSpendingCounts(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a"}`}}, Wait: hold})
	k := newKit(t, m, func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
		o.Price = func(_, model string, _ llm.Usage) (float64, bool) {
			if model == "small" {
				return 3, true
			}
			return 0, true
		}
	})
	ch := k.start(t.Context(), engine.Submit{Limits: engine.Limits{CostUSD: 1}})
	wait[event.Step](t, k.told, nil)
	k.eng.Spend(llm.Usage{Input: 7}, "test", "small", "draft")
	close(hold)
	if done := k.ended(ch); done.Reason != turn.MaxCost || done.Usage.InputTokens != 7 {
		t.Errorf("done %+v", done)
	}
	// A resumed session and /cost know of it, and the window is not its.
	if s := session.Restore(k.log.Branch()); s.CostUSD == nil || *s.CostUSD != 3 || s.Usage.Input != 7 || s.Context != 0 {
		t.Errorf("restored %+v", s)
	}
}

func TestStepCap(t *testing.T) {
	t.Parallel()
	m := llmtest.Play(t, func(int, llm.Request) llmtest.Step {
		return llmtest.Step{Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a"}`}}}
	})
	k := newKit(t, m)
	if done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{Steps: 3}}); done.Reason != turn.MaxSteps || done.Steps != 3 {
		t.Errorf("done %+v", done)
	}
	if n := len(m.Requests()); n != 3 { // without a closing request
		t.Errorf("%d requests", n)
	}
	// HEAD-09: the session goes on.
	if done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{Steps: 1}}); done.Reason != turn.MaxSteps {
		t.Errorf("done %+v", done)
	}
}

func TestTheWallTime(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "part", Hang: true}))
	done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{Wall: 30 * time.Millisecond}})
	if done.Reason != turn.Timeout {
		t.Errorf("done %+v", done)
	}
}
