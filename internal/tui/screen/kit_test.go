package screen_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

// began is when every test begins.
var began = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)

// ui drives a state as the glue does: it holds the text area, carries the
// clock, and keeps the intents.
type ui struct {
	t    testing.TB
	s    screen.State
	text string
	at   int
	now  time.Time
	did  []screen.Intent
}

func start(tb testing.TB) *ui {
	tb.Helper()
	u := &ui{t: tb, now: began}
	u.s = screen.New(screen.Options{
		Version: "1.2.3", Agents: []string{"default", "plan"}, Themes: []string{"dark", "light"}, Now: began,
	})
	return u
}

// tell applies events.
func (u *ui) tell(events ...event.Event) {
	u.t.Helper()
	u.s = screen.Tick(u.s, u.now)
	for _, e := range events {
		u.s = screen.Apply(u.s, e)
	}
}

// after lets time pass.
func (u *ui) after(d time.Duration) *ui { u.now = u.now.Add(d); return u }

func (u *ui) snapshot() screen.Snapshot {
	return screen.Snapshot{
		Text: u.text, Cursor: u.at,
		Top: !strings.Contains(u.text[:u.at], "\n"), Bottom: !strings.Contains(u.text[u.at:], "\n"),
	}
}

// keys presses keys by name; what is no name of a key is typed.
func (u *ui) keys(names ...string) []screen.Intent {
	u.t.Helper()
	from := len(u.did)
	for _, name := range names {
		if named(name) {
			u.press(screen.Key{Name: name})
			continue
		}
		for _, r := range name {
			u.press(screen.Key{Name: string(r), Text: string(r)})
		}
	}
	return u.did[from:]
}

func named(key string) bool {
	for _, part := range []string{"ctrl+", "alt+", "shift+"} {
		if strings.HasPrefix(key, part) {
			return true
		}
	}
	switch key {
	case "enter", "esc", "up", "down", "left", "right", "home", "end", "tab", "backspace", "delete", "pgup", "pgdown":
		return true
	}
	return false
}

func (u *ui) press(k screen.Key) {
	u.t.Helper()
	k.At, k.Editor = u.now, u.snapshot()
	var intents []screen.Intent
	u.s, intents = screen.Press(u.s, k)
	u.carry(k, intents)
}

func (u *ui) paste(text string) {
	u.t.Helper()
	var intents []screen.Intent
	u.s, intents = screen.Paste(u.s, text)
	u.carry(screen.Key{}, intents)
}

// take runs a transition that gives intents.
func (u *ui) take(s screen.State, intents []screen.Intent) []screen.Intent {
	u.t.Helper()
	from := len(u.did)
	u.s = s
	u.carry(screen.Key{}, intents)
	return u.did[from:]
}

func (u *ui) answer(q host.Query, a host.Answer) []screen.Intent {
	u.t.Helper()
	return u.take(screen.Answered(u.s, q, a, nil))
}

func (u *ui) fail(q host.Query, text string) []screen.Intent {
	u.t.Helper()
	return u.take(screen.Answered(u.s, q, nil, errors.New(text)))
}

// carry does what an intent says to the text area.
func (u *ui) carry(k screen.Key, intents []screen.Intent) {
	u.t.Helper()
	for _, i := range intents {
		switch i := i.(type) {
		case screen.SetText:
			if i.Cursor < 0 || i.Cursor > len(i.Text) || !utf8.ValidString(i.Text[:i.Cursor]) {
				u.t.Fatalf("cursor %d does not stand in %q", i.Cursor, i.Text)
			}
			u.text, u.at = i.Text, i.Cursor
			if u.s.Editor.Text != u.text && len(intents) == 1 {
				u.t.Fatalf("the state holds %q, the text area was given %q", u.s.Editor.Text, u.text)
			}
		case screen.Insert:
			u.insert(i.Text)
		case screen.Pass:
			u.edit(k)
		default:
			u.did = append(u.did, i)
		}
	}
}

