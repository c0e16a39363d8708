package screen_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/tui/screen"
)

func TestEveryCommandParsesAndShowsInHelp(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("/help", "enter")
	page, ok := u.blocks()[0].(screen.Page)
	if !ok {
		t.Fatal("no page")
	}
	wanted := strings.Fields("help agent think provider models model tools permissions context cost sessions resume fork export copy diff config theme doctor clear exit")
	var names []string
	for _, c := range screen.Commands() {
		names = append(names, c.Name)
		if name, args, ok := screen.Parse("/" + c.Name + " a  b"); !ok || name != c.Name || args != "a  b" {
			t.Errorf("/%s parses as %q, %q", c.Name, name, args)
		}
		if !strings.Contains(page.Markdown, "`"+strings.TrimSpace("/"+c.Name+" "+c.Args)+"`") || !strings.Contains(page.Markdown, c.Help) {
			t.Errorf("/%s is not in the help", c.Name)
		}
		v := start(t)
		v.keys("/" + c.Name)
		if got := v.s.Menu.Items[0].Value; got != c.Name {
			t.Errorf("the menu offers /%s for /%s", got, c.Name)
		}
		v.keys("enter")
		if len(only(v.did))+len(v.blocks()) == 0 && v.s.Panel == nil {
			t.Errorf("/%s does nothing", c.Name)
		}
		v.prompt("")
	}
	if !reflect.DeepEqual(names, wanted) {
		t.Errorf("commands %v\nwant %v", names, wanted)
	}
	for _, k := range screen.Keys() {
		if !strings.Contains(page.Markdown, k.Does) {
			t.Errorf("%s is not in the help", k.Keys)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text, name, args string
		ok               bool
	}{
		{"/model", "model", "", true},
		{" /Model x ", "model", "x", true},
		{"/answer:again", "answer:again", "", true},
		{"/copy\nx", "copy", "x", true},
		{"/copy\tx", "copy", "x", true},
		{"/usr/bin/x", "", "", false},
		{"/", "", "", false},
		{"/ model", "", "", false},
		{"/2", "", "", false},
		{"model", "", "", false},
		{"/" + strings.Repeat("x", 1<<20), "", "", false},
	}
	for _, tt := range tests {
		name, args, ok := screen.Parse(tt.text)
		if name != tt.name || args != tt.args || ok != tt.ok {
			t.Errorf("%.40q parses as %q, %q, %v", tt.text, name, args, ok)
		}
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	use := func(u host.Use) []screen.Intent { return []screen.Intent{screen.Do{Command: u}} }
	ask := func(q host.Query) []screen.Intent { return []screen.Intent{screen.Ask{Query: q}} }
	tests := []struct {
		typed string
		want  []screen.Intent
	}{
		{"/agent plan", use(host.Use{Agent: "plan"})},
		{"/think high", use(host.Use{Level: llm.LevelHigh})},
		{"/provider groq", use(host.Use{Provider: "groq"})},
		{"/provider", ask(host.Providers{})},
		{"/model a/b", use(host.Use{Model: "a/b"})},
		{"/model", ask(host.Models{})},
		{"/models groq", ask(host.Models{Provider: "groq"})},
		{"/tools", ask(host.Report{Name: "tools"})},
		{"/permissions", ask(host.Report{Name: "permissions"})},
		{"/context", ask(host.Report{Name: "context"})},
		{"/cost", ask(host.Report{Name: "cost"})},
		{"/diff", ask(host.Report{Name: "diff"})},
		{"/doctor", ask(host.Report{Name: "doctor"})},
		{"/config", ask(host.Report{Name: "config"})},
		{"/config theme dark blue", ask(host.Configure{Field: "theme", Value: "dark blue"})},
		{"/config theme", nil},
		{"/config apiKey abc", nil},
		{"/sessions", ask(host.Sessions{})},
		{"/resume", ask(host.Sessions{})},
		{"/resume abc", []screen.Intent{screen.Switch{Session: "abc"}}},
		{"/fork", []screen.Intent{screen.Switch{Session: "s1", Fork: true}}},
		{"/export out.md", ask(host.Export{File: "out.md"})},
		{"/copy", nil},
		{"/theme light", []screen.Intent{screen.Theme{Name: "light"}}},
		{"/clear", []screen.Intent{screen.Switch{}}},
		{"/exit", []screen.Intent{screen.Quit{}}},
	}
	for _, tt := range tests {
		t.Run(tt.typed, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			u.tell(event.Session{ID: "s1"})
			want(t, u.keys(tt.typed, "esc", "enter"), tt.want...)
			u.prompt("")
		})
	}
}

func TestAnUnknownCommandStays(t *testing.T) {
	t.Parallel()
	for typed, says := range map[string]string{"/mdel x": "did you mean /model (", "/undo": "/diff", "/frobnicate": "/help", "/" + strings.Repeat("y", 100): "/help"} {
		u := start(t)
		want(t, u.keys(typed, "enter"))
		u.prompt(typed)
		if n := u.notes(); !strings.Contains(n, says) {
			t.Errorf("%s: %q", typed, n)
		}
	}
}

func TestLeavingNeedsAnIdleTurn(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"/clear", "/resume x", "/fork"} {
		u := busy(t)
		want(t, u.keys(typed[:4], typed[4:], "enter"))
		u.prompt(typed)
		if n := u.notes(); !strings.Contains(n, "A turn is running") {
			t.Errorf("%s: %q", typed, n)
		}
	}
}

