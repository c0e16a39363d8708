package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answer is what the server says to one request.
type answer struct {
	status int
	body   string
	hold   bool // keep the socket open after the body
}

// events is a stream of data lines.
func events(data ...string) answer {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\n\n")
	}
	return answer{body: b.String()}
}

func refusal(status int, body string) answer { return answer{status: status, body: body} }

// server answers requests in order and keeps what it was sent.
type server struct {
	t       testing.TB
	url     string
	mu      sync.Mutex
	answers []answer
	paths   []string
	bodies  []string
	// own are the documents of the server's own API, by path; they take no
	// answer. asked are the paths of it that were asked for. It is nil for a
	// server whose own API is part of the answers.
	own   map[string]string
	asked []string
	// busy is how many questions to its own API are refused for now.
	busy int
}

func serve(tb testing.TB, answers ...answer) *server {
	tb.Helper()
	s := &server{t: tb, answers: answers}
	hs := httptest.NewServer(http.HandlerFunc(s.handle))
	tb.Cleanup(hs.Close)
	s.url = hs.URL
	return s
}

func (s *server) handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	if path := r.URL.Path; s.own != nil && (path == "/props" || strings.HasPrefix(path, "/api/")) {
		s.asked = append(s.asked, r.Method+" "+path)
		doc, ok := s.own[path]
		s.busy--
		busy := s.busy >= 0
		s.mu.Unlock()
		if busy {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, doc)
		return
	}
	s.paths = append(s.paths, r.Method+" "+r.URL.Path)
	s.bodies = append(s.bodies, string(body))
	a := refusal(500, `{"error":{"message":"the test has no answer for this"}}`)
	if len(s.answers) > 0 {
		a, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	if len(body) > 0 && !json.Valid(body) {
		s.t.Errorf("not JSON: %s", body)
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = io.WriteString(w, a.body)
	if a.hold {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// sent returns the body of a request, decoded.
func (s *server) sent(i int) map[string]any {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if i >= len(s.bodies) {
		s.t.Fatalf("only %d requests were made", len(s.bodies))
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(s.bodies[i]), &v); err != nil {
		s.t.Fatal(err)
	}
	return v
}

func (s *server) raw(i int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[i]
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// field follows names and indexes through decoded JSON; what is not there is
// nil.
func field(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p < 0 {
				p += len(l)
			}
			if p < 0 || p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// options connect to the server under the name of a preset. host, when given,
// is the address that the client believes to speak to.
func (s *server) options(name, host string) provider.Options {
	if s.own == nil && name == "custom-openai" {
		s.own = map[string]string{}
	}
	base := strings.TrimPrefix(s.url, "http://")
	tr := &http.Transport{}
	o := provider.Options{Name: name, BaseURL: s.url + "/v1", HTTP: &http.Client{Transport: tr}}
	if host != "" {
		o.BaseURL = "http://" + host + "/v1"
		o.HTTP.Transport = rerouted{tr, base}
	}
	s.t.Cleanup(tr.CloseIdleConnections)
	return o
}

// rerouted sends everything to the test's server.
type rerouted struct {
	next http.RoundTripper
	to   string
}

func (r rerouted) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Host = r.to
	return r.next.RoundTrip(req)
}

func converse(tb testing.TB, o provider.Options, wires ...provider.Wire) *openai.Conversation {
	tb.Helper()
	c, err := openai.New(o, wires...)
	if err != nil {
		tb.Fatal(err)
	}
	return c.Conversation()
}

// told gathers chunks.
type told struct{ chunks []llm.Chunk }

func (c *told) emit(ch llm.Chunk) { c.chunks = append(c.chunks, ch) }

func (c *told) warnings() []string {
	var w []string
	for _, ch := range c.chunks {
		if ch, ok := ch.(llm.Warning); ok {
			w = append(w, ch.Text)
		}
	}
	return w
}

func (c *told) rebuilt() []string {
	var w []string
	for _, ch := range c.chunks {
		if ch, ok := ch.(llm.Rebuilt); ok {
			w = append(w, ch.Reason)
		}
	}
	return w
}

type streamer interface {
	Stream(context.Context, llm.Request, func(llm.Chunk)) (llm.Reply, error)
}

func ask(tb testing.TB, c streamer, req llm.Request) (llm.Reply, *told) {
	tb.Helper()
	var got told
	reply, err := c.Stream(tb.Context(), req, got.emit)
	if err != nil {
		tb.Fatal(err)
	}
	return reply, &got
}

func fails(tb testing.TB, c streamer, req llm.Request) *llm.Failure {
	tb.Helper()
	_, err := c.Stream(tb.Context(), req, func(llm.Chunk) {})
	var f *llm.Failure
	if !errors.As(err, &f) {
		tb.Fatalf("got %v, want a failure", err)
	}
	return f
}

// request is a first request of a conversation.
func request(model string) llm.Request {
	return llm.Request{
		Model: model, System: "be brief", Session: "s1",
		Tools: []llm.Spec{{Name: "ls", Description: "lists", Schema: json.RawMessage(`{"type":"object"}`)}},
		Items: []llm.Item{llm.User{Text: "go"}},
	}
}

// goOn appends a reply, the results of its calls and more.
func goOn(req llm.Request, reply llm.Reply, more ...llm.Item) llm.Request {
	req.Items = append(req.Items[:len(req.Items):len(req.Items)], llm.Assistant{
		Parts: reply.Parts, Provider: reply.Provider, Model: reply.Model, Stop: reply.Stop,
	})
	for _, c := range (llm.Assistant{Parts: reply.Parts}).Calls() {
		req.Items = append(req.Items, llm.Result{CallID: c.ID, Name: c.Name, Status: llm.StatusOK, Output: "done " + c.ID})
	}
	req.Items = append(req.Items, more...)
	return req
}
