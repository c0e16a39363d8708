package provider_test

import (
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
)

// text is a request body.
type text string

func (b text) Len() int64 { return int64(len(b)) }

func (b text) Reader() io.Reader { return strings.NewReader(string(b)) }

// post asks a server once and joins the data of its events.
func post(t *testing.T, o provider.Options, tr provider.TransportOptions) (string, error) {
	t.Helper()
	transport, err := provider.NewTransport(tr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.CloseIdleConnections)
	o.Name, o.HTTP = "vendor", &http.Client{Transport: transport}
	e, err := provider.NewEndpoint(o, provider.Bearer)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.Post(t.Context(), provider.Request{Version: "v1", Path: "/x", Body: text(`{"a":1}`)})
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for ev, err := range s.Events() {
		if err != nil {
			return all.String(), err
		}
		all.Write(ev.Data)
	}
	return all.String(), nil
}

// model answers with the body that it was sent.
func model(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, "data: "+r.Host+string(body)+"\n\n") // the client may be gone
}

// tunnel is a proxy that carries every connection to one address.
type tunnel struct {
	to     string
	status int // other than 200: refuse
	mu     sync.Mutex
	auth   []string
	lines  []string
}

func (p *tunnel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.auth = append(p.auth, r.Header.Get("Proxy-Authorization"))
	p.lines = append(p.lines, r.Method+" "+r.Host)
	p.mu.Unlock()
	if p.status != 0 {
		w.WriteHeader(p.status)
		return
	}
	if r.Method != http.MethodConnect {
		model(w, r)
		return
	}
	out, err := net.DialTimeout("tcp", p.to, 5*time.Second)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer out.Close()
	w.WriteHeader(http.StatusOK)
	in, first, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer in.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(out, first) // what the server had read already, then the rest; either side ends it
		_ = out.Close()
	}()
	_, _ = io.Copy(in, out)
	_ = in.Close()
	<-done
}

// guarded is a tunnel that wants a user and a password.
type guarded struct {
	tunnel
	want string
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte(g.want)) {
		w.Header().Set("Proxy-Authenticate", "Basic")
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	g.tunnel.ServeHTTP(w, r)
}

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// fails checks an error's kind and words and returns it.
func fails(t *testing.T, err error, kind llm.Kind, words ...string) *llm.Failure {
	t.Helper()
	var f *llm.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error is %v, want a failure", err)
	}
	if f.Kind != kind {
		t.Errorf("kind is %s, want %s: %s", f.Kind, kind, f.Message)
	}
	for _, w := range words {
		if !strings.Contains(f.Message, w) {
			t.Errorf("the message does not say %q: %s", w, f.Message)
		}
	}
	return f
}
