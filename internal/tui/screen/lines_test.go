package screen_test

import (
	"errors"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

// lined is a state before a terminal that shows lines only.
func lined(t *testing.T) *ui {
	t.Helper()
	u := start(t)
	u.s = screen.New(screen.Options{Lines: true, Now: began})
	return u
}

// What comes back of the queue is printed: there is no prompt to put it into.
func TestLinesGiveWhatWasQueuedBack(t *testing.T) {
	t.Parallel()
	u := lined(t)
	u.keys("go", "enter")
	u.tell(event.Prompt{Text: "go"})
	u.keys("then", "enter", "last", "enter")
	u.tell(event.Queue{Prompts: []string{"then", "last"}})
	u.keys("ctrl+c")
	u.notes()
	want(t, u.take(screen.TookBack(u.s, []string{"then", "last"})))
	if n := u.notes(); !strings.Contains(n, "Not sent, type it again if it is to be: then") || !strings.Contains(n, "to be: last") {
		t.Errorf("notes %q", n)
	}
	if u.text != "" {
		t.Errorf("the prompt is %q", u.text)
	}

	// So is one that waits for the output of a command, and one that was refused.
	u = lined(t)
	u.keys("!!make", "enter", "why", "enter")
	u.take(screen.Refused(u.s, host.Cancel{}, errors.New("no")))
	u.notes()
	u.keys("esc")
	if n := u.notes(); !strings.Contains(n, "to be: why") {
		t.Errorf("notes %q", n)
	}
	u = lined(t)
	u.keys("why", "enter")
	u.take(screen.Refused(u.s, host.Submit{Text: "why"}, errors.New("no")))
	if n := u.notes(); !strings.Contains(n, "to be: why") {
		t.Errorf("notes %q", n)
	}

	// And one that the host took and could not begin.
	u = lined(t)
	u.keys("why", "enter")
	u.tell(event.Done{Reason: "error"})
	if n := u.notes(); !strings.Contains(n, "to be: why") || strings.Contains(n, "up brings") {
		t.Errorf("notes %q", n)
	}
}

// A change of who works how is told by a line, where no status tells it.
func TestLinesConfirmAChoice(t *testing.T) {
	t.Parallel()
	for _, lines := range []bool{true, false} {
		u := start(t)
		u.s = screen.New(screen.Options{Lines: lines, Now: began})
		now := event.State{Agent: "default", Provider: "p", Model: "m", Level: "high"}
		u.tell(event.Session{ID: "s", Agent: "default", Model: "m"}, now)
		if n := u.notes(); n != "" {
			t.Errorf("lines %v: the beginning is no change: %q", lines, n)
		}
		for _, c := range []struct {
			change func(*event.State)
			want   string
		}{
			{func(s *event.State) { s.Model = "n" }, "From now on: model n"},
			{func(s *event.State) { s.Provider, s.Model = "q", "x" }, "From now on: provider q, model x"},
			{func(s *event.State) { s.Level = "low" }, "From now on: thinking low"},
			{func(s *event.State) { s.Agent = "plan" }, "From now on: agent plan"},
			{func(*event.State) {}, ""},
		} {
			c.change(&now)
			u.tell(now)
			if !lines {
				c.want = ""
			}
			if n := strings.TrimSpace(u.notes()); n != c.want {
				t.Errorf("lines %v: notes %q, want %q", lines, n, c.want)
			}
		}
	}
}
