package anthropic

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// Client talks to one server; its conversations share connection, credential
// and what the server is known to refuse.
type Client struct{ endpoint *provider.Endpoint }

// New returns a client. It makes no connection; the error is the user's to
// mend (a missing or unreadable base URL).
func New(o provider.Options) (*Client, error) {
	e, err := provider.NewEndpoint(o, provider.KeyHeader("X-Api-Key"))
	if err != nil {
		return nil, err
	}
	return &Client{endpoint: e}, nil
}

var headers = map[string]string{"Anthropic-Version": "2023-06-01"}

// Conversation returns the model for one conversation; it keeps the bytes of
// the epoch and serves one request at a time.
func (c *Client) Conversation() *Conversation {
	x := provider.NewExchange(c.endpoint, c.endpoint.Name())
	return &Conversation{endpoint: c.endpoint, exchange: x, codec: &codec{endpoint: c.endpoint, refused: x.Refused()}}
}

// Models lists the ids of the models that the server reports.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return c.endpoint.ModelIDs(ctx, provider.Request{Version: "v1", Path: "/models", Query: "limit=1000", Header: headers})
}

// Conversation is one conversation's model.
type Conversation struct {
	endpoint *provider.Endpoint
	exchange *provider.Exchange
	codec    *codec
}

// Stream asks for one response and tells its pieces as they arrive. The error
// is a *llm.Failure or the context's.
func (c *Conversation) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	if emit == nil {
		emit = func(llm.Chunk) {}
	}
	stream, err := c.exchange.Send(ctx, req, provider.Dialect{
		Codec: c.codec, Request: provider.Request{Version: "v1", Path: "/messages", Header: headers},
		Notice: func() *llm.Warning { return c.codec.notice },
		Ready:  func(_ context.Context, b wireview.Body) (wireview.Body, error) { return c.mark(b, req.Model), nil },
		Learn:  func(err error) bool { return c.learn(err, req.Model, emit) },
	}, emit)
	if err != nil {
		return llm.Reply{}, err
	}
	d := newDecoder(c.endpoint, req.Model, c.exchange.Parts(emit), emit)
	if err := stream.Gather(d.parts, &d.usage, d.event); err != nil {
		return llm.Reply{}, err
	}
	return d.reply(), nil
}

// mark splices the cache marks into a body.
func (c *Conversation) mark(b wireview.Body, model string) wireview.Body {
	if c.endpoint.Refused(model, cacheParam) {
		return b
	}
	return b.Marked(cacheMark)
}

// learn takes from a refusal what to send differently. Effort and parameters
// come before tools: their refusal may name the place of a tool as well.
func (c *Conversation) learn(err error, model string, emit func(llm.Chunk)) bool {
	if !c.codec.bare && needsThinking(err) {
		c.codec.bare = true
		return true
	}
	if c.exchange.DropEffort(err, model, c.codec.effortSent, emit) {
		return true
	}
	param := refused(err)
	if param == "max_tokens" { // this wire must name one
		return c.exchange.LowerOutput(err, model, c.codec.limitSent, emit)
	}
	if !c.exchange.Drop(model, param, emit) {
		return false
	}
	if param == cacheParam {
		c.exchange.Rerender("the server takes no cache marks") // the mark of the head was sent as part of it
	}
	return true
}

// refused returns the parameter that a refusal is about, the narrowest first:
// a text that names a part of thinking names thinking as well.
func refused(err error) string {
	for _, names := range [][]string{
		{"display", cacheParam},
		{"adaptive", "enabled", "budget_tokens", "disabled", "effort", "output_config", "max_tokens"},
		{"thinking"},
	} {
		if p := provider.RefusedParam(err, names...); p != "" {
			return p
		}
	}
	return ""
}

// needsThinking tells an older model's refusal to think when its last calls
// were made without thinking, as after a resume.
func needsThinking(err error) bool {
	var f *llm.Failure
	return errors.As(err, &f) && f.Status == http.StatusBadRequest && strings.Contains(f.Message, "must start with a thinking block")
}