// edit is a text area of the least kind.
func (u *ui) edit(k screen.Key) {
	switch k.Name {
	case "left":
		_, n := utf8.DecodeLastRuneInString(u.text[:u.at])
		u.at -= n
	case "right":
		_, n := utf8.DecodeRuneInString(u.text[u.at:])
		u.at += n
	case "home":
		u.at = strings.LastIndexByte(u.text[:u.at], '\n') + 1
	case "up":
		u.at = max(strings.LastIndexByte(u.text[:u.at], '\n'), 0)
	case "backspace":
		_, n := utf8.DecodeLastRuneInString(u.text[:u.at])
		u.text, u.at = u.text[:u.at-n]+u.text[u.at:], u.at-n
	case "shift+enter", "alt+enter", "ctrl+j":
		u.insert("\n")
		return
	default:
		if k.Text != "" {
			u.insert(k.Text)
			return
		}
	}
	u.edited()
}

func (u *ui) insert(text string) {
	u.text, u.at = u.text[:u.at]+text+u.text[u.at:], u.at+len(text)
	u.edited()
}

func (u *ui) edited() {
	var intents []screen.Intent
	u.s, intents = screen.Edited(u.s, u.snapshot())
	u.carry(screen.Key{}, intents)
}

// blocks drains.
func (u *ui) blocks() []screen.Block {
	var list []screen.Block
	u.s, list = screen.Drain(u.s)
	return list
}

// notes are the texts of the notices and failures that wait to be printed.
func (u *ui) notes() string {
	var out []string
	for _, b := range u.blocks() {
		switch b := b.(type) {
		case screen.Notice:
			out = append(out, b.Text)
		case screen.Failure:
			out = append(out, b.Message)
		default:
		}
	}
	return strings.Join(out, "\n")
}

func (u *ui) prompt(want string) {
	u.t.Helper()
	if u.text != want {
		u.t.Errorf("the prompt is %q, want %q", u.text, want)
	}
	if u.s.Editor.Text != u.text {
		u.t.Errorf("the state holds %q, the text area %q", u.s.Editor.Text, u.text)
	}
}

// only are the intents without the queries for the history and the texts of "#".
func only(intents []screen.Intent) []screen.Intent {
	var out []screen.Intent
	for _, i := range intents {
		if a, ok := i.(screen.Ask); ok {
			switch a.Query.(type) {
			case host.Remember, host.History, host.Fragments:
				continue
			default:
			}
		}
		out = append(out, i)
	}
	return out
}

func want(tb testing.TB, got []screen.Intent, want ...screen.Intent) {
	tb.Helper()
	if got = only(got); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		tb.Errorf("got %s\nwant %s", show(got), show(want))
	}
}

func show(list []screen.Intent) string {
	var out []string
	for _, i := range list {
		out = append(out, fmt.Sprintf("%T%+v", i, i))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// busy begins a turn.
func busy(tb testing.TB) *ui {
	tb.Helper()
	u := start(tb)
	u.tell(event.Prompt{Text: "go"}, event.Step{Number: 1})
	u.blocks()
	return u
}

// answers presses keys as keys does, has patterns taken as they were written,
// and waits until no letter is held back.
func (u *ui) answers(names ...string) []screen.Intent {
	u.t.Helper()
	from := len(u.did)
	for _, name := range names {
		u.keys(name)
		if n := len(u.did); n > from {
			if a, ok := u.did[n-1].(screen.Ask); ok {
				if q, ok := a.Query.(host.Always); ok {
					u.did = u.did[:n-1]
					u.answer(q, host.RuleList{Rules: strings.Split(q.Pattern, "; ")})
				}
			}
		}
	}
	u.after(held)
	u.take(screen.Due(u.s, u.now))
	return u.did[from:]
}

// held is how long a letter that allows for longer is held back.
const held = 400 * time.Millisecond
