package app

import (
	"errors"
	"strings"
	"testing"

	"assent/internal/credential"
	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/provider"
	"assent/internal/provider/providertest"
)

// choose resolves the flags in a world.
func (w *world) choose(f Flags) (choice, string, error) {
	w.t.Helper()
	f.Dir = w.root
	a := w.app()
	l, err := a.load(f)
	if err != nil {
		return choice{}, "", err
	}
	c, err := a.choose(w.t.Context(), l, provider.NewCatalogue(nil))
	if err != nil {
		return c, "", err
	}
	key := ""
	if c.key != nil {
		if key, err = c.key.Get(w.t.Context(), false); err != nil && !errors.Is(err, credential.ErrNone) {
			w.t.Fatal(err)
		}
	}
	return c, key, nil
}

// Every preset is reached with its own key at its own address and no other's.
func TestEveryPresetTakesItsOwnKey(t *testing.T) {
	t.Parallel()
	for _, p := range provider.Presets() {
		if p.Name == "script" {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for _, other := range provider.Presets() {
				if other.KeyEnv != "" {
					w.env[other.KeyEnv] = "key-of-" + other.Name
				}
			}
			f := Flags{Provider: p.Name}
			if p.BaseURL == "" {
				if _, _, err := w.choose(f); err == nil || !strings.Contains(err.Error(), "needs an address") {
					t.Errorf("without an address: %v", err)
				}
				f.BaseURL = "https://models.example"
			}
			if p.BaseURL == "" || p.Local {
				if _, _, err := w.choose(f); err == nil || !strings.Contains(err.Error(), "no model is set for "+p.Name) {
					t.Errorf("without a model: %v", err)
				}
				f.Model = "m"
			}
			c, key, err := w.choose(f)
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if p.KeyEnv != "" {
				want = "key-of-" + p.Name
			}
			if c.preset.Name != p.Name || key != want || c.keyFrom != p.KeyEnv || c.model == "" || c.baseURL == "" {
				t.Errorf("%s at %s, model %s, key %q from %q", c.preset.Name, c.baseURL, c.model, key, c.keyFrom)
			}
			if p.KeyEnv != "" {
				delete(w.env, p.KeyEnv)
				if _, _, err := w.choose(f); err == nil || !strings.Contains(err.Error(), "no key for "+p.Name+": set "+p.KeyEnv) {
					t.Errorf("without its key: %v", err)
				}
			}
		})
	}
}

func TestTheFirstPresetWithAKeyIsTaken(t *testing.T) {
	t.Parallel()
	presets := provider.Presets()
	for i := range presets {
		w := newWorld(t)
		want := ""
		for _, p := range presets[i:] {
			if p.KeyEnv == "" {
				continue
			}
			w.env[p.KeyEnv] = "k"
			if want == "" {
				want = p.Name
			}
		}
		c, _, err := w.choose(Flags{Model: "m"})
		if want == "" {
			if !errors.Is(err, errNoProvider) {
				t.Errorf("with no key: %v", err)
			}
			continue
		}
		if err != nil || c.preset.Name != want {
			t.Errorf("got %s, %v, want %s", c.preset.Name, err, want)
		}
	}
}

