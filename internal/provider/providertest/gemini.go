package providertest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// gemini is the wire of Gemini's streamGenerateContent.
type gemini struct{}

func (gemini) fault(status int, kind, text string) []byte {
	words := map[int]string{
		http.StatusBadRequest: "INVALID_ARGUMENT", http.StatusTooManyRequests: "RESOURCE_EXHAUSTED",
		http.StatusServiceUnavailable: "UNAVAILABLE", http.StatusUnauthorized: "UNAUTHENTICATED",
	}
	word := words[status]
	if word == "" {
		word = strings.ToUpper(kind)
	}
	return []byte(js(map[string]any{"error": map[string]any{"code": status, "message": text, "status": word}}))
}

// entries reads a request.
func (gemini) entries(path string, body []byte) (history, error) {
	var req map[string]any
	if err := json.Unmarshal(body, &req); err != nil {
		return history{}, err
	}
	h := history{needsUser: true, head: canonical(req["systemInstruction"]), tools: len(list(req, "tools")) > 0}
	for _, t := range list(req, "tools") {
		h.head += canonical(t)
	}
	contents := list(req, "contents")
	for i, m := range contents {
		parts := list(m, "parts")
		if len(parts) == 0 {
			return history{}, fmt.Errorf("contents[%d].parts must not be empty", i)
		}
		signed := strings.Contains(path, "gemini-3")
		for j, p := range parts {
			e, err := geminiEntry(i, str(m, "role"), p)
			if err != nil {
				return history{}, fmt.Errorf("contents[%d].parts[%d]: %w", i, j, err)
			}
			if e.kind == "call" {
				if signed && str(p, "thoughtSignature") == "" {
					return history{}, fmt.Errorf("function call `%s` in the %d. content block is missing a thought_signature", e.text, i)
				}
				signed = false // only the first of parallel calls is signed
			}
			h.entries = append(h.entries, e)
		}
	}
	return h, nil
}

func geminiEntry(i int, role string, p map[string]any) (entry, error) {
	e := entry{message: i, role: "user", raw: canonical(p)}
	switch role {
	case "user", "function":
	case "model":
		e.role = "assistant"
	default:
		return e, fmt.Errorf("please use a valid role: user, model")
	}
	call, isCall := p["functionCall"].(map[string]any)
	result, isResult := p["functionResponse"].(map[string]any)
	switch {
	case isCall:
		e.kind, e.id, e.text = "call", str(call, "id"), str(call, "name")
		if _, ok := call["args"].(map[string]any); !ok && call["args"] != nil {
			return e, fmt.Errorf("functionCall.args must be an object")
		}
	case isResult:
		e.kind, e.id = "result", str(result, "id")
		if _, ok := result["response"].(map[string]any); !ok {
			return e, fmt.Errorf("functionResponse.response must be an object")
		}
		if str(result, "name") == "" {
			return e, fmt.Errorf("functionResponse.name must not be empty")
		}
	case p["inlineData"] != nil:
		e.kind = "image"
	case p["thought"] == true:
		e.kind = "thought"
	default:
		e.kind, e.text = "text", str(p, "text")
		if str(p, "thoughtSignature") != "" && e.text == "" {
			e.kind = "signature"
		}
	}
	return e, nil
}

// geminiEncoder writes an answer.
type geminiEncoder struct {
	p     *player
	first bool // a call was already signed
	calls map[int]*openCall
}

func (gemini) encoder(p *player) encoder { return &geminiEncoder{p: p, calls: map[int]*openCall{}} }

func (e *geminiEncoder) chunk(parts []any, finish string, u *usage) []byte {
	return []byte("data: " + js(geminiDocument(parts, finish, u)) + "\r\n\r\n")
}

// geminiDocument is one event of the wire.
func geminiDocument(parts []any, finish string, u *usage) map[string]any {
	c := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}}
	if finish != "" {
		c["finishReason"] = finish
	}
	doc := map[string]any{"candidates": []any{c}, "modelVersion": "scripted"}
	if u != nil {
		doc["usageMetadata"] = map[string]any{
			"promptTokenCount": u.in + u.read + u.write, "cachedContentTokenCount": u.read,
			"candidatesTokenCount": u.out - u.reasoning, "thoughtsTokenCount": u.reasoning,
		}
	}
	return doc
}

func (*geminiEncoder) begin(usage) []byte { return nil }

// alive is an event without data: the vendor sends nothing.
func (*geminiEncoder) alive() []byte { return []byte("data:\r\n\r\n") }

func (e *geminiEncoder) text(s string) []byte {
	return e.chunk([]any{map[string]any{"text": s}}, "", nil)
}

func (e *geminiEncoder) think(s string) []byte {
	return e.chunk([]any{map[string]any{"text": s, "thought": true}}, "", nil)
}

func (*geminiEncoder) sign(string) []byte     { return nil }
func (*geminiEncoder) redacted(string) []byte { return nil }

func (e *geminiEncoder) call(id, name string, index int) []byte {
	e.calls[index] = &openCall{id: id, name: name}
	return nil
}

func (e *geminiEncoder) args(index int, s string) []byte {
	e.calls[index].args += s
	return nil
}

func (e *geminiEncoder) callEnd(index int) []byte {
	c := e.calls[index]
	fn := map[string]any{"name": c.name, "args": json.RawMessage(c.args)}
	if !json.Valid([]byte(c.args)) {
		delete(fn, "args")
	}
	if c.id != "" {
		fn["id"] = c.id
	}
	part := map[string]any{"functionCall": fn}
	if !e.first {
		part["thoughtSignature"] = e.p.server.sign(e.p, "call "+c.name)
		e.first = true
	}
	return e.chunk([]any{part}, "", nil)
}

func (*geminiEncoder) fault(kind, text string) []byte {
	code := map[string]int{"overloaded_error": 503, "rate_limit_error": 429, "invalid_request_error": 400}[kind]
	if code == 0 {
		code = 500
	}
	return []byte("data: " + string(gemini{}.fault(code, kind, text)) + "\r\n\r\n")
}

func (e *geminiEncoder) end(stop string, u usage) []byte {
	return e.chunk([]any{map[string]any{"text": ""}}, geminiStop(stop), &u)
}

// geminiStop is the wire's word for an end.
func geminiStop(stop string) string {
	return word(stop, map[string]string{
		"end": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY", "refusal": "PROHIBITED_CONTENT",
	})
}
