package app

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// Who names a server of this machine but no model gets the one that it has.
func TestTheModelThatALocalServerHas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, provider string
		docs           map[string]string
		model, fault   string
	}{
		{"the only one", "lmstudio", map[string]string{"/v1/models": `{"data":[{"id":"qwen"},{"id":"text-embedding-nomic"}]}`}, "qwen", ""},
		{"the one that is loaded", "lmstudio", map[string]string{
			"/v1/models":     `{"data":[{"id":"a"},{"id":"b"}]}`,
			"/api/v0/models": `{"data":[{"id":"a","state":"not-loaded","max_context_length":9},{"id":"b","state":"loaded","loaded_context_length":32768}]}`,
		}, "b", ""},
		{"of Ollama", "ollama", map[string]string{
			"/v1/models": `{"data":[{"id":"a:latest"},{"id":"b:latest"}]}`, "/api/ps": `{"models":[{"name":"a:latest","model":"a:latest","context_length":32768}]}`,
		}, "a:latest", ""},
		{"several", "ollama", map[string]string{"/v1/models": `{"data":[{"id":"a"},{"id":"b"}]}`}, "", "ollama has several models: choose one with --model: a, b"},
		{"none", "lmstudio", map[string]string{"/v1/models": `{"data":[]}`}, "", "has no model yet: load one there"},
		{"no such server", "lmstudio", map[string]string{}, "", "ask lmstudio which models it has: lmstudio: not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Value
			asked.Store("")
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if doc, ok := c.docs[r.URL.Path]; ok {
					_, _ = io.WriteString(w, doc)
					return
				}
				if r.URL.Path != "/v1/chat/completions" {
					http.NotFound(w, r)
					return
				}
				body, _ := io.ReadAll(r.Body)
				asked.Store(string(body))
				fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", say("hello"))
			}))
			t.Cleanup(s.Close)
			w := newWorld(t)
			code, err := w.run(Flags{Provider: c.provider, BaseURL: s.URL}, "hi")
			got := asked.Load().(string)
			if c.fault != "" {
				if err == nil || !strings.Contains(err.Error(), c.fault) || got != "" {
					t.Errorf("got %v, want %s", err, c.fault)
				}
				return
			}
			if err != nil || code != 0 || !strings.Contains(got, `"model":"`+c.model+`"`) {
				t.Errorf("code %d, %v, asked %.200s", code, err, got)
			}
			if !strings.Contains(w.err.String(), c.provider+"/"+c.model) {
				t.Errorf("the model is not told: %s", &w.err)
			}
		})
	}
}
