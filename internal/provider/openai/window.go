package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// smallWindow is a context window in which an agent cannot work for long.
const smallWindow = 16384

// served is the context window with which a server of this machine was found
// to serve a model.
type served struct {
	model  string
	tokens int // 0 when it did not say
}

// checkWindow asks a server that can say so, before the first request for a
// model, for the context window with which it serves it. Such servers cut what
// does not fit without a word, so a request that cannot fit is not sent.
func (c *chat) checkWindow(ctx context.Context, req llm.Request, size int64, emit func(llm.Chunk)) error {
	if c.client.native == nil {
		return nil
	}
	if c.window.model != req.Model {
		tokens, sure, err := c.client.servedWindow(ctx, req.Model)
		if err != nil {
			return err
		}
		c.window = served{tokens: tokens}
		if sure {
			c.window.model = req.Model
		}
		if 0 < tokens && tokens < smallWindow {
			emit(llm.Warning{Text: fmt.Sprintf("%s serves %s with a context window of only %d tokens; %s", c.client.name, req.Model, tokens, c.client.growWindow())})
		}
	}
	need := int(size-imageBytes(req.Items)) / 4
	if c.window.tokens == 0 || need <= c.window.tokens {
		return nil
	}
	return &llm.Failure{Kind: llm.KindOverflow, Message: fmt.Sprintf(
		"%s serves %s with a context window of %d tokens and would silently cut this request of about %d; %s",
		c.client.name, req.Model, c.window.tokens, need, c.client.growWindow())}
}

// growWindow says how a user gives the server a larger window.
func (c *Client) growWindow() string {
	if c.name == lmstudio {
		return "load the model with a larger context length in LM Studio"
	}
	return "give the server a larger one (OLLAMA_CONTEXT_LENGTH=32768 ollama serve, or num_ctx in the model's Modelfile)"
}

// Window is the context window with which the server was found to serve the
// model, in tokens; 0 when it did not say. Ask between requests only.
func (c *Conversation) Window() int {
	if ch, ok := c.wires[0].(*chat); ok {
		return ch.window.tokens
	}
	return 0
}

// The presets whose servers say with which window they serve a model.
const (
	ollama   = "ollama"
	lmstudio = "lmstudio"
)

// servedWindow returns the window with which a model is served, and whether
// that is sure to stay. A server that does not answer in this form is not
// asked again; the error is only a context's.
func (c *Client) servedWindow(ctx context.Context, model string) (tokens int, sure bool, err error) {
	if c.name == lmstudio {
		tokens, sure = c.studioWindow(ctx, model)
		return tokens, sure, ctx.Err()
	}
	tokens, loaded := c.loadedWindow(ctx, model)
	if !loaded && ctx.Err() == nil { // it is loaded first, as the request would do anyway
		name := wireview.AppendString([]byte(`{"stream":false,"model":`), model)
		s, err := c.native.Post(ctx, provider.Call{Version: "api", Path: "/generate", Body: small(append(name, '}'))})
		if err == nil {
			for _, err := range s.Events() {
				_ = err // what it says does not matter: it is asked again
				break
			}
			tokens, _ = c.loadedWindow(ctx, model)
		}
	}
	return tokens, true, ctx.Err()
}

// loadedWindow asks an Ollama server for a model that it has loaded.
func (c *Client) loadedWindow(ctx context.Context, model string) (tokens int, loaded bool) {
	var ps struct {
		Models []struct {
			Name, Model string
			Window      int `json:"context_length"`
		}
	}
	if !c.ask(ctx, "/ps", &ps) {
		return 0, true
	}
	for _, m := range ps.Models {
		if sameModel(m.Name, model) || sameModel(m.Model, model) {
			return m.Window, true
		}
	}
	return 0, false
}

// studioWindow asks an LM Studio server. It loads a model at its first request,
// and says the window only then.
func (c *Client) studioWindow(ctx context.Context, model string) (tokens int, sure bool) {
	var list struct {
		Data []struct {
			ID     string
			Window int `json:"loaded_context_length"`
		}
	}
	if !c.ask(ctx, "/v0/models", &list) {
		return 0, true
	}
	for _, m := range list.Data {
		if m.ID == model {
			return m.Window, m.Window > 0
		}
	}
	return 0, false
}

// ask reads a document of the server's own API; false when there is none.
func (c *Client) ask(ctx context.Context, path string, doc any) bool {
	text, err := c.native.Get(ctx, provider.Call{Version: "api", Path: path})
	return err == nil && json.Unmarshal(text, doc) == nil
}

// sameModel compares names; "latest" need not be written.
func sameModel(a, b string) bool {
	return a != "" && strings.TrimSuffix(a, ":latest") == strings.TrimSuffix(b, ":latest")
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

// small is a body of a few bytes.
type small []byte

// Len is the number of bytes.
func (b small) Len() int64 { return int64(len(b)) }

// Reader reads from the beginning.
func (b small) Reader() io.Reader { return bytes.NewReader(b) }
