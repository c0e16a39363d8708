package providertest

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// chat is the wire of Chat Completions.
type chat struct{}

func (chat) fault(status int, kind, text string) []byte {
	return []byte(js(map[string]any{"error": map[string]any{"message": text, "type": kind, "param": nil, "code": nil}}))
}

// entries reads a request.
func (chat) entries(_ string, body []byte) (history, error) {
	var req map[string]any
	if err := json.Unmarshal(body, &req); err != nil {
		return history{}, err
	}
	if str(req, "model") == "" {
		return history{}, fmt.Errorf("you must provide a model parameter")
	}
	h := history{tools: len(list(req, "tools")) > 0}
	for _, t := range list(req, "tools") {
		h.head += canonical(t)
	}
	for i, m := range list(req, "messages") {
		switch role := str(m, "role"); role {
		case "system", "developer":
			if len(h.entries) == 0 {
				h.head += canonical(m)
				continue
			}
			h.entries = append(h.entries, entry{message: i, role: "user", kind: "text", text: chatText(m), raw: canonical(m)})
		case "user":
			h.entries = append(h.entries, entry{message: i, role: "user", kind: "text", text: chatText(m), raw: canonical(m)})
		case "tool":
			if str(m, "tool_call_id") == "" {
				return history{}, fmt.Errorf("messages.[%d].tool_call_id: missing", i)
			}
			h.entries = append(h.entries, entry{message: i, role: "user", kind: "result", id: str(m, "tool_call_id"), raw: canonical(m)})
		case "assistant":
			es, err := chatAssistant(i, m)
			if err != nil {
				return history{}, fmt.Errorf("messages.[%d]: %w", i, err)
			}
			h.entries = append(h.entries, es...)
		default:
			return history{}, fmt.Errorf("messages.[%d].role: %q is not known", i, role)
		}
	}
	return h, nil
}

// chatText joins the text of a message; an image counts as some.
func chatText(m map[string]any) string {
	text := str(m, "content")
	for _, c := range list(m, "content") {
		if text += str(c, "text"); str(c, "type") != "text" {
			text += "[" + str(c, "type") + "]"
		}
	}
	return text
}

func chatAssistant(i int, m map[string]any) ([]entry, error) {
	var es []entry
	if text := chatText(m); text != "" {
		es = append(es, entry{message: i, role: "assistant", kind: "text", text: text, raw: str(m, "reasoning_content") + "|" + text})
	}
	for _, c := range list(m, "tool_calls") {
		fn, _ := c["function"].(map[string]any)
		switch {
		case str(c, "id") == "":
			return nil, fmt.Errorf("tool_calls: missing id")
		case str(c, "type") != "function" || str(fn, "name") == "":
			return nil, fmt.Errorf("tool_calls: missing type or name")
		case !json.Valid([]byte(str(fn, "arguments"))):
			return nil, fmt.Errorf("tool_calls: arguments are not JSON: %q", str(fn, "arguments"))
		}
		es = append(es, entry{message: i, role: "assistant", kind: "call", id: str(c, "id"), raw: canonical(c)})
	}
	if len(es) == 0 {
		return nil, fmt.Errorf("content is empty and there are no tool_calls")
	}
	return es, nil
}

// chatEncoder writes an answer.
type chatEncoder struct{ usage bool }

func (chat) encoder(p *player) encoder {
	return &chatEncoder{usage: bytes.Contains(p.body, []byte(`"include_usage":true`))}
}

func (e *chatEncoder) chunk(delta map[string]any, finish any) []byte {
	return event("", js(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
	}))
}

func (e *chatEncoder) begin(usage) []byte {
	return e.chunk(map[string]any{"role": "assistant", "content": ""}, nil)
}

// alive is what a gateway sends; the vendor sends nothing.
func (*chatEncoder) alive() []byte { return []byte(": OPENROUTER PROCESSING\n\n") }

func (e *chatEncoder) text(s string) []byte { return e.chunk(map[string]any{"content": s}, nil) }

func (e *chatEncoder) think(s string) []byte {
	return e.chunk(map[string]any{"reasoning_content": s}, nil)
}

func (*chatEncoder) sign(string) []byte     { return nil }
func (*chatEncoder) redacted(string) []byte { return nil }

func (e *chatEncoder) call(id, name string, index int) []byte {
	c := map[string]any{"index": index, "type": "function", "function": map[string]any{"name": name, "arguments": ""}}
	if id != "" {
		c["id"] = id
	}
	return e.chunk(map[string]any{"tool_calls": []any{c}}, nil)
}

func (e *chatEncoder) args(index int, s string) []byte {
	c := map[string]any{"index": index, "function": map[string]any{"arguments": s}}
	return e.chunk(map[string]any{"tool_calls": []any{c}}, nil)
}

func (*chatEncoder) callEnd(int) []byte { return nil }

func (*chatEncoder) fault(kind, text string) []byte {
	return event("", string(chat{}.fault(200, kind, text)))
}

func (e *chatEncoder) end(stop string, u usage) []byte {
	b := e.chunk(map[string]any{}, chatStop(stop))
	if e.usage {
		b = append(b, event("", js(map[string]any{
			"object": "chat.completion.chunk", "choices": []any{},
			"usage": chatUsage(u),
		}))...)
	}
	return append(b, event("", "[DONE]")...)
}

// chatStop is the wire's word for an end.
func chatStop(stop string) string {
	return word(stop, map[string]string{
		"end": "stop", "calls": "tool_calls", "filter": "content_filter",
		"context": "context_length_exceeded",
	})
}

func chatUsage(u usage) map[string]any {
	return map[string]any{
		"prompt_tokens": u.in + u.read + u.write, "completion_tokens": u.out,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.read},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.reasoning},
	}
}
