package providertest

import (
	"encoding/json"
	"fmt"
)

// responses is the wire of the Responses API.
type responses struct{}

func (responses) fault(status int, kind, text string) []byte { return chat{}.fault(status, kind, text) }

// entries reads a request.
func (responses) entries(_ string, body []byte) (history, error) {
	var req map[string]any
	if err := json.Unmarshal(body, &req); err != nil {
		return history{}, err
	}
	if str(req, "model") == "" {
		return history{}, fmt.Errorf("missing required parameter: 'model'")
	}
	h := history{tools: len(list(req, "tools")) > 0, head: str(req, "instructions")}
	for _, t := range list(req, "tools") {
		h.head += canonical(t)
	}
	stored := req["store"] != false
	message, assistant := 0, false
	for i, m := range list(req, "input") {
		e, err := responseEntry(m, stored)
		if err != nil {
			return history{}, fmt.Errorf("input[%d]: %w", i, err)
		}
		if assistant != (e.role == "assistant") || e.role == "user" {
			message++
		}
		assistant = e.role == "assistant"
		if e.message = message; e.kind == "system" {
			h.head += e.raw
			continue
		}
		h.entries = append(h.entries, e)
	}
	for i, e := range h.entries {
		if e.kind == "think" && (i+1 == len(h.entries) || h.entries[i+1].role != "assistant") {
			return history{}, fmt.Errorf("item of type 'reasoning' was provided without its required following item")
		}
	}
	return h, nil
}

func responseEntry(m map[string]any, stored bool) (entry, error) {
	e := entry{role: "assistant", raw: canonical(m)}
	kind := str(m, "type")
	if kind == "" && str(m, "role") != "" {
		kind = "message"
	}
	switch kind {
	case "message":
		e.kind, e.text = "text", chatText(m)
		switch str(m, "role") {
		case "user":
			e.role = "user"
		case "system", "developer":
			e.kind = "system"
		}
	case "reasoning":
		e.kind, e.sig = "think", str(m, "encrypted_content")
		if e.sig == "" && !stored {
			return e, fmt.Errorf("item %q not found: items are not persisted when store is false", str(m, "id"))
		}
		for _, s := range list(m, "summary") {
			e.text += str(s, "text")
		}
	case "function_call":
		e.kind, e.id = "call", str(m, "call_id")
		if e.id == "" || str(m, "name") == "" || !json.Valid([]byte(str(m, "arguments"))) {
			return e, fmt.Errorf("function_call needs call_id, name and arguments that are JSON")
		}
	case "function_call_output":
		e.kind, e.id, e.role = "result", str(m, "call_id"), "user"
		if _, ok := m["output"]; !ok {
			return e, fmt.Errorf("function_call_output needs output")
		}
	default:
		return e, fmt.Errorf("type %q is not known", kind)
	}
	return e, nil
}

// responsesEncoder writes an answer.
type responsesEncoder struct {
	output int    // index of the open item
	open   string // its kind
	text_  string
	sum    string
	items  []any
	calls  map[int]*openCall
	seq    int
}

type openCall struct {
	output         int
	id, name, args string
}

func (responses) encoder(*player) encoder {
	return &responsesEncoder{output: -1, calls: map[int]*openCall{}}
}

func (e *responsesEncoder) ev(kind string, fields map[string]any) []byte {
	fields["type"], fields["sequence_number"] = kind, e.seq
	e.seq++
	return event(kind, js(fields))
}

func (e *responsesEncoder) begin(usage) []byte {
	return e.ev("response.created", map[string]any{"response": map[string]any{"id": "resp_1", "status": "in_progress", "output": []any{}}})
}

func (e *responsesEncoder) alive() []byte { return e.ev("keepalive", map[string]any{}) }

// item begins an item of a kind unless one is open.
func (e *responsesEncoder) item(kind string, start map[string]any) []byte {
	if e.open == kind {
		return nil
	}
	b := e.close("")
	e.open = kind
	e.output++
	return append(b, e.ev("response.output_item.added", map[string]any{"output_index": e.output, "item": start})...)
}