// The order of layers and of key sources, and what belongs to whom.
func TestChoice(t *testing.T) {
	t.Parallel()
	type env map[string]string
	tests := []struct {
		name, config, project string
		env                   env
		flags                 Flags
		// want is "provider model baseURL key from", or an error.
		want string
	}{
		{"flag over env", `{}`, ``, env{"ASSENT_PROVIDER": "openai", "ASSENT_MODEL": "e", "ANTHROPIC_API_KEY": "a"}, Flags{Provider: "anthropic", Model: "f"}, "anthropic f https://api.anthropic.com a ANTHROPIC_API_KEY"},
		{"env over project over user", `{"provider":"openai","model":"u"}`, `{"model":"p"}`, env{"OPENAI_API_KEY": "o", "ASSENT_MODEL": "e"}, Flags{}, "openai e https://api.openai.com/v1 o OPENAI_API_KEY"},
		{"project over user", `{"provider":"openai","model":"u"}`, `{"model":"p"}`, env{"OPENAI_API_KEY": "o"}, Flags{}, "openai p https://api.openai.com/v1 o OPENAI_API_KEY"},
		{"user", `{"provider":"openai","model":"u","apiKey":"file"}`, ``, nil, Flags{}, "openai u https://api.openai.com/v1 file CONFIG:1"},
		{"PROVIDER/ID", `{}`, ``, env{"GROQ_API_KEY": "g", "OPENAI_API_KEY": "o"}, Flags{Model: "groq/llama/large"}, "groq llama/large https://api.groq.com/openai/v1 g GROQ_API_KEY"},
		{"an id with a slash", `{}`, ``, env{"OPENROUTER_API_KEY": "r"}, Flags{Provider: "openrouter", Model: "anthropic/claude"}, "openrouter anthropic/claude https://openrouter.ai/api/v1 r OPENROUTER_API_KEY"},
		{"a slash that names no provider", `{}`, ``, env{"OPENROUTER_API_KEY": "r"}, Flags{Model: "meta/llama"}, "openrouter meta/llama https://openrouter.ai/api/v1 r OPENROUTER_API_KEY"},

		{"ASSENT_API_KEY before the vendor's", `{}`, ``, env{"ASSENT_API_KEY": "x", "ANTHROPIC_API_KEY": "a"}, Flags{Provider: "anthropic", Model: "m"}, "anthropic m https://api.anthropic.com x ASSENT_API_KEY"},
		{"the vendor's before the file's", `{"apiKey":"file"}`, ``, env{"ANTHROPIC_API_KEY": "a"}, Flags{Model: "m"}, "anthropic m https://api.anthropic.com a ANTHROPIC_API_KEY"},
		{"the file's before the command's", `{"provider":"anthropic","apiKey":"file","credential":["echo","c"]}`, ``, nil, Flags{Model: "m"}, "anthropic m https://api.anthropic.com file CONFIG:1"},
		{"the command's", `{"provider":"anthropic","credential":["echo","c"]}`, ``, nil, Flags{Model: "m"}, "anthropic m https://api.anthropic.com c credential command (CONFIG:1)"},

		{"the file's key is its provider's", `{"provider":"openai","apiKey":"file"}`, ``, nil, Flags{Provider: "anthropic", Model: "m"}, "error: no key for anthropic"},
		{"the command line's", `{"provider":"anthropic","credential":"echo $((1+1))"}`, ``, nil, Flags{Model: "m"}, "anthropic m https://api.anthropic.com 2 credential command (CONFIG:1)"},
		{"the file's command is its provider's", `{"provider":"openai","credential":["echo","c"]}`, ``, nil, Flags{Provider: "anthropic", Model: "m"}, "error: no key for anthropic"},
		{"the file's address and model are its provider's", `{"provider":"custom-openai","baseUrl":"https://mine.example","model":"u"}`, ``, env{"ANTHROPIC_API_KEY": "a"}, Flags{Provider: "anthropic", Model: "m"}, "anthropic m https://api.anthropic.com a ANTHROPIC_API_KEY"},
		{"the project's model goes with the file's provider", `{"provider":"openai"}`, `{"model":"p"}`, nil, Flags{Provider: "ollama"}, "error: no model is set for ollama"},
		{"the environment's key is its provider's", `{}`, ``, env{"ASSENT_PROVIDER": "openai", "ASSENT_API_KEY": "x"}, Flags{Provider: "anthropic", Model: "m"}, "error: no key for anthropic"},
		{"the environment's address is its provider's", `{}`, ``, env{"ASSENT_PROVIDER": "custom-openai", "ASSENT_BASE_URL": "https://mine.example", "ANTHROPIC_API_KEY": "a"}, Flags{Provider: "anthropic", Model: "m"}, "anthropic m https://api.anthropic.com a ANTHROPIC_API_KEY"},
		{"the environment's provider takes no key of the file's", `{"provider":"openai","apiKey":"file"}`, ``, env{"ASSENT_PROVIDER": "xai"}, Flags{Model: "m"}, "error: no key for xai"},
		{"what names no provider is for any", `{"apiKey":"file"}`, ``, env{"ASSENT_BASE_URL": "https://mine.example"}, Flags{Provider: "custom-anthropic", Model: "m"}, "custom-anthropic m https://mine.example file CONFIG:1"},
		{"the environment's key without a provider", `{}`, ``, env{"ASSENT_API_KEY": "x"}, Flags{Model: "m"}, "error: ASSENT_API_KEY gives a key, and nothing says which provider it is for: give --provider NAME"},
		{"beside a vendor's too", `{}`, ``, env{"ASSENT_API_KEY": "x", "ANTHROPIC_API_KEY": "a"}, Flags{Model: "m"}, "error: ASSENT_API_KEY gives a key"},
		{"the file's key without a provider", `{"apiKey":"file"}`, ``, nil, Flags{Model: "m"}, "error: gives a key, and nothing says which provider"},
		{"the file's command without a provider", `{"credential":["echo","c"]}`, ``, nil, Flags{Model: "m"}, "error: gives a key, and nothing says which provider"},
		{"a bare address of this machine", `{}`, ``, nil, Flags{BaseURL: "127.0.0.1:1", Model: "m"}, "custom-openai m http://127.0.0.1:1  "},
		{"of the environment", `{}`, ``, env{"ASSENT_BASE_URL": "localhost:1/v1"}, Flags{Model: "m"}, "custom-openai m http://localhost:1/v1  "},
		{"of the file", `{"baseUrl":"[::1]:1"}`, ``, nil, Flags{Model: "m"}, "custom-openai m http://[::1]:1  "},
		{"a model behind no provider", `{}`, ``, nil, Flags{Model: "groqq/x"}, `error: unknown provider "groqq", did you mean "groq"?`},
		{"an address alone", `{}`, ``, nil, Flags{BaseURL: "http://127.0.0.1:1", Model: "m"}, "custom-openai m http://127.0.0.1:1  "},
		{"a local server takes no stored key", `{}`, ``, env{"OPENAI_API_KEY": "o"}, Flags{Provider: "ollama", Model: "m"}, "ollama m http://localhost:11434/v1  "},
		{"an unknown provider", `{}`, ``, nil, Flags{Provider: "opnai", Model: "m"}, `error: unknown provider "opnai", did you mean "openai"?`},
		{"nothing", `{}`, ``, nil, Flags{Model: "m"}, "error: no model provider is set up"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.config(tt.config)
			if tt.project != "" {
				w.write(".assent/config.json", tt.project)
			}
			for k, v := range tt.env {
				w.env[k] = v
			}
			c, key, err := w.choose(tt.flags)
			got := strings.Join([]string{c.preset.Name, c.model, c.baseURL, key, strings.ReplaceAll(c.keyFrom, w.home+"/config.json", "CONFIG")}, " ")
			if want, isError := strings.CutPrefix(tt.want, "error: "); isError {
				var usage *UsageError
				if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
					t.Errorf("got %s, %v", got, err)
				}
			} else if err != nil || got != tt.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

// header is the key that a request showed, in whatever wire.
func header(r providertest.Request) string {
	for _, name := range []string{"X-Api-Key", "X-Goog-Api-Key", "Authorization"} {
		if v := strings.TrimPrefix(r.Header.Get(name), "Bearer "); v != "" {
			return v
		}
	}
	return ""
}

// An address is taken with and without its version and a slash, on every wire.
func TestBaseURLForms(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"custom-anthropic": "/v1/messages", "custom-openai": "/v1/chat/completions",
		"custom-responses": "/v1/responses", "custom-gemini": "/v1beta/models/m:streamGenerateContent",
	} {
		for _, form := range []string{"", "/", "/v1", "/v1/"} {
			if name == "custom-gemini" {
				form = strings.Replace(form, "v1", "v1beta", 1)
			}
			t.Run(name+form, func(t *testing.T) {
				t.Parallel()
				s := providertest.Start(t, "text hello")
				w := newWorld(t)
				w.env["ASSENT_API_KEY"] = "k"
				code, err := w.run(Flags{Provider: name, Model: "m", BaseURL: s.URL() + form}, "hi")
				if code != 0 || err != nil || w.out.String() != "hello\n" {
					t.Fatalf("code %d, %v, %s%s", code, err, &w.out, &w.err)
				}
				if r := s.Requests()[0]; r.Path != path || header(r) != "k" {
					t.Errorf("asked %s with key %q", r.Path, header(r))
				}
			})
		}
	}
}

// A session that goes on, a switch while it runs and the list of another's
// models show no server a key that was not meant for it.
func TestAKeyStaysWithItsProvider(t *testing.T) {
	t.Parallel()
	const hello = "text hello\nrepeat"
	t.Run("resume", func(t *testing.T) {
		t.Parallel()
		other := providertest.Start(t, hello)
		w := newWorld(t)
		h := w.open(Flags{Provider: "custom-openai", Model: "m", BaseURL: other.URL(), Dir: w.root})
		c := h.Events()
		for _, cmd := range []host.Command{host.Use{Model: "m2"}, host.Submit{Text: "hi"}} {
			if err := h.Do(t.Context(), cmd); err != nil {
				t.Fatal(err)
			}
		}
		follow(t, c)
		c.Close()
		if err := h.Do(t.Context(), host.Close{}); err != nil {
			t.Fatal(err)
		}
		w.config(`{"provider":"openai","apiKey":"for-openai-only"}`)
		code, err := w.run(Flags{Continue: true, BaseURL: other.URL()}, "more")
		if code != 0 || err != nil {
			t.Fatalf("code %d, %v, %s", code, err, &w.err)
		}
		all := other.Requests()
		last := all[len(all)-1]
		if got := header(last); len(all) != 2 || got != "" || !strings.Contains(string(last.Body), `"m2"`) {
			t.Errorf("%d requests, the last showed %q: %s", len(all), got, last.Body)
		}
	})
	t.Run("switch", func(t *testing.T) {
		t.Parallel()
		first, second := providertest.Start(t, hello), providertest.Start(t, hello)
		w := newWorld(t)
		w.config(`{"apiKey":"for-the-first","baseUrl":"` + first.URL() + `"}`)
		h := w.open(Flags{Provider: "custom-openai", Model: "m", Dir: w.root})
		c := h.Events()
		defer c.Close()
		turn(t, h, c, "hi")
		if got := header(first.Requests()[0]); got != "for-the-first" {
			t.Errorf("the first was shown %q", got)
		}
		// The other has no address of its own: that of the first is not taken.
		for _, cmd := range []host.Use{{Provider: "custom-anthropic", Model: "m"}, {Provider: "custom-anthropic"}} {
			if err := h.Do(t.Context(), cmd); err == nil || !strings.Contains(err.Error(), "needs an address") {
				t.Errorf("%+v: %v", cmd, err)
			}
		}
		if _, err := h.Ask(t.Context(), host.Models{Provider: "custom-responses"}); err == nil || !strings.Contains(err.Error(), "needs an address") {
			t.Errorf("models: %v", err)
		}
		// The preset without an address of the user's has one, and no key.
		if err := h.Do(t.Context(), host.Use{Provider: "openai", Model: "m"}); err == nil || !strings.Contains(err.Error(), "no key for openai") {
			t.Errorf("openai: %v", err)
		}
		if n := len(second.Requests()); n != 0 {
			t.Errorf("the second was asked %d times", n)
		}
		// After all this the first goes on, with another model.
		if err := h.Do(t.Context(), host.Use{Model: "m2"}); err != nil {
			t.Fatal(err)
		}
		turn(t, h, c, "again")
		all := first.Requests()
		if last := all[len(all)-1]; !strings.Contains(string(last.Body), `"m2"`) || header(last) != "for-the-first" {
			t.Errorf("the first was asked %s with %q", last.Body, header(last))
		}
	})
	t.Run("a model of the provider that was switched to", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.env["OPENAI_API_KEY"], w.env["XAI_API_KEY"] = "o", "x"
		h := w.open(Flags{Provider: "openai", Model: "m", Dir: w.root})
		c := h.Events()
		defer c.Close()
		if err := h.Do(t.Context(), host.Use{Provider: "xai"}); err != nil {
			t.Fatal(err)
		}
		// It is not known there, so it is said twice.
		if err := h.Do(t.Context(), host.Use{Model: "m2"}); err == nil || !strings.Contains(err.Error(), "known of xai") {
			t.Fatal(err)
		}
		if err := h.Do(t.Context(), host.Use{Model: "m2"}); err != nil {
			t.Fatal(err)
		}
		var last event.State
		for last.Model != "m2" {
			events, err := c.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range events {
				if s, ok := e.(event.State); ok {
					last = s
				}
			}
		}
		if last.Provider != "xai" {
			t.Errorf("the model was changed at %s", last.Provider)
		}
	})
}
