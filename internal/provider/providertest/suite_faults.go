package providertest

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
)

func itoa(n int) string { return strconv.Itoa(n) }

// errors checks what a server says when it does not answer.
func (s *suite) errors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script string
		kind         llm.Kind
		retry        bool
		words        string
	}{
		{"rate limit (HEAD-01)", "status 429 rate_limit_error\nheader Retry-After: 7", llm.KindRateLimit, true, "429"},
		{"overloaded (PROV-17)", "status 529 overloaded_error", llm.KindProvider, true, "overloaded"},
		{"unavailable", "status 503", llm.KindProvider, true, "503"},
		{"server error", "status 500", llm.KindProvider, true, "500"},
		{"not found", "status 404 not_found_error", llm.KindProvider, false, "model"},
		{"bad request", "status 400 invalid_request_error", llm.KindProvider, false, "scripted refusal"},
		{"too long by status", "status 413", llm.KindOverflow, false, "does not fit the model's context window"},
		{"too long by text", `status 400` + "\n" + `body {"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, llm.KindOverflow, false, "210000"},
		{"page instead of an error", "status 502\nheader Content-Type: text/html\nbody <html><title>Bad gateway</title></html>", llm.KindProvider, true, "web page"},
		{"redirect", "status 307\nheader Location: https://example.invalid/x?token=1", llm.KindProvider, false, "example.invalid"},
		{"page", "html", llm.KindProvider, false, "web page"},
		{"garbage", "garbage hello this is no model", llm.KindProvider, false, "no response"},
		{"nothing", "empty", llm.KindNetwork, true, "before the response was complete"},
		{"in the stream, first (PROV-18)", "error overloaded_error Overloaded", llm.KindProvider, true, "Overloaded"},
		{"in the stream, later (PROV-18)", "text so far\nerror overloaded_error Overloaded", llm.KindProvider, true, "Overloaded"},
		{"in the stream, for good", "error invalid_request_error no such thing", llm.KindProvider, false, "no such thing"},
		{"in the stream, rate", "error rate_limit_error slow down", llm.KindRateLimit, true, "slow down"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := s.play(t, c.script, provider.Limits{}).failed(t, c.kind, c.retry)
			if !strings.Contains(f.Message, c.words) {
				t.Errorf("the message does not say %q: %s", c.words, f.Message)
			}
			if strings.Contains(f.Message, "token=1") {
				t.Errorf("the message holds a query: %s", f.Message)
			}
			if c.name == "rate limit (HEAD-01)" && f.RetryAfter != 7*time.Second {
				t.Errorf("retry after %v", f.RetryAfter)
			}
			if strings.HasPrefix(c.script, "text so far") && text(f.Partial) != "so far" {
				t.Errorf("kept %q", text(f.Partial))
			}
		})
	}
}

// keys checks the credential: refreshed once, and never shown.
func (s *suite) keys(t *testing.T) {
	t.Parallel()
	old, fresh := "old-"+"credential-1111", "new-"+"credential-2222"
	t.Run("refreshed once", func(t *testing.T) {
		t.Parallel()
		server := s.start(t, "status 401 authentication_error\n---\ntext hello")
		asked := 0
		m := s.with(t, provider.Options{Name: "vendor", BaseURL: server.URL(), Key: func(_ context.Context, refresh bool) (string, error) {
			if refresh {
				asked++
				return fresh, nil
			}
			return old, nil
		}})
		reply, err := m.Stream(t.Context(), s.ask(), func(llm.Chunk) {})
		if err != nil || text(reply.Parts) != "hello" {
			t.Fatalf("reply %q, error %v", text(reply.Parts), err)
		}
		reqs := server.Requests()
		if asked != 1 || len(reqs) != 2 || !sent(reqs[0], old) || !sent(reqs[1], fresh) || sent(reqs[1], old) {
			t.Errorf("refreshed %d times, %d requests", asked, len(reqs))
		}
	})
	t.Run("refused for good", func(t *testing.T) {
		t.Parallel()
		server := s.start(t, "status 401\nbody {\"error\":{\"type\":\"authentication_error\",\"message\":\"bad key "+old+" and "+fresh+"\"}}\nrepeat")
		m := s.with(t, provider.Options{Name: "vendor", BaseURL: server.URL(), KeyHint: "set VENDOR_KEY", Key: func(_ context.Context, refresh bool) (string, error) {
			if refresh {
				return fresh, nil
			}
			return old, nil
		}})
		_, err := m.Stream(t.Context(), s.ask(), func(llm.Chunk) {})
		f := run{err: err}.failed(t, llm.KindAuth, false)
		if !strings.Contains(f.Message, "VENDOR_KEY") {
			t.Errorf("no hint: %s", f.Message)
		}
		if n := len(server.Requests()); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
		hidden(t, err, old, fresh)
	})
	t.Run("quoted in the stream", func(t *testing.T) {
		t.Parallel()
		server := s.start(t, "error permission_error the key "+old+" may not")
		m := s.with(t, provider.Options{Name: "vendor", BaseURL: server.URL(), Key: func(context.Context, bool) (string, error) { return old, nil }})
		_, err := m.Stream(t.Context(), s.ask(), func(llm.Chunk) {})
		_ = run{err: err}.failed(t, llm.KindAuth, false)
		hidden(t, err, old)
	})
}

// sent says that a request carried a credential.
func sent(r Request, key string) bool {
	for _, values := range r.Header {
		for _, v := range values {
			if strings.Contains(v, key) {
				return true
			}
		}
	}
	return strings.Contains(r.Query, key)
}

// hidden checks that no error of a chain shows a key.
func hidden(t *testing.T, err error, keys ...string) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		for _, k := range keys {
			if strings.Contains(err.Error(), k) {
				t.Errorf("%T shows the key: %v", err, err)
			}
		}
	}
}
