package provider

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"assent/internal/llm"
)

func endpoint(t *testing.T, base string) *Endpoint {
	t.Helper()
	e, err := NewEndpoint(Options{Name: "vendor", BaseURL: base, KeyHint: "set VENDOR_KEY"}, Bearer)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestClassify(t *testing.T) {
	t.Parallel()
	e := endpoint(t, "https://api.example.test")
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   llm.Kind
		retry  bool
		words  string
	}{
		{"key", 401, `{"error":{"type":"authentication_error","message":"invalid x-api-key"}}`, llm.KindAuth, false, "VENDOR_KEY"},
		{"forbidden", 403, ``, llm.KindAuth, false, "403"},
		{"proxy", 407, ``, llm.KindAuth, false, "proxy"},
		{"gemini key", 400, `{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"t","reason":"API_KEY_INVALID"}]}}`, llm.KindAuth, false, "API key not valid"},
		{"rate", 429, `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`, llm.KindRateLimit, true, "Rate limit reached"},
		{"quota", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, llm.KindRateLimit, false, "quota"},
		{"groq tokens per minute", 413, `{"error":{"message":"Request too large for model on tokens per minute (TPM)","type":"tokens","code":"rate_limit_exceeded"}}`, llm.KindRateLimit, true, "TPM"},
		{"credit", 400, `{"error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API"}}`, llm.KindProvider, false, "credit"},
		{"payment", 402, `{"error":{"message":"Insufficient credits","code":402}}`, llm.KindProvider, false, "pay"},
		{"anthropic overflow", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 205000 tokens > 200000 maximum"}}`, llm.KindOverflow, false, "205000"},
		{"input and output", 400, `{"error":{"message":"input length and max_tokens exceed context limit: 190000 + 20000 > 200000"}}`, llm.KindOverflow, false, "190000"},
		{"openai overflow", 400, `{"error":{"message":"This model's maximum context length is 128000 tokens.","code":"context_length_exceeded"}}`, llm.KindOverflow, false, "128000"},
		{"gemini overflow", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, llm.KindOverflow, false, "1048576"},
		{"llama.cpp overflow", 400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, llm.KindOverflow, false, "context size"},
		{"entity too large", 413, `<html><title>413 Request Entity Too Large</title></html>`, llm.KindOverflow, false, "web page"},
		{"output limit is no overflow", 400, `{"error":{"type":"invalid_request_error","message":"max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens"}}`, llm.KindProvider, false, "64000"},
		{"overloaded", 529, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.KindProvider, true, "overloaded"},
		{"gateway", 504, ``, llm.KindProvider, true, "504"},
		{"request timeout", 408, ``, llm.KindProvider, true, "408"},
		{"not implemented", 501, ``, llm.KindProvider, false, "501"},
		{"text error", 400, `{"error":"model 'x' does not support tools"}`, llm.KindProvider, false, "does not support tools"},
		{"detail", 422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`, llm.KindProvider, false, "field required"},
		{"gateway quotes its upstream", 502, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"boom","provider_name":"Acme"}}}`, llm.KindProvider, true, "Acme: boom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := e.refusal(c.status, http.Header{}, []byte(c.body))
			if f.Kind != c.kind || f.Retryable != c.retry || f.Status != c.status {
				t.Errorf("failure is %s, %v, %d: %s", f.Kind, f.Retryable, f.Status, f.Message)
			}
			if !strings.Contains(f.Message, c.words) || !strings.HasPrefix(f.Message, "vendor: ") {
				t.Errorf("message is %s", f.Message)
			}
		})
	}
}

