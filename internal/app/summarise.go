package app

import (
	"context"
	"strings"

	"assent/internal/engine"
	"assent/internal/llm"
)

// mostDraft is how many tokens a nested answer to a tool may have.
const mostDraft = 2000

// nested asks the model one thing in a conversation of its own and without
// tools. hear is told what the transport says meanwhile: what it learns of the
// server holds for the conversation beside it too.
func (c *conversation) nested(ctx context.Context, topic, prompt string, most int, hear func(llm.Chunk)) (string, llm.Reply, error) {
	c.mu.Lock()
	chosen := c.choice
	c.mu.Unlock()
	_, open, err := c.models.open(chosen)
	if err != nil {
		return "", llm.Reply{}, err
	}
	reply, err := open().Stream(ctx, llm.Request{
		Model: chosen.model, Level: llm.LevelOff, MaxOutput: most, Session: c.log.ID() + "-" + topic,
		Items: []llm.Item{llm.User{Text: prompt}},
	}, hear)
	if err != nil {
		return "", llm.Reply{}, err
	}
	var text strings.Builder
	for _, p := range reply.Parts {
		if t, ok := p.(llm.Text); ok {
			text.WriteString(t.Text)
		}
	}
	return text.String(), reply, nil
}

// summarise has the model write the summary of what leaves the view.
func (c *conversation) summarise(ctx context.Context, o engine.SummaryOrder) (engine.Summary, error) {
	text, reply, err := c.nested(ctx, "summary", o.Prompt, o.MaxTokens, o.Hear)
	if err != nil {
		return engine.Summary{}, err
	}
	return engine.Summary{Text: text, Usage: reply.Usage, Provider: reply.Provider, Name: reply.Model}, nil
}

// Write drafts a text for a tool; what it costs is the turn's.
func (c *conversation) Write(ctx context.Context, prompt string) (string, error) {
	text, reply, err := c.nested(ctx, "draft", prompt, mostDraft, c.hear)
	if err != nil {
		return "", err
	}
	if c.spend != nil {
		c.spend(reply.Usage, reply.Provider, reply.Model, "draft")
	}
	return text, nil
}
