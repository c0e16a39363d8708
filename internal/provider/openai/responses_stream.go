package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
)

// responsesDecoder assembles one response.
type responsesDecoder struct {
	endpoint *provider.Endpoint
	name     string
	tag      string
	model    string
	parts    *provider.Parts

	items map[int]*outputItem
	known map[string]bool // the call ids that the server gave
	end   *responseEnd
	usage llm.Usage
}

// outputItem is an item of the output: one part.
type outputItem struct {
	handle int
	call   bool
	filled bool // its text or arguments arrived as deltas
	pieces int  // summary pieces begun
}

func newResponsesDecoder(r *responses, model string, emit func(llm.Chunk)) *responsesDecoder {
	return &responsesDecoder{
		endpoint: r.client.endpoint, name: r.client.name, tag: r.tag, model: model,
		parts: r.exchange.Parts(emit), items: map[int]*outputItem{}, known: map[string]bool{},
	}
}

// responsesEvent is one event of a stream. Its raw values are valid until the
// next event.
type responsesEvent struct {
	kind, delta, arguments string
	index                  int
	item, response         []byte
	whole                  bool // an answer that is no stream
}

// readEvent finds what is read of an event without decoding the rest.
func readEvent(data []byte) (responsesEvent, error) {
	var ev responsesEvent
	err := provider.Fields(data, func(name, value []byte) bool {
		switch string(name) {
		case "type":
			ev.kind = provider.Unquote(value)
		case "output_index":
			ev.index = provider.Int(value)
		case "delta":
			ev.delta = provider.Unquote(value)
		case "arguments":
			ev.arguments = provider.Unquote(value)
		case "item":
			ev.item = value
		case "response":
			ev.response = value
		case "object":
			ev.whole = string(value) == `"response"`
		}
		return true
	})
	return ev, err
}

// itemFields are those of an output item that are read.
type itemFields struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Content   []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
	Summary []struct {
		Text string `json:"text"`
	} `json:"summary"`
}

