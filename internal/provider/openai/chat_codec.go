package openai

import (
	"strconv"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// chatCodec renders requests of Chat Completions.
type chatCodec struct {
	client  *Client
	refused *provider.Quarantine

	// Of the epoch, set by Head.
	q         quirks
	afterTool bool // the last message written is a result

	// Of the request, set by Tail.
	sent       []string     // optional parameters
	effortSent string       // the word for effort, empty for none
	notice     *llm.Warning // what became of the level
}

// Head writes the model, the tools and the system text.
func (c *chatCodec) Head(req llm.Request) []byte {
	c.refused.Begin(c.client.endpoint.Facts(req.Model))
	c.q = quirksOf(c.client.name, c.client.host, req.Model)
	switch {
	case c.client.endpoint.Refused(req.Model, takesNone):
		c.q.echo = echoNone
	case c.client.endpoint.Refused(req.Model, wantsEcho):
		c.q.echo = echoCalls
	}
	c.afterTool = false

	b := wireview.AppendString([]byte(`{"model":`), req.Model)
	if tools := c.refused.Tools(req.Tools); len(tools) > 0 {
		b = append(b, `,"tools":[`...)
		for i, t := range tools {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"type":"function","function":`...)
			b = append(appendSpec(b, t), '}')
		}
		b = append(b, ']')
	}
	b = append(b, `,"messages":[`...)
	if req.System != "" {
		b = wireview.AppendString(append(b, `{"role":"system","content":`...), req.System)
		b = append(b, '}')
	}
	return b
}

// appendSpec writes {"name", "description", "parameters"} of a tool.
func appendSpec(b []byte, t llm.Spec) []byte {
	b = wireview.AppendString(append(b, `{"name":`...), t.Name)
	b = wireview.AppendString(append(b, `,"description":`...), t.Description)
	b = append(b, `,"parameters":`...)
	return append(append(b, provider.Schema(t)...), '}')
}

// Tail writes the parameters that the server has not refused.
func (c *chatCodec) Tail(req llm.Request) []byte {
	c.sent, c.effortSent, c.notice = c.sent[:0], "", nil
	b := []byte(`],"stream":true`)
	put := func(name, value string) bool {
		if c.client.endpoint.Refused(req.Model, name) {
			return false
		}
		c.sent = append(c.sent, name)
		b = append(append(append(append(b, `,"`...), name...), `":`...), value...)
		return true
	}
	put("stream_options", `{"include_usage":true}`)
	if req.MaxOutput > 0 {
		n := strconv.Itoa(req.MaxOutput)
		if !put(c.q.maxTokens, n) {
			put(other(c.q.maxTokens), n)
		}
	}
	e := c.q.effort(req, c.client.endpoint)
	for _, p := range e.params {
		if put(p[0], p[1]) && p[0] != "thinking" {
			c.effortSent, c.notice = e.word, e.notice
		}
	}
	if c.q.cacheKey && req.Session != "" {
		put("prompt_cache_key", string(wireview.AppendString(nil, wireview.SafeID(req.Session, 64))))
	}
	if c.q.cacheControl {
		put("cache_control", `{"type":"ephemeral"}`)
	}
	return append(b, '}')
}

// other is the second name of the output limit.
func other(name string) string {
	if name == "max_tokens" {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

// Items writes one batch. What the user said and the notes beside it become
// one message, since some servers want the roles to alternate.
func (c *chatCodec) Items(items []llm.Item) wireview.Chunk {
	w := chatWriter{c: c}
	provider.WriteItems(&w, items)
	w.flush()
	return wireview.Chunk{Bytes: w.b, Mark: -1}
}

// chatWriter writes the messages of one batch.
type chatWriter struct {
	c     *chatCodec
	b     []byte
	texts []string // of the user message that gathers
	parts []byte   // the same as content parts, with the images
	image bool     // an image is among them
}

// User adds to the user message that gathers.
func (w *chatWriter) User(text string, images []llm.Image) {
	if text != "" {
		w.text(text)
	}
	for _, im := range images {
		if instead, left := w.c.refused.Image(im); left {
			w.text(instead)
			continue
		}
		w.image = true
		w.part(`{"type":"image_url","image_url":{"url":"`)
		w.parts = append(appendDataURL(w.parts, im), `"}}`...)
	}
}

func (w *chatWriter) text(text string) {
	w.texts = append(w.texts, text)
	w.part(`{"type":"text","text":`)
	w.parts = append(wireview.AppendString(w.parts, text), '}')
}

func (w *chatWriter) part(open string) {
	if len(w.parts) > 0 {
		w.parts = append(w.parts, ',')
	}
	w.parts = append(w.parts, open...)
}

func appendDataURL(b []byte, im llm.Image) []byte {
	b = append(append(append(b, "data:"...), im.MIME...), ";base64,"...)
	return wireview.AppendBase64(b, im.Data)
}

// flush writes the user message that gathered.
func (w *chatWriter) flush() {
	if len(w.parts) == 0 {
		return
	}
	if w.c.q.noUserAfterTool && w.c.afterTool {
		w.open(`{"role":"assistant","content":"Done."}`)
	}
	w.open(`{"role":"user","content":`)
	if w.image {
		w.b = append(append(append(w.b, '['), w.parts...), ']', '}')
	} else {
		w.b = append(wireview.AppendString(w.b, joined(w.texts)), '}')
	}
	w.c.afterTool = false
	w.texts, w.parts, w.image = nil, nil, false
}

func joined(texts []string) string {
	s := texts[0]
	for _, t := range texts[1:] {
		s += "\n\n" + t
	}
	return s
}

// open begins a message.
func (w *chatWriter) open(s string) {
	if len(w.b) > 0 {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, s...)
}

// Result writes the result of a call. Its images follow as a user message,
// after the last result.
func (w *chatWriter) Result(r llm.Result) {
	text := r.Output
	if text == "" {
		text = "(The result is an image, which follows.)"
	}
	w.open(`{"role":"tool","tool_call_id":`)
	w.b = wireview.AppendString(w.b, w.c.q.id(r.CallID))
	w.b = wireview.AppendString(append(w.b, `,"content":`...), text)
	w.b = append(w.b, '}')
	w.c.afterTool = true
	if len(r.Images) > 0 {
		w.User("(The image of the result of "+r.Name+", call "+r.CallID+":)", r.Images)
	}
}
