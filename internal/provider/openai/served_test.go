package openai_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/openai"
)

// says answers what the server's own API is asked with one document, and a
// request to the model with another.
type says struct{ own, model string }

// RoundTrip answers one request.
func (s says) RoundTrip(r *http.Request) (*http.Response, error) {
	text := s.own
	if strings.HasSuffix(r.URL.Path, "/chat/completions") {
		text = s.model
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader(text))}, nil
}

// FuzzServed: whatever a local server says of itself and its models, the answer
// is taken, and a window is a number of tokens or not known.
func FuzzServed(f *testing.F) {
	for _, s := range []string{
		`{"models":[{"name":"m:latest","model":"m","context_length":8192}],"parameters":"num_ctx 4096\nstop x"}`,
		`{"default_generation_settings":{"n_ctx":-1},"total_slots":1}`, `{"data":[{"id":"m","loaded_context_length":4096,"max_context_length":1e99}]}`,
		`{"data":[{"id":"m","loaded_context_length":-5,"max_context_length":5}]}`, `{"models":null,"data":null}`, "[", "null", `{"data":[null],"models":[{}]}`,
	} {
		f.Add(s)
	}
	chat := hi().body
	f.Fuzz(func(t *testing.T, own string) {
		for _, name := range []string{"ollama", "lmstudio", "custom-openai"} {
			o := provider.Options{Name: name, BaseURL: "http://localhost:1/v1", HTTP: &http.Client{Transport: says{own, chat}}}
			cl, err := openai.New(o, provider.WireOpenAI)
			if err != nil {
				t.Fatal(err)
			}
			cl.Running(t.Context())
			c := cl.Conversation()
			_, err = c.Stream(t.Context(), request("m"), func(llm.Chunk) {})
			var failed *llm.Failure
			if err != nil && !errors.As(err, &failed) {
				t.Fatalf("%s: error is %T: %v", name, err, err)
			}
			if c.Window() < 0 {
				t.Fatalf("%s: a window of %d", name, c.Window())
			}
		}
	})
}
