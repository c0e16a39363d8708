package providertest

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// Fuzz feeds any bytes as the answer to a request, and holds the adapter to
// what the loop relies on: a reply or a *llm.Failure; what was told is what is
// kept; ids that are new; no call that was not complete; and a next request
// that a vendor takes. It needs no socket, so that it is quick.
func Fuzz(f *testing.F, wire provider.Wire, make Maker, seeds ...string) {
	s := &suite{wire: wire, make: make, verbs: map[string]bool{}}
	for _, script := range []string{
		"think Hm.\nredacted\ntext Hello\ncall read_file {\"path\":\"a\"}\ncall list {}",
		"id -\ncall list\nid same\nindex 7\ncall list {}\nid same\ncall list {\"a\":",
		"json\nthink Hm.\ntext Hello\ncall list {}",
		"text a\nerror overloaded_error Overloaded", "text a\nping 2\nstop length", "stop filter", "html",
	} {
		f.Add(s.recorded(f, script))
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) { s.holds(t, stream) })
}

// recorded is the answer that the scripted server gives.
func (s *suite) recorded(f *testing.F, script string) []byte {
	f.Helper()
	server, err := NewServer(script)
	if err != nil {
		f.Fatal(err)
	}
	rec := &recorder{header: http.Header{}}
	m := s.carried(f, func(r *http.Request) (*http.Response, error) {
		server.ServeHTTP(rec, r)
		return &http.Response{StatusCode: http.StatusTeapot, Header: rec.header, Body: http.NoBody}, nil
	})
	_, _ = m.Stream(f.Context(), s.ask(), nil) // it is only to be asked
	return []byte(rec.body.String())
}

// recorder keeps what a handler writes.
type recorder struct {
	header http.Header
	body   strings.Builder
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }
func (r *recorder) WriteHeader(int)             {}

// carrier carries requests without a socket.
type carrier func(*http.Request) (*http.Response, error)

// RoundTrip carries one request.
func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

func (s *suite) carried(tb testing.TB, c carrier) Model {
	tb.Helper()
	m, err := s.make(provider.Options{Name: "vendor", BaseURL: "http://model.test", HTTP: &http.Client{Transport: c}})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// holds feeds one answer and checks the laws.
func (s *suite) holds(t *testing.T, stream []byte) {
	t.Helper()
	var sent [][]byte
	var path string
	m := s.carried(t, func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		sent, path = append(sent, body), r.URL.Path
		return &http.Response{
			StatusCode: http.StatusOK, Header: http.Header{}, Request: r,
			Body: io.NopCloser(strings.NewReader(string(stream))),
		}, err
	})
	req := s.ask()
	var told strings.Builder
	reply, err := m.Stream(t.Context(), req, func(c llm.Chunk) {
		if d, ok := c.(llm.TextDelta); ok {
			told.WriteString(d.Text)
		}
	})
	parts := reply.Parts
	if err != nil {
		var failed *llm.Failure
		if !errors.As(err, &failed) {
			t.Fatalf("error is %T: %v", err, err)
		}
		if parts = failed.Partial; len((llm.Assistant{Parts: parts}).Calls()) > 0 {
			t.Fatal("a broken response keeps a call")
		}
		reply = llm.Reply{Parts: parts, Provider: "vendor", Model: s.model()}
	}
	if got := text(parts); got != told.String() {
		t.Fatalf("told %q, kept %q", told.String(), got)
	}
	seen := map[string]bool{}
	for _, c := range said(reply).Calls() {
		if c.ID == "" || seen[c.ID] {
			t.Fatalf("id %q is empty or repeats", c.ID)
		}
		seen[c.ID] = true
	}
	req.Items = append(answer(req.Items, reply), llm.User{Text: "go on"})
	if _, err := m.Stream(t.Context(), req, nil); err != nil {
		var failed *llm.Failure
		if !errors.As(err, &failed) {
			t.Fatalf("error of the next request is %T: %v", err, err)
		}
	}
	if len(sent) < 2 {
		t.Fatal("the next request was not made")
	}
	h, err := wireOf(path).entries(path, sent[len(sent)-1])
	switch {
	case err != nil && (strings.Contains(err.Error(), "is not known") || strings.Contains(err.Error(), "does not belong")):
		return // the server's own items go back unread, whatever they are
	case err != nil:
		t.Fatalf("the next request is malformed: %v\n%s", err, sent[len(sent)-1])
	}
	own := s.wire == provider.WireResponses // a message that the server left empty goes back as it came
	if problem := h.pairing(); problem != "" && !(own && strings.Contains(problem, "must be non-empty")) {
		t.Fatalf("the next request is malformed: %s\n%s", problem, sent[len(sent)-1])
	}
}
