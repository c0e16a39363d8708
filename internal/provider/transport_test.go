package provider_test

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
)

// text is a request body.
type text string

func (b text) Len() int64        { return int64(len(b)) }
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
	s, err := e.Post(t.Context(), provider.Call{Version: "v1", Path: "/x", Body: text(`{"a":1}`)})
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

// quietTLS is a TLS server that keeps refused handshakes to itself.
func quietTLS(h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	return s
}

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// caFile writes the certificate of a TLS test server.
func caFile(t *testing.T, s *httptest.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(path, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestProxyFromEnvironment(t *testing.T) {
	t.Parallel()
	secret := "hunter" + "2"
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &tunnel{}
			srv := httptest.NewServer(p)
			t.Cleanup(srv.Close)
			addr := "http://me:" + secret + "@" + srv.Listener.Addr().String()
			got, err := post(t, provider.Options{BaseURL: "http://model.test"}, provider.TransportOptions{Env: env(map[string]string{name: addr})})
			if err != nil || got != `model.test{"a":1}` {
				t.Fatalf("got %q, %v", got, err)
			}
			if len(p.auth) != 1 || !strings.HasPrefix(p.auth[0], "Basic ") {
				t.Errorf("the proxy's user was not sent: %v", p.auth)
			}
		})
	}
}

func TestProxyIsNotTaken(t *testing.T) {
	t.Parallel()
	p := &tunnel{status: http.StatusTeapot}
	proxy := httptest.NewServer(p)
	t.Cleanup(proxy.Close)
	srv := httptest.NewServer(http.HandlerFunc(model))
	t.Cleanup(srv.Close)
	_, port, err := net.SplitHostPort(srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, base := range []string{srv.URL, "http://localhost:" + port} {
		if _, err := post(t, provider.Options{BaseURL: base}, provider.TransportOptions{Proxy: proxy.URL}); err != nil {
			t.Errorf("a server on this machine was asked through the proxy: %v", err)
		}
	}
	_, err = post(t, provider.Options{BaseURL: "http://model.invalid"}, provider.TransportOptions{Proxy: proxy.URL, Env: env(map[string]string{"no_proxy": ".invalid"})})
	if len(p.lines) != 0 || err == nil {
		t.Errorf("NO_PROXY does not count: %v, %v", p.lines, err)
	}
}

func TestTunnel(t *testing.T) {
	t.Parallel()
	srv := quietTLS(http.HandlerFunc(model))
	t.Cleanup(srv.Close)
	p := &tunnel{to: srv.Listener.Addr().String()}
	plain := httptest.NewServer(p)
	t.Cleanup(plain.Close)
	secure := quietTLS(p)
	t.Cleanup(secure.Close)
	ca := caFile(t, srv)
	for name, proxy := range map[string]string{
		"plain proxy": plain.URL,
		"proxy over TLS is checked by its own name (PROV-31)": secure.URL,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The certificate of the test server is for example.com and 127.0.0.1.
			got, err := post(t, provider.Options{BaseURL: "https://example.com"}, provider.TransportOptions{Proxy: proxy, CAFile: ca})
			if err != nil || got != `example.com{"a":1}` {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestFailuresOnTheWaySayWhatToDo(t *testing.T) {
	t.Parallel()
	secret := "hunter" + "2"
	srv := quietTLS(http.HandlerFunc(model))
	t.Cleanup(srv.Close)
	refusing := httptest.NewServer(&tunnel{status: http.StatusProxyAuthRequired})
	t.Cleanup(refusing.Close)
	blocking := httptest.NewServer(&tunnel{status: http.StatusForbidden})
	t.Cleanup(blocking.Close)
	closed := httptest.NewServer(nil)
	closed.Close()
	plain := httptest.NewServer(http.HandlerFunc(model))
	t.Cleanup(plain.Close)
	for _, c := range []struct {
		name, base, proxy string
		kind              llm.Kind
		retry             bool
		words             string
	}{
		{"unknown authority (PROV-30)", srv.URL, "", llm.KindNetwork, false, "caFile"},
		{"proxy wants a password", "https://model.test", refusing.URL, llm.KindAuth, false, "user:password"},
		{"proxy wants a password, plain", "http://model.test", refusing.URL, llm.KindAuth, false, "user:password"},
		{"proxy forbids", "https://model.test", blocking.URL, llm.KindNetwork, false, "NO_PROXY"},
		{"proxy is away", "https://model.test", strings.Replace(closed.URL, "http://", "http://me:"+secret+"@", 1), llm.KindNetwork, true, "cannot reach the proxy"},
		{"server is away", closed.URL, "", llm.KindNetwork, true, "nothing listens"},
		{"plain server asked by TLS", strings.Replace(plain.URL, "http", "https", 1), "", llm.KindNetwork, false, "TLS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := post(t, provider.Options{BaseURL: c.base}, provider.TransportOptions{Proxy: c.proxy})
			var f *llm.Failure
			if !errors.As(err, &f) {
				t.Fatalf("error is %v", err)
			}
			if f.Kind != c.kind || f.Retryable != c.retry || !strings.Contains(f.Message, c.words) || strings.Contains(f.Message, secret) {
				t.Errorf("failure is %s, %v: %s (%v)", f.Kind, f.Retryable, f.Message, f.Err)
			}
		})
	}
}

func TestTransportSettings(t *testing.T) {
	t.Parallel()
	secret := "hunter" + "2"
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []provider.TransportOptions{
		{CAFile: empty}, {CAFile: empty + ".no"}, {Proxy: "gopher://me:" + secret + "@h"}, {Proxy: "http://me:" + secret + "@h:%zz"},
	} {
		if _, err := provider.NewTransport(o); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%+v gives %v", o, err)
		}
	}
	tr, err := provider.NewTransport(provider.TransportOptions{Proxy: "proxy.corp:3128"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://model.test", nil)
	if err != nil {
		t.Fatal(err)
	}
	if u, err := tr.Proxy(r); err != nil || u.Host != "proxy.corp:3128" {
		t.Errorf("proxy is %v, %v", u, err)
	}
}

// TestBodyIsSentAgain checks that a request survives a connection that the
// server closed between two requests.
func TestBodyIsSentAgain(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(model))
	t.Cleanup(srv.Close)
	e, err := provider.NewEndpoint(provider.Options{Name: "v", BaseURL: srv.URL, Key: func(context.Context, bool) (string, error) { return "", nil }}, provider.Bearer)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s, err := e.Post(t.Context(), provider.Call{Version: "v1", Path: "/x", Body: text("{}")})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range s.Events() {
			if err != nil {
				t.Fatal(err)
			}
		}
		srv.CloseClientConnections()
	}
}

func TestCredentialThatCannotBeHad(t *testing.T) {
	t.Parallel()
	e, err := provider.NewEndpoint(provider.Options{Name: "v", BaseURL: "http://127.0.0.1:1", KeyHint: "set V_KEY", Key: func(context.Context, bool) (string, error) {
		return "", errors.New("the command failed")
	}}, provider.Bearer)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Get(t.Context(), provider.Call{Version: "v1", Path: "/models"})
	var f *llm.Failure
	if !errors.As(err, &f) || f.Kind != llm.KindAuth || !strings.Contains(f.Message, "the command failed") || !strings.Contains(f.Message, "V_KEY") {
		t.Errorf("error is %v", err)
	}
}
