package screen_test

import (
	"strings"
	"testing"

	"assent/internal/host"
	"assent/internal/tui/screen"
)

// What is pressed before a list is there is pressed when it is.
func TestKeysBeforeTheirList(t *testing.T) {
	t.Parallel()
	models := host.ModelList{Models: []host.Model{{Provider: "p", ID: "big"}, {Provider: "p", ID: "small"}}}
	list := host.SessionList{Sessions: []host.SessionInfo{{ID: "s1", Title: "one"}, {ID: "s2", Title: "two"}}}
	tests := []struct {
		name   string
		open   []string
		keys   []string
		query  host.Query
		answer host.Answer
		want   []screen.Intent
		shut   bool
	}{
		{"enter", []string{"/resume", "enter"}, []string{"enter"}, host.Sessions{}, list, []screen.Intent{screen.Switch{Session: "s1"}}, true},
		{"a move and enter", []string{"/resume", "enter"}, []string{"down", "enter"}, host.Sessions{}, list, []screen.Intent{screen.Switch{Session: "s2"}}, true},
		{"a filter and enter", []string{"/model", "esc", "enter"}, []string{"sma", "enter"}, host.Models{}, models, []screen.Intent{screen.Do{Command: host.Use{Provider: "p", Model: "small"}}}, true},
		{"a move before the filter is none in it", []string{"/model", "esc", "enter"}, []string{"down", "s", "enter"}, host.Models{}, models, []screen.Intent{screen.Do{Command: host.Use{Provider: "p", Model: "small"}}}, true},
		{"moves alone", []string{"/resume", "enter"}, []string{"down"}, host.Sessions{}, list, nil, false},
		{"nothing that fits", []string{"/resume", "enter"}, []string{"zzz", "enter"}, host.Sessions{}, list, nil, false},
		{"closed", []string{"/resume", "enter"}, []string{"enter", "esc"}, host.Sessions{}, list, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			u.keys(tt.open...)
			u.did = nil
			want(t, u.keys(tt.keys...))
			want(t, u.answer(tt.query, tt.answer), tt.want...)
			if shut := u.s.Panel == nil; shut != tt.shut {
				t.Errorf("panel %+v", u.s.Panel)
			}
		})
	}
}

// A list that nobody gives takes no key with it to another one.
func TestKeysBeforeAListThatFails(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("/model", "esc", "enter", "enter")
	want(t, u.fail(host.Models{}, "no key"))
	if p, ok := u.s.Panel.(screen.Picker); !ok || p.Note != "no key" || p.Early.Enter {
		t.Errorf("panel %+v", u.s.Panel)
	}
}

func TestEnterBeforeTheHistoryIsThere(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("draft", "ctrl+s", "up", "enter")
	if p, ok := u.s.Panel.(screen.Search); !ok || !p.Early.Enter {
		t.Errorf("panel %+v", u.s.Panel)
	}
	u.answer(host.History{}, host.PromptList{Prompts: []string{"one", "two"}})
	u.prompt("one")
	if u.s.Panel != nil {
		t.Errorf("panel %+v", u.s.Panel)
	}
}

func TestKeysBeforeThePaths(t *testing.T) {
	t.Parallel()
	sent := screen.Do{Command: host.Submit{Text: "see @nothing-like-it"}}
	u := start(t)
	u.keys("see @READ", "tab")
	u.answer(host.Paths{}, files())
	u.prompt("see README.md ")

	u = start(t)
	want(t, u.keys("see @READ", "enter")[1:])
	u.answer(host.Paths{}, files())
	u.prompt("see README.md ")

	// What fits nothing is sent as it is, at once when enter is pressed again.
	u = start(t)
	u.keys("see @nothing-like-it", "enter")
	u.answer(host.Paths{}, files())
	want(t, u.answer(host.Expand{Word: "@nothing-like-it"}, host.Expansion{}), sent)
	u = start(t)
	u.keys("see @nothing-like-it", "enter", "enter")
	want(t, u.answer(host.Expand{Word: "@nothing-like-it"}, host.Expansion{}), sent)

	// Whoever goes on typing, or says no, has not asked for it any more.
	for _, key := range []string{"x", "esc"} {
		u = start(t)
		u.keys("see @READ", "enter", key)
		u.answer(host.Paths{}, files())
		if u.text != "see @READ" && u.text != "see @READx" {
			t.Errorf("%s: the prompt is %q", key, u.text)
		}
	}
}

// In the set-up enter is kept for what was named: nobody has seen the list.
func TestEnterBeforeTheSetUpKnows(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.take(screen.StartSetup(u.s, true))
	u.keys("oll", "enter")
	want(t, u.answer(host.Providers{}, presets()), screen.Ask{Query: host.Models{Provider: "ollama", Setup: true}})
	u.keys("two", "enter")
	list := host.ModelList{Models: []host.Model{{Provider: "ollama", ID: "one"}, {Provider: "ollama", ID: "two"}}}
	want(t, u.answer(host.Models{Provider: "ollama", Setup: true}, list), configure("provider", "ollama"))
	want(t, u.answer(host.Configure{Field: "provider", Value: "ollama"}, host.Page{}), configure("model", "two"))

	u = start(t)
	u.take(screen.StartSetup(u.s, true))
	u.keys("enter")
	want(t, u.answer(host.Providers{}, presets()))
}

// A prompt that is sent while the command before it still runs has its output
// with it, and those behind it keep their place.
func TestAPromptWaitsForTheOutputBeforeIt(t *testing.T) {
	t.Parallel()
	u := start(t)
	want(t, u.keys("!!make", "enter"), screen.Shell{Command: "make"})
	want(t, u.keys("why", "enter", "and then", "enter"))
	u.did = nil
	if n := u.notes(); !strings.Contains(n, "waits for the output of make") {
		t.Errorf("notes %q", n)
	}
	want(t, u.take(screen.ShellDone(u.s, 2, "no rule", nil)),
		screen.Do{Command: host.Submit{Text: "why", Expanded: "why\n\n--- output of make ---\n$ make\nno rule\n(exit code 2)"}},
		screen.Do{Command: host.Submit{Text: "and then"}})

	// Given back, it leaves the output to the next one.
	u = start(t)
	u.keys("!!make", "enter", "why", "enter")
	u.keys("esc")
	u.prompt("why")
	u.did = nil
	want(t, u.take(screen.ShellDone(u.s, 0, "made", nil)))
	want(t, u.keys("enter"), screen.Do{Command: host.Submit{Text: "why", Expanded: "why\n\n--- output of make ---\n$ make\nmade"}})

	// The output of "!" is nobody's.
	u = start(t)
	u.keys("!make", "enter")
	u.did = nil
	want(t, u.keys("why", "enter"), screen.Do{Command: host.Submit{Text: "why"}})
}
