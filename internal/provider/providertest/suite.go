package providertest

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/llm"
	"assent/internal/provider"
)

// Model is what the engine needs of an adapter's conversation.
type Model interface {
	Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error)
}

// Maker makes a new conversation of an adapter.
type Maker func(o provider.Options) (Model, error)

// Suite is the contract of every adapter, over both versions of HTTP: vendors
// speak the second, most local servers the first. It runs over real sockets of
// this machine; the server refuses what a vendor would refuse.
func Suite(t *testing.T, wire provider.Wire, make Maker) {
	t.Helper()
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(strings.ReplaceAll(protocol, "/", ""), func(t *testing.T) {
			s := &suite{wire: wire, make: make, protocol: protocol, verbs: map[string]bool{}}
			if protocol != "HTTP/1.1" {
				s.http = secure(t)
			}
			t.Cleanup(func() { s.complete(t) })
			s.run(t)
		})
	}
}

// run runs the parts of the suite.
func (s *suite) run(t *testing.T) {
	t.Helper()
	t.Run("stream", s.stream)
	t.Run("ends", s.ends)
	t.Run("forms", s.forms)
	t.Run("cuts", s.cuts)
	t.Run("silence", s.silence)
	t.Run("errors", s.errors)
	t.Run("keys", s.keys)
	t.Run("calls", s.calls)
	t.Run("history", s.history)
	t.Run("prefix", s.prefix)
	t.Run("images", s.images)
	t.Run("quarantine", s.quarantine)
	t.Run("effort", s.effort)
	t.Run("cancel", s.cancel)
}

type suite struct {
	wire     provider.Wire
	make     Maker
	protocol string
	http     *http.Client // nil: the adapter's own

	mu      sync.Mutex
	verbs   map[string]bool // the steps that were played
	servers []*Server
}

