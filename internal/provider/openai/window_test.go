package openai_test

import (
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// TestOllamaWindow is PROV-32 and PROV-33.
func TestOllamaWindow(t *testing.T) {
	t.Parallel()
	ps := func(window string) answer {
		return answer{body: `{"models":[{"name":"m:latest","context_length":` + window + `}]}`}
	}
	t.Run("too small for the request", func(t *testing.T) {
		t.Parallel()
		s := serve(t, answer{body: `{"models":[]}`}, answer{body: `{"done":true}`}, ps("4096"))
		req := request("m")
		req.System = strings.Repeat("word ", 5000)
		f := fails(t, converse(t, s.options("ollama", ""), provider.WireOpenAI), req)
		if f.Kind != llm.KindOverflow || !strings.Contains(f.Message, "4096") || !strings.Contains(f.Message, "OLLAMA_CONTEXT_LENGTH") {
			t.Errorf("%s: %s", f.Kind, f.Message)
		}
		if got := strings.Join(s.paths, " "); got != "GET /api/ps POST /api/generate GET /api/ps" {
			t.Errorf("asked %s", got)
		}
	})
	t.Run("small", func(t *testing.T) {
		t.Parallel()
		s := serve(t, ps("8192"), hi(), hi())
		c := converse(t, s.options("ollama", ""), provider.WireOpenAI)
		reply, got := ask(t, c, request("m"))
		if w := got.warnings(); len(w) != 1 || !strings.Contains(w[0], "8192") || c.Window() != 8192 {
			t.Errorf("warned %q, window %d", w, c.Window())
		}
		if _, got = ask(t, c, goOn(request("m"), reply, llm.User{Text: "more"})); len(got.warnings()) != 0 {
			t.Errorf("warned again: %q", got.warnings())
		}
	})
	t.Run("unknown", func(t *testing.T) {
		t.Parallel()
		s := serve(t, refusal(404, "not here"), hi())
		if _, got := ask(t, converse(t, s.options("ollama", ""), provider.WireOpenAI), request("m")); len(got.warnings()) != 0 {
			t.Errorf("warned %q", got.warnings())
		}
	})
}

// TestStudioWindow: LM Studio says the window only of a model that it loaded
// (PROV-32, PROV-33).
func TestStudioWindow(t *testing.T) {
	t.Parallel()
	list := func(rest string) answer {
		return answer{body: `{"data":[{"id":"other","loaded_context_length":1},{"id":"m","max_context_length":131072` + rest + `}]}`}
	}
	s := serve(t, list(`,"state":"not-loaded"`), hi(), list(`,"state":"loaded","loaded_context_length":4096`), hi())
	c := converse(t, s.options("lmstudio", ""), provider.WireOpenAI)
	reply, got := ask(t, c, request("m"))
	if c.Window() != 0 || len(got.warnings()) != 0 {
		t.Errorf("window %d, warned %q", c.Window(), got.warnings())
	}
	req := goOn(request("m"), reply, llm.User{Text: "more"})
	reply, got = ask(t, c, req)
	if w := got.warnings(); c.Window() != 4096 || len(w) != 1 || !strings.Contains(w[0], "LM Studio") {
		t.Errorf("window %d, warned %q", c.Window(), w)
	}
	f := fails(t, c, goOn(req, reply, llm.User{Text: strings.Repeat("word ", 5000)}))
	if f.Kind != llm.KindOverflow {
		t.Errorf("%s: %s", f.Kind, f.Message)
	}
	want := "GET /api/v0/models POST /v1/chat/completions GET /api/v0/models POST /v1/chat/completions"
	if got := strings.Join(s.paths, " "); got != want {
		t.Errorf("asked %s", got)
	}
}
