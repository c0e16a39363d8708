package provider_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
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

// authority is a certificate authority of the test's own.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, key: newKey(t)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.file = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// serve runs a TLS server whose certificate is for one name, until a time.
func (a *authority) serve(h http.Handler, name string, until time.Time) *httptest.Server {
	a.t.Helper()
	key := newKey(a.t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.StartTLS()
	a.t.Cleanup(s.Close)
	return s
}

// named is the address of a server of this machine by its name.
func named(s *httptest.Server) string {
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		return err.Error()
	}
	return "https://localhost:" + port
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

func fails(t *testing.T, err error, kind llm.Kind, words ...string) {
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
}

// The proxy of the environment, in both cases of its name, with a user and a
// password, in front of a TLS server.
func TestProxyWithPassword(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	target := ca.serve(http.HandlerFunc(model), "model.test", time.Now().Add(time.Hour))
	login := "me:p%40ss" + "word"
	proxy := httptest.NewServer(&guarded{tunnel: tunnel{to: target.Listener.Addr().String()}, want: strings.Replace(login, "%40", "@", 1)})
	t.Cleanup(proxy.Close)
	host := strings.TrimPrefix(proxy.URL, "http://")
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := post(t, provider.Options{BaseURL: "https://model.test"}, provider.TransportOptions{
				CAFile: ca.file, Env: env(map[string]string{name: "http://" + login + "@" + host}),
			})
			if err != nil || got != `model.test{"a":1}` {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	for _, login := range []string{"", "me:wrong" + "word@"} {
		_, err := post(t, provider.Options{BaseURL: "https://model.test"}, provider.TransportOptions{CAFile: ca.file, Proxy: "http://" + login + host})
		fails(t, err, llm.KindAuth, "407", "user:password")
		if strings.Contains(err.Error(), "wrongword") {
			t.Errorf("the password is shown: %v", err)
		}
	}
}

func TestNoProxy(t *testing.T) {
	t.Parallel()
	p := &tunnel{status: http.StatusTeapot}
	proxy := httptest.NewServer(p)
	t.Cleanup(proxy.Close)
	for _, c := range []struct {
		name, value, base string
		direct            bool
	}{
		{"NO_PROXY", "model.invalid", "http://model.invalid", true},
		{"no_proxy", "model.invalid", "http://model.invalid", true},
		{"no_proxy", ".invalid", "http://model.invalid:8080", true},
		{"NO_PROXY", "*", "http://model.invalid", true},
		{"NO_PROXY", "a.test, 192.0.2.0/24", "http://192.0.2.7", true},
		{"NO_PROXY", "other.invalid", "http://model.invalid", false},
		{"", "", "http://127.1.2.3:1", true},
		{"", "", "http://[::1]:1", true},
		{"", "", "http://ollama.localhost:1", true},
		{"", "", "http://0.0.0.0:11434", true},
		{"", "", "http://[::]:11434", true},
		{"", "", "http://0.0.0.1:11434", false},
	} {
		tr, err := provider.NewTransport(provider.TransportOptions{Proxy: proxy.URL, Env: env(map[string]string{c.name: c.value})})
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.base, nil)
		if err != nil {
			t.Fatal(err)
		}
		if u, err := tr.Proxy(r); err != nil || (u == nil) != c.direct {
			t.Errorf("%s=%s: %s goes through %v, %v", c.name, c.value, c.base, u, err)
		}
	}
}

// PROV-31: a proxy that is reached over TLS is checked by its own name, and the
// server behind it by its own.
func TestProxyOverTLS(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	target := ca.serve(http.HandlerFunc(model), "model.test", time.Now().Add(time.Hour))
	through := &tunnel{to: target.Listener.Addr().String()}
	right := ca.serve(through, "localhost", time.Now().Add(time.Hour))
	wrong := ca.serve(through, "model.test", time.Now().Add(time.Hour))
	o := provider.Options{BaseURL: "https://model.test"}
	got, err := post(t, o, provider.TransportOptions{CAFile: ca.file, Proxy: named(right)})
	if err != nil || got != `model.test{"a":1}` {
		t.Errorf("got %q, %v", got, err)
	}
	_, err = post(t, o, provider.TransportOptions{CAFile: ca.file, Proxy: named(wrong)})
	fails(t, err, llm.KindNetwork, "proxy", "another name")
	_, err = post(t, o, provider.TransportOptions{Proxy: named(right)})
	fails(t, err, llm.KindNetwork, "proxy", "caFile")
}

// A proxy that is not there is named, and it is what is to be looked at.
func TestProxyThatIsNotThere(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	at := strings.TrimPrefix(gone.URL, "http://")
	_, err := post(t, provider.Options{BaseURL: "https://model.test"}, provider.TransportOptions{Proxy: gone.URL})
	fails(t, err, llm.KindNetwork, "cannot reach the proxy "+at, "HTTPS_PROXY")
	if strings.Contains(err.Error(), "base URL") {
		t.Errorf("the server is blamed: %v", err)
	}
}

// PROV-30: authorities of the config and of SSL_CERT_FILE count beside the
// system's.
func TestAuthorities(t *testing.T) {
	t.Parallel()
	one, two := newAuthority(t), newAuthority(t)
	hour := time.Now().Add(time.Hour)
	first, second := one.serve(http.HandlerFunc(model), "localhost", hour), two.serve(http.HandlerFunc(model), "localhost", hour)
	both := provider.TransportOptions{CAFile: one.file, Env: env(map[string]string{"SSL_CERT_FILE": two.file})}
	for _, s := range []*httptest.Server{first, second} {
		if _, err := post(t, provider.Options{BaseURL: named(s)}, both); err != nil {
			t.Error(err)
		}
	}
	_, err := post(t, provider.Options{BaseURL: named(second)}, provider.TransportOptions{CAFile: one.file})
	fails(t, err, llm.KindNetwork, "authority", "SSL_CERT_FILE", "caFile")
	if _, err := provider.NewTransport(provider.TransportOptions{Env: env(map[string]string{"SSL_CERT_FILE": one.file + ".no"})}); err == nil || !strings.Contains(err.Error(), "SSL_CERT_FILE") {
		t.Errorf("error is %v", err)
	}
	_, err = post(t, provider.Options{BaseURL: strings.Replace(named(first), "localhost", "127.0.0.1", 1)}, both)
	fails(t, err, llm.KindNetwork, "another name", "base URL")
	_, err = post(t, provider.Options{BaseURL: named(one.serve(http.HandlerFunc(model), "localhost", time.Now().Add(-time.Minute)))}, both)
	fails(t, err, llm.KindNetwork, "expired", "clock")
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		kind   llm.Kind
		words  string
	}{
		{http.StatusUnauthorized, llm.KindAuth, "set V_KEY"},
		{http.StatusForbidden, llm.KindAuth, "set V_KEY"},
		{http.StatusProxyAuthRequired, llm.KindAuth, "user:password"},
		{http.StatusPaymentRequired, llm.KindProvider, "credit"},
		{http.StatusNotFound, llm.KindProvider, "assent models"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status) }))
		t.Cleanup(s.Close)
		_, err := post(t, provider.Options{BaseURL: s.URL, KeyHint: "set V_KEY"}, provider.TransportOptions{})
		fails(t, err, c.kind, c.words)
	}
}

// Answers of one moment that refuse the same credential renew it once.
func TestRenewedOnceForAll(t *testing.T) {
	t.Parallel()
	const n = 8
	var refused sync.WaitGroup // until each has been refused
	refused.Add(n)
	old, fresh := "old-"+"credential", "new-"+"credential"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), old) {
			refused.Done()
			refused.Wait()
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		model(w, r)
	}))
	t.Cleanup(s.Close)
	var mu sync.Mutex
	now, renewals := old, 0
	e, err := provider.NewEndpoint(provider.Options{Name: "v", BaseURL: s.URL, Key: func(_ context.Context, refresh bool) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if refresh {
			now, renewals = fresh, renewals+1
		}
		return now, nil
	}}, provider.Bearer)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			stream, err := e.Post(t.Context(), provider.Call{Version: "v1", Path: "/x", Body: text("{}")})
			if err != nil {
				t.Error(err)
				return
			}
			stream.Close()
		})
	}
	wg.Wait()
	if renewals != 1 {
		t.Errorf("renewed %d times", renewals)
	}
}
