package provider

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"assent/internal/llm"
)

// verdict is how a refusal is classified.
type verdict struct {
	kind  llm.Kind
	retry bool
	what  string // what happened, after the server's name
	next  string // what to do next
}

// classify decides what a server's refusal means. status is 200 for an error
// inside a stream, whose own code then counts.
func classify(status int, api *APIError) verdict {
	words := api.words()
	if status < 400 {
		status = api.number()
	}
	switch {
	case isBilling(status, words):
		return verdict{llm.KindProvider, false, "the account cannot pay for the request", "check its plan and credit"}
	case isRate(status, words):
		if has(words, "insufficient_quota") {
			return verdict{llm.KindRateLimit, false, "the account's quota is used up", "check its plan and credit, or use another key"}
		}
		return verdict{llm.KindRateLimit, true, "too many requests or tokens", ""}
	case isOverflow(status, words):
		return verdict{llm.KindOverflow, false, "the conversation does not fit the model's context window", ""} // what to do, the turn knows
	case status == http.StatusProxyAuthRequired:
		return verdict{llm.KindAuth, false, "the proxy wants a user name and password", "put them into the proxy's URL (http://user:password@host:port)"}
	case isAuth(status, words):
		return verdict{llm.KindAuth, false, "the credential was refused", ""}
	case has(words, "overloaded") || status == 529 || status == http.StatusServiceUnavailable:
		return verdict{llm.KindProvider, true, "the server is overloaded", ""}
	case status == http.StatusNotFound:
		return verdict{llm.KindProvider, false, "not found", "check the model's name (assent models lists them) and the base URL"}
	case status == http.StatusNotImplemented || status == http.StatusHTTPVersionNotSupported:
		return verdict{llm.KindProvider, false, "the server does not do this", ""}
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly, status >= 500:
		return verdict{llm.KindProvider, true, "the server failed", ""}
	case status == 0 && has(words, "api_error", "server_error", "internal", "unavailable", "timeout", "timed out", "try again"):
		return verdict{llm.KindProvider, true, "the server failed", ""}
	}
	return verdict{llm.KindProvider, false, "the request was refused", ""}
}

func isBilling(status int, words string) bool {
	return status == http.StatusPaymentRequired || has(words, "credit balance is too low", "billing_error", "billing_not_active", "insufficient balance")
}

func isRate(status int, words string) bool {
	return status == http.StatusTooManyRequests ||
		has(words, "rate_limit", "rate limit", "resource_exhausted", "insufficient_quota", "tokens per minute")
}

func isAuth(status int, words string) bool {
	return status == http.StatusUnauthorized || status == http.StatusForbidden ||
		has(words, "authentication_error", "permission_error", "invalid_api_key", "api_key_invalid", "permission_denied", "unauthenticated")
}

// isOverflow tells that the input was too long. Vendors say it with several
// statuses and many words; a limit on the output alone is not meant.
func isOverflow(status int, words string) bool {
	if status == http.StatusRequestEntityTooLarge {
		return true
	}
	return has(words, "context_length_exceeded", "prompt is too long", "prompt too long", "input is too long", "input too long",
		"context length", "context window", "context size", "context limit", "maximum context", "request_too_large",
		"exceed_context_size", "input token count", "too many tokens", "too many input tokens", "reduce the length",
		"tokens to keep from the initial prompt is greater than the context")
}