func TestInStream(t *testing.T) {
	t.Parallel()
	e := endpoint(t, "https://api.example.test")
	for _, c := range []struct {
		doc   string
		kind  llm.Kind
		retry bool
	}{
		{`{"error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.KindProvider, true},
		{`{"error":{"message":"upstream","code":502}}`, llm.KindProvider, true},
		{`{"error":{"code":429,"message":"slow","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x","retryDelay":"17s"}]}}`, llm.KindRateLimit, true},
		{`{"error":{"type":"server_error","message":"The server had an error"}}`, llm.KindProvider, true},
		{`{"error":{"type":"invalid_request_error","message":"no"}}`, llm.KindProvider, false},
		{`{"type":"error","code":"context_length_exceeded","message":"Your input exceeds the context window"}`, llm.KindOverflow, false},
		// One field of an unexpected type takes no other with it.
		{`{"type":1,"error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.KindProvider, true},
		{`{"errors":"x","error":{"type":7,"code":"context_length_exceeded","details":"none","metadata":[]}}`, llm.KindOverflow, false},
		{`{"error":null}`, llm.KindProvider, false},
	} {
		f := e.InStream(ErrorOf([]byte(c.doc)))
		if f.Kind != c.kind || f.Retryable != c.retry || f.Status != 200 {
			t.Errorf("%s gives %s, %v: %s", c.doc, f.Kind, f.Retryable, f.Message)
		}
		if strings.Contains(c.doc, "17s") && f.RetryAfter != 17*time.Second {
			t.Errorf("retry after %v", f.RetryAfter)
		}
	}
	for _, doc := range []string{`{"type":"content_block_delta","index":0}`, `{"choices":[]}`, `[]`, `x`, `{"error":null}`} {
		if api := ParseError([]byte(doc)); api != nil {
			t.Errorf("%s is the error %v", doc, api)
		}
	}
}

func FuzzParseError(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"x","details":[{"retryDelay":"3s"}]}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if api := ParseError(doc); api != nil {
			_ = classify(400, api)
			_ = api.Error()
		}
	})
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		key, value string
		want       time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second},
		{"Retry-After", "0.5", 500 * time.Millisecond},
		{"Retry-After", "Fri, 02 Jan 2026 03:05:05 GMT", time.Minute},
		{"Retry-After", "Fri, 02 Jan 2026 03:00:00 GMT", 0},
		{"Retry-After", "soon", 0},
		{"Retry-After", "-3", 0},
		{"Retry-After", "1e300", 366 * 24 * time.Hour},
		{"Retry-After-Ms", "1500", 1500 * time.Millisecond},
	} {
		h := http.Header{}
		h.Set(c.key, c.value)
		if got := retryAfter(h, now); got != c.want {
			t.Errorf("%s: %s is %v, want %v", c.key, c.value, got, c.want)
		}
	}
}

// A name that does not exist is no better a moment later; that it could not be
// asked for may well be.
func TestNamesThatAreNotFound(t *testing.T) {
	t.Parallel()
	e := endpoint(t, "https://api.example.test")
	for _, c := range []struct {
		name  string
		dns   net.DNSError
		retry bool
	}{
		{"no such host", net.DNSError{Err: "no such host", Name: "api.exmaple.test", IsNotFound: true}, false},
		{"server misbehaving", net.DNSError{Err: "server misbehaving", Name: "api.exmaple.test", IsTemporary: true}, true},
		{"timeout", net.DNSError{Err: "i/o timeout", Name: "api.exmaple.test", IsTimeout: true}, true},
		{"no server of names", net.DNSError{Err: "connection refused", Name: "api.exmaple.test"}, true},
	} {
		for _, op := range []string{"dial", "proxyconnect"} {
			f := e.broken(&url.Error{Op: "Post", URL: "https://x", Err: &net.OpError{Op: op, Net: "tcp", Err: &c.dns}}, nil)
			if f.Retryable != c.retry || f.Kind != llm.KindNetwork || !strings.Contains(f.Message, "api.exmaple.test") {
				t.Errorf("%s at %s: retryable %v: %s", c.name, op, f.Retryable, f.Message)
			}
		}
	}
}

func TestShouldRetryHeaderDecides(t *testing.T) {
	t.Parallel()
	e := endpoint(t, "https://api.example.test")
	h := http.Header{"X-Should-Retry": {"false"}}
	if e.refusal(500, h, nil).Retryable {
		t.Error("a failure that the server calls final is retryable")
	}
}

