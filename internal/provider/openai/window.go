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

// checkWindow asks an Ollama server, before the first request for a model, for
// the context window with which it serves it. The server cuts what does not
// fit without a word, so a request that cannot fit is not sent.
func (c *chat) checkWindow(ctx context.Context, req llm.Request, size int64, emit func(llm.Chunk)) error {
	if c.client.native == nil {
		return nil
	}
	if c.probed != req.Model {
		window, err := c.client.servedWindow(ctx, req.Model)
		if err != nil {
			return err
		}
		c.probed, c.window = req.Model, window
		if 0 < window && window < smallWindow {
			emit(llm.Warning{Text: fmt.Sprintf("%s serves %s with a context window of only %d tokens; %s", c.client.name, req.Model, window, growWindow)})
		}
	}
	need := int(size-imageBytes(req.Items)) / 4
	if c.window == 0 || need <= c.window {
		return nil
	}
	return &llm.Failure{Kind: llm.KindOverflow, Message: fmt.Sprintf(
		"%s serves %s with a context window of %d tokens and would silently cut this request of about %d; %s",
		c.client.name, req.Model, c.window, need, growWindow)}
}

const growWindow = "give the server a larger one (OLLAMA_CONTEXT_LENGTH=32768 ollama serve, or num_ctx in the model's Modelfile)"

// Window is the context window with which the server was found to serve the
// model, in tokens; 0 when it did not say.
func (c *Conversation) Window() int {
	if ch, ok := c.wires[0].(*chat); ok {
		return ch.window
	}
	return 0
}

// servedWindow returns the window of a loaded model; a model that is not
// loaded yet is loaded first, as the request would do anyway. Servers that do
// not answer in this form give 0; the error is only a context's.
func (c *Client) servedWindow(ctx context.Context, model string) (int, error) {
	window, loaded := c.loadedWindow(ctx, model)
	if !loaded && ctx.Err() == nil {
		name := wireview.AppendString([]byte(`{"stream":false,"model":`), model)
		s, err := c.native.Post(ctx, provider.Call{Version: "api", Path: "/generate", Body: small(append(name, '}'))})
		if err == nil {
			for range s.Events() {
				break
			}
			window, _ = c.loadedWindow(ctx, model)
		}
	}
	return window, ctx.Err()
}

func (c *Client) loadedWindow(ctx context.Context, model string) (window int, loaded bool) {
	doc, err := c.native.Get(ctx, "api", "/ps")
	if err != nil {
		return 0, true // it is not asked further
	}
	var ps struct {
		Models []struct {
			Name, Model string
			Window      int `json:"context_length"`
		}
	}
	if json.Unmarshal(doc, &ps) != nil {
		return 0, true
	}
	for _, m := range ps.Models {
		if sameModel(m.Name, model) || sameModel(m.Model, model) {
			return m.Window, true
		}
	}
	return 0, false
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
		var images []llm.Image
		switch it := it.(type) {
		case llm.User:
			images = it.Images
		case llm.Result:
			images = it.Images
		case llm.Note, llm.Assistant:
		}
		for _, im := range images {
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
