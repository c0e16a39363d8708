package providertest

import (
	"encoding/json"
	"fmt"
	"regexp"
)

// messages is the wire of Anthropic Messages.
type messages struct{}

var safeID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (messages) fault(_ int, kind, text string) []byte {
	return []byte(js(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": text}}))
}

// entries reads a request.
func (messages) entries(_ string, body []byte) (history, error) {
	var req map[string]any
	if err := json.Unmarshal(body, &req); err != nil {
		return history{}, err
	}
	if n, ok := req["max_tokens"].(float64); !ok || n < 1 {
		return history{}, fmt.Errorf("max_tokens: Field required")
	}
	if str(req, "model") == "" {
		return history{}, fmt.Errorf("model: Field required")
	}
	h := history{needsUser: true, tools: len(list(req, "tools")) > 0}
	for _, key := range []string{"system", "tools"} {
		for _, o := range list(req, key) {
			if key == "system" && str(o, "text") == "" {
				return history{}, fmt.Errorf("system: text content blocks must be non-empty")
			}
			h.head += canonical(o)
		}
	}
	for i, m := range list(req, "messages") {
		blocks := list(m, "content")
		if s := str(m, "content"); s != "" {
			blocks = []map[string]any{{"type": "text", "text": s}}
		}
		if len(blocks) == 0 {
			return history{}, fmt.Errorf("messages.%d: all messages must have non-empty content", i)
		}
		for j, b := range blocks {
			e, err := messageEntry(i, str(m, "role"), b)
			if err != nil {
				return history{}, fmt.Errorf("messages.%d.content.%d: %w", i, j, err)
			}
			h.entries = append(h.entries, e)
		}
	}
	return h, nil
}

func messageEntry(i int, role string, b map[string]any) (entry, error) {
	e := entry{message: i, role: role, raw: canonical(b)}
	if role != "user" && role != "assistant" {
		return e, fmt.Errorf("role %q is not known", role)
	}
	switch str(b, "type") {
	case "text":
		e.kind, e.text = "text", str(b, "text")
	case "image":
		e.kind = "image"
	case "thinking":
		e.kind, e.text, e.sig = "think", str(b, "thinking"), str(b, "signature")
	case "redacted_thinking":
		e.kind, e.sig = "think", str(b, "data")
	case "tool_use":
		e.kind, e.id = "call", str(b, "id")
		if _, ok := b["input"].(map[string]any); !ok {
			return e, fmt.Errorf("tool_use.input: Input should be a valid dictionary")
		}
		if !safeID.MatchString(str(b, "name")) {
			return e, fmt.Errorf("tool_use.name: String should match pattern")
		}
	case "tool_result":
		e.kind, e.id = "result", str(b, "tool_use_id")
		for _, c := range list(b, "content") {
			if str(c, "type") == "text" && str(c, "text") == "" {
				return e, fmt.Errorf("tool_result: text content blocks must be non-empty")
			}
		}
	default:
		return e, fmt.Errorf("type %q is not known", str(b, "type"))
	}
	if (e.kind == "call" || e.kind == "result") && !safeID.MatchString(e.id) {
		return e, fmt.Errorf("%s: id %q should match pattern '^[a-zA-Z0-9_-]+$'", e.kind, e.id)
	}
	if (role == "user") != (e.kind == "text" && role == "user" || e.kind == "image" || e.kind == "result") {
		return e, fmt.Errorf("%s does not belong to the role %s", e.kind, role)
	}
	return e, nil
}

// messagesEncoder writes an answer.
type messagesEncoder struct {
	open  string // kind of the open block
	index int
	calls map[int]int // index of a call → index of its block
}

func (messages) encoder(*player) encoder {
	return &messagesEncoder{index: -1, calls: map[int]int{}}
}

func (e *messagesEncoder) begin(u usage) []byte {
	return event("message_start", js(map[string]any{"type": "message_start", "message": map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "content": []any{}, "stop_reason": nil,
		"usage": map[string]any{
			"input_tokens": u.in, "output_tokens": 1,
			"cache_read_input_tokens": u.read, "cache_creation_input_tokens": u.write,
		},
	}}))
}

func (*messagesEncoder) alive() []byte { return event("ping", `{"type": "ping"}`) }

// block begins a block of a kind unless one is open.
func (e *messagesEncoder) block(kind string, start map[string]any) []byte {
	if e.open == kind && kind != "call" {
		return nil
	}
	b := e.close()
	e.open = kind
	e.index++
	return append(b, event("content_block_start", js(map[string]any{"type": "content_block_start", "index": e.index, "content_block": start}))...)
}

func (e *messagesEncoder) close() []byte {
	if e.open == "" {
		return nil
	}
	e.open = ""
	return event("content_block_stop", js(map[string]any{"type": "content_block_stop", "index": e.index}))
}

func (e *messagesEncoder) delta(index int, d map[string]any) []byte {
	return event("content_block_delta", js(map[string]any{"type": "content_block_delta", "index": index, "delta": d}))
}

func (e *messagesEncoder) text(s string) []byte {
	b := e.block("text", map[string]any{"type": "text", "text": ""})
	return append(b, e.delta(e.index, map[string]any{"type": "text_delta", "text": s})...)
}

func (e *messagesEncoder) think(s string) []byte {
	b := e.block("think", map[string]any{"type": "thinking", "thinking": "", "signature": ""})
	return append(b, e.delta(e.index, map[string]any{"type": "thinking_delta", "thinking": s})...)
}

func (e *messagesEncoder) sign(sig string) []byte {
	b := e.delta(e.index, map[string]any{"type": "signature_delta", "signature": sig})
	return append(b, e.close()...)
}

func (e *messagesEncoder) redacted(sig string) []byte {
	b := e.block("redacted", map[string]any{"type": "redacted_thinking", "data": sig})
	return append(b, e.close()...)
}

func (e *messagesEncoder) call(id, name string, index int) []byte {
	b := e.block("call", map[string]any{"type": "tool_use", "id": id, "name": name, "input": map[string]any{}})
	e.calls[index] = e.index
	return b
}

func (e *messagesEncoder) args(index int, s string) []byte {
	return e.delta(e.calls[index], map[string]any{"type": "input_json_delta", "partial_json": s})
}

func (e *messagesEncoder) callEnd(int) []byte { return e.close() }

func (e *messagesEncoder) fault(kind, text string) []byte {
	return event("error", string(messages{}.fault(200, kind, text)))
}

func (e *messagesEncoder) end(stop string, u usage) []byte {
	stop = messagesStop(stop)
	delta := map[string]any{"stop_reason": stop, "stop_sequence": nil}
	if stop == "refusal" {
		delta["stop_details"] = map[string]any{"type": "refusal", "category": "test", "explanation": "scripted"}
	}
	use := map[string]any{"output_tokens": u.out}
	if u.reasoning > 0 {
		use["output_tokens_details"] = map[string]any{"thinking_tokens": u.reasoning}
	}
	b := e.close()
	b = append(b, event("message_delta", js(map[string]any{"type": "message_delta", "delta": delta, "usage": use}))...)
	return append(b, event("message_stop", `{"type":"message_stop"}`)...)
}

// messagesStop is the wire's word for an end.
func messagesStop(stop string) string {
	return word(stop, map[string]string{
		"end": "end_turn", "calls": "tool_use", "length": "max_tokens", "refusal": "refusal", "filter": "refusal",
		"context": "model_context_window_exceeded", "pause": "pause_turn",
	})
}
