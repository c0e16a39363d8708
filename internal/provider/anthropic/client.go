package anthropic

import (
	"context"
	"encoding/json"
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
	e, err := provider.NewEndpoint(o, func(h http.Header, key string) { h.Set("X-Api-Key", key) })
	if err != nil {
		return nil, err
	}
	return &Client{endpoint: e}, nil
}

var headers = map[string]string{"Anthropic-Version": "2023-06-01"}

// Conversation returns the model for one conversation; it keeps the bytes of
// the epoch and serves one request at a time.
func (c *Client) Conversation() *Conversation {
	q := &provider.Quarantine{}
	return &Conversation{
		endpoint: c.endpoint, view: wireview.New(c.endpoint.Name()),
		codec: &codec{endpoint: c.endpoint, refused: q}, refused: q, warned: map[string]bool{},
	}
}

// Models lists the ids of the models that the server reports.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	doc, err := c.endpoint.GetWith(ctx, provider.Call{Version: "v1", Path: "/models", Query: "limit=1000", Header: headers})
	if err != nil {
		return nil, err
	}
	var list struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(doc, &list); err != nil {
		return nil, &llm.Failure{Kind: llm.KindProvider, Message: c.endpoint.Name() + ": the list of models has another form: " + err.Error(), Err: err}
	}
	ids := make([]string, 0, len(list.Data))
	for _, m := range list.Data {
		ids = append(ids, m.ID)
	}
	return ids, nil
}

// Conversation is one conversation's model.
type Conversation struct {
	endpoint *provider.Endpoint
	view     *wireview.View
	codec    *codec
	refused  *provider.Quarantine
	warned   map[string]bool // levels that were mapped, told once
}

// Stream asks for one response and tells its pieces as they arrive. The error
// is a *llm.Failure or the context's.
func (c *Conversation) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	if emit == nil {
		emit = func(llm.Chunk) {}
	}
	restarted := false
	for {
		reply, err := c.once(ctx, req, emit)
		switch {
		case err == nil:
			c.refused.Accepted(req)
			return reply, nil
		case ctx.Err() != nil:
			return reply, err
		case !restarted && needsThinking(err):
			restarted, c.codec.bare = true, true
		case !restarted && provider.BadReasoning(err):
			restarted = true
			emit(llm.Warning{Text: "the server refused the model's earlier thinking (" + cause(err) + "); trying once more without it"})
			c.view.Restart()
		case !c.learn(err, req, emit):
			return reply, err
		}
	}
}

// learn takes from a refusal what to leave out and tells it; false when there
// is nothing new to learn, so that no loop is endless.
func (c *Conversation) learn(err error, req llm.Request, emit func(llm.Chunk)) bool {
	// A parameter first: its refusal may name the place of a tool as well.
	if param := refused(err); param != "" && c.endpoint.Refuse(req.Model, param) {
		emit(llm.Warning{Text: req.Model + " does not take " + param + "; trying once more without it"})
		if param == "cache_control" {
			c.view.Rerender() // the mark of the head was sent as part of it
		}
		return true
	}
	told := c.refused.Learn(err, req)
	if told == "" {
		return false
	}
	emit(llm.Warning{Text: told})
	c.view.Rerender()
	return true
}

// once makes one request.
func (c *Conversation) once(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	body, err := provider.Render(c.view, req, c.codec, emit)
	if err != nil {
		return llm.Reply{}, err
	}
	c.warn(req, emit)
	if !c.endpoint.Refused(req.Model, "cache_control") {
		body = body.Marked(cacheMark)
	}
	stream, err := c.endpoint.Post(ctx, provider.Call{
		Version: "v1", Path: "/messages", Header: headers, Body: body, Notify: emit,
	})
	if err != nil {
		return llm.Reply{}, err
	}
	defer stream.Close()
	d := newDecoder(c.endpoint, req.Model, provider.NewParts(emit, c.view.Unique), emit)
	for ev, err := range stream.Events() {
		if err == nil {
			err = d.event(ev)
		}
		if err != nil {
			return llm.Reply{}, provider.WithPartial(err, d.parts, d.usage)
		}
		if d.done {
			break
		}
	}
	if !d.complete() {
		return llm.Reply{}, stream.Cut(d.parts, d.usage)
	}
	return d.reply(), nil
}

// warn tells once that a level was mapped.
func (c *Conversation) warn(req llm.Request, emit func(llm.Chunk)) {
	t := c.codec.thinking(req)
	key := req.Model + " " + string(req.Level)
	if t.instead == "" || c.warned[key] {
		return
	}
	c.warned[key] = true
	emit(provider.LevelWarning(req.Model, req.Level, t.instead))
}

// refused returns the parameter that a refusal is about, the narrowest first:
// a text that names a part of thinking names thinking as well.
func refused(err error) string {
	for _, names := range [][]string{
		{"display", "cache_control"},
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

// cause is the server's own text of a failure, shortened.
func cause(err error) string {
	var api *provider.APIError
	if errors.As(err, &api) && len(api.Message) < 200 {
		return api.Message
	}
	return "400"
}
