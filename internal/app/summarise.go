package app

import (
	"context"
	"strings"

	"assent/internal/engine"
	"assent/internal/llm"
)

// summarise has the model write the summary of what leaves the view, in a
// conversation of its own and without tools.
func (c *conversation) summarise(ctx context.Context, o engine.SummaryOrder) (engine.Summary, error) {
	c.mu.Lock()
	chosen := c.choice
	c.mu.Unlock()
	_, open, err := c.models.open(chosen)
	if err != nil {
		return engine.Summary{}, err
	}
	reply, err := open().Stream(ctx, llm.Request{
		Model: chosen.model, Level: llm.LevelOff, MaxOutput: o.MaxTokens, Session: c.log.ID() + "-summary",
		Items: []llm.Item{llm.User{Text: o.Prompt}},
	}, func(llm.Chunk) {})
	if err != nil {
		return engine.Summary{}, err
	}
	var text strings.Builder
	for _, p := range reply.Parts {
		if t, ok := p.(llm.Text); ok {
			text.WriteString(t.Text)
		}
	}
	return engine.Summary{Text: text.String(), Usage: reply.Usage, Provider: chosen.preset.Name, Name: chosen.model}, nil
}
