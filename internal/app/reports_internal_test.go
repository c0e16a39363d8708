package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/host"
	"assent/internal/instruct"
	"assent/internal/llm"
	"assent/internal/prompt"
	"assent/internal/provider/providertest"
	"assent/internal/workspace"
)

// shy is a model that is asked for its window by a report.
type shy struct{ t *testing.T }

func (shy) Stream(context.Context, llm.Request, func(llm.Chunk)) (llm.Reply, error) {
	return llm.Reply{}, nil
}

func (s shy) Window() int {
	s.t.Error("a report asked the model for its window, which only the turn may")
	return 1
}

// A report looks: it asks no model, reads no instructions and changes nothing
// of what the model is told.
func TestTheReportOnTheContextOnlyLooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("AGENTS.md", "be brief")
	a := w.app()
	l, err := a.load(w.script(`{"text":"never"}`))
	if err != nil {
		t.Fatal(err)
	}
	models, err := a.newModels(l)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Options{Root: w.root})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	finder, err := instruct.New(instruct.Options{Dir: w.root})
	if err != nil {
		t.Fatal(err)
	}
	defer finder.Close()
	notes := &notebook{place: prompt.Environment{Dir: w.root}, now: time.Now, finder: finder, tell: func(event.Event) {}}
	c := &conversation{
		loaded: l, models: models, tools: tools(toolParts{}), gate: gate.New(gate.Options{Workspace: ws}),
		notes: notes, items: func() []llm.Item { return nil }, model: shy{t}, todos: []event.Todo{{Content: "one", Status: "pending"}},
	}
	page, err := (&answers{app: a, c: c}).report(t.Context(), "context")
	if err != nil || !strings.Contains(page.Markdown, "tool schemas") {
		t.Errorf("%v, %v", page, err)
	}
	if notes.asked || notes.tasks {
		t.Errorf("the report changed what the model is told: instructions read %t, tasks told %t", notes.asked, notes.tasks)
	}
}

// The report may be asked for while a request is on its way.
func TestTheReportOnTheContextDuringARequest(t *testing.T) {
	t.Parallel()
	s := providertest.Start(t, "text one\n---\ntext two\nwait go\ntext three")
	w := newWorld(t)
	h := w.open(Flags{Provider: "custom-openai", Model: "m", BaseURL: s.URL(), Dir: w.root})
	c := h.Events()
	defer c.Close()
	before := ask[host.Page](t, h, host.Report{Name: "context"})
	turn(t, h, c, "hi")
	if err := h.Do(t.Context(), host.Submit{Text: "again"}); err != nil {
		t.Fatal(err)
	}
	for begun := false; !begun; {
		events, err := c.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			text, ok := e.(event.Text)
			begun = begun || ok && strings.Contains(text.Text, "two")
		}
	}
	during := ask[host.Page](t, h, host.Report{Name: "context"})
	s.Release("go")
	follow(t, c)
	if during.Markdown == before.Markdown {
		t.Errorf("what was said is not in it: %s", during.Markdown)
	}
}
