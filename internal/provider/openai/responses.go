package openai

import (
	"context"

	"assent/internal/llm"
	"assent/internal/wireview"
)

// responses is a conversation on the Responses API.
type responses struct {
	client *Client
	view   *wireview.View
}

func newResponses(c *Client) *responses {
	return &responses{client: c, view: wireview.New(c.name + "/responses")}
}

func (r *responses) name() string { return "Responses" }

func (r *responses) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, bool, error) {
	return llm.Reply{}, false, nil
}
