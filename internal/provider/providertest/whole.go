package providertest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// piece is a part of an answer that is given as one document.
type piece struct {
	kind           string // text, think or call
	text           string // of text and think
	sig            string // of think
	id, name, args string // of call
}

// whole answers with one JSON document instead of a stream, as a server does
// that ignores the wish for one.
func (p *player) whole(r Response) {
	var said []piece
	for _, s := range r.steps {
		switch s.verb {
		case "text":
			said = append(said, piece{kind: "text", text: s.text})
		case "think":
			said = append(said, piece{kind: "think", text: s.text, sig: p.server.sign(p, s.text)})
		case "call":
			name, args, _ := strings.Cut(s.text, " ")
			said = append(said, piece{kind: "call", id: p.server.callID(), name: name, args: args})
			p.calls++
		}
	}
	p.w.Header().Set("Content-Type", "application/json")
	p.w.WriteHeader(http.StatusOK)
	_, _ = p.w.Write([]byte(p.wire.whole(said, p.stopWord(), p.usage))) // the client may be gone
}

func (messages) whole(said []piece, stop string, u usage) string {
	content := []any{}
	for _, s := range said {
		switch s.kind {
		case "text":
			content = append(content, map[string]any{"type": "text", "text": s.text})
		case "think":
			content = append(content, map[string]any{"type": "thinking", "thinking": s.text, "signature": s.sig})
		default:
			content = append(content, map[string]any{"type": "tool_use", "id": s.id, "name": s.name, "input": json.RawMessage(s.args)})
		}
	}
	return js(map[string]any{
		"type": "message", "role": "assistant", "content": content, "stop_reason": messagesStop(stop),
		"usage": map[string]any{
			"input_tokens": u.in, "output_tokens": u.out,
			"cache_read_input_tokens": u.read, "cache_creation_input_tokens": u.write,
		},
	})
}

func (chat) whole(said []piece, stop string, u usage) string {
	message := map[string]any{"role": "assistant"}
	var calls []any
	for _, s := range said {
		switch s.kind {
		case "text":
			message["content"] = s.text
		case "think":
			message["reasoning_content"] = s.text
		default:
			calls = append(calls, map[string]any{"id": s.id, "type": "function", "function": map[string]any{"name": s.name, "arguments": s.args}})
		}
	}
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return js(map[string]any{
		"object":  "chat.completion",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": chatStop(stop)}},
		"usage":   chatUsage(u),
	})
}

func (responses) whole(said []piece, stop string, u usage) string {
	e := &responsesEncoder{output: -1, calls: map[int]*openCall{}}
	for i, s := range said {
		switch s.kind {
		case "text":
			e.text(s.text)
		case "think":
			e.think(s.text)
			e.sign(s.sig)
		default:
			e.call(s.id, s.name, i)
			e.args(i, s.args)
			e.callEnd(i)
		}
	}
	e.close("")
	resp, _ := e.response(stop, u)
	resp["object"] = "response"
	return js(resp)
}

// whole is a list of documents: what this wire sends where events were not
// asked for.
func (gemini) whole(said []piece, stop string, u usage) string {
	var parts []any
	for _, s := range said {
		switch s.kind {
		case "text":
			parts = append(parts, map[string]any{"text": s.text})
		case "think":
			parts = append(parts, map[string]any{"text": s.text, "thought": true})
		default:
			parts = append(parts, map[string]any{
				"functionCall":     map[string]any{"id": s.id, "name": s.name, "args": json.RawMessage(s.args)},
				"thoughtSignature": "U0lH",
			})
		}
	}
	return js([]any{geminiDocument(parts, "", nil), geminiDocument([]any{}, geminiStop(stop), &u)})
}