func TestARefusedCommandStaysAsItWasCompleted(t *testing.T) {
	t.Parallel()
	u := busy(t)
	want(t, u.keys("/cle", "enter"))
	u.prompt("/clear")
}

func TestKeysInTheHistory(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("/config apiKey abc", "enter", "up")
	u.prompt("")
}

func TestCopy(t *testing.T) {
	t.Parallel()
	u := start(t)
	want(t, u.keys("/copy", "enter"))
	if n := u.notes(); !strings.Contains(n, "no answer") {
		t.Errorf("notes %q", n)
	}
	u.tell(event.Prompt{Text: "p"}, event.Step{Number: 1}, event.Text{Text: "first"}, event.ToolCall{ID: "1"}, event.ToolResult{ID: "1"},
		event.Step{Number: 2}, event.Text{Text: "a **long**\nline "})
	u.s = screen.Settle(u.s, 5)
	u.tell(event.Text{Text: "of text\n"})
	text := "a **long**\nline of text\n" // TUI-29: the source, not what was drawn
	want(t, u.keys("/copy", "enter"), screen.Copy{Text: text})
	u.tell(event.Done{Reason: "stop"})
	want(t, u.keys("/copy", "enter"), screen.Copy{Text: text})
	if n := u.notes(); !strings.Contains(n, "2 lines") {
		t.Errorf("notes %q", n)
	}
	u.tell(event.Prompt{Text: "p"}, event.Text{Text: strings.Repeat("x", 9<<20)})
	got := only(u.keys("/copy", "enter"))
	u.tell(event.Done{Reason: "stop"})
	if c := got[0].(screen.Copy); len(c.Text) > 4<<20 || len(c.Text) < 4<<20-64<<10 {
		t.Errorf("copied %d bytes", len(c.Text))
	}
	if n := u.notes(); !strings.Contains(n, "/export") {
		t.Errorf("notes %q", n)
	}
}

func TestPickers(t *testing.T) {
	t.Parallel()
	now := time.Date(2029, 5, 6, 7, 8, 0, 0, time.UTC)
	modelList := host.ModelList{Models: []host.Model{{Provider: "p", ID: "big", Window: 1_000_000}, {Provider: "p", ID: "small", Window: 32_000}, {ID: "bare", Window: 500}}}
	sessionList := host.SessionList{Sessions: []host.SessionInfo{{ID: "s1", Title: "fix it\nnow", Updated: now}, {ID: "s2"}}}
	use := func(u host.Use) []screen.Intent { return []screen.Intent{screen.Do{Command: u}} }
	tests := []struct {
		name   string
		open   string
		query  host.Query
		answer host.Answer
		keys   []string
		want   []screen.Intent
	}{
		{"agent", "/agent", nil, nil, []string{"down", "enter"}, use(host.Use{Agent: "plan"})},
		{"level by name", "/think", nil, nil, []string{"max", "enter"}, use(host.Use{Level: llm.LevelMax})},
		{"theme", "/theme", nil, nil, []string{"tab", "enter"}, []screen.Intent{screen.Theme{Name: "light"}}},
		{"model", "/model", host.Models{}, modelList, []string{"small", "enter"}, use(host.Use{Provider: "p", Model: "small"})},
		{"model by its window", "/model", host.Models{}, modelList, []string{"1.0m", "enter"}, use(host.Use{Provider: "p", Model: "big"})},
		{"prefix first", "/model", host.Models{}, modelList, []string{"b", "down", "enter"}, use(host.Use{Model: "bare"})},
		{"no match", "/model", host.Models{}, modelList, []string{"nothing", "enter"}, nil},
		{"no match, less filter", "/model", host.Models{}, modelList, []string{"smallx", "enter", "backspace", "enter"}, use(host.Use{Provider: "p", Model: "small"})},
		{"session", "/resume", host.Sessions{}, sessionList, []string{"up", "enter"}, []screen.Intent{screen.Switch{Session: "s2"}}},
		{"session by title", "/resume", host.Sessions{}, sessionList, []string{"fix", "enter"}, []screen.Intent{screen.Switch{Session: "s1"}}},
		{"closed", "/think", nil, nil, []string{"esc"}, nil},
		{"closed by ctrl+c", "/think", nil, nil, []string{"ctrl+c"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			u.keys(tt.open, "esc", "enter")
			if p, ok := u.s.Panel.(screen.Picker); !ok || p.Loading != (tt.query != nil) {
				t.Fatalf("panel %+v", u.s.Panel)
			}
			if tt.query != nil {
				u.answer(tt.query, tt.answer)
			}
			u.did = nil
			want(t, u.keys(tt.keys...), tt.want...)
		})
	}
}

