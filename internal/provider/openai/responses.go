package openai

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// responses is a conversation on the Responses API. It is stateless: the
// server stores nothing, encrypted reasoning is kept here and goes back with
// the items that it belongs to.
type responses struct {
	client *Client
	view   *wireview.View
	codec  *responsesCodec
	warned map[string]bool // levels that were mapped, told once
}

func newResponses(c *Client) *responses {
	// The tag differs from that of Chat Completions, whose opaque data has
	// another form.
	tag := c.name + "/responses"
	return &responses{client: c, view: wireview.New(tag), codec: &responsesCodec{client: c, tag: tag}, warned: map[string]bool{}}
}

func (r *responses) name() string { return "Responses" }

// Stream asks for one response. Parameters that the server refuses are left
// out, and reasoning that it no longer accepts is sent no more; each time the
// request goes out again at once.
func (r *responses) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, bool, error) {
	restarted := false
	for learned := 0; ; learned++ {
		body, err := provider.Render(r.view, req, r.codec, emit)
		if err != nil {
			return llm.Reply{}, false, err
		}
		if w := r.codec.warning; w != nil && !r.warned[string(req.Level)] {
			r.warned[string(req.Level)] = true
			emit(*w)
		}
		stream, err := r.client.endpoint.Post(ctx, provider.Call{Version: "v1", Path: "/responses", Body: body, Notify: emit})
		switch {
		case err == nil:
			d := newResponsesDecoder(r, req.Model, emit)
			reply, err := d.read(stream)
			return reply, true, err
		case learned >= maxLearning:
			return llm.Reply{}, false, err
		case !restarted && staleItems(err):
			restarted = true
			r.view.Restart()
			emit(llm.Warning{Text: r.client.name + " no longer accepts the model's earlier reasoning; going on without it"})
		case !r.learn(err, req.Model, emit):
			return llm.Reply{}, false, err
		}
	}
}

// storedItem is how a server names an item that it cannot find.
var storedItem = regexp.MustCompile(`\b(rs|msg|fc)_[A-Za-z0-9]+`)

// staleItems tells that the server refuses what it made itself: an item that
// it looks for in its store, or reasoning of another prefix or account.
func staleItems(err error) bool {
	if provider.BadReasoning(err) {
		return true
	}
	f, ok := failure(err)
	if !ok {
		return false
	}
	text := apiError(f).Message
	return f.Status == http.StatusNotFound && storedItem.MatchString(text) ||
		f.Status == http.StatusBadRequest && strings.Contains(text, "without its required")
}

// learn takes from a refusal what to leave out; false when nothing.
func (r *responses) learn(err error, model string, emit func(llm.Chunk)) bool {
	f, ok := failure(err)
	if !ok {
		return false
	}
	param := refusedParam(f, r.codec.sent)
	if strings.Contains(strings.ToLower(apiError(f).Message), "encrypted content is not supported") {
		param = "include"
	}
	if param == "" || !r.client.endpoint.Refuse(model, param) {
		toolless(f, model)
		return false
	}
	emit(llm.Warning{Text: r.client.name + " refused the parameter " + param + " for " + model + "; going on without it"})
	return true
}
