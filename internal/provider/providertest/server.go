package providertest

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Request is one request as it crossed the wire.
type Request struct {
	Method, Path, Query string
	// Protocol is the version of HTTP: "HTTP/1.1" or "HTTP/2.0".
	Protocol string
	Header   http.Header
	Body     []byte
	// Problem says why the server refused it as malformed; empty when not.
	Problem string
}

// Server plays a script to whoever asks, in the wire of the path that was
// asked for. It is safe for concurrent use and is an http.Handler.
type Server struct {
	// Prefix makes the server refuse a request that does not extend the one
	// before it. Set it before the first request.
	Prefix bool

	mu       sync.Mutex
	script   []Response
	played   []bool
	requests []Request
	released map[string]chan struct{}
	signed   map[string]signature
	calls    int
	models   []string
	url      string
}

// signature is what the server remembers of thinking that it signed.
type signature struct {
	text   string
	prefix string // digest of all that came before
}

// NewServer returns a server that plays a script; the error names the line.
func NewServer(script string) (*Server, error) {
	s := &Server{released: map[string]chan struct{}{}, signed: map[string]signature{}, models: []string{"model-a", "model-b"}}
	return s, s.Add(script)
}

// Start runs a server on this machine until the test ends.
func Start(tb testing.TB, script string) *Server {
	tb.Helper()
	return start(tb, script, (*httptest.Server).Start)
}

// StartTLS is Start over TLS and, with clients that speak it, HTTP/2. Every such
// server shows the certificate of net/http/httptest.
func StartTLS(tb testing.TB, script string) *Server {
	tb.Helper()
	return start(tb, script, func(h *httptest.Server) {
		h.EnableHTTP2 = true
		h.StartTLS()
	})
}

func start(tb testing.TB, script string, listen func(*httptest.Server)) *Server {
	tb.Helper()
	s, err := NewServer(script)
	if err != nil {
		tb.Fatal(err)
	}
	h := httptest.NewUnstartedServer(s)
	h.Config.ErrorLog = log.New(io.Discard, "", 0) // a client that leaves within a handshake
	listen(h)
	s.url = h.URL
	tb.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	return s
}

// URL is the base URL of a started server.
func (s *Server) URL() string { return s.url }

// Add appends responses to the script.
func (s *Server) Add(script string) error {
	more, err := Parse(script)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, more...)
	s.played = append(s.played, make([]bool, len(more))...)
	return nil
}

// Release lets the steps "wait NAME" go on, now and later.
func (s *Server) Release(name string) {
	gate := s.gate(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-gate:
	default:
		close(gate)
	}
}

func (s *Server) gate(name string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.released[name] == nil {
		s.released[name] = make(chan struct{})
	}
	return s.released[name]
}

// Requests returns what was asked so far, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Problems returns why requests were refused as malformed.
func (s *Server) Problems() []string {
	var all []string
	for _, r := range s.Requests() {
		if r.Problem != "" {
			all = append(all, r.Problem)
		}
	}
	return all
}

// Left says how many responses were not played.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for i, r := range s.script {
		if _, repeats := r.find("repeat"); !s.played[i] && !repeats {
			n++
		}
	}
	return n
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 256<<20))
	if err != nil {
		return // the client went away
	}
	req := Request{Method: r.Method, Protocol: r.Proto, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body}
	wire := wireOf(r.URL.Path)
	switch {
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models") && !strings.HasPrefix(r.URL.Path, "/api/"):
		s.record(req)
		s.listModels(w)
		return
	case wire == nil && r.Method == http.MethodGet:
		http.NotFound(w, r) // an API beside the wire, which this server has not
		return
	case wire == nil || r.Method != http.MethodPost:
		req.Problem = "no such resource"
		s.record(req)
		http.NotFound(w, r)
		return
	}
	req.Problem = s.check(wire, r.URL.Path, body)
	s.record(req)
	if req.Problem != "" {
		refuse(w, wire, http.StatusBadRequest, "invalid_request_error", req.Problem)
		return
	}
	resp, ok := s.next(body)
	if !ok {
		refuse(w, wire, http.StatusTeapot, "invalid_request_error", "the script has no response for this request")
		return
	}
	p := &player{server: s, wire: wire, w: w, r: r, body: body, chunk: 8, limit: -1}
	p.play(resp)
}

func (s *Server) record(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

// next takes the first response that fits the request.
func (s *Server) next(body []byte) (Response, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, r := range s.script {
		if s.played[i] {
			continue
		}
		if want, ok := r.find("match"); ok && !bytes.Contains(body, []byte(want)) {
			continue
		}
		_, repeats := r.find("repeat")
		s.played[i] = !repeats
		return r, true
	}
	return Response{}, false
}

// callID makes the next id of a call.
func (s *Server) callID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return fmt.Sprintf("call_%04d", s.calls)
}

func (s *Server) listModels(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	var data, names []string
	for _, m := range s.models {
		data = append(data, fmt.Sprintf(`{"id":%q,"object":"model"}`, m))
		names = append(names, fmt.Sprintf(`{"name":"models/%s","supportedGenerationMethods":["generateContent"]}`, m))
	}
	_, _ = fmt.Fprintf(w, `{"object":"list","data":[%s],"models":[%s]}`, strings.Join(data, ","), strings.Join(names, ","))
}

// refuse answers with an error object in the wire's form.
func refuse(w http.ResponseWriter, wire wire, status int, kind, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(wire.fault(status, kind, text)) // a client that left needs no answer
}
