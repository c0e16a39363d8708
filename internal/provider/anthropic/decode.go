package anthropic

import (
	"encoding/json"

	"assent/internal/llm"
	"assent/internal/provider"
)

// decoder reads the events of one response.
type decoder struct {
	endpoint *provider.Endpoint
	model    string
	parts    *provider.Parts
	emit     func(llm.Chunk)
	blocks   []block
	usage    llm.Usage
	stop     string
	detail   string
	done     bool // the terminal event has arrived
}

// block is a content block while it arrives.
type block struct {
	index int
	kind  string
	part  int // handle in parts, -1 before there is one
	// raw is the inside of the JSON strings as they came, so that thinking
	// goes back byte for byte.
	thinking, signature []byte
	input               []byte // arguments that came with the start
	args                bool   // arguments came as deltas
	whole               []byte // the block as it came, where it goes back unread
}

func newDecoder(e *provider.Endpoint, model string, parts *provider.Parts, emit func(llm.Chunk)) *decoder {
	return &decoder{endpoint: e, model: model, parts: parts, emit: emit}
}

// event reads one event and says how far the response is.
func (d *decoder) event(ev provider.Event) (provider.Progress, error) {
	err := d.take(ev)
	switch {
	case d.done:
		return provider.Ended, err
	case d.stop != "":
		return provider.Complete, err
	}
	return provider.More, err
}

// take reads one event.
func (d *decoder) take(ev provider.Event) error {
	var kind, delta, inner, fault, usage []byte
	index := 0
	err := provider.Fields(ev.Data, func(name, value []byte) bool {
		switch string(name) {
		case "type":
			kind = value
		case "index":
			index = provider.Int(value)
		case "delta":
			delta = value
		case "content_block", "message":
			inner = value
		case "error":
			fault = value
		case "usage":
			usage = value
		}
		return true
	})
	if err != nil {
		return d.endpoint.Garbled(ev.Data)
	}
	switch string(kind) {
	case `"content_block_delta"`:
		d.delta(index, delta)
	case `"content_block_start"`:
		d.start(index, inner)
	case `"content_block_stop"`:
		d.finish(index)
	case `"message_start"`:
		d.message(inner)
	case `"message_delta"`:
		d.ending(delta)
		d.count(usage)
	case `"message_stop"`:
		d.done = true
	case `"message"`:
		d.whole(ev.Data)
	default:
		if fault == nil && !ev.Whole {
			return nil // an event of a later version
		}
		if api := provider.ParseError(ev.Data); api != nil {
			return d.endpoint.InStream(api)
		}
		if ev.Whole {
			return d.endpoint.Garbled(ev.Data)
		}
	}
	return nil
}

// message reads the opening, which counts the input.
func (d *decoder) message(doc []byte) {
	_ = provider.Fields(doc, func(name, value []byte) bool { // the outer walk has checked it
		if string(name) == "usage" {
			d.count(value)
		}
		return true
	})
}

// find returns the newest block with an index, nil when there is none.
func (d *decoder) find(index int) *block {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		if d.blocks[i].index == index {
			return &d.blocks[i]
		}
	}
	return nil
}

// start begins a block. It may bring content, where a server sends it whole.
func (d *decoder) start(index int, doc []byte) {
	b := block{index: index, part: -1}
	var id, name, text string
	_ = provider.Fields(doc, func(field, value []byte) bool { // the outer walk has checked it
		switch string(field) {
		case "type":
			b.kind = provider.Unquote(value)
		case "id":
			id = provider.Unquote(value)
		case "name":
			name = provider.Unquote(value)
		case "text":
			text = provider.Unquote(value)
		case "input":
			b.input = append([]byte(nil), value...)
		case "thinking":
			b.thinking = appendInside(nil, value)
		case "signature":
			b.signature = appendInside(nil, value)
		}
		return true
	})
	d.parts.Close()
	switch b.kind {
	case "text":
		b.part = d.parts.Text(text)
	case "thinking":
		b.part = d.parts.Reasoning(unquoteInside(b.thinking))
	case "tool_use":
		b.part = d.parts.Call(id, name)
	default: // redacted thinking, and kinds of a later version: back unread
		b.part = d.parts.Reasoning("")
		b.whole = append([]byte(nil), doc...)
	}
	d.parts.Hold(len(b.thinking) + len(b.signature) + len(b.input) + len(b.whole))
	d.blocks = append(d.blocks, b)
}

// delta extends a block.
func (d *decoder) delta(index int, doc []byte) {
	var kind, value []byte
	_ = provider.Fields(doc, func(name, v []byte) bool { // the outer walk has checked it
		switch string(name) {
		case "type":
			kind = v
		case "text", "thinking", "partial_json", "signature":
			value = v
		}
		return true
	})
	b := d.find(index)
	if b == nil {
		b = d.implied(index, string(kind))
	}
	if b == nil {
		return
	}
	switch string(kind) {
	case `"text_delta"`:
		d.parts.AppendText(b.part, provider.Unquote(value))
	case `"thinking_delta"`:
		b.thinking = appendInside(b.thinking, value)
		d.parts.Hold(len(value))
		d.parts.AppendText(b.part, provider.Unquote(value))
	case `"signature_delta"`:
		b.signature = appendInside(b.signature, value)
		d.parts.Hold(len(value))
	case `"input_json_delta"`:
		if s := provider.Unquote(value); s != "" && b.kind == "tool_use" {
			b.args = true
			d.parts.Args(b.part, s)
		}
	default:
		b.whole = nil // it grew in a way that cannot be sent back
	}
}

