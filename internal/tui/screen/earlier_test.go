package screen_test

import (
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

func TestEarlierIsPrintedOnce(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.Session{ID: "s1", Resumed: true})
	u.blocks()
	u.s = screen.Earlier(u.s, host.Replay{
		Left: 3, Title: "the first", Prompts: 4, Events: []event.Event{
			event.Prompt{Text: "why?"},
			event.Step{},
			event.Text{Text: "I look."},
			event.ToolCall{ID: "1", Name: "bash", Title: "ls"},
			event.ToolResult{ID: "1", Name: "bash", Summary: "exit 1", Exit: 1},
			event.Prompt{Text: "and that?", Steer: true},
			event.Step{},
			event.Text{Text: "Because.\n\n"},
			event.Done{Reason: "max_steps"},
		},
	})
	got := printed(u.blocks())
	want := "notice Not shown here: 3 earlier prompts with what followed. All of it: assent sessions show s1\n"
	if !strings.HasPrefix(got, want) {
		t.Errorf("printed %s", got)
	}
	for _, part := range []string{"why?", `answer "I look."`, "tool 1 0 exit 1", "and that?", "Because."} {
		if strings.Count(got, part) != 1 {
			t.Errorf("%s is not there once: %s", part, got)
		}
	}
	if u.s.Turn.Busy || len(u.s.Tools) != 0 || u.s.Tail != "" || u.s.Usage != (screen.Usage{}) {
		t.Errorf("the past goes on: %+v", u.s.Turn)
	}
	want2 := screen.Farewell{ID: "s1", Title: "the first", Prompts: 4}
	if got := u.s.Leave(); got != want2 {
		t.Errorf("leaves as %+v", got)
	}
	if did := u.keys("/copy", "enter"); len(did) == 0 || did[len(did)-1] != screen.Intent(screen.Copy{Text: "Because.\n\n"}) {
		t.Errorf("/copy gives %v", did)
	}
	u.s = screen.Earlier(start(t).s, host.Replay{})
	if _, blocks := screen.Drain(u.s); len(blocks) != 0 {
		t.Errorf("nothing was said before, printed %v", blocks)
	}
}

// A turn that goes on with what an earlier run left open begins with a call.
func TestATurnThatNoPromptBegan(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.ToolCall{ID: "1", Name: "bash"}, approval("1"))
	if !u.s.Turn.Busy || !u.s.Ticking() {
		t.Error("it does not run")
	}
	u.tell(event.ApprovalDone{ID: "1"}, event.ToolResult{ID: "1"}, event.Done{Reason: "stop"})
	if u.s.Turn.Busy {
		t.Error("it runs on")
	}
}
