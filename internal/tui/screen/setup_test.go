package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

func presets() host.ProviderList {
	return host.ProviderList{Providers: []host.Provider{
		{Name: "anthropic", KeyEnv: "ANTHROPIC_API_KEY"},
		{Name: "openai", KeyFrom: "OPENAI_API_KEY"},
		{Name: "lmstudio", Keyless: true},
		{Name: "ollama", Keyless: true, Running: true, BaseURL: "127.0.0.1:11434"},
		{Name: "custom", NeedsURL: true},
	}}
}

func setup(t *testing.T, first bool) *ui {
	t.Helper()
	u := start(t)
	want(t, u.take(screen.StartSetup(u.s, first)), screen.Ask{Query: host.Providers{}})
	if h := u.s.Hint(); h != "looking for keys and local servers" {
		t.Errorf("hint %q", h)
	}
	want(t, u.keys("enter"))
	u.answer(host.Providers{}, presets())
	u.did = nil
	return u
}

func panel(u *ui) screen.Setup { u.t.Helper(); return u.s.Panel.(screen.Setup) }

func configure(field, value string) screen.Ask {
	return screen.Ask{Query: host.Configure{Field: field, Value: value}}
}

func TestSetupListsWhatWorksFirst(t *testing.T) {
	t.Parallel()
	var got []string
	for _, i := range panel(setup(t, true)).Items {
		got = append(got, i.Label+": "+i.Detail)
	}
	want := `openai: key found in OPENAI_API_KEY
demo: no key needed: a sample project and a scripted model
ollama: running at 127.0.0.1:11434
anthropic: needs a key
lmstudio: local, not running
custom: your own endpoint, needs an address`
	if g := strings.Join(got, "\n"); g != want {
		t.Errorf("lists\n%s\nwant\n%s", g, want)
	}
}

func TestSetupWithAFoundKey(t *testing.T) {
	t.Parallel()
	u := setup(t, true)
	want(t, u.keys("enter"), screen.Ask{Query: host.Models{Provider: "openai", Setup: true}})
	if h := u.s.Hint(); h != "asking openai for its models" {
		t.Errorf("hint %q", h)
	}
	want(t, u.answer(host.Models{Provider: "openai", Setup: true}, host.ModelList{Models: []host.Model{{Provider: "openai", ID: "one"}, {Provider: "openai", ID: "two"}}}))
	if h := u.s.Hint(); !strings.Contains(h, "type to narrow") {
		t.Errorf("hint %q", h)
	}
	want(t, u.keys("down", "enter"), configure("provider", "openai"))
	want(t, u.keys("enter")) // once
	want(t, u.answer(host.Configure{Field: "provider", Value: "openai"}, host.Page{}), configure("model", "two"))
	want(t, u.answer(host.Configure{Field: "model", Value: "two"}, host.Page{}), screen.Switch{})
	if u.s.Panel != nil {
		t.Error("still open")
	}
}

func TestSetupNeverShowsAKey(t *testing.T) {
	t.Parallel()
	u := setup(t, false)
	u.keys("down", "down", "down", "enter")
	if p := panel(u); p.Step != screen.SetupKey || p.KeyEnv != "ANTHROPIC_API_KEY" {
		t.Fatalf("panel %+v", p)
	}
	want(t, u.keys("enter")) // not without a key
	secret := strings.Join([]string{"sk", "ant", "verysecret"}, "-")
	u.keys("é", "backspace", "zz", "ctrl+u", "x", "backspace", "left")
	u.paste(" " + secret[:8] + "\n")
	u.keys(secret[8:])
	if p := panel(u); p.KeyLength != len(secret) {
		t.Errorf("%d characters, want %d", p.KeyLength, len(secret))
	}
	for _, text := range []string{fmt.Sprintf("%+v", u.s), fmt.Sprintf("%#v", u.s.Panel), u.text, u.s.Hint(), fmt.Sprint(u.blocks())} {
		if strings.Contains(text, "verysecret") || strings.Contains(text, secret[:8]) {
			t.Errorf("the key shows in %.300s", text)
		}
	}
	tried := host.Models{Provider: "anthropic", Key: secret, Setup: true}
	want(t, u.keys("enter"), screen.Ask{Query: tried})
	// A key that does not work is asked for again; nothing of it is kept.
	want(t, u.fail(tried, "401"))
	if p := panel(u); p.Step != screen.SetupKey || p.KeyLength != 0 || p.Note != "401" {
		t.Errorf("panel %+v", p)
	}
	u.paste(strings.Repeat("k", 1<<20))
	if p := panel(u); p.KeyLength > 8<<10 {
		t.Errorf("a key of %d characters", p.KeyLength)
	}
	u.keys("esc", "esc", "up")
	u.prompt("")
	if u.s.Panel != nil {
		t.Error("still open")
	}
}

