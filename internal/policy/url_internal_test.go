package policy

import (
	neturl "net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzURL: rules see the host that a request of this address goes to, spelled in
// one way.
func FuzzURL(f *testing.F) {
	for _, s := range []string{
		"HTTPS://X.Example.:443/a", "https://x.example:/", "https://x.example:0443/", "http://x..:80", "https://u:p@x@y.example#@z", `https:\\x\..\a`,
		"http://[::1]:080/", "https://x.example:00/", "ftp://x:21/", "x", "http:///a", "https://%C3%89x.example", "http://%80/", "https://x?y/z@w", " https://x ",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := plainURL(text)
		u, err := neturl.Parse(strings.TrimSpace(text))
		if err != nil || !utf8.ValidString(u.Hostname()) || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || strings.Contains(u.Hostname(), ":") != strings.Contains(u.Host, "[") {
			return
		}
		if again := plainURL(plain); again != plain {
			t.Fatalf("%q is %q, and that is %q", text, plain, again)
		}
		p, err := neturl.Parse(plain)
		if err != nil {
			t.Fatalf("%q is an address, %q is none: %v", text, plain, err)
		}
		if want := strings.TrimRight(strings.ToLower(u.Hostname()), "."); p.Hostname() != want || p.User != nil || p.Scheme != u.Scheme {
			t.Fatalf("%q leads to %q, rules see %q", text, want, plain)
		}
		port := strings.TrimLeft(u.Port(), "0")
		if port == map[string]string{"https": "443", "http": "80"}[u.Scheme] {
			port = ""
		}
		if strings.TrimLeft(p.Port(), "0") != port || strings.HasSuffix(p.Host, ":") {
			t.Fatalf("%q leads to port %q, rules see %q", text, u.Port(), plain)
		}
	})
}
