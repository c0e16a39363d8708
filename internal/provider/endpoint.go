package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"assent/internal/llm"
)

// Body is a request body that can be read again and whose length is known;
// wireview.Body is one.
type Body interface {
	Len() int64
	Reader() io.Reader
}

// Request is one HTTP request to a server.
type Request struct {
	// Version and Path name the resource below the base URL: "v1" and
	// "/messages". Query is appended as it is.
	Version, Path, Query string
	Header               map[string]string
	Body                 Body
	// Notify receives what the user should know of the exchange itself; may be
	// nil.
	Notify func(llm.Chunk)
}

// Endpoint is one model server: its address, credential and limits. It is
// shared by all conversations and safe for concurrent use.
type Endpoint struct {
	opts   Options
	limits Limits
	base   *url.URL
	http   *http.Client
	// sign puts the credential into a request.
	sign func(h http.Header, key string)

	// renewing is held by who renews the credential: answers of one moment that
	// refuse the same one renew it once.
	renewing chan struct{}

	mu      sync.Mutex
	keys    []string                   // every credential used, to mask them
	refused map[string]map[string]bool // parameters refused, by model
	outputs map[string]int             // the most output that a server takes, by model
	efforts map[string]efforts         // what a server said of its words for effort, by model
}

// NewEndpoint checks the options and returns the endpoint; sign puts a
// credential into a request's header, see [Bearer]. It makes no connection.
func NewEndpoint(o Options, sign func(h http.Header, key string)) (*Endpoint, error) {
	base, err := parseBase(o.Name, o.BaseURL)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{opts: o, base: base, sign: sign, limits: o.Limits.or(loopback(base.Hostname())), renewing: make(chan struct{}, 1)}
	client := http.Client{}
	if o.HTTP != nil {
		client = *o.HTTP
	}
	if client.Transport == nil {
		if client.Transport, err = NewTransport(TransportOptions{}); err != nil {
			return nil, err
		}
	}
	client.Timeout = 0
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	e.http = &client
	return e, nil
}

// Bearer signs with an Authorization header.
func Bearer(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

// KeyHeader signs with a header that holds the bare key.
func KeyHeader(name string) func(h http.Header, key string) {
	return func(h http.Header, key string) { h.Set(name, key) }
}

// Name is the name of the preset.
func (e *Endpoint) Name() string { return e.opts.Name }

// Local tells a server on this machine.
func (e *Endpoint) Local() bool { return loopback(e.base.Hostname()) }

// Facts tells what is known of a model.
func (e *Endpoint) Facts(model string) Facts { return e.opts.facts(model) }

// Post sends one request and returns its answer when the server accepted it.
// A refused credential is refreshed and tried again once; nothing else is
// retried. The error is a *llm.Failure or the context's.
func (e *Endpoint) Post(ctx context.Context, c Request) (*Stream, error) {
	return e.send(ctx, http.MethodPost, c)
}

// Get reads a small JSON document of the server, for instance its list of
// models, with the same credential, limits and failures as [Endpoint.Post]. The
// body of the request is not sent.
func (e *Endpoint) Get(ctx context.Context, c Request) ([]byte, error) {
	c.Body = nil
	s, err := e.send(ctx, http.MethodGet, c)
	if err != nil {
		return nil, err
	}
	for ev, err := range s.Events() {
		if err != nil {
			return nil, err
		}
		if ev.Whole {
			return ev.Data, nil
		}
		break
	}
	return nil, e.failure(llm.KindProvider, "the answer is not JSON: check the base URL", nil)
}

// send makes one attempt, and one more with a fresh credential.
func (e *Endpoint) send(ctx context.Context, method string, c Request) (*Stream, error) {
	key, err := e.awaitKey(ctx, c.Notify)
	if err != nil {
		return nil, err
	}
	s, err := e.attempt(ctx, method, c, key)
	var f *llm.Failure
	if err == nil || e.opts.Key == nil || !errors.As(err, &f) || !refreshable(f) {
		return s, err
	}
	fresh, kerr := e.renew(ctx, key)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case kerr != nil:
		return nil, e.unrenewed(f, kerr)
	case fresh == key:
		return nil, err
	}
	if c.Notify != nil {
		c.Notify(llm.Waiting{Reason: fmt.Sprintf("%s refused the credential (%d); trying once more with a fresh one", e.opts.Name, f.Status)})
	}
	return e.attempt(ctx, method, c, fresh)
}

// refreshable says that a new credential may help.
func refreshable(f *llm.Failure) bool {
	return f.Kind == llm.KindAuth && (f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden)
}