func TestSetupOfAnEndpointOfOnesOwn(t *testing.T) {
	t.Parallel()
	u := setup(t, false)
	u.keys("up", "enter")
	if p := panel(u); p.Step != screen.SetupURL || u.s.Hint() != "type the address, enter goes on, esc goes back" {
		t.Fatalf("panel %+v", p)
	}
	want(t, u.keys("enter"))
	u.paste("localhost:1")
	u.keys("2", "enter")
	if h := u.s.Hint(); !strings.Contains(h, "paste the key, or leave it empty") {
		t.Errorf("hint %q", h)
	}
	tried := host.Models{Provider: "custom", BaseURL: "http://localhost:12", Setup: true}
	want(t, u.keys("enter"), screen.Ask{Query: tried})
	// No list is no end: the id can be typed.
	want(t, u.fail(tried, "404"))
	want(t, u.keys("enter"))
	u.paste("my-mod")
	want(t, u.keys("el", "enter"), configure("provider", "custom"))
	want(t, u.answer(host.Configure{Field: "provider", Value: "custom"}, host.Page{}), configure("baseUrl", "http://localhost:12"))
	want(t, u.fail(host.Configure{Field: "baseUrl", Value: "http://localhost:12"}, "disk full"))
	if p := panel(u); p.Note != "disk full" {
		t.Errorf("panel %+v", p)
	}
	want(t, u.keys("enter"), configure("provider", "custom"))
	u.answer(host.Configure{Field: "provider", Value: "custom"}, host.Page{})
	want(t, u.answer(host.Configure{Field: "baseUrl", Value: "http://localhost:12"}, host.Page{}), configure("model", "my-model"))
	want(t, u.answer(host.Configure{Field: "model", Value: "my-model"}, host.Page{}), screen.Do{Command: host.Use{Provider: "custom", Model: "my-model"}})
}

func TestSetupWithoutModels(t *testing.T) {
	t.Parallel()
	u := setup(t, false)
	u.keys("enter")
	u.answer(host.Models{Provider: "openai", Setup: true}, host.ModelList{})
	if p := panel(u); !strings.Contains(p.Note, "no models") {
		t.Errorf("panel %+v", p)
	}
}

func TestSetupLeft(t *testing.T) {
	t.Parallel()
	u := setup(t, true)
	want(t, u.keys("esc", "ctrl+c", "x"))
	if h := u.s.Hint(); h != "type to narrow, enter takes it, ctrl+c leaves" {
		t.Errorf("hint %q", h)
	}
	want(t, u.keys("ctrl+c", "ctrl+c"), screen.Quit{})
	u = setup(t, true)
	want(t, u.keys("down", "enter"), screen.Switch{Demo: true})
	u = setup(t, false)
	if h := u.s.Hint(); h != "type to narrow, enter takes it, esc closes" {
		t.Errorf("hint %q", h)
	}
	u.keys("ctrl+c")
	if u.s.Panel != nil {
		t.Error("still open")
	}
	u.answer(host.Providers{}, presets()) // too late
	if u.s.Panel != nil {
		t.Error("opened by itself")
	}
}

func TestSetupBackForgetsTheQuestion(t *testing.T) {
	t.Parallel()
	u := setup(t, false)
	u.keys("enter", "esc")
	if p := panel(u); p.Step != screen.SetupProvider || p.Loading != "" || len(p.Items) != 6 {
		t.Errorf("panel %+v", p)
	}
	want(t, u.answer(host.Models{Provider: "openai", Setup: true}, host.ModelList{}))
}

// esc at the key of one's own endpoint goes back to its address.
func TestSetupBackToTheAddress(t *testing.T) {
	t.Parallel()
	u := setup(t, false)
	u.keys("up", "enter")
	u.paste("localhost:1")
	u.keys("enter", "secret", "esc")
	if p := panel(u); p.Step != screen.SetupURL || p.URL.Text != "http://localhost:1" || p.KeyLength != 0 {
		t.Errorf("panel %+v", p)
	}
	u.keys("esc")
	if p := panel(u); p.Step != screen.SetupProvider {
		t.Errorf("panel %+v", p)
	}
}

func TestSetupWhenNothingIsKnown(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.take(screen.StartSetup(u.s, true))
	u.fail(host.Providers{}, "broken")
	if p := panel(u); p.Note != "broken" || len(p.Items) != 1 {
		t.Errorf("panel %+v", p)
	}
	// A paste is no choice; it waits in the prompt.
	u.paste("hello")
	u.prompt("hello")
	u.tell(event.Notice{Text: "n"})
	want(t, u.keys("enter"), screen.Switch{Demo: true})
}

// Typing narrows the providers, and what is chosen is what stands there.
func TestSetupNarrows(t *testing.T) {
	t.Parallel()
	u := setup(t, true)
	u.keys("olla")
	if p := panel(u); len(p.Items) != 1 || p.Filter.Text != "olla" {
		t.Fatalf("panel %+v", p)
	}
	want(t, u.keys("enter"), screen.Ask{Query: host.Models{Provider: "ollama", Setup: true}})
	if p := panel(u); p.Filter.Text != "" {
		t.Errorf("the filter is left: %+v", p)
	}
	u = setup(t, true)
	want(t, u.keys("demo", "enter"), screen.Switch{Demo: true})
	u = setup(t, true)
	want(t, u.keys("nobody", "enter"))
}
