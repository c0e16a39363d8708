package openai_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/openai"
	"assent/internal/provider/providertest"
)

// TestOllamaWindow is PROV-32 and PROV-33.
func TestOllamaWindow(t *testing.T) {
	t.Parallel()
	ps := func(window string) answer {
		return answer{body: `{"models":[{"name":"m:latest","context_length":` + window + `}]}`}
	}
	t.Run("too small for the request", func(t *testing.T) {
		t.Parallel()
		s := serve(t, answer{body: `{"models":[]}`}, answer{body: `{"parameters":"temperature 0.7"}`}, answer{body: `{"done":true}`}, ps("4096"))
		req := request("m")
		req.System = strings.Repeat("word ", 5000)
		f := fails(t, converse(t, s.options("ollama", ""), provider.WireOpenAI), req)
		if f.Kind != llm.KindOverflow || !strings.Contains(f.Message, "4096") || !strings.Contains(f.Message, "OLLAMA_CONTEXT_LENGTH") {
			t.Errorf("%s: %s", f.Kind, f.Message)
		}
		if got := strings.Join(s.paths, " "); got != "GET /api/ps POST /api/show POST /api/generate GET /api/ps" {
			t.Errorf("asked %s", got)
		}
	})
	t.Run("by the model's own parameters", func(t *testing.T) {
		t.Parallel()
		s := serve(t, answer{body: `{"models":[{"name":"other:latest","context_length":1}]}`}, answer{body: `{"parameters":"stop \"x\"\nnum_ctx    65536\ntemperature 1"}`}, hi())
		c := converse(t, s.options("ollama", ""), provider.WireOpenAI)
		if _, got := ask(t, c, request("m")); c.Window() != 65536 || len(got.warnings()) != 0 {
			t.Errorf("window %d, warned %q", c.Window(), got.warnings())
		}
		if got := strings.Join(s.paths, " "); got != "GET /api/ps POST /api/show POST /v1/chat/completions" {
			t.Errorf("asked %s: a model is loaded without need", got)
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

// A server at an address of this machine is asked what it is, once; one
// elsewhere is not (PROV-33).
func TestWindowsBehindTheCustomPreset(t *testing.T) {
	t.Parallel()
	all := "GET /props GET /api/ps GET /api/v0/models"
	for _, c := range []struct {
		name, host string
		own        map[string]string
		window     int
		hint       string
		asked      string
	}{
		{"llama.cpp", "", map[string]string{"/props": `{"default_generation_settings":{"n_ctx":8192},"total_slots":1}`}, 8192, "llama-server -c", "GET /props GET /props"},
		{"Ollama", "", map[string]string{"/api/ps": `{"models":[{"model":"m:latest","context_length":4096}]}`}, 4096, "OLLAMA_CONTEXT_LENGTH", "GET /props GET /api/ps GET /api/ps"},
		{"LM Studio", "", map[string]string{"/api/v0/models": `{"data":[{"id":"m","loaded_context_length":2048}]}`}, 2048, "LM Studio", all + " GET /api/v0/models"},
		{"another", "", nil, 0, "", all},
		{"a web page", "", map[string]string{"/props": `<html>`, "/api/ps": `[]`, "/api/v0/models": `{"error":"no"}`}, 0, "", all},
		{"models under any address", "", map[string]string{"/api/v0/models": `{"data":[{"id":"m"}]}`}, 0, "", all},
		{"elsewhere", "models.example", map[string]string{"/props": `{"default_generation_settings":{"n_ctx":8192}}`}, 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, hi(), hi(), hi())
			s.own = map[string]string{}
			if c.own != nil {
				s.own = c.own
			}
			cl, err := openai.New(s.options("custom-openai", c.host), provider.WireOpenAI)
			if err != nil {
				t.Fatal(err)
			}
			conv := cl.Conversation()
			reply, got := ask(t, conv, request("m"))
			if conv.Window() != c.window || (len(got.warnings()) > 0) != (c.hint != "") || c.hint != "" && !strings.Contains(got.warnings()[0], c.hint) {
				t.Errorf("window %d, warned %q", conv.Window(), got.warnings())
			}
			if got := strings.Join(s.asked, " "); got != c.asked {
				t.Errorf("asked %s, want %s", got, c.asked)
			}
			ask(t, conv, goOn(request("m"), reply, llm.User{Text: "more"}))
			if got := strings.Join(s.asked, " "); got != c.asked {
				t.Errorf("asked again: %s", got)
			}
			before := len(s.asked)
			if ask(t, cl.Conversation(), request("m")); c.window == 0 && len(s.asked) != before {
				t.Error("another conversation asks a server again that has no answer")
			}
		})
	}
}

// A server that never says which window it has does not keep the user waiting
// for longer than two seconds.
func TestAWindowThatIsNotToldIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var paths []string
		chat := hi().body
		conv := converse(t, provider.Options{Name: "ollama", BaseURL: "http://localhost:1/v1", HTTP: &http.Client{Transport: carrier(func(r *http.Request) (*http.Response, error) {
			paths = append(paths, r.Method+" "+r.URL.Path)
			if strings.HasSuffix(r.URL.Path, "/chat/completions") {
				return says{model: chat}.RoundTrip(r)
			}
			return providertest.Paced{Open: true}.RoundTrip(r)
		})}}, provider.WireOpenAI)
		begun := time.Now()
		ask(t, conv, request("m"))
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("it took %s", took)
		}
		if got := strings.Join(paths, " "); got != "GET /api/ps POST /v1/chat/completions" {
			t.Errorf("asked %s", got)
		}
	})
}

