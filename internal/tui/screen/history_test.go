package screen_test

import (
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

// recalled is a ui whose history has been loaded.
func recalled(t *testing.T, prompts ...string) *ui {
	t.Helper()
	u := start(t)
	want(t, u.keys("up"))
	u.answer(host.History{}, host.PromptList{Prompts: prompts})
	u.keys("down")
	u.did = nil
	return u
}

func TestHistory(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want string
	}{
		{"newest first", []string{"up"}, "three"},
		{"up to the oldest", []string{"up", "up", "up", "up", "up"}, "one"},
		{"and back", []string{"up", "up", "down"}, "three"},
		{"the draft comes back", []string{"draft", "up", "up", "down", "down"}, "draft"},
		{"down without a walk", []string{"draft", "down"}, "draft"},
		{"what was changed on the way stays changed", []string{"up", "!", "up", "down"}, "three!"},
		{"what was changed is in the history after the walk", []string{"up", "!", "up", "down", "down", "up"}, "three!"},
		{"a line above is no history", []string{"a", "shift+enter", "b", "up"}, "a\nb"},
		{"from the first line", []string{"a", "shift+enter", "b", "up", "up"}, "three"},
		{"sent ones are recalled", []string{"new", "enter", "up"}, "new"},
		{"and follow the others", []string{"new", "enter", "up", "up"}, "three"},
		{"a repetition is dropped", []string{"three", "enter", "up", "up"}, "two"},
		{"the draft is not lost by sending another", []string{"draft", "up", "enter", "up", "up"}, "draft"},
		{"commands too", []string{"/copy", "enter", "up"}, "/copy"},
		{"no menu opens over a recalled one", []string{"/copy", "enter", "up", "up"}, "three"},
		{"but over one that is edited", []string{"/agen", "esc", "enter", "ctrl+c", "up", "x", "backspace", "tab"}, "/agent "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := recalled(t, "one", "two", "three")
			u.keys(tt.keys...)
			if u.text != tt.want {
				t.Errorf("the prompt is %q, want %q", u.text, tt.want)
			}
		})
	}
}

func TestHistoryIsAskedForOnceAndWhenNeeded(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("draft")
	if len(u.did) != 0 {
		t.Fatalf("asked %s", show(u.did))
	}
	if got := u.keys("up", "up"); len(got) != 1 || got[0] != (screen.Ask{Query: host.History{}}) {
		t.Errorf("asked %s", show(got))
	}
	u.keys("s") // typed while it loads
	u.answer(host.History{}, host.PromptList{Prompts: []string{"one"}})
	u.prompt("one")
	u.keys("down")
	u.prompt("drafts")
	u.answer(host.History{}, host.PromptList{Prompts: []string{"again"}}) // a second answer changes nothing
	u.keys("up", "up")
	u.prompt("one")
}

func TestHistoryArrivesDuringAWalk(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("b", "enter", "c", "enter", "up", "!", "up")
	u.prompt("b")
	// The host has heard of the first of them already.
	u.answer(host.History{}, host.PromptList{Prompts: []string{"a", "b"}})
	u.keys("up")
	u.prompt("a")
	u.keys("down", "down")
	u.prompt("c!")
}

func TestHistoryThatFails(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("up")
	u.fail(host.History{}, "no file")
	u.prompt("")
	u.keys("up")
	u.prompt("")
	if n := u.notes(); n != "" {
		t.Errorf("notes %q", n)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	u := recalled(t, make([]string, 5000)...)
	u.paste(strings.Repeat("x", 20<<20))
	u.keys("enter")
	u.paste(strings.Repeat("y", 20<<20))
	u.keys("enter", "up")
	u.prompt("[pasted 20.0 MB]")
	u.keys("up")
	u.prompt("[pasted 20.0 MB]") // the older one had to go
}

func TestSearch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want string
	}{
		{"newest first", []string{"ctrl+s", "enter"}, "fix the Test"},
		{"narrows", []string{"ctrl+s", "run", "enter"}, "run tests"},
		{"every word counts, case does not", []string{"ctrl+s", "TEST r", "enter"}, "run tests"},
		{"older", []string{"ctrl+s", "test", "ctrl+s", "enter"}, "run tests"},
		{"up and down", []string{"ctrl+s", "test", "up", "up", "down", "enter"}, "fix the Test"},
		{"the cursor stays in the list", []string{"ctrl+s", "down", "up", "up", "up", "up", "tab"}, "a b"},
		{"a new query begins at the newest", []string{"ctrl+s", "up", "t", "enter"}, "fix the Test"},
		{"moving in the query does not", []string{"ctrl+s", "te", "up", "left", "enter"}, "run tests"},
		{"nothing", []string{"ctrl+s", "nothing", "enter"}, "draft"},
		{"closed", []string{"ctrl+s", "run", "esc"}, "draft"},
		{"the draft is one step up", []string{"ctrl+s", "run", "enter", "up"}, "draft"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := recalled(t, "a b", "run tests", "fix the Test", "run tests", "fix the Test")
			u.keys("draft")
			u.keys(tt.keys...)
			u.prompt(tt.want)
			if u.s.Panel != nil {
				t.Errorf("open: %+v", u.s.Panel)
			}
		})
	}
}

func TestSearchBeforeTheHistoryIsThere(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("ctrl+s", "t")
	if p := u.s.Panel.(screen.Search); !p.Loading || len(p.Found) != 0 {
		t.Errorf("panel %+v", p)
	}
	u.paste("wo\n")
	u.answer(host.History{}, host.PromptList{Prompts: []string{"one", "two"}})
	if p := u.s.Panel.(screen.Search); p.Loading || len(p.Found) != 1 || p.Query.Text != "two" {
		t.Errorf("panel %+v", p)
	}
	u.keys("enter")
	u.prompt("two")
}

func TestUpPrefersTheQueueOnAnEmptyPromptOnly(t *testing.T) {
	t.Parallel()
	u := recalled(t, "old")
	u.tell(event.Prompt{Text: "go"}, event.Queue{Prompts: []string{"q"}})
	want(t, u.keys("x", "up"))
	u.prompt("old")
	u.keys("down", "backspace")
	want(t, u.keys("up"), screen.TakeBack{})
}