func TestMaskHidesKeysEverywhere(t *testing.T) {
	t.Parallel()
	key := "a+" + "key/with=odd&chars"
	e, err := NewEndpoint(Options{Name: "v", BaseURL: "https://h", Key: func(context.Context, bool) (string, error) { return " " + key + "\n", nil }}, Bearer)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.key(t.Context(), false); err != nil || got != key {
		t.Fatalf("key is %q, %v", got, err)
	}
	f := e.failure(llm.KindInternal, "bad "+key, errors.New("inner "+key))
	for _, text := range []string{f.Message, f.Err.Error(), e.Mask("x=a%2Bkey%2Fwith%3Dodd%26chars")} {
		if strings.Contains(text, key) || !strings.Contains(text, "[key]") {
			t.Errorf("text is %s", text)
		}
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ base, version, path, want string }{
		{"https://api.anthropic.com", "v1", "/messages", "https://api.anthropic.com/v1/messages"},
		{"https://api.anthropic.com/", "v1", "/messages", "https://api.anthropic.com/v1/messages"},
		{"https://api.anthropic.com/v1", "v1", "/messages", "https://api.anthropic.com/v1/messages"},
		{"https://api.anthropic.com/v1/", "v1", "/messages", "https://api.anthropic.com/v1/messages"},
		{"https://h/v1/messages", "v1", "/messages", "https://h/v1/messages"},
		{"https://h/openai/v1", "v1", "/chat/completions", "https://h/openai/v1/chat/completions"},
		{"https://h/api/paas/v4", "v1", "/chat/completions", "https://h/api/paas/v4/chat/completions"},
		{"https://h/v1beta/openai", "v1", "/chat/completions", "https://h/v1beta/openai/chat/completions"},
		{"https://h/vault", "v1", "/responses", "https://h/vault/v1/responses"},
		{"https://g", "v1beta", "/models/m:streamGenerateContent", "https://g/v1beta/models/m:streamGenerateContent"},
		{"https://g/v1", "v1beta", "/models/m:x", "https://g/v1beta/models/m:x"},
		{"https://g/v1beta/", "v1beta", "/models/m:x", "https://g/v1beta/models/m:x"},
		{"http://localhost:11434", "v1", "/chat/completions", "http://localhost:11434/v1/chat/completions"},
		{"https://h/?key=secret#x", "v1", "/m", "https://h/v1/m"},
	} {
		if got := endpoint(t, c.base).URL(c.version, c.path, ""); got != c.want {
			t.Errorf("%s gives %s, want %s", c.base, got, c.want)
		}
	}
	secret := "hunter" + "2"
	for _, base := range []string{"", "api.anthropic.com", "ftp://h", "http://", "https://user:" + secret + "@h", "::"} {
		_, err := NewEndpoint(Options{Name: "vendor", BaseURL: base}, Bearer)
		if err == nil || !strings.Contains(err.Error(), "vendor") || strings.Contains(err.Error(), secret) {
			t.Errorf("%q gives %v", base, err)
		}
	}
}

func TestRefusedShapes(t *testing.T) {
	t.Parallel()
	e := endpoint(t, "https://api.example.test")
	refuse := func(msg string) error {
		return e.refusal(400, http.Header{}, []byte(`{"error":{"type":"invalid_request_error","message":"`+msg+`"}}`))
	}
	names := []string{"adaptive", "enabled", "effort", "reasoning_effort"}
	for msg, want := range map[string]string{
		"thinking.type.enabled is not supported for this model. Use thinking.type.adaptive and output_config.effort": "enabled",
		"Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'":     "adaptive",
		"Unsupported parameter: 'reasoning_effort'":                                                                  "reasoning_effort",
		"effort is high":   "",
		"nothing of these": "",
	} {
		if got := RefusedParam(refuse(msg), names...); got != want {
			t.Errorf("%q is about %q, want %q", msg, got, want)
		}
	}
	if !BadReasoning(refuse("messages.1.content.0: Invalid `signature` in `thinking` block")) || BadReasoning(refuse("no")) {
		t.Error("a refused signature is not told from other refusals")
	}
	if !e.Refuse("m", "x") || e.Refuse("m", "x") || !e.Refused("m", "x") || e.Refused("n", "x") {
		t.Error("a refused parameter is not remembered by model")
	}
}
