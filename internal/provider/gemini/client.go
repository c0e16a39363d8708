package gemini

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// Client is one server. It is shared by all conversations and safe for
// concurrent use.
type Client struct{ endpoint *provider.Endpoint }

// New returns a client; it makes no connection. The error is the user's to
// mend (a missing or unreadable base URL).
func New(o provider.Options) (*Client, error) {
	e, err := provider.NewEndpoint(o, func(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) })
	if err != nil {
		return nil, err
	}
	return &Client{endpoint: e}, nil
}

// Models lists the ids of the models that the server reports as able to
// answer.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	doc, err := c.endpoint.GetWith(ctx, provider.Call{Version: "v1beta", Path: "/models", Query: "pageSize=1000"})
	if err != nil {
		return nil, err
	}
	var list struct {
		Models []struct {
			Name    string
			Methods []string `json:"supportedGenerationMethods"`
		}
	}
	if err := json.Unmarshal(doc, &list); err != nil {
		return nil, &llm.Failure{Kind: llm.KindProvider, Message: c.endpoint.Name() + ": the list of models has another form: " + err.Error(), Err: err}
	}
	var ids []string
	for _, m := range list.Models {
		if len(m.Methods) == 0 || strings.Contains(strings.Join(m.Methods, " "), "generateContent") {
			ids = append(ids, bare(m.Name))
		}
	}
	return ids, nil
}

// bare returns a model's id without its collection.
func bare(model string) string { return strings.TrimPrefix(model, "models/") }

// Conversation begins a conversation with the server.
func (c *Client) Conversation() *Conversation {
	return &Conversation{
		endpoint: c.endpoint, view: wireview.New(c.endpoint.Name()),
		codec: &codec{endpoint: c.endpoint}, warned: map[string]bool{},
	}
}

// Conversation is one history with one server. It has one request at a time.
type Conversation struct {
	endpoint *provider.Endpoint
	view     *wireview.View
	codec    *codec
	warned   map[string]bool // levels that were mapped, told once
}

// Stream asks for one response. The error is a *llm.Failure or the context's.
func (c *Conversation) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	if emit == nil {
		emit = func(llm.Chunk) {}
	}
	restarted := false
	for {
		body, err := provider.Render(c.view, req, c.codec, emit)
		if err != nil {
			return llm.Reply{}, err
		}
		if w := c.codec.warning; w != nil && !c.warned[string(req.Level)] {
			c.warned[string(req.Level)] = true
			emit(*w)
		}
		// A finished response is not waited for, see decoder.read.
		rctx, cancel := context.WithCancel(ctx)
		stream, err := c.endpoint.Post(rctx, provider.Call{
			Version: "v1beta", Path: "/models/" + bare(req.Model) + ":streamGenerateContent", Query: "alt=sse",
			Body: body, Notify: emit,
		})
		if err == nil {
			d := newDecoder(c, req.Model, emit)
			reply, err := d.read(ctx, stream, cancel)
			cancel()
			return reply, err
		}
		cancel()
		switch {
		case ctx.Err() != nil:
			return llm.Reply{}, ctx.Err()
		case !restarted && provider.BadReasoning(err):
			restarted = true
			c.view.Restart()
			emit(llm.Warning{Text: c.endpoint.Name() + " no longer accepts the model's earlier thought signatures; going on without them"})
		case !c.learn(err, req.Model, emit):
			return llm.Reply{}, err
		}
	}
}

// The parts of a request that a server may refuse, as they are remembered.
const (
	thinkingParam = "thinkingConfig"
	idParam       = "functionCall.id"
)

// learn takes from a refusal what to leave out; false when nothing.
func (c *Conversation) learn(err error, model string, emit func(llm.Chunk)) bool {
	param := ""
	switch {
	case provider.RefusedParam(err, "thinking") != "":
		param = thinkingParam
	case provider.RefusedParam(err, `name "id"`) != "":
		param = idParam
		c.view.Rerender()
	}
	if param == "" || !c.endpoint.Refuse(model, param) {
		return false
	}
	emit(llm.Warning{Text: c.endpoint.Name() + " refused " + param + " for " + model + "; going on without it"})
	return true
}
