package openai

import (
	"context"
	"net/http"
	"strings"

	"assent/internal/late"
	"assent/internal/llm"
	"assent/internal/provider"
)

// responses is a conversation on the Responses API. It is stateless: the
// server stores nothing, encrypted reasoning is kept here and goes back with
// the items that it belongs to.
type responses struct {
	client   *Client
	tag      string // of the opaque data
	exchange *provider.Exchange
	codec    *responsesCodec
}

func newResponses(c *Client) *responses {
	// The tag differs from that of Chat Completions, whose opaque data has
	// another form.
	tag := c.name + "/responses"
	x := provider.NewExchange(c.endpoint, tag)
	return &responses{client: c, tag: tag, exchange: x, codec: &responsesCodec{client: c, refused: x.Refused()}}
}

func (r *responses) name() string { return "Responses" }

// Stream asks for one response. What the server refuses is left out, and
// reasoning that it no longer accepts is sent no more; each time the request
// goes out again at once.
func (r *responses) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, bool, error) {
	stream, err := r.exchange.Send(ctx, req, provider.Dialect{
		Codec: r.codec, Request: provider.Request{Version: "v1", Path: "/responses"},
		Notice: func() *llm.Warning { return r.codec.notice },
		Stale:  staleItems,
		Learn:  func(err error) bool { return r.learn(err, req.Model, emit) },
	}, emit)
	if err != nil {
		return llm.Reply{}, false, err
	}
	d := newResponsesDecoder(r, req.Model, emit)
	if err := stream.Gather(d.parts, &d.usage, d.take); err != nil {
		return llm.Reply{}, true, err
	}
	return d.reply(), true, nil
}

// storedItem is how a server names an item that it cannot find.
var storedItem = late.Regexp(`\b(rs|msg|fc)_[A-Za-z0-9]+`)

// staleItems tells that the server refuses an item of its own: one that it
// looks for in its store, or that misses its neighbour.
func staleItems(err error) bool {
	f, ok := failure(err)
	if !ok {
		return false
	}
	text := apiError(f).Message
	return f.Status == http.StatusNotFound && storedItem().MatchString(text) ||
		f.Status == http.StatusBadRequest && strings.Contains(text, "without its required")
}

// learn takes from a refusal what to leave out; false when nothing.
func (r *responses) learn(err error, model string, emit func(llm.Chunk)) bool {
	f, ok := failure(err)
	if !ok {
		return false
	}
	if r.exchange.DropEffort(err, model, r.codec.effortSent, emit) {
		return true
	}
	param := refusedParam(f, r.codec.sent)
	if strings.Contains(strings.ToLower(apiError(f).Message), "encrypted content is not supported") {
		param = "include"
	}
	if r.exchange.Drop(model, param, emit) {
		return true
	}
	toolless(f, model)
	return false
}
