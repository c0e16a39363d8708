package app

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// wire takes requests off the wire before a name is looked up, and refuses
// them: the vendors' own addresses cannot be served here.
type wire struct {
	mu       sync.Mutex
	requests []*http.Request
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Method == http.MethodPost {
		w.requests = append(w.requests, r)
	}
	return &http.Response{
		StatusCode: http.StatusUnauthorized, Header: http.Header{}, Request: r,
		Body: io.NopCloser(strings.NewReader(`{"error":{"message":"no"}}`)),
	}, nil
}

// Every preset of product.md: where its first request goes and how it is
// signed, whatever form its base URL has.
func TestTheFirstRequestOfEveryPreset(t *testing.T) {
	t.Parallel()
	const bearer, anthropic, google = "Authorization", "X-Api-Key", "X-Goog-Api-Key"
	secret := "the-" + "key"
	type want struct {
		base, path string // what is there in every form of the base URL, and what follows
		header     string
		forms      []string // of the base URL
	}
	version := []string{"", "/", "/v1", "/v1/"}
	wants := map[string]want{
		"anthropic":        {"https://api.anthropic.com", "/v1/messages", anthropic, append(version, "/v1/messages")},
		"openai":           {"https://api.openai.com", "/v1/responses", bearer, append(version, "/v1/responses")},
		"gemini":           {"https://generativelanguage.googleapis.com", "/v1beta/models/m:streamGenerateContent?alt=sse", google, append(version, "/v1beta", "/v1beta/")},
		"openrouter":       {"https://openrouter.ai/api", "/v1/chat/completions", bearer, version},
		"groq":             {"https://api.groq.com/openai", "/v1/chat/completions", bearer, version},
		"deepseek":         {"https://api.deepseek.com", "/v1/chat/completions", bearer, version},
		"xai":              {"https://api.x.ai", "/v1/chat/completions", bearer, version},
		"mistral":          {"https://api.mistral.ai", "/v1/chat/completions", bearer, version},
		"ollama":           {"http://localhost:11434", "/v1/chat/completions", bearer, version},
		"lmstudio":         {"http://localhost:1234", "/v1/chat/completions", bearer, version},
		"custom-openai":    {"https://models.example", "/v1/chat/completions", bearer, append(version, "/v1/chat/completions")},
		"custom-responses": {"https://models.example/proxy", "/v1/responses", bearer, version},
		"custom-anthropic": {"https://models.example/anthropic", "/v1/messages", anthropic, version},
		"custom-gemini":    {"https://models.example", "/v1beta/models/m:streamGenerateContent?alt=sse", google, append(version, "/v1beta", "/v1beta/")},
	}
	// A version that a base names stays.
	other := want{"https://models.example/api", "/v4/chat/completions", bearer, []string{"/v4", "/v4/"}}
	first := func(t *testing.T, f Flags) *http.Request {
		t.Helper()
		w := newWorld(t)
		w.env["ASSENT_API_KEY"], w.env["ASSENT_PROVIDER"] = secret, f.Provider
		f.Dir, f.Model = w.root, "m"
		a := w.app()
		l, err := a.load(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := a.newModels(l)
		if err != nil {
			t.Fatal(err)
		}
		line := &wire{}
		m.http = &http.Client{Transport: line}
		chosen, err := a.choose(t.Context(), l, m.catalogue)
		if err != nil {
			t.Fatal(err)
		}
		_, conversation, err := m.open(chosen)
		if err != nil {
			t.Fatal(err)
		}
		_, err = conversation().Stream(t.Context(), llm.Request{Model: "m", Items: []llm.Item{llm.User{Text: "hi"}}}, nil)
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("error is %v", err)
		}
		if len(line.requests) == 0 {
			t.Fatalf("no request was made: %v", err)
		}
		return line.requests[0]
	}
	check := func(t *testing.T, f Flags, want want) {
		t.Helper()
		r := first(t, f)
		if got := r.URL.String(); got != want.base+want.path {
			t.Errorf("%s at %q goes to %s, want %s", f.Provider, f.BaseURL, got, want.base+want.path)
		}
		value := secret
		if want.header == bearer {
			value = "Bearer " + secret
		}
		for _, h := range []string{bearer, anthropic, google} {
			if got := r.Header.Get(h); h == want.header && got != value || h != want.header && got != "" {
				t.Errorf("%s sends %s: %q", f.Provider, h, got)
			}
		}
		if strings.Contains(r.URL.String(), secret) {
			t.Errorf("the key stands in %s", r.URL)
		}
	}
	for _, p := range provider.Presets() {
		if p.Name == "script" {
			continue
		}
		want, ok := wants[p.Name]
		if !ok {
			t.Errorf("the preset %s is not tried", p.Name)
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			if p.BaseURL != "" {
				check(t, Flags{Provider: p.Name}, want)
			}
			for _, form := range want.forms {
				check(t, Flags{Provider: p.Name, BaseURL: want.base + form}, want)
			}
		})
	}
	for _, form := range other.forms {
		check(t, Flags{Provider: "custom-openai", BaseURL: other.base + form}, other)
	}
}