// secure is a client over the transport that is in use, which trusts the
// servers of [StartTLS].
func secure(t *testing.T) *http.Client {
	t.Helper()
	h := httptest.NewTLSServer(http.NotFoundHandler())
	defer h.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	transport, err := provider.NewTransport(provider.TransportOptions{CAFile: file})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// start is Start or StartTLS, and remembers the steps of the script.
func (s *suite) start(t *testing.T, script string) *Server {
	t.Helper()
	listen := Start
	if s.http != nil {
		listen = StartTLS
	}
	server := listen(t, script)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.servers = append(s.servers, server)
	for _, r := range server.script {
		for _, step := range r.steps {
			s.verbs[step.verb] = true
		}
	}
	return server
}

// complete checks that every request spoke the version of HTTP that was meant,
// and that the suite played every step that there is, so that no fault stands in
// the language and is met by nobody.
func (s *suite) complete(t *testing.T) {
	t.Helper()
	for _, server := range s.servers {
		for _, r := range server.Requests() {
			if r.Protocol != s.protocol {
				t.Fatalf("a request spoke %s, want %s", r.Protocol, s.protocol)
			}
		}
	}
	if run := flag.Lookup("test.run"); t.Failed() || run != nil && strings.Contains(run.Value.String(), "/") {
		return // only a part was run
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for verb := range verbs {
		if !s.verbs[verb] {
			t.Errorf("the suite plays no step %q on the wire %s", verb, s.wire)
		}
	}
}

// tools are what the suite's requests offer.
var tools = []llm.Spec{
	{
		Name: "read_file", Description: "Read a file.",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`),
	},
	{Name: "list", Description: "List files.", Schema: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)},
}

// ask is a request with a first prompt.
func (s *suite) ask(items ...llm.Item) llm.Request {
	if len(items) == 0 {
		items = []llm.Item{llm.User{Text: "hello"}}
	}
	return llm.Request{Model: s.model(), System: "Be brief.", Tools: tools, Items: items, Level: llm.LevelMedium, Session: "s1"}
}

func (s *suite) model() string {
	return map[provider.Wire]string{
		provider.WireAnthropic: "claude-opus-4-8", provider.WireOpenAI: "test-model",
		provider.WireResponses: "gpt-5.2", provider.WireGemini: "gemini-3-pro-preview",
	}[s.wire]
}

// run is one response of a script.
type run struct {
	server *Server
	chunks []llm.Chunk
	reply  llm.Reply
	err    error
}

// play starts a server and asks it once.
func (s *suite) play(t *testing.T, script string, limits provider.Limits) run {
	t.Helper()
	r := run{server: s.start(t, script)}
	m := s.open(t, r.server, limits)
	r.reply, r.err = m.Stream(t.Context(), s.ask(), func(c llm.Chunk) { r.chunks = append(r.chunks, c) })
	return r
}

func (s *suite) open(t *testing.T, server *Server, limits provider.Limits) Model {
	t.Helper()
	return s.with(t, provider.Options{
		Name: "vendor", BaseURL: server.URL(), Limits: limits,
		Key: func(context.Context, bool) (string, error) { return "the-" + "key-1234", nil },
	})
}

func (s *suite) with(t *testing.T, o provider.Options) Model {
	t.Helper()
	if o.HTTP == nil {
		o.HTTP = s.http
	}
	m, err := s.make(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// failed returns the failure of a run and checks its kind.
func (r run) failed(t *testing.T, kind llm.Kind, retryable bool) *llm.Failure {
	t.Helper()
	var f *llm.Failure
	if !errors.As(r.err, &f) {
		t.Fatalf("error is %T %v, want a *llm.Failure", r.err, r.err)
	}
	if f.Kind != kind || f.Retryable != retryable {
		t.Fatalf("failure is %s, retryable %v; want %s, %v: %s", f.Kind, f.Retryable, kind, retryable, f.Message)
	}
	if !strings.Contains(f.Message, "vendor") {
		t.Errorf("the failure does not name the provider: %s", f.Message)
	}
	return f
}

func (r run) ok(t *testing.T) llm.Assistant {
	t.Helper()
	if r.err != nil {
		t.Fatalf("stream: %v", r.err)
	}
	return said(r.reply)
}

// said makes a reply an item, as the engine does.
func said(r llm.Reply) llm.Assistant {
	return llm.Assistant{Parts: r.Parts, Provider: r.Provider, Model: r.Model, Stop: r.Stop}
}

// rebuilt says that it was told that what was sent before goes out anew.
func (r run) rebuilt() bool {
	for _, c := range r.chunks {
		if c, ok := c.(llm.Rebuilt); ok && c.Reason != "" {
			return true
		}
	}
	return false
}

func (r run) warnings() string {
	var all []string
	for _, c := range r.chunks {
		if w, ok := c.(llm.Warning); ok {
			all = append(all, w.Text)
		}
	}
	return strings.Join(all, "\n")
}

// text joins the visible text of parts.
func text(parts []llm.Part) string { return llm.Assistant{Parts: parts}.Text() }

// quick are limits for tests of silence.
func quick(l provider.Limits) provider.Limits {
	long := 20 * time.Second
	if l.FirstByte == 0 {
		l.FirstByte = long
	}
	if l.Idle == 0 {
		l.Idle = long
	}
	if l.Quiet == 0 {
		l.Quiet = long
	}
	return l
}

// cancel ends a stream in its middle.
func (s *suite) cancel(t *testing.T) {
	server := s.start(t, "text one\nhang")
	m := s.open(t, server, provider.Limits{})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err := m.Stream(ctx, s.ask(), func(c llm.Chunk) {
		if _, ok := c.(llm.TextDelta); ok {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error is %v, want the context's", err)
	}
	done, stopped := context.WithCancel(t.Context())
	stopped()
	if _, err := m.Stream(done, s.ask(), func(llm.Chunk) {}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error before the start is %v, want the context's", err)
	}
}

// NoLeak runs the tests of a package and fails when goroutines are left.
func NoLeak(m *testing.M) { goleak.VerifyTestMain(m) }
