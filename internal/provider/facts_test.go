package provider_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	c := provider.NewCatalogue(nil)
	for _, p := range provider.Presets() {
		id := c.Default(p.Name)
		if (id != "") != (p.KeyEnv != "") {
			t.Errorf("the default model of %s is %q", p.Name, id)
		}
		if id != "" && !strings.HasSuffix(id, "-latest") && c.Lookup(p.Name, id).ContextWindow == 0 {
			t.Errorf("nothing is known of %s, the default model of %s", id, p.Name)
		}
	}
	f := c.Lookup("anthropic", "claude-opus-5")
	if !f.Known || f.ContextWindow != 1_000_000 || f.MaxOutput == 0 || !f.Thinking || !f.Images || len(f.Efforts) == 0 {
		t.Errorf("facts are %+v", f)
	}
	if got := c.Lookup("anthropic", "claude-sonnet-4-5"); got.ContextWindow == 0 {
		t.Error("an id without its date is not found")
	}
	if got := c.Lookup("custom-anthropic", "claude-opus-5"); got.ContextWindow != f.ContextWindow {
		t.Error("a model behind a custom address is not found")
	}
	for _, local := range []string{"ollama", "lmstudio", "script"} {
		if got := c.Lookup(local, "gpt-5"); got.Known {
			t.Errorf("%s: a local server is described by the catalogue (PROV-32, PROV-33)", local)
		}
	}
	if got := c.Lookup("openai", "no-such-model"); got.Known || got.Price != nil {
		t.Errorf("an unknown model has facts: %+v", got)
	}
}

func TestPricesByClass(t *testing.T) {
	t.Parallel()
	c := provider.NewCatalogue(nil)
	for _, w := range []struct {
		preset, id string
		want       provider.Price
	}{
		{"anthropic", "claude-opus-5", provider.Price{Input: 5, Output: 25, CacheRead: 0.5, CacheWrite: 6.25}},
		{"openai", "gpt-5.5", provider.Price{Input: 5, Output: 30, CacheRead: 0.5, CacheWrite: 5}},
		{"openai", "gpt-5.2", provider.Price{Input: 1.75, Output: 14, CacheRead: 0.175, CacheWrite: 1.75}},
		{"openai", "gpt-5.6-sol", provider.Price{Input: 5, Output: 30, CacheRead: 0.5, CacheWrite: 6.25}},
		{"gemini", "gemini-3.7-flash", provider.Price{Input: 0.75, Output: 3.75, CacheRead: 0.075, CacheWrite: 0.75}},
		{"gemini", "gemini-2.5-pro", provider.Price{Input: 1.25, Output: 10, CacheRead: 0.125, CacheWrite: 1.25}},
		{"deepseek", "deepseek-v4-pro", provider.Price{Input: 0.435, Output: 0.87, CacheRead: 0.003625, CacheWrite: 0.435}},
	} {
		if got := c.Lookup(w.preset, w.id).Price; got == nil || *got != w.want {
			t.Errorf("%s costs %+v, want %+v", w.id, got, w.want)
		}
	}
	u := llm.Usage{Input: 1e6, Output: 2e6, CacheRead: 3e6, CacheWrite: 4e6, Reasoning: 1e6}
	usd := provider.Cost(u, &provider.Price{Input: 1, Output: 10, CacheRead: 0.1, CacheWrite: 1.25})
	if usd == nil || math.Abs(*usd-26.3) > 1e-9 {
		t.Errorf("cost is %v", usd)
	}
	if provider.Cost(u, nil) != nil {
		t.Error("an unknown price is a number")
	}
}

