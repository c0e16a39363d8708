package gemini_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/gemini"
)

// answer is what the server says to one request.
type answer struct {
	status int
	body   string
}

// events is a stream with CR LF line ends, as Gemini writes them.
func events(data ...string) answer {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\r\n\r\n")
	}
	return answer{200, b.String()}
}

// parts is an event with parts of the model.
func parts(p string) string {
	return `{"candidates":[{"content":{"role":"model","parts":[` + p + `]}}]}`
}

func finish(reason string) string { return `{"candidates":[{"finishReason":"` + reason + `"}]}` }

func done() answer { return events(parts(`{"text":"done"}`), finish("STOP")) }

// server answers requests in order and keeps what it was sent.
type server struct {
	t       testing.TB
	options provider.Options
	mu      sync.Mutex
	answers []answer
	urls    []string
	keys    []string
	bodies  []string
}

func serve(tb testing.TB, answers ...answer) *server {
	tb.Helper()
	s := &server{t: tb, answers: answers}
	hs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) > 0 && !json.Valid(body) {
			tb.Errorf("not JSON: %s (%v)", body, err)
		}
		s.mu.Lock()
		s.urls, s.bodies = append(s.urls, r.Method+" "+r.URL.String()), append(s.bodies, string(body))
		s.keys = append(s.keys, r.Header.Get("X-Goog-Api-Key"))
		a := answer{500, `{"error":{"message":"the test has no answer for this"}}`}
		if len(s.answers) > 0 {
			a, s.answers = s.answers[0], s.answers[1:]
		}
		s.mu.Unlock()
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, a.body)
	}))
	tr := &http.Transport{}
	tb.Cleanup(func() { tr.CloseIdleConnections(); hs.Close() })
	s.options = provider.Options{
		Name: "gemini", BaseURL: hs.URL, HTTP: &http.Client{Transport: tr},
		Key: func(context.Context, bool) (string, error) { return "the-" + "key", nil },
	}
	return s
}

func (s *server) open() *gemini.Conversation {
	s.t.Helper()
	c, err := gemini.New(s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	return c.Conversation()
}

// sent returns a value of a request's body as JSON; "null" when it is not
// there.
func (s *server) sent(i int, path ...any) string {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if i >= len(s.bodies) {
		s.t.Fatalf("only %d requests were made", len(s.bodies))
	}
	var v any
	if err := json.Unmarshal([]byte(s.bodies[i]), &v); err != nil {
		s.t.Fatal(err)
	}
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			if l, ok := v.([]any); ok && p < len(l) {
				v = l[p]
			} else {
				v = nil
			}
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

func ask(tb testing.TB, c *gemini.Conversation, req llm.Request) (llm.Reply, []string) {
	tb.Helper()
	var warnings []string
	reply, err := c.Stream(tb.Context(), req, func(ch llm.Chunk) {
		if w, ok := ch.(llm.Warning); ok {
			warnings = append(warnings, w.Text)
		}
	})
	if err != nil {
		tb.Fatal(err)
	}
	return reply, warnings
}

func request(model string) llm.Request {
	return llm.Request{
		Model: model, System: "be brief",
		Tools: []llm.Spec{{Name: "ls", Description: "lists", Schema: json.RawMessage(`{"type":"object"}`)}},
		Items: []llm.Item{llm.User{Text: "go"}},
	}
}

func goOn(req llm.Request, reply llm.Reply, more ...llm.Item) llm.Request {
	a := llm.Assistant{Parts: reply.Parts, Provider: reply.Provider, Model: reply.Model, Stop: reply.Stop}
	req.Items = append(req.Items[:len(req.Items):len(req.Items)], a)
	for _, c := range a.Calls() {
		req.Items = append(req.Items, llm.Result{CallID: c.ID, Name: c.Name, Status: llm.StatusOK, Output: "done"})
	}
	req.Items = append(req.Items, more...)
	return req
}

func summary(parts []llm.Part) string {
	var s []string
	for _, p := range parts {
		switch p := p.(type) {
		case llm.Text:
			s = append(s, fmt.Sprintf("text:%s[%s]", p.Text, p.Opaque.Data))
		case llm.Reasoning:
			s = append(s, fmt.Sprintf("think:%s[%s]", p.Text, p.Opaque.Data))
		case llm.Call:
			id := p.ID
			if strings.HasPrefix(id, "call_") {
				id = "OWN"
			}
			s = append(s, fmt.Sprintf("call:%s:%s:%s[%s]", id, p.Name, p.Input, p.Opaque.Data))
		}
	}
	return strings.Join(s, " ")
}
