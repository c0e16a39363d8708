package anthropic

import (
	"strconv"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// cacheParam names the mark, as servers do that refuse it.
const cacheParam = "cache_control"

// cacheMark is spliced in behind the fields of a block.
const cacheMark = `,"cache_control":{"type":"ephemeral"}`

// idLimit is how long a call's id may be.
const idLimit = 64

// codec renders requests; it belongs to one conversation.
type codec struct {
	endpoint *provider.Endpoint
	refused  *provider.Quarantine
	// bare says that the last response that was rendered made calls without
	// thinking.
	bare bool
	// effortSent is the word for effort in the last request, empty for none.
	effortSent string
	// limitSent is the output limit in the last request.
	limitSent int
	// notice says what became of the level of the last request, nil: nothing.
	notice *llm.Warning
}

// Head renders model, tools and system text, in the order of the cache.
func (c *codec) Head(req llm.Request) []byte {
	c.bare = false
	c.refused.Begin(c.endpoint.Facts(req.Model))
	mark := cacheMark
	if c.endpoint.Refused(req.Model, cacheParam) {
		mark = ""
	}
	b := append([]byte(nil), `{"model":`...)
	b = wireview.AppendString(b, req.Model)
	if tools := c.refused.Tools(req.Tools); len(tools) > 0 {
		b = append(b, `,"tools":[`...)
		for i, t := range tools {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendTool(b, t)
			if i == len(tools)-1 && req.System == "" {
				b = append(b, mark...)
			}
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	if req.System != "" {
		b = append(b, `,"system":[{"type":"text","text":`...)
		b = wireview.AppendString(b, req.System)
		b = append(append(b, mark...), "}]"...)
	}
	return append(b, `,"messages":[`...)
}

// appendTool renders a tool without its closing brace.
func appendTool(b []byte, t llm.Spec) []byte {
	b = append(b, `{"name":`...)
	b = wireview.AppendString(b, t.Name)
	b = append(b, `,"description":`...)
	b = wireview.AppendString(b, t.Description)
	b = append(b, `,"input_schema":`...)
	return append(b, provider.Schema(t)...)
}

// Items renders a batch as messages. Neighbours that the user's side says
// become one message, so that the results of one response stand together.
func (c *codec) Items(items []llm.Item) wireview.Chunk {
	w := writer{mark: -1, refused: c.refused}
	for _, it := range items {
		switch it := it.(type) {
		case llm.User:
			w.role("user")
			w.text(it.Text)
			w.images(it.Images)
		case llm.Note:
			w.role("user")
			w.text(it.Text)
		case llm.Result:
			w.role("user")
			w.result(it)
		case llm.Assistant:
			w.end()
			w.role("assistant")
			c.bare = w.assistant(it)
			w.end()
		}
	}
	w.end()
	return wireview.Chunk{Bytes: w.b, Mark: w.mark}
}

// Tail renders what may differ from request to request.
func (c *codec) Tail(req llm.Request) []byte {
	b := append([]byte(nil), `],"max_tokens":`...)
	c.limitSent = c.maxTokens(req)
	b = strconv.AppendInt(b, int64(c.limitSent), 10)
	t := c.thinking(req)
	c.effortSent, c.notice = t.effort, nil
	if t.instead != "" {
		c.notice = provider.LevelWarning(req.Model, req.Level, t.instead)
	}
	switch t.mode {
	case silent:
	case disabled:
		b = append(b, `,"thinking":{"type":"disabled"}`...)
	case budget:
		b = append(b, `,"thinking":{"type":"enabled","budget_tokens":`...)
		b = append(strconv.AppendInt(b, int64(t.tokens), 10), '}')
	case adaptive:
		b = append(b, `,"thinking":{"type":"adaptive"`...)
		if !c.endpoint.Refused(req.Model, "display") {
			b = append(b, `,"display":"summarized"`...)
		}
		b = append(b, '}')
		if t.effort != "" {
			b = append(b, `,"output_config":{"effort":`...)
			b = append(wireview.AppendString(b, t.effort), '}')
		}
	}
	return append(b, `,"stream":true}`...)
}

// writer renders messages one after the other.
type writer struct {
	b    []byte
	open string // role of the message being written
	n    int    // blocks in it
	mark int

	refused *provider.Quarantine
}

// role begins a message unless one of the role is open.
func (w *writer) role(role string) {
	if w.open == role {
		return
	}
	w.end()
	w.open, w.n = role, 0
}

// block begins a block; the message's frame is written with its first block,
// so that a message without blocks leaves nothing.
func (w *writer) block() {
	if w.n == 0 {
		if len(w.b) > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(append(append(w.b, `{"role":"`...), w.open...), `","content":[`...)
	} else {
		w.b = append(w.b, ',')
	}
	w.n++
}

// close ends a block at which the cache may be marked.
func (w *writer) close() {
	w.mark = len(w.b)
	w.b = append(w.b, '}')
}

func (w *writer) end() {
	if w.n > 0 {
		w.b = append(w.b, "]}"...)
	}
	w.open, w.n = "", 0
}

func (w *writer) text(s string) {
	if s == "" {
		return
	}
	w.block()
	w.b = wireview.AppendString(append(w.b, `{"type":"text","text":`...), s)
	w.close()
}

func (w *writer) images(images []llm.Image) {
	for _, img := range images {
		w.block()
		w.b = w.appendImage(w.b, img)
		w.close()
	}
}

// appendImage renders an image, or what stands for one that was refused,
// without its closing brace.
func (w *writer) appendImage(b []byte, img llm.Image) []byte {
	if instead, refused := w.refused.Image(img); refused {
		return wireview.AppendString(append(b, `{"type":"text","text":`...), instead)
	}
	b = append(b, `{"type":"image","source":{"type":"base64","media_type":`...)
	b = wireview.AppendString(b, img.MIME)
	b = append(b, `,"data":"`...)
	return append(wireview.AppendBase64(b, img.Data), `"}`...)
}

// result renders the result of a call.
func (w *writer) result(r llm.Result) {
	w.block()
	w.b = append(w.b, `{"type":"tool_result","tool_use_id":`...)
	w.b = wireview.AppendString(w.b, wireview.SafeID(r.CallID, idLimit))
	if r.Output != "" || len(r.Images) > 0 {
		w.b = append(w.b, `,"content":[`...)
		if r.Output != "" {
			w.b = append(wireview.AppendString(append(w.b, `{"type":"text","text":`...), r.Output), '}')
		}
		for i, img := range r.Images {
			if i > 0 || r.Output != "" {
				w.b = append(w.b, ',')
			}
			w.b = append(w.appendImage(w.b, img), '}')
		}
		w.b = append(w.b, ']')
	}
	if r.Status != llm.StatusOK {
		w.b = append(w.b, `,"is_error":true`...)
	}
	w.close()
}

// assistant renders a response; it reports calls without thinking before them.
func (w *writer) assistant(a llm.Assistant) (bare bool) {
	thought, called := false, false
	for _, p := range a.Parts {
		switch p := p.(type) {
		case llm.Text:
			w.text(p.Text)
		case llm.Reasoning:
			if len(p.Opaque.Data) > 0 { // without it the server takes no thinking back
				w.block()
				w.b = append(w.b, p.Opaque.Data...)
				w.mark = -1
				thought = true
			}
		case llm.Call:
			called = true
			w.block()
			w.b = append(w.b, `{"type":"tool_use","id":`...)
			w.b = wireview.AppendString(w.b, wireview.SafeID(p.ID, idLimit))
			w.b = append(w.b, `,"name":`...)
			w.b = wireview.AppendString(w.b, p.Name)
			w.b = append(w.b, `,"input":`...)
			w.b = append(w.b, p.Input...)
			w.close()
		}
	}
	return called && !thought
}