// renew returns another credential than the refused one: what a request beside
// this one has renewed meanwhile, else a new one.
func (e *Endpoint) renew(ctx context.Context, refused string) (string, error) {
	select {
	case e.renewing <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	defer func() { <-e.renewing }()
	if key, err := e.key(ctx, false); err == nil && key != refused {
		return key, nil
	}
	return e.key(ctx, true)
}

// unrenewed is a refusal with why the credential could not be renewed.
func (e *Endpoint) unrenewed(f *llm.Failure, err error) *llm.Failure {
	both := *f
	var why *llm.Failure
	if errors.As(err, &why) && why.Err != nil {
		err = why.Err
	}
	both.Message += e.Mask("; " + err.Error())
	return &both
}

// keyPatience is how long a credential may take before its user is told.
const keyPatience = 2 * time.Second

// awaitKey is key, and says so when that takes its time: a command may wait for
// a login, or hang.
func (e *Endpoint) awaitKey(ctx context.Context, notify func(llm.Chunk)) (string, error) {
	if e.opts.Key == nil || notify == nil {
		return e.key(ctx, false)
	}
	type answer struct {
		key string
		err error
	}
	done := make(chan answer, 1)
	go func() {
		key, err := e.key(ctx, false)
		done <- answer{key, err}
	}()
	slow := time.NewTimer(keyPatience)
	defer slow.Stop()
	for {
		select {
		case a := <-done: // it ends with the context
			return a.key, a.err
		case <-slow.C:
			notify(llm.Waiting{Reason: e.opts.Name + ": waiting for the key" + hint(e.opts.KeyHint)})
		}
	}
}

// key asks for the credential and remembers it for masking.
func (e *Endpoint) key(ctx context.Context, refresh bool) (string, error) {
	if e.opts.Key == nil {
		return "", nil
	}
	key, err := e.opts.Key(ctx, refresh)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", e.failure(llm.KindAuth, "cannot get a credential: "+err.Error()+hint(e.opts.KeyHint), err)
	}
	key = strings.TrimSpace(key)
	e.remember(key)
	return key, nil
}

// attempt sends one request with one credential.
func (e *Endpoint) attempt(ctx context.Context, method string, c Request, key string) (*Stream, error) {
	rctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(e.limits.FirstByte, func() { cancel(errFirstByte) })
	resp, err := e.roundTrip(rctx, method, c, key) //nolint:bodyclose // the stream closes it
	if err != nil {
		timer.Stop()
		cause := limitCause(rctx)
		cancel(nil)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, e.broken(err, cause)
	}
	w := &watched{
		body: resp.Body, ctx: rctx, cancel: cancel, limits: e.limits,
		timer: timer, real: time.Now(), left: e.limits.Total,
	}
	s := &Stream{Header: resp.Header, endpoint: e, ctx: ctx, body: w, cancel: cancel}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return s, nil
	}
	defer s.Close()
	body, _ := io.ReadAll(io.LimitReader(w, 64<<10))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, e.refusal(resp.StatusCode, resp.Header, body)
}

// roundTrip builds and sends the request.
func (e *Endpoint) roundTrip(ctx context.Context, method string, c Request, key string) (*http.Response, error) {
	var body io.Reader = http.NoBody
	if c.Body != nil {
		body = c.Body.Reader()
	}
	req, err := http.NewRequestWithContext(ctx, method, e.URL(c.Version, c.Path, c.Query), body)
	if err != nil {
		return nil, err
	}
	if c.Body != nil {
		req.ContentLength = c.Body.Len()
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(c.Body.Reader()), nil }
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		// Lets the transport send it again when a kept connection proves dead
		// before a byte of answer; without a value it stays off the wire.
		req.Header["Idempotency-Key"] = nil
	}
	for _, h := range []map[string]string{e.opts.Header, c.Header} {
		for k, v := range h {
			req.Header.Set(k, v)
		}
	}
	req.Header.Set("User-Agent", "assent")
	if key != "" && e.sign != nil {
		e.sign(req.Header, key)
	}
	return e.http.Do(req)
}

// Refuse remembers that the server does not take a parameter for a model; it
// returns false when that was known, so that nobody tries for ever.
func (e *Endpoint) Refuse(model, param string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.refused[model][param] {
		return false
	}
	if e.refused == nil {
		e.refused = map[string]map[string]bool{}
	}
	if e.refused[model] == nil {
		e.refused[model] = map[string]bool{}
	}
	e.refused[model][param] = true
	return true
}

// Refused says whether the server refused a parameter for a model before.
func (e *Endpoint) Refused(model, param string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.refused[model][param]
}

// hint appends what to do next.
func hint(text string) string {
	if text == "" {
		return ""
	}
	return "; " + text
}