// carrier carries requests without a socket.
type carrier func(*http.Request) (*http.Response, error)

// RoundTrip carries one request.
func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

// That nobody answered says nothing of the server for good: one that loads its
// model, or was not started, is asked again at the next request. One that never
// answers is not asked for ever.
func TestAServerThatCouldNotAnswerIsAskedAgain(t *testing.T) {
	t.Parallel()
	props := map[string]string{"/props": `{"default_generation_settings":{"n_ctx":8192},"total_slots":1}`}
	ps := map[string]string{"/api/ps": `{"models":[{"model":"m:latest","context_length":8192}]}`}
	for _, c := range []struct {
		name, preset string
		own          map[string]string
		busy         int
		windows      []int // after each request
	}{
		{"llama.cpp loads its model", "custom-openai", props, 3, []int{0, 8192, 8192}},
		{"Ollama is busy", "ollama", ps, 1, []int{0, 8192, 8192}},
		{"it never answers", "custom-openai", props, 1000, []int{0, 0, 0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, hi(), hi(), hi(), hi(), hi())
			s.own, s.busy = c.own, c.busy
			conv, req := converse(t, s.options(c.preset, ""), provider.WireOpenAI), request("m")
			asked := 0
			for i, want := range c.windows {
				reply, _ := ask(t, conv, req)
				if conv.Window() != want {
					t.Errorf("after request %d the window is %d, want %d", i+1, conv.Window(), want)
				}
				if i < 3 {
					asked = len(s.asked)
				}
				req = goOn(req, reply, llm.User{Text: "more"})
			}
			if len(s.asked) != asked {
				t.Errorf("asked %d times more", len(s.asked)-asked)
			}
		})
	}
	t.Run("the turn was given up", func(t *testing.T) {
		t.Parallel()
		s := serve(t, hi())
		s.own = props
		conv := converse(t, s.options("custom-openai", ""), provider.WireOpenAI)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, err := conv.Stream(ctx, request("m"), func(llm.Chunk) {}); err == nil {
			t.Fatal("a request that was given up was answered")
		}
		if ask(t, conv, request("m")); conv.Window() != 8192 {
			t.Errorf("the window is %d", conv.Window())
		}
	})
}
