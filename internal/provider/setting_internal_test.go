package provider

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// FuzzBaseURL: a base URL that is taken gives addresses on the server that it
// names, and what it was told to ask for.
func FuzzBaseURL(f *testing.F) {
	for _, s := range []string{"http://localhost:1234/v1/", "https://host", "https://host/v1beta?x#y", "http://[::1]:80", "ftp://x", "https://u:p@h", " http://h/v1/chat/completions ", "http://h/a%2fb", "http://"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		base, err := parseBase("vendor", text)
		if err != nil {
			return
		}
		e := &Endpoint{base: base}
		for _, version := range []string{"v1", "v1beta"} {
			address := e.URL(version, "/chat", "alt=sse")
			r, err := http.NewRequest(http.MethodPost, address, http.NoBody)
			if err != nil {
				t.Fatalf("%q: %v", address, err)
			}
			if r.URL.Hostname() != base.Hostname() || r.URL.Port() != base.Port() || r.URL.User != nil || !strings.HasSuffix(r.URL.Path, "/chat") || r.URL.RawQuery != "alt=sse" || r.URL.Fragment != "" {
				t.Fatalf("%q leads to %q", text, address)
			}
		}
	})
}

// FuzzProxy: any setting of a proxy is an error that holds none of its
// passwords, or is asked for the way; a server of this machine takes none.
func FuzzProxy(f *testing.F) {
	f.Add("http://u:p@proxy:8080", ".example.com, 10.0.0.0/8,[::1]:80,*")
	f.Add("proxy", "*")
	f.Add("socks5://[::1", "a.b:99999,,/")
	f.Fuzz(func(t *testing.T, proxy, not string) {
		env := map[string]string{"HTTPS_PROXY": proxy, "http_proxy": proxy, "NO_PROXY": not}
		choose, err := proxyFunc(TransportOptions{Env: func(name string) string { return env[name] }})
		if err != nil {
			if len(proxy) > 20 && strings.Contains(err.Error(), proxy) {
				t.Fatalf("the error holds the setting: %v", err)
			}
			return
		}
		for _, address := range []string{"https://host.example.com/", "http://10.1.2.3:80/", "https://[2001:db8::1]/", "http://localhost:11434/", "http://127.0.0.1/"} {
			r, err := http.NewRequest(http.MethodGet, address, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			way, err := choose(r)
			if loopback(r.URL.Hostname()) && (way != nil || err != nil) {
				t.Fatalf("%s takes %v, %v", address, way, err)
			}
			if not == "*" && way != nil {
				t.Fatalf("%s takes %v, where none is to be taken", address, way)
			}
		}
	})
}

// FuzzRetryAfter: a wait that a server asks for is never less than none.
func FuzzRetryAfter(f *testing.F) {
	f.Add("", "1.5")
	f.Add("1e300", "Inf")
	f.Add("NaN", "Fri, 31 Dec 9999 23:59:59 GMT")
	f.Add("-1", "-0x1p9")
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f.Fuzz(func(t *testing.T, ms, after string) {
		h := http.Header{}
		h.Set("Retry-After-Ms", ms)
		h.Set("Retry-After", after)
		if wait := retryAfter(h, now); wait < 0 {
			t.Fatalf("%v", wait)
		}
	})
}
