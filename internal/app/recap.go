package app

import (
	"strings"

	"assent/internal/host"
	"assent/internal/llm"
)

// Bounds of what is shown of an earlier conversation.
const (
	recapLines = 30
	recapBytes = 4 << 10
)

// recap is how a conversation stands: its last prompt and the last answer.
func recap(items []llm.Item) host.Page {
	prompt, answer := "", ""
	for _, item := range items {
		switch item := item.(type) {
		case llm.User:
			prompt, answer = item.Text, ""
		case llm.Assistant:
			if text := strings.TrimSpace(item.Text()); text != "" {
				answer = text
			}
		case llm.Note, llm.Result:
		}
	}
	if prompt == "" {
		return host.Page{}
	}
	text := "> " + strings.ReplaceAll(glimpse(prompt), "\n", "\n> ")
	if answer != "" {
		text += "\n\n" + glimpse(answer)
	}
	return host.Page{Title: "where it stands", Markdown: text}
}

// glimpse keeps the beginning of a long text.
func glimpse(text string) string {
	text = strings.TrimSpace(text)
	lines := strings.SplitAfter(text, "\n")
	short := strings.Join(lines[:min(len(lines), recapLines)], "")
	if len(short) > recapBytes {
		short = strings.ToValidUTF8(short[:recapBytes], "")
	}
	if len(short) < len(text) {
		short = strings.TrimRight(short, "\n") + " …"
	}
	return short
}