func has(words string, any ...string) bool {
	for _, w := range any {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// refusal turns an HTTP status other than success into a failure.
func (e *Endpoint) refusal(status int, h http.Header, body []byte) *llm.Failure {
	api := ParseError(body)
	if api == nil {
		api = &APIError{Message: bodyText(h, body)}
	}
	api.Status = status
	if status >= 300 && status < 400 {
		return e.redirect(status, h)
	}
	f := e.describe(api)
	f.RetryAfter = max(f.RetryAfter, retryAfter(h, time.Now()))
	switch h.Get("X-Should-Retry") {
	case "true":
		f.Retryable = true
	case "false":
		f.Retryable = false
	}
	return f
}

// InStream turns an error object inside a successful stream into a failure.
func (e *Endpoint) InStream(api *APIError) *llm.Failure {
	api.Status = http.StatusOK
	return e.describe(api)
}

// Garbled is the failure of an event that does not decode.
func (e *Endpoint) Garbled(data []byte) *llm.Failure {
	f := e.failure(llm.KindProvider, fmt.Sprintf("an event of the stream is not readable: %q", clip(string(data), 120)), nil)
	f.Status, f.Retryable = http.StatusOK, true
	return f
}

// describe writes the failure of a server's error object.
func (e *Endpoint) describe(api *APIError) *llm.Failure {
	v := classify(api.Status, api)
	where := strings.TrimSpace(strconv.Itoa(api.Status) + " " + cmp.Or(api.Type, api.Code))
	if api.Status < 400 {
		where = cmp.Or(api.Type, api.Code, "inside the stream")
	}
	text := fmt.Sprintf("%s (%s)", v.what, where)
	if api.Message != "" {
		text += ": " + clip(strings.TrimSpace(api.Message), 1000)
	}
	if v.kind == llm.KindAuth && v.next == "" {
		v.next = e.opts.KeyHint
	}
	f := e.failure(v.kind, strings.TrimRight(text, ".")+hint(v.next), api)
	f.Status, f.Retryable, f.RetryAfter = api.Status, v.retry, api.RetryAfter
	return f
}

// redirect refuses to carry the credential elsewhere.
func (e *Endpoint) redirect(status int, h http.Header) *llm.Failure {
	target := "another address"
	if u, err := e.base.Parse(h.Get("Location")); err == nil && u.Host != "" {
		target = u.Scheme + "://" + u.Host
	}
	f := e.failure(llm.KindProvider, fmt.Sprintf(
		"the server redirects to %s (%d), which is not followed because the key would go there; set the base URL to the right server", target, status), nil)
	f.Status = status
	return f
}

// Cut is the failure of a stream without its terminal event.
func (e *Endpoint) Cut() *llm.Failure {
	f := e.failure(llm.KindNetwork, "the connection ended before the response was complete", nil)
	f.Retryable = true
	return f
}

// tooMuch is the failure of a response that does not end.
func (e *Endpoint) tooMuch() *llm.Failure {
	return e.failure(llm.KindProvider, fmt.Sprintf(
		"read the response: it passed %d MB, or %d parts, and was ended; the server may be broken, try another model or endpoint", maxResponse>>20, maxParts), nil)
}

// failure makes a failure that names the server and holds no key.
func (e *Endpoint) failure(kind llm.Kind, text string, err error) *llm.Failure {
	return &llm.Failure{Kind: kind, Message: e.Mask(e.opts.Name + ": " + text), Err: e.maskErr(err)}
}

// retryAfter reads the wait that a server asks for: milliseconds, seconds or a
// date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return clampWait(ms / 1000)
	}
	text := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(text, 64); err == nil && s > 0 {
		return clampWait(s)
	}
	if at, err := http.ParseTime(text); err == nil && at.After(now) {
		return at.Sub(now).Round(time.Millisecond)
	}
	return 0
}

// clampWait keeps a nonsense number from overflowing a duration.
func clampWait(seconds float64) time.Duration {
	return time.Duration(min(seconds, 366*24*3600) * float64(time.Second))
}

// bodyText describes a body that holds no error object.
func bodyText(h http.Header, body []byte) string {
	text := strings.TrimSpace(string(body))
	switch {
	case text == "":
		return "the answer has no body"
	case strings.HasPrefix(text, "<") || strings.Contains(h.Get("Content-Type"), "text/html"):
		return "the answer is a web page" + quoted(pageTitle(body)) + ", not a model server's"
	}
	return clip(text, 300)
}