// implied begins a block whose start was not sent.
func (d *decoder) implied(index int, kind string) *block {
	switch kind {
	case `"text_delta"`:
		d.start(index, []byte(`{"type":"text"}`))
	case `"thinking_delta"`:
		d.start(index, []byte(`{"type":"thinking"}`))
	default:
		return nil
	}
	return d.find(index)
}

// finish completes a block.
func (d *decoder) finish(index int) {
	b := d.find(index)
	if b == nil {
		return
	}
	switch {
	case b.kind == "tool_use":
		if !b.args && len(b.input) > 0 {
			d.parts.SetArgs(b.part, string(b.input))
		}
	case b.kind == "thinking" && (len(b.thinking) > 0 || len(b.signature) > 0):
		raw := append([]byte(`{"type":"thinking","thinking":"`), b.thinking...)
		raw = append(append(raw, `","signature":"`...), b.signature...)
		d.opaque(b.part, append(raw, `"}`...))
	case b.whole != nil:
		d.opaque(b.part, b.whole)
	}
}

// opaque keeps a block in the server's own form. One that is no JSON would
// spoil every later request, so it does not go back.
func (d *decoder) opaque(part int, raw []byte) {
	if !json.Valid(raw) {
		return
	}
	d.parts.SetOpaque(part, llm.Opaque{Provider: d.endpoint.Name(), Model: d.model, Data: raw})
}

// ending reads why the response ends.
func (d *decoder) ending(doc []byte) {
	_ = provider.Fields(doc, func(name, value []byte) bool { // the outer walk has checked it
		switch string(name) {
		case "stop_reason":
			d.stop = provider.Unquote(value)
		case "stop_details":
			d.detail = details(value)
		}
		return true
	})
}

// details is what the vendor says of a refusal.
func details(doc []byte) string {
	var category, text string
	_ = provider.Fields(doc, func(name, value []byte) bool { // null has no fields
		switch string(name) {
		case "category":
			category = provider.Unquote(value)
		case "explanation":
			text = provider.Unquote(value)
		}
		return true
	})
	if category != "" && text != "" {
		return category + ": " + text
	}
	return category + text
}

// count reads usage; later counts replace earlier ones.
func (d *decoder) count(doc []byte) {
	_ = provider.Fields(doc, func(name, value []byte) bool { // missing usage has no fields
		switch string(name) {
		case "input_tokens":
			d.usage.Input = max(provider.Int(value), 0)
		case "output_tokens":
			d.usage.Output = max(provider.Int(value), 0)
		case "cache_read_input_tokens":
			d.usage.CacheRead = max(provider.Int(value), 0)
		case "cache_creation_input_tokens":
			d.usage.CacheWrite = max(provider.Int(value), 0)
		case "output_tokens_details":
			d.count(value)
		case "thinking_tokens", "reasoning_tokens":
			d.usage.Reasoning = max(provider.Int(value), 0)
		}
		return true
	})
}

// whole reads a response that was not streamed.
func (d *decoder) whole(doc []byte) {
	var msg struct{ Content []json.RawMessage }
	if json.Unmarshal(doc, &msg) != nil {
		return // without an end it counts as cut
	}
	for i, raw := range msg.Content {
		d.start(i, raw)
		d.finish(i)
	}
	d.message(doc)
	d.ending(doc)
	d.done = true
}

// reply is the complete response.
func (d *decoder) reply() llm.Reply {
	for i := range d.blocks {
		d.finish(d.blocks[i].index) // a server may leave the ends out
	}
	return llm.Reply{
		Parts: d.parts.Done(), Stop: d.reason(), Detail: d.detail, Usage: d.usage,
		Provider: d.endpoint.Name(), Model: d.model,
	}
}

// reason maps the vendor's word.
func (d *decoder) reason() llm.Stop {
	switch d.stop {
	case "max_tokens":
		return llm.StopLength
	case "refusal":
		return llm.StopRefusal
	case "pause_turn", "compaction":
		return llm.StopPause
	case "model_context_window_exceeded":
		return llm.StopContext
	case "", "end_turn", "stop_sequence", "tool_use":
	default:
		d.emit(llm.Warning{Text: "the model stopped for a reason that is not known: " + d.stop})
	}
	if d.parts.Calls() {
		return llm.StopCalls
	}
	return llm.StopEnd
}

// appendInside appends the inside of a raw JSON string.
func appendInside(b, raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return b
	}
	return append(b, raw[1:len(raw)-1]...)
}

// unquoteInside is the text of the inside of a JSON string.
func unquoteInside(in []byte) string {
	if len(in) == 0 {
		return ""
	}
	return provider.Unquote(append(append([]byte{'"'}, in...), '"'))
}
