package address_test

import (
	"net/url"
	"strings"
	"testing"

	"assent/internal/address"
)

func TestComplete(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://ai.example/v1": "https://ai.example/v1", " http://10.0.0.7:8080/ ": "http://10.0.0.7:8080/",
		"localhost:1234": "http://localhost:1234", "127.0.0.1:8766": "http://127.0.0.1:8766", "[::1]:8080": "http://[::1]:8080",
		"": "", "good": "", "ai.example/v1": "", "10.0.0.7:8080": "", "ftp://ai.example": "", "https://": "", "localhost.evil.example": "",
	} {
		if got, ok := address.Complete(text); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v", text, got, ok)
		}
	}
}

// FuzzAddress: what is taken names a server, the same when it is read again;
// without a scheme it is one of this machine.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"localhost:11434", "https://h/v1", "127.0.0.1", "evil@localhost", "http://", "[::1]:1", "localhost.evil", "127.1.evil", "http://a b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := address.Complete(text)
		if !ok {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Fatalf("%q is %q: %v", text, got, err)
		}
		host := u.Hostname()
		own := host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
		if !strings.Contains(text, "://") && !own {
			t.Fatalf("%q goes to %s", text, host)
		}
		if again, ok := address.Complete(got); !ok || again != got {
			t.Fatalf("%q becomes %q, then %q, %v", text, got, again, ok)
		}
	})
}