// TestOverrides is CONF-06: what a user says of a model counts beside what is
// known of it, field by field, and says nothing of the rest.
func TestOverrides(t *testing.T) {
	t.Parallel()
	window, off, in, read := 4096, false, 7.0, 0.7
	c := provider.NewCatalogue(map[string]provider.Override{
		"claude-opus-5": {ContextWindow: &window, Thinking: &off},
		"my-model":      {Price: &provider.PriceOverride{Input: &in, CacheRead: &read}},
	})
	f := c.Lookup("anthropic", "claude-opus-5")
	if f.ContextWindow != 4096 || f.Thinking || len(f.Efforts) > 0 || f.MaxOutput == 0 || f.Price == nil {
		t.Errorf("facts are %+v", f)
	}
	if !f.Thoughtless() || f.Blind() {
		t.Errorf("a catalogued model is %+v", f)
	}
	f = c.Lookup("ollama", "my-model")
	if f.Thoughtless() || f.Blind() {
		t.Error("a price says that a model neither thinks nor sees")
	}
	f = provider.NewCatalogue(map[string]provider.Override{"m": {Images: &off}}).Lookup("custom-openai", "m")
	if f.Thoughtless() || !f.Blind() {
		t.Errorf("a model that sees nothing is %+v", f)
	}
	f = c.Lookup("ollama", "my-model")
	if !f.Known || f.Price == nil || *f.Price != (provider.Price{Input: 7, CacheRead: 0.7, CacheWrite: 7}) {
		t.Errorf("facts are %+v", f)
	}
}

func TestPresets(t *testing.T) {
	t.Parallel()
	var names []string
	for _, p := range provider.Presets() {
		names = append(names, p.Name)
		if len(p.Wires) == 0 || p.BaseURL == "" && !strings.HasPrefix(p.Name, "custom-") && p.Name != "script" {
			t.Errorf("preset %+v is not complete", p)
		}
	}
	want := strings.Fields("anthropic openai gemini openrouter groq deepseek xai mistral ollama lmstudio custom-openai custom-responses custom-anthropic custom-gemini script")
	if !slices.Equal(names, want) {
		t.Errorf("presets are %v", names)
	}
	_, err := provider.FindPreset("antropic")
	if err == nil || !strings.Contains(err.Error(), "anthropic, openai") {
		t.Errorf("error is %v", err)
	}
}

func TestEffort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		level     llm.Level
		supported string
		want      string
		exact     bool
	}{
		{llm.LevelOff, "none low high", "none", true},
		{llm.LevelOff, "minimal low", "minimal", false},
		{llm.LevelOff, "low high", "low", false},
		{llm.LevelLow, "low high max", "low", true},
		{llm.LevelMedium, "low high", "low", false},
		{llm.LevelMedium, "low medium high", "medium", true},
		{llm.LevelHigh, "low medium", "medium", false},
		{llm.LevelMax, "low high xhigh", "xhigh", true},
		{llm.LevelMax, "low high xhigh max", "max", true},
		{llm.LevelMax, "low medium high", "high", false},
		{llm.LevelHigh, "", "", false},
		{llm.LevelHigh, "whatever", "", false},
		{"", "low", "", true},
	} {
		got, exact := provider.Effort(c.level, strings.Fields(c.supported))
		if got != c.want || exact != c.exact {
			t.Errorf("%s of %q is %q, %v; want %q, %v", c.level, c.supported, got, exact, c.want, c.exact)
		}
	}
}

// What is known of a provider's models is a list where the catalogue has one,
// with those that the user's config names.
func TestIDs(t *testing.T) {
	t.Parallel()
	c := provider.NewCatalogue(map[string]provider.Override{"mine": {}, "also-mine": {}})
	for _, p := range provider.Presets() {
		ids := c.IDs(p.Name)
		if described := p.BaseURL != "" && !p.Local; described != (len(ids) > 2) {
			t.Errorf("%s: %d models", p.Name, len(ids))
		}
		for _, id := range ids {
			if !c.Lookup(p.Name, id).Known {
				t.Errorf("%s lists %s, which it does not know", p.Name, id)
			}
		}
		if n := len(ids); n > 0 && (ids[n-1] != "mine" || ids[n-2] != "also-mine") {
			t.Errorf("%s lacks those of the user: %v", p.Name, ids[n-2:])
		}
	}
	if ids := c.IDs("nobody"); ids != nil {
		t.Errorf("of no provider %v", ids)
	}
}
