package openai

import (
	"encoding/json"
	"strconv"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// responsesCodec renders requests of the Responses API.
type responsesCodec struct {
	client  *Client
	refused *provider.Quarantine

	// Of the request, set by Tail.
	sent       []string     // optional parameters
	effortSent string       // the word for effort, empty for none
	notice     *llm.Warning // what became of the level
}

// Head writes the model, the system text and the tools.
func (c *responsesCodec) Head(req llm.Request) []byte {
	c.refused.Begin(c.client.endpoint.Facts(req.Model))
	b := wireview.AppendString([]byte(`{"model":`), req.Model)
	if req.System != "" {
		b = wireview.AppendString(append(b, `,"instructions":`...), req.System)
	}
	if tools := c.refused.Tools(req.Tools); len(tools) > 0 {
		b = append(b, `,"tools":[`...)
		for i, t := range tools {
			if i > 0 {
				b = append(b, ',')
			}
			// Not strict: a strict schema must name every property as required.
			b = append(b, `{"type":"function","strict":false,`...)
			b = append(b, appendSpec(nil, t)[1:]...)
		}
		b = append(b, ']')
	}
	return append(b, `,"input":[`...)
}

// Tail writes the parameters that the server has not refused.
func (c *responsesCodec) Tail(req llm.Request) []byte {
	c.sent, c.effortSent, c.notice = c.sent[:0], "", nil
	facts := c.client.endpoint.Facts(req.Model)
	b := []byte(`],"stream":true,"store":false`)
	may := func(name string) bool {
		if c.client.endpoint.Refused(req.Model, name) {
			return false
		}
		c.sent = append(c.sent, name)
		return true
	}
	// Asked for whether or not a level is set: a model that reasons by itself
	// must get its reasoning back too.
	if !facts.Thoughtless() && may("include") {
		b = append(b, `,"include":["reasoning.encrypted_content"]`...)
	}
	b = append(b, c.reasoning(req, facts, may)...)
	if req.MaxOutput > 0 && may("max_output_tokens") {
		b = strconv.AppendInt(append(b, `,"max_output_tokens":`...), int64(req.MaxOutput), 10)
	}
	if req.Session != "" && may("prompt_cache_key") {
		b = wireview.AppendString(append(b, `,"prompt_cache_key":`...), wireview.SafeID(req.Session, 64))
	}
	return append(b, '}')
}

// reasoning writes how hard the model shall think.
func (c *responsesCodec) reasoning(req llm.Request, facts provider.Facts, may func(string) bool) []byte {
	e := quirks{}.effort(req, c.client.endpoint)
	if len(e.params) == 0 && !facts.Thinking || !may("reasoning") {
		return nil
	}
	var b []byte
	if len(e.params) > 0 && may("reasoning.effort") {
		b = append(append(b, `,"effort":`...), e.params[0][1]...)
		c.effortSent, c.notice = e.word, e.notice
	}
	if may("reasoning.summary") {
		b = append(b, `,"summary":"auto"`...)
	}
	if len(b) == 0 {
		return nil
	}
	b[0] = '{'
	return append(append([]byte(`,"reasoning":`), b...), '}')
}

// Items writes one batch.
func (c *responsesCodec) Items(items []llm.Item) wireview.Chunk {
	w := inputWriter{c: c}
	provider.WriteItems(&w, items)
	return wireview.Chunk{Bytes: w.b, Mark: -1}
}

// inputWriter writes the input items of one batch.
type inputWriter struct {
	c *responsesCodec
	b []byte
}

// open begins an item.
func (w *inputWriter) open(s string) {
	if len(w.b) > 0 {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, s...)
}

// User writes one message.
func (w *inputWriter) User(text string, images []llm.Image) {
	w.open(`{"type":"message","role":"user","content":`)
	w.content(text, images)
	w.b = append(w.b, '}')
}

// content writes text and images as a list of typed pieces.
func (w *inputWriter) content(text string, images []llm.Image) {
	sep := byte('[')
	piece := func(open string) {
		w.b = append(append(w.b, sep), open...)
		sep = ','
	}
	if text != "" {
		piece(`{"type":"input_text","text":`)
		w.b = append(wireview.AppendString(w.b, text), '}')
	}
	for _, im := range images {
		if instead, left := w.c.refused.Image(im); left {
			piece(`{"type":"input_text","text":`)
			w.b = append(wireview.AppendString(w.b, instead), '}')
			continue
		}
		piece(`{"type":"input_image","image_url":"`)
		w.b = append(appendDataURL(w.b, im), `"}`...)
	}
	w.b = append(w.b, ']')
}

// Result writes the result of a call.
func (w *inputWriter) Result(r llm.Result) {
	w.open(`{"type":"function_call_output","call_id":`)
	w.b = wireview.AppendString(w.b, wireview.SafeID(r.CallID, 64))
	w.b = append(w.b, `,"output":`...)
	if len(r.Images) == 0 {
		w.b = wireview.AppendString(w.b, r.Output)
	} else {
		w.content(r.Output, r.Images)
	}
	w.b = append(w.b, '}')
}

// Assistant writes one response: its own items as they came while all of them
// are there, since reasoning and the items behind it are valid only together;
// else what it said, without ids and reasoning.
func (w *inputWriter) Assistant(a llm.Assistant) {
	if whole(a) {
		for _, p := range a.Parts {
			w.open(string(itemOf(p)))
		}
		return
	}
	for _, p := range a.Parts {
		switch p := p.(type) {
		case llm.Text:
			if p.Text != "" {
				w.open(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":`)
				w.b = append(wireview.AppendString(w.b, p.Text), `}]}`...)
			}
		case llm.Reasoning:
		case llm.Call:
			w.open(`{"type":"function_call","call_id":`)
			w.b = wireview.AppendString(w.b, wireview.SafeID(p.ID, 64))
			w.b = wireview.AppendString(append(w.b, `,"name":`...), p.Name)
			w.b = wireview.AppendString(append(w.b, `,"arguments":`...), string(p.Input))
			w.b = append(w.b, '}')
		}
	}
}

// itemOf returns the vendor's own form of a part.
func itemOf(p llm.Part) []byte {
	switch p := p.(type) {
	case llm.Text:
		return p.Opaque.Data
	case llm.Reasoning:
		return p.Opaque.Data
	case llm.Call:
		return p.Opaque.Data
	}
	return nil
}

// whole says that every part of a response has its own item, that reasoning
// can be read without the server's store, and that a call's item says what the
// call does.
func whole(a llm.Assistant) bool {
	for _, p := range a.Parts {
		said := map[string]string{} // names are taken as written, not as Go folds them
		err := provider.Fields(itemOf(p), func(name, value []byte) bool {
			switch n := string(name); n {
			case "type", "call_id", "name", "arguments", "encrypted_content":
				said[n] = provider.Unquote(value)
			}
			return true
		})
		if err != nil || said["type"] == "" || !json.Valid(itemOf(p)) {
			return false
		}
		if said["type"] == "reasoning" && said["encrypted_content"] == "" {
			return false
		}
		c, call := p.(llm.Call)
		if call != (said["type"] == "function_call") {
			return false
		}
		if call && (said["call_id"] != c.ID || wireview.SafeID(c.ID, 64) != c.ID || said["name"] != c.Name || said["arguments"] != string(c.Input)) {
			return false
		}
	}
	return true
}
