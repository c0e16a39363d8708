package app

import (
	"context"
	"os"
	"strings"
	"testing"

	"assent/internal/config"
	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/session"
)

func TestContinueInAFreshFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.script(`{"text":"never"}`)
	f.Continue = true
	_, err := w.run(f, "hi")
	if err == nil || err.Error() != "no session to continue here; leave out -c" {
		t.Errorf("%v", err)
	}
}

func TestContinuePassesOverAnOpenSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.run(w.script(`{"text":"old"}`), "the old one"); err != nil {
		t.Fatal(err)
	}
	h := w.open(w.script(`{"text":"new"}`))
	c := h.Events()
	defer c.Close()
	turn(t, h, c, "the new one")
	f := w.script(`{"text":"on","expect":"the old one"}`)
	f.Continue = true
	if _, err := w.run(f, "go on"); err != nil || !strings.Contains(w.err.String(), "is open in another process") {
		t.Errorf("%v %s", err, &w.err)
	}
	if err := h.Do(context.Background(), host.Close{}); err != nil {
		t.Fatal(err)
	}
}

func TestASessionOfAnotherFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.open(w.script(`{"text":"here"}`))
	c := h.Events()
	defer c.Close()
	var id string
	for _, e := range turn(t, h, c, "hi") {
		if s, ok := e.(event.Session); ok {
			id = s.ID
		}
	}
	if err := h.Do(context.Background(), host.Close{}); err != nil {
		t.Fatal(err)
	}
	there := w.root
	w.root = t.TempDir()
	f := w.script(`{"text":"there"}`)
	f.Resume = id
	if _, err := w.run(f, "go on"); err == nil || !strings.Contains(err.Error(), "belongs to "+there+"; use -C "+there+", or --fork") {
		t.Errorf("%v", err)
	}
	f.Fork = true
	if _, err := w.run(f, "go on"); err != nil || !strings.Contains(w.err.String(), "forked from "+id) {
		t.Errorf("--fork: %v %s", err, &w.err)
	}
	if err := os.RemoveAll(there); err != nil {
		t.Fatal(err)
	}
}

func TestAPriceThatNobodyKnows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.script(`{"text":"never"}`)
	f.MaxCost = 1
	if _, err := w.run(f, "hi"); err == nil || !strings.Contains(err.Error(), config.JoinPath("models", f.Model, "price")) {
		t.Errorf("%v", err)
	}
}

func TestAServerThatIsNotThereIsTriedTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	code, err := w.run(Flags{Provider: "custom-openai", BaseURL: "http://127.0.0.1:1", Model: "m"}, "hi")
	if said := w.err.String(); err != nil || code != 1 || strings.Count(said, "trying again") != 1 || !strings.Contains(said, "(given up after 2 tries)") || !strings.Contains(said, "error · 1 step · ") {
		t.Errorf("exit %d %v %s", code, err, said)
	}
}

func TestTheDemoIsOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.script(`{"text":"all there is"}`)
	f.demo = true
	h := w.open(f)
	c := h.Events()
	defer c.Close()
	turn(t, h, c, "hi")
	said, reason := "", ""
	for _, e := range turn(t, h, c, "more") {
		switch e := e.(type) {
		case event.Text:
			said += e.Text
		case event.Done:
			reason = e.Reason
		case event.Error:
			t.Errorf("an error: %s", e.Message)
		}
	}
	if !strings.HasPrefix(said, "The demo is over") || reason != "stop" {
		t.Errorf("said %q and ended by %q", said, reason)
	}
}

func TestExplainTakesABareWord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tool := range []string{"write_file", "edit_file", "multi_edit", "delete_file", "move_file", "read_file", "read_many_files", "list_dir"} {
		e, err := w.explain(Flags{}, tool, "a.txt")
		if err != nil || len(e.Subjects) == 0 || e.Subjects[0].Text != "a.txt" {
			t.Errorf("%s: %v %v", tool, e, err)
		}
	}
	if e, err := w.explain(Flags{Yolo: true}, "bash", "make"); err != nil || !strings.Contains(e.Reason, "--yolo") {
		t.Errorf("%v %v", e, err)
	}
	_, err := w.explain(Flags{}, "web_fetch", "x")
	if err == nil || !strings.Contains(err.Error(), "this build does not offer it") || strings.Contains(err.Error(), "mcp_call") {
		t.Errorf("%v", err)
	}
}

// A thinking level that nobody chose is the agent's own, and goes with it when
// a flag names another; one that was chosen stays.
func TestTheLevelOfAResumedSession(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		begun, resume Flags
		want          llm.Level
	}{
		{"the agent's own", Flags{}, Flags{}, llm.LevelMedium},
		{"of the agent that it had", Flags{Agent: "quick"}, Flags{}, llm.LevelLow},
		{"of the agent of the flag", Flags{}, Flags{Agent: "deep"}, llm.LevelHigh},
		{"that was chosen", Flags{Think: "max"}, Flags{}, llm.LevelMax},
		{"that was chosen, with another agent", Flags{Think: "max"}, Flags{Agent: "quick"}, llm.LevelMax},
		{"of a flag", Flags{Think: "max"}, Flags{Agent: "quick", Think: "off"}, llm.LevelOff},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			f := w.script(`{"text":"one"}`)
			f.Agent, f.Think = tt.begun.Agent, tt.begun.Think
			if _, err := w.run(f, "hi"); err != nil {
				t.Fatal(err)
			}
			f = tt.resume
			f.Continue, f.Dir = true, w.root
			h := w.open(f)
			c := h.Events()
			defer c.Close()
			events, err := c.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				if s, ok := e.(event.State); ok && s.Level != tt.want {
					t.Errorf("thinks %s, want %s", s.Level, tt.want)
				}
			}
		})
	}
}

// A change that could not be kept whole did not happen: a resume takes the
// agent that the conversation still has.
func TestAChangeIsKeptWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.script(`{"text":"ok"}`)
	var c *conversation
	f.opened = func(made *conversation) { c = made }
	h := w.open(f)
	events := h.Events()
	defer events.Close()
	do(t, h, host.Submit{Text: "hi"}) // which keeps what there is
	waitFor[event.Done](t, events)
	was := c.agent
	plan, _ := findAgent("plan")
	too := c.choice
	too.model = strings.Repeat("m", 64<<20) // no record holds it
	if err := c.keep(plan, c.level, too); err == nil || !strings.Contains(err.Error(), "keep the model") {
		t.Fatalf("%v", err)
	}
	if got := session.Restore(c.log.Branch()).Agent; got != was.name {
		t.Errorf("a resume takes the agent %q, the conversation has %q", got, was.name)
	}
}
