package provider_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
)

// The proxy of the environment, in both cases of its name, with a user and a
// password, in front of a TLS server and of a plain one.
func TestProxyWithPassword(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	target := ca.serve(http.HandlerFunc(model), "model.test", time.Now().Add(time.Hour))
	login := "me:p%40ss" + "word"
	proxy := httptest.NewServer(&guarded{tunnel: tunnel{to: target.Listener.Addr().String()}, want: strings.Replace(login, "%40", "@", 1)})
	t.Cleanup(proxy.Close)
	host := strings.TrimPrefix(proxy.URL, "http://")
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := "https://model.test"
			if strings.HasPrefix(strings.ToLower(name), "http_") {
				base = "http://model.test"
			}
			got, err := post(t, provider.Options{BaseURL: base}, provider.TransportOptions{
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

// A proxy that is not there is named, and it is what is to be looked at.
func TestProxyThatIsNotThere(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	at := strings.TrimPrefix(gone.URL, "http://")
	secret := "hunter" + "2"
	_, err := post(t, provider.Options{BaseURL: "https://model.test"}, provider.TransportOptions{Proxy: "http://me:" + secret + "@" + at})
	if f := fails(t, err, llm.KindNetwork, "cannot reach the proxy "+at, "HTTPS_PROXY"); !f.Retryable || strings.Contains(f.Message, secret) {
		t.Errorf("retryable is %v: %s", f.Retryable, f.Message)
	}
	if strings.Contains(err.Error(), "base URL") {
		t.Errorf("the server is blamed: %v", err)
	}
}

// What a proxy answers in place of the server is told as its own.
func TestProxyThatRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, base string
		status     int
		kind       llm.Kind
		retry      bool
		words      string
	}{
		{"wants a password for a plain request", "http://model.test", http.StatusProxyAuthRequired, llm.KindAuth, false, "user:password"},
		{"forbids", "https://model.test", http.StatusForbidden, llm.KindNetwork, false, "NO_PROXY"},
		{"fails", "https://model.test", http.StatusBadGateway, llm.KindNetwork, true, "502"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			proxy := httptest.NewServer(&tunnel{status: c.status})
			t.Cleanup(proxy.Close)
			_, err := post(t, provider.Options{BaseURL: c.base}, provider.TransportOptions{Proxy: proxy.URL})
			if f := fails(t, err, c.kind, "proxy", c.words); f.Retryable != c.retry {
				t.Errorf("retryable is %v: %s", f.Retryable, f.Message)
			}
		})
	}
}

func TestProxyAndFileThatCannotBeRead(t *testing.T) {
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

// A variable that holds no address is named, with what to write, before
// anything is asked; what it holds may be a password and is not shown.
func TestProxyVariableThatIsNoAddress(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"HTTP_PROXY": "foo", "https_proxy": "foo", "ALL_PROXY": "http://", "all_proxy": "socks4://foo:1080", "HTTPS_PROXY": "ftp://foo",
	} {
		_, err := provider.NewTransport(provider.TransportOptions{Env: env(map[string]string{name: value})})
		if err == nil || !strings.HasPrefix(err.Error(), "read the proxy of "+name+": ") || strings.Contains(err.Error(), "foo") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.HasSuffix(err.Error(), ", or unset it") {
			t.Errorf("%s does not say what to do: %v", name, err)
		}
	}
	for name, value := range map[string]string{"HTTP_PROXY": "proxy:3128", "https_proxy": "localhost", "ALL_PROXY": "socks5://proxy", "all_proxy": "10.0.0.1"} {
		if _, err := provider.NewTransport(provider.TransportOptions{Env: env(map[string]string{name: value})}); err != nil {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
	// The setting takes its place, so that it is not read.
	if _, err := provider.NewTransport(provider.TransportOptions{Proxy: "http://proxy:1", Env: env(map[string]string{"HTTP_PROXY": "foo"})}); err != nil {
		t.Error(err)
	}
}
