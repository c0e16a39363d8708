package gemini

import (
	"context"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
)

// Client is one server. It is shared by all conversations and safe for
// concurrent use.
type Client struct{ endpoint *provider.Endpoint }

// New returns a client; it makes no connection. The error is the user's to
// mend (a missing or unreadable base URL).
func New(o provider.Options) (*Client, error) {
	e, err := provider.NewEndpoint(o, provider.KeyHeader("X-Goog-Api-Key"))
	if err != nil {
		return nil, err
	}
	return &Client{endpoint: e}, nil
}

// Models lists the ids of the models that the server reports as able to
// answer.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return c.endpoint.ModelIDs(ctx, provider.Request{Version: "v1beta", Path: "/models", Query: "pageSize=1000"})
}

// bare returns a model's id without its collection.
func bare(model string) string { return strings.TrimPrefix(model, "models/") }

// Conversation begins a conversation with the server.
func (c *Client) Conversation() *Conversation {
	x := provider.NewExchange(c.endpoint, c.endpoint.Name())
	return &Conversation{endpoint: c.endpoint, exchange: x, codec: &codec{endpoint: c.endpoint, refused: x.Refused()}}
}

// Conversation is one history with one server. It has one request at a time.
type Conversation struct {
	endpoint *provider.Endpoint
	exchange *provider.Exchange
	codec    *codec
}

// Stream asks for one response. The error is a *llm.Failure or the context's.
func (c *Conversation) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	if emit == nil {
		emit = func(llm.Chunk) {}
	}
	stream, err := c.exchange.Send(ctx, req, provider.Dialect{
		Codec:   c.codec,
		Request: provider.Request{Version: "v1beta", Path: "/models/" + bare(req.Model) + ":streamGenerateContent", Query: "alt=sse"},
		Notice:  func() *llm.Warning { return c.codec.notice },
		Learn:   func(err error) bool { return c.learn(err, req.Model, emit) },
	}, emit)
	if err != nil {
		return llm.Reply{}, err
	}
	d := &decoder{endpoint: c.endpoint, model: req.Model, parts: c.exchange.Parts(emit)}
	if err := stream.Gather(d.parts, &d.usage, d.take); err != nil {
		return llm.Reply{}, err
	}
	return d.reply()
}

// The parts of a request that a server may refuse, as they are remembered.
const (
	thinkingParam = "thinkingConfig"
	idParam       = "functionCall.id"
)

// learn takes from a refusal what to send differently; false when nothing.
func (c *Conversation) learn(err error, model string, emit func(llm.Chunk)) bool {
	switch {
	case schemaRefused(err) && c.endpoint.Refuse(model, schemaParam):
		emit(llm.Warning{Text: c.endpoint.Name() + " does not take JSON Schema for tools; going on with the older form of their schemas"})
		c.exchange.Rerender("the server takes the older form of tool schemas")
		return true
	case c.exchange.DropEffort(err, model, c.codec.effortSent, emit):
		return true
	case provider.RefusedParam(err, "thinking") != "":
		return c.exchange.Drop(model, thinkingParam, emit)
	case provider.RefusedParam(err, `name "id"`) != "":
		if !c.exchange.Drop(model, idParam, emit) {
			return false
		}
		c.exchange.Rerender("the server takes no ids of calls")
		return true
	}
	return false
}