// responseEnd is what the terminal event says.
type responseEnd struct {
	Status     string            `json:"status"`
	Error      json.RawMessage   `json:"error"`
	Output     []json.RawMessage `json:"output"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage struct {
		Input  int `json:"input_tokens"`
		Output int `json:"output_tokens"`
		In     struct {
			Cached int `json:"cached_tokens"`
			Write  int `json:"cache_write_tokens"`
		} `json:"input_tokens_details"`
		Out struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	} `json:"usage"`
}

// take reads one event and says how far the response is.
func (d *responsesDecoder) take(ev provider.Event) (provider.Progress, error) {
	err := d.event(ev.Data)
	if d.end != nil {
		return provider.Ended, err
	}
	return provider.More, err
}

// event takes in one event.
func (d *responsesDecoder) event(data []byte) error {
	ev, err := readEvent(data)
	if err != nil {
		return nil //nolint:nilerr // no event of ours; what matters comes again or is missed at the end
	}
	switch ev.kind {
	case "response.output_item.added":
		d.begin(ev.index, ev.item)
	case "response.output_item.done":
		d.done(ev.index, ev.item)
	case "response.output_text.delta":
		d.prose(ev.index, ev.delta, d.parts.Text)
	case "response.refusal.delta":
		d.parts.Refuse(ev.delta)
		d.fill(ev.index)
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		d.prose(ev.index, ev.delta, d.parts.Reasoning)
	case "response.reasoning_summary_part.added":
		d.piece(ev.index)
	case "response.function_call_arguments.delta":
		if it := d.items[ev.index]; it != nil {
			it.filled = true
			d.parts.Args(it.handle, ev.delta)
		}
	case "response.function_call_arguments.done":
		if it := d.items[ev.index]; it != nil && ev.arguments != "" {
			it.filled = true
			d.parts.SetArgs(it.handle, ev.arguments)
		}
	case "response.completed", "response.incomplete", "response.failed", "response.done":
		return d.finish(ev.kind, ev.response)
	case "error":
		return d.endpoint.InStream(provider.ErrorOf(data))
	case "":
		if ev.whole {
			return d.finish("", data)
		}
		if api := provider.ParseError(data); api != nil {
			return d.endpoint.InStream(api)
		}
	}
	return nil
}

// begin makes the part of an item.
func (d *responsesDecoder) begin(index int, raw json.RawMessage) *outputItem {
	item := fieldsOf(raw)
	it := &outputItem{}
	d.parts.Close()
	switch item.Type {
	case "message":
		it.handle = d.parts.Text("")
	case "function_call":
		d.known[item.CallID] = true
		it.handle, it.call = d.parts.Call(item.CallID, item.Name), true
	default: // reasoning, or an item that is unknown here and kept as it is
		it.handle = d.parts.Reasoning("")
	}
	d.items[index] = it
	return it
}

func fieldsOf(raw json.RawMessage) itemFields {
	var item itemFields
	var odd *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &item); err != nil && !errors.As(err, &odd) {
		return itemFields{}
	}
	return item
}

// prose adds text to the item's part.
func (d *responsesDecoder) prose(index int, text string, add func(string) int) {
	if h := add(text); d.items[index] == nil {
		d.items[index] = &outputItem{handle: h}
	}
	d.fill(index)
}

func (d *responsesDecoder) fill(index int) {
	if it := d.items[index]; it != nil {
		it.filled = true
	}
}

// piece begins another piece of a summary.
func (d *responsesDecoder) piece(index int) {
	it := d.items[index]
	if it == nil {
		return
	}
	if it.pieces++; it.pieces > 1 {
		d.parts.Reasoning("\n\n")
	}
}

// done completes an item and keeps it as it came; only here it is final.
func (d *responsesDecoder) done(index int, raw json.RawMessage) {
	it, item := d.items[index], fieldsOf(raw)
	// What began as another kind of part does not become a call, nor a call
	// something else: it would go back without its result.
	if it == nil || it.call != (item.Type == "function_call") {
		it = d.begin(index, raw)
	}
	if item.Type == "function_call" {
		d.known[item.CallID] = true
		d.parts.Name(it.handle, item.CallID, item.Name)
		if item.Arguments != "" {
			d.parts.SetArgs(it.handle, item.Arguments)
		}
	} else if !it.filled {
		d.late(item)
	}
	if len(raw) > 0 {
		d.parts.SetOpaque(it.handle, llm.Opaque{Provider: d.tag, Model: d.model, Data: bytes.Clone(raw)})
	}
}

// late adds the text of an item that came without deltas.
func (d *responsesDecoder) late(item itemFields) {
	for _, c := range item.Content {
		switch c.Type {
		case "output_text":
			d.parts.Text(c.Text)
		case "refusal":
			d.parts.Refuse(c.Refusal)
		case "reasoning_text":
			d.parts.Reasoning(c.Text)
		}
	}
	var texts []string
	for _, s := range item.Summary {
		texts = append(texts, s.Text)
	}
	if len(texts) > 0 && len(item.Content) == 0 {
		d.parts.Reasoning(strings.Join(texts, "\n\n"))
	}
}

// finish takes in the terminal event. Servers that stored nothing may send an
// empty output there; of it counts only what did not come before.
func (d *responsesDecoder) finish(kind string, raw json.RawMessage) error {
	var end responseEnd
	var odd *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &end); err != nil && !errors.As(err, &odd) {
		return d.endpoint.InStream(&provider.APIError{Type: "server_error", Message: "the last event of the response cannot be read"})
	}
	u := end.Usage
	d.usage = llm.Usage{
		Input: max(0, u.Input-u.In.Cached-u.In.Write), Output: u.Output,
		CacheRead: u.In.Cached, CacheWrite: u.In.Write, Reasoning: u.Out.Reasoning,
	}
	if end.Status == "" {
		end.Status = strings.TrimPrefix(kind, "response.")
	}
	if len(end.Error) > 0 && string(end.Error) != "null" {
		return d.endpoint.InStream(provider.ErrorOf(raw))
	}
	switch end.Status {
	case "failed", "cancelled", "queued", "in_progress":
		return d.endpoint.InStream(&provider.APIError{Type: "server_error", Message: "the response ended with status " + end.Status})
	}
	none := len(d.items) == 0
	for i, raw := range end.Output {
		if item := fieldsOf(raw); none || item.Type == "function_call" && !d.known[item.CallID] {
			d.done(-1-i, raw)
		}
	}
	d.end = &end
	return nil
}

// reply returns the complete response.
func (d *responsesDecoder) reply() llm.Reply {
	reply := llm.Reply{
		Parts: d.parts.Done(), Stop: llm.StopEnd, Detail: d.parts.Refusal(), Usage: d.usage,
		Provider: d.name, Model: d.model,
	}
	switch {
	case d.end.Status == "incomplete" && d.end.Incomplete.Reason == "content_filter":
		reply.Stop = llm.StopFilter
	case d.end.Status == "incomplete":
		reply.Stop = llm.StopLength
	case d.parts.Calls():
		reply.Stop = llm.StopCalls
	case d.parts.Refusal() != "":
		reply.Stop = llm.StopRefusal
	}
	return reply
}
