package openai

import (
	"context"
	"slices"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// chat is a conversation on Chat Completions.
type chat struct {
	client   *Client
	exchange *provider.Exchange
	codec    *chatCodec
	window   served
}

func newChat(c *Client) *chat {
	x := provider.NewExchange(c.endpoint, c.name)
	return &chat{client: c, exchange: x, codec: &chatCodec{client: c, refused: x.Refused()}}
}

func (c *chat) name() string { return "Chat Completions" }

// Stream asks for one response; what the server refuses is left out and the
// request is sent again at once.
func (c *chat) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, bool, error) {
	stream, err := c.exchange.Send(ctx, req, provider.Dialect{
		Codec: c.codec, Request: provider.Request{Version: "v1", Path: "/chat/completions"},
		Notice: func() *llm.Warning { return c.codec.notice },
		Ready: func(ctx context.Context, b wireview.Body) (wireview.Body, error) {
			return b, c.checkWindow(ctx, req, b.Len(), emit)
		},
		Learn: func(err error) bool { return c.learn(err, req.Model, emit) },
	}, emit)
	if err != nil {
		return llm.Reply{}, false, err
	}
	d := &chatDecoder{endpoint: c.client.endpoint, name: c.client.name, model: req.Model, parts: c.exchange.Parts(emit)}
	if err := stream.Gather(d.parts, &d.usage, d.take); err != nil {
		return llm.Reply{}, true, err
	}
	reply, err := d.reply()
	return reply, true, err
}

// What is remembered of a server that asked for the reasoning it had sent, or
// refused it.
const (
	wantsEcho = "history without reasoning_content"
	takesNone = "reasoning_content in history"
)

// learn takes from a refusal what to send differently; false when nothing.
func (c *chat) learn(err error, model string, emit func(llm.Chunk)) bool {
	f, ok := failure(err)
	if !ok || f.Kind != llm.KindProvider {
		return false
	}
	text := strings.ToLower(apiError(f).Message)
	switch {
	case strings.Contains(text, "reasoning_content") && provider.ShapeRefused(err):
		other := wantsEcho
		if c.codec.q.echo == echoCalls {
			other = takesNone
		}
		if c.client.endpoint.Refuse(model, other) {
			why := "the server wants the model's reasoning sent back"
			if other == takesNone {
				why = "the server does not take the model's reasoning back"
			}
			emit(llm.Warning{Text: c.client.name + ": " + why + "; the conversation is sent anew"})
			c.exchange.Rerender(why)
			return true
		}
	case strings.Contains(text, "does not support thinking") && slices.Contains(c.codec.sent, effortParam):
		return c.exchange.Drop(model, effortParam, emit)
	case c.exchange.DropEffort(err, model, c.codec.effortSent, emit):
		return true
	}
	if c.exchange.Drop(model, refusedParam(f, c.codec.sent), emit) {
		return true
	}
	toolless(f, model)
	return false
}
