package openai

import (
	"context"
	"net/http"
	"strings"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// chat is a conversation on Chat Completions.
type chat struct {
	client *Client
	view   *wireview.View
	codec  *chatCodec
	warned map[string]bool // levels that were mapped, told once
	probed string          // the model whose window was asked for
	window int             // what the server said, 0 when nothing
}

func newChat(c *Client) *chat {
	return &chat{client: c, view: wireview.New(c.name), codec: &chatCodec{client: c}, warned: map[string]bool{}}
}

func (c *chat) name() string { return "Chat Completions" }

// Stream asks for one response; parameters that the server refuses are left
// out and the request is sent again at once.
func (c *chat) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, bool, error) {
	for learned := 0; ; learned++ {
		body, err := provider.Render(c.view, req, c.codec, emit)
		if err != nil {
			return llm.Reply{}, false, err
		}
		if err := c.checkWindow(ctx, req, body.Len(), emit); err != nil {
			return llm.Reply{}, false, err
		}
		c.tellLevel(req.Level, emit)
		// A response that is complete but for its last words is not waited for.
		rctx, cancel := context.WithCancel(ctx)
		stream, err := c.client.endpoint.Post(rctx, provider.Call{
			Version: "v1", Path: "/chat/completions", Body: body, Notify: emit,
		})
		if err != nil {
			cancel()
			if learned < maxLearning && c.learn(err, req.Model, emit) {
				continue
			}
			return llm.Reply{}, false, err
		}
		d := newChatDecoder(c, req.Model, emit)
		reply, err := d.read(ctx, stream, cancel)
		cancel()
		return reply, true, err
	}
}

// tellLevel tells once what a thinking level became.
func (c *chat) tellLevel(level llm.Level, emit func(llm.Chunk)) {
	if w := c.codec.warning; w != nil && !c.warned[string(level)] {
		c.warned[string(level)] = true
		emit(*w)
	}
}

// What is remembered of a server that asked for the reasoning it had sent, or
// refused it.
const (
	wantsEcho = "history without reasoning_content"
	takesNone = "reasoning_content in history"
)

// learn takes from a refusal what to do differently; false when nothing.
func (c *chat) learn(err error, model string, emit func(llm.Chunk)) bool {
	f, ok := failure(err)
	if !ok || f.Kind != llm.KindProvider {
		return false
	}
	text := apiError(f).Message
	if strings.Contains(text, "reasoning_content") && (f.Status == http.StatusBadRequest || f.Status == http.StatusUnprocessableEntity) {
		other := wantsEcho
		if c.codec.q.echo == echoCalls {
			other = takesNone
		}
		if c.client.endpoint.Refuse(model, other) {
			c.view.Rerender()
			return true
		}
	}
	if strings.Contains(strings.ToLower(text), "does not support thinking") {
		for _, p := range c.codec.sent {
			if p == "reasoning_effort" {
				return c.drop(model, p, emit)
			}
		}
	}
	if p := refusedParam(f, c.codec.sent); p != "" {
		return c.drop(model, p, emit)
	}
	toolless(f, model)
	return false
}

// drop leaves a parameter out from now on.
func (c *chat) drop(model, param string, emit func(llm.Chunk)) bool {
	if !c.client.endpoint.Refuse(model, param) {
		return false
	}
	emit(llm.Warning{Text: c.client.name + " refused the parameter " + param + " for " + model + "; going on without it"})
	return true
}

// linger is how long a finished response waits for the counts and the last
// word that follow it.
const linger = 3 * time.Second