// close completes the open item.
func (e *responsesEncoder) close(sig string) []byte {
	var item map[string]any
	switch e.open {
	case "":
		return nil
	case "text":
		item = map[string]any{
			"type": "message", "id": fmt.Sprintf("msg_%d", e.output), "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": e.text_, "annotations": []any{}}},
		}
	case "think":
		summary := []any{}
		if e.sum != "" {
			summary = append(summary, map[string]any{"type": "summary_text", "text": e.sum})
		}
		item = map[string]any{"type": "reasoning", "id": fmt.Sprintf("rs_%d", e.output), "summary": summary, "encrypted_content": sig}
	}
	e.open, e.text_, e.sum = "", "", ""
	return e.done(e.output, item)
}

func (e *responsesEncoder) done(output int, item map[string]any) []byte {
	e.items = append(e.items, item)
	return e.ev("response.output_item.done", map[string]any{"output_index": output, "item": item})
}

func (e *responsesEncoder) text(s string) []byte {
	b := e.item("text", map[string]any{"type": "message", "id": fmt.Sprintf("msg_%d", e.output+1), "role": "assistant", "content": []any{}})
	e.text_ += s
	return append(b, e.ev("response.output_text.delta", map[string]any{"output_index": e.output, "content_index": 0, "delta": s})...)
}

func (e *responsesEncoder) think(s string) []byte {
	b := e.item("think", map[string]any{"type": "reasoning", "id": fmt.Sprintf("rs_%d", e.output+1), "summary": []any{}})
	e.sum += s
	return append(b, e.ev("response.reasoning_summary_text.delta", map[string]any{"output_index": e.output, "summary_index": 0, "delta": s})...)
}

func (e *responsesEncoder) sign(sig string) []byte { return e.close(sig) }

func (e *responsesEncoder) redacted(sig string) []byte {
	b := e.item("think", map[string]any{"type": "reasoning", "id": fmt.Sprintf("rs_%d", e.output+1), "summary": []any{}})
	return append(b, e.close(sig)...)
}

func (e *responsesEncoder) call(id, name string, index int) []byte {
	b := e.close("")
	e.output++
	e.calls[index] = &openCall{output: e.output, id: id, name: name}
	return append(b, e.ev("response.output_item.added", map[string]any{"output_index": e.output, "item": map[string]any{
		"type": "function_call", "id": fmt.Sprintf("fc_%d", e.output), "call_id": id, "name": name, "arguments": "", "status": "in_progress",
	}})...)
}

func (e *responsesEncoder) args(index int, s string) []byte {
	c := e.calls[index]
	c.args += s
	return e.ev("response.function_call_arguments.delta", map[string]any{
		"output_index": c.output, "item_id": fmt.Sprintf("fc_%d", c.output), "delta": s,
	})
}

func (e *responsesEncoder) callEnd(index int) []byte {
	c := e.calls[index]
	b := e.ev("response.function_call_arguments.done", map[string]any{
		"output_index": c.output, "item_id": fmt.Sprintf("fc_%d", c.output), "arguments": c.args,
	})
	return append(b, e.done(c.output, map[string]any{
		"type": "function_call", "id": fmt.Sprintf("fc_%d", c.output), "call_id": c.id, "name": c.name, "arguments": c.args, "status": "completed",
	})...)
}

func (e *responsesEncoder) fault(kind, text string) []byte {
	return e.ev("error", map[string]any{"code": kind, "message": text, "param": nil})
}

func (e *responsesEncoder) end(stop string, u usage) []byte {
	b := e.close("")
	resp, kind := e.response(stop, u)
	return append(b, e.ev(kind, map[string]any{"response": resp})...)
}

// response is the final form of the answer, and the event that brings it.
func (e *responsesEncoder) response(stop string, u usage) (resp map[string]any, kind string) {
	resp = map[string]any{"id": "resp_1", "status": "completed", "output": e.items, "usage": map[string]any{
		"input_tokens": u.in + u.read + u.write, "output_tokens": u.out,
		"input_tokens_details":  map[string]any{"cached_tokens": u.read},
		"output_tokens_details": map[string]any{"reasoning_tokens": u.reasoning},
	}}
	reason := map[string]string{"length": "max_output_tokens", "filter": "content_filter"}[stop]
	if reason == "" {
		return resp, "response.completed"
	}
	resp["status"], resp["incomplete_details"] = "incomplete", map[string]any{"reason": reason}
	return resp, "response.incomplete"
}
