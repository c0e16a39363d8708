package openai

import (
	"context"
	"fmt"

	"assent/internal/llm"
	"assent/internal/provider"
)

// smallWindow is a context window in which an agent cannot work for long.
const smallWindow = 16384

// served is the context window with which a server of this machine was found
// to serve a model.
type served struct {
	model  string
	tokens int // 0 when it did not say
}

// checkWindow asks a server that may say so, before the first request for a
// model, for the context window with which it serves it. Such servers cut what
// does not fit without a word, so a request that cannot fit is not sent.
func (c *chat) checkWindow(ctx context.Context, req llm.Request, size int64, emit func(llm.Chunk)) error {
	if c.client.native == nil {
		return nil
	}
	if c.window.model != req.Model {
		tokens, sure, err := c.client.native.window(ctx, req.Model)
		if err != nil {
			return err
		}
		c.window = served{tokens: tokens}
		if sure {
			c.window.model = req.Model
		}
		if 0 < tokens && tokens < smallWindow {
			emit(llm.Warning{Text: fmt.Sprintf("%s serves %s with a context window of only %d tokens; %s", c.client.name, req.Model, tokens, c.client.native.grow())})
		}
	}
	need := int(size-imageBytes(req.Items)) / 4
	if c.window.tokens == 0 || need <= c.window.tokens {
		return nil
	}
	return &llm.Failure{Kind: llm.KindOverflow, Message: fmt.Sprintf(
		"%s serves %s with a context window of %d tokens and would silently cut this request of about %d; %s",
		c.client.name, req.Model, c.window.tokens, need, c.client.native.grow())}
}

// Window is the context window with which the server was found to serve the
// model, in tokens; 0 when it did not say. Ask between requests only.
func (c *Conversation) Window() int {
	if ch, ok := c.wires[0].(*chat); ok {
		return ch.window.tokens
	}
	return 0
}

// imageBytes is the size of the images of a request, as encoded; their tokens
// have nothing to do with it.
func imageBytes(items []llm.Item) int64 {
	n := 0
	for _, it := range items {
		for _, im := range provider.Images(it) {
			n += (len(im.Data) + 2) / 3 * 4
		}
	}
	return int64(n)
}
