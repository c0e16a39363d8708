package openai

import (
	"encoding/json"

	"assent/internal/llm"
	"assent/internal/provider"
)

// chatChunk is one event of a stream, or the whole answer of a server that
// does not stream.
type chatChunk struct {
	Choices []chatChoice    `json:"choices"`
	Usage   *chatUsage      `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Groq    *struct {
		Usage *chatUsage `json:"usage"`
	} `json:"x_groq"`
}

type chatChoice struct {
	Index   int        `json:"index"`
	Delta   *chatDelta `json:"delta"`
	Message *chatDelta `json:"message"`
	Finish  *string    `json:"finish_reason"`
}

type chatDelta struct {
	Content   json.RawMessage   `json:"content"`
	Refusal   string            `json:"refusal"`
	Thought   string            `json:"reasoning_content"`
	Reasoning json.RawMessage   `json:"reasoning"`
	Details   []json.RawMessage `json:"reasoning_details"`
	Calls     []chatCall        `json:"tool_calls"`
}

type chatCall struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"`
}

// textOnly returns the text of a chunk that holds nothing else, as most do; it
// saves decoding them. Anything unusual gives false.
func textOnly(data []byte) (text string, ok bool) {
	plain := true
	err := provider.Fields(data, func(name, value []byte) bool {
		switch string(name) {
		case "choices":
			text, ok = choiceText(value)
			plain = plain && ok
		case "usage", "error", "x_groq":
			plain = plain && string(value) == "null"
		}
		return plain
	})
	return text, err == nil && plain && ok && text != ""
}

// choiceText returns the text of a list with one choice that holds no more.
func choiceText(list []byte) (text string, ok bool) {
	plain := true
	err := provider.Fields(list[1:], func(name, value []byte) bool {
		switch string(name) {
		case "index":
			plain = plain && string(value) == "0"
		case "delta":
			text, ok = deltaText(value)
			plain = plain && ok
		case "message":
			plain = false
		case "finish_reason":
			plain = plain && string(value) == "null"
		}
		return plain
	})
	return text, err == nil && plain && ok
}

func deltaText(delta []byte) (text string, ok bool) {
	plain := true
	err := provider.Fields(delta, func(name, value []byte) bool {
		switch string(name) {
		case "content":
			text, ok = provider.Unquote(value), true
		case "role":
		default:
			plain = plain && string(value) == "null"
		}
		return plain
	})
	return text, err == nil && plain && ok
}

// args returns the argument text: a string as a rule, an object with some
// servers, which then is whole.
func (c chatCall) args() (text string, whole bool) {
	raw := c.Function.Arguments
	if len(raw) == 0 || string(raw) == "null" {
		return "", false
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, false
	}
	return string(raw), true
}

// prose splits content into reasoning and text. It is a string as a rule; some
// servers send a list of typed pieces.
func prose(raw json.RawMessage) (reasoning, text string) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", ""
	}
	if json.Unmarshal(raw, &text) == nil {
		return "", text
	}
	var pieces []struct {
		Type     string          `json:"type"`
		Text     string          `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if json.Unmarshal(raw, &pieces) != nil {
		return "", ""
	}
	for _, p := range pieces {
		if p.Type == "thinking" {
			_, thought := prose(p.Thinking)
			reasoning += thought
		} else {
			text += p.Text
		}
	}
	return reasoning, text
}

// chatUsage holds the counts under the names of several vendors.
type chatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Cached     int `json:"cached_tokens"`           // Moonshot
	CacheHit   int `json:"prompt_cache_hit_tokens"` // DeepSeek
	In         *struct {
		Cached int `json:"cached_tokens"`
		Write  int `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	Out *struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// usage sorts the counts into classes that do not overlap.
func (u *chatUsage) usage() llm.Usage {
	cached, write, reasoning := max(u.Cached, u.CacheHit), 0, 0
	if u.In != nil {
		cached, write = max(cached, u.In.Cached), u.In.Write
	}
	if u.Out != nil {
		reasoning = u.Out.Reasoning
	}
	out := u.Completion
	if reasoning > 0 && u.Total == u.Prompt+u.Completion+reasoning {
		out += reasoning // counted beside the completion, not in it
	}
	return llm.Usage{
		Input: max(0, u.Prompt-cached-write), Output: out,
		CacheRead: cached, CacheWrite: write, Reasoning: reasoning,
	}
}