func TestAPickerIsPastedInto(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("/think", "enter")
	u.paste("hig")
	if p := u.s.Panel.(screen.Picker); len(p.Items) != 1 || p.Filter.Text != "hig" {
		t.Errorf("panel %+v", p)
	}
	if h := u.s.Hint(); h != "enter takes it, esc closes" {
		t.Errorf("hint %q", h)
	}
}

func TestAPickerWithNothingIn(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("/resume", "enter")
	u.answer(host.Sessions{}, host.SessionList{})
	if p := u.s.Panel.(screen.Picker); p.Note != "nothing to choose from" {
		t.Errorf("panel %+v", p)
	}
	want(t, u.keys("enter", "down", "pgdown", "esc"))
	u.keys("/model", "esc", "enter")
	u.fail(host.Models{}, "no key")
	if p := u.s.Panel.(screen.Picker); p.Note != "no key" || p.Loading {
		t.Errorf("panel %+v", p)
	}
	u.keys("esc")
	u.answer(host.Models{}, host.ModelList{}) // too late
	u.answer(host.Sessions{}, host.SessionList{})
	if u.s.Panel != nil {
		t.Error("a panel opened by itself")
	}
}

func TestAPickedSessionNeedsAnIdleTurn(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("/resume", "enter")
	u.answer(host.Sessions{}, host.SessionList{Sessions: []host.SessionInfo{{ID: "s1"}}})
	u.tell(event.Prompt{Text: "go"})
	u.did = nil
	want(t, u.keys("enter"))
}

func TestAListIsBounded(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("/model", "esc", "enter")
	list := make([]host.Model, 100_000)
	for i := range list {
		list[i].ID = "m"
	}
	u.answer(host.Models{}, host.ModelList{Models: list})
	if p := u.s.Panel.(screen.Picker); len(p.Items) != 100 {
		t.Errorf("%d lines", len(p.Items))
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	many := make([]host.Model, 300)
	tests := []struct {
		typed string
		query host.Query
		a     host.Answer
		title string
		holds string
	}{
		{"/doctor", host.Report{Name: "doctor"}, host.Page{Title: "Doctor", Markdown: "fine"}, "Doctor", "fine"},
		{"/config theme dark", host.Configure{Field: "theme", Value: "dark"}, host.Page{Title: "Config", Markdown: "set"}, "Config", "set"},
		{"/export", host.Export{}, host.Page{Title: "Export", Markdown: "a.md"}, "Export", "a.md"},
		{"/models", host.Models{}, host.ModelList{Models: []host.Model{{Provider: "p|q", ID: "a`b", Window: 200_000}, {ID: "c"}}}, "Models", "| `a'b` | p\\|q | 200k |"},
		{"/models", host.Models{}, host.ModelList{}, "Models", "no models"},
		{"/models", host.Models{}, host.ModelList{Models: many}, "Models", "and 100 more"},
		{"/sessions", host.Sessions{}, host.SessionList{Sessions: []host.SessionInfo{{ID: "s1", Title: "t", Turns: 3}}}, "Sessions", "| `s1` | 0001-01-01 00:00 | 3 | t |"},
		{"/sessions", host.Sessions{}, host.SessionList{}, "Sessions", "no earlier sessions"},
	}
	for _, tt := range tests {
		t.Run(tt.typed, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			u.keys(tt.typed, "esc", "enter")
			name := strings.Fields(tt.typed)[0]
			if got := u.s.Status().Asking; len(got) != 1 || got[0] != name {
				t.Errorf("waits for %v", got)
			}
			u.answer(tt.query, tt.a)
			if b, ok := u.blocks()[0].(screen.Page); !ok || b.Title != tt.title || !strings.Contains(b.Markdown, tt.holds) {
				t.Errorf("printed %+v", b)
			}
			if len(u.s.Asking()) != 0 {
				t.Error("still waits")
			}
			u.answer(tt.query, tt.a) // nobody asked
			if n := len(u.blocks()); n != 0 {
				t.Errorf("printed %d blocks", n)
			}
		})
	}
	u := start(t)
	u.keys("/doctor", "enter")
	u.fail(host.Report{Name: "doctor"}, "broken")
	if n := u.notes(); n != "/doctor: broken" {
		t.Errorf("notes %q", n)
	}
	u.keys("/cost", "enter")
	u.answer(host.Report{Name: "cost"}, nil)
	if n := len(u.blocks()); n != 0 {
		t.Errorf("printed %d blocks", n)
	}
	u.answer(host.Remember{Prompt: "x"}, nil)
}
