package gemini

import (
	"encoding/json"
	"strconv"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// skipCheck is the documented value for a call whose signature is not known:
// one of another model, or of an earlier process.
const skipCheck = "skip_thought_signature_validator"

// codec renders requests.
type codec struct {
	endpoint *provider.Endpoint
	refused  *provider.Quarantine

	// Of the epoch, set by Head.
	signed bool // the family refuses calls without a signature
	ids    bool // calls and results carry ids

	// Of the request, set by Tail.
	effortSent string       // the word for effort, empty for none
	notice     *llm.Warning // what became of the level
}

// Head writes the system text and the tools.
func (c *codec) Head(req llm.Request) []byte {
	c.refused.Begin(c.endpoint.Facts(req.Model))
	c.signed = demandsSignatures(req.Model)
	c.ids = !c.endpoint.Refused(req.Model, idParam)
	b := []byte{'{'}
	if req.System != "" {
		b = append(b, `"systemInstruction":{"parts":[{"text":`...)
		b = append(wireview.AppendString(b, req.System), `}]},`...)
	}
	if tools := c.refused.Tools(req.Tools); len(tools) > 0 {
		b = append(b, `"tools":[{"functionDeclarations":[`...)
		for i, t := range tools {
			if i > 0 {
				b = append(b, ',')
			}
			b = wireview.AppendString(append(b, `{"name":`...), t.Name)
			b = wireview.AppendString(append(b, `,"description":`...), t.Description)
			b = append(c.parameters(b, req.Model, provider.Schema(t)), '}')
		}
		b = append(b, `]}],`...)
	}
	return append(b, `"contents":[`...)
}

// parameters writes the schema of a tool in the form that the server takes.
func (c *codec) parameters(b []byte, model string, schema json.RawMessage) []byte {
	if !c.endpoint.Refused(model, schemaParam) {
		return append(append(b, `,"parametersJsonSchema":`...), schema...)
	}
	if schema = subset(schema); len(schema) == 0 {
		return b
	}
	return append(append(b, `,"parameters":`...), schema...)
}

// demandsSignatures tells the families since Gemini 3.
func demandsSignatures(model string) bool {
	_, version, ok := strings.Cut(strings.ToLower(bare(model)), "gemini-")
	return ok && !strings.HasPrefix(version, "1.") && !strings.HasPrefix(version, "2.")
}

// Tail writes the limits and the thinking.
func (c *codec) Tail(req llm.Request) []byte {
	b := []byte(`]`)
	sep := `,"generationConfig":{`
	if req.MaxOutput > 0 {
		b = strconv.AppendInt(append(append(b, sep...), `"maxOutputTokens":`...), int64(req.MaxOutput), 10)
		sep = ","
	}
	c.effortSent, c.notice = "", nil
	if t := c.thinking(req); t.config != "" && !c.endpoint.Refused(req.Model, thinkingParam) {
		b = append(append(append(b, sep...), `"thinkingConfig":`...), t.config...)
		sep = ","
		c.effortSent, c.notice = t.effort, t.notice
	}
	if sep == "," {
		b = append(b, '}')
	}
	return append(b, '}')
}

// Items writes one batch.
func (c *codec) Items(items []llm.Item) wireview.Chunk {
	w := writer{c: c}
	provider.WriteItems(&w, items)
	w.images()
	w.close()
	return wireview.Chunk{Bytes: w.b, Mark: -1}
}

// writer writes the contents of one batch. Neighbours of one role become one
// content, but results stay by themselves: a server counts them against the
// calls before.
type writer struct {
	c       *codec
	b       []byte
	role    string // of the open content; "results" for those
	pending []llm.Result
}

// part begins a part in a content of the role.
func (w *writer) part(role, open string) {
	if w.role == role {
		w.b = append(w.b, ',')
	} else {
		w.close()
		if len(w.b) > 0 {
			w.b = append(w.b, ',')
		}
		name := role
		if role == "results" {
			name = "user"
		}
		w.b = append(append(append(w.b, `{"role":"`...), name...), `","parts":[`...)
		w.role = role
	}
	w.b = append(w.b, open...)
}

// close ends the open content.
func (w *writer) close() {
	if w.role != "" {
		w.b = append(w.b, `]}`...)
	}
	w.role = ""
}

// User adds to the content of the user that is open.
func (w *writer) User(text string, images []llm.Image) {
	w.images()
	if text != "" {
		w.text(text)
	}
	for _, im := range images {
		w.image(im)
	}
}

func (w *writer) text(text string) {
	w.part("user", `{"text":`)
	w.b = append(wireview.AppendString(w.b, text), '}')
}

func (w *writer) image(im llm.Image) {
	if instead, left := w.c.refused.Image(im); left {
		w.text(instead)
		return
	}
	w.part("user", `{"inlineData":{"mimeType":"`)
	w.b = append(append(w.b, im.MIME...), `","data":"`...)
	w.b = append(wireview.AppendBase64(w.b, im.Data), `"}}`...)
}

// images writes the images of results, after the last of them.
func (w *writer) images() {
	for _, r := range w.pending {
		w.text("(The image of the result of " + r.Name + ":)")
		for _, im := range r.Images {
			w.image(im)
		}
	}
	w.pending = nil
}

// Result writes one result.
func (w *writer) Result(r llm.Result) {
	w.part("results", `{"functionResponse":{`)
	w.id(r.CallID)
	w.b = wireview.AppendString(append(w.b, `"name":`...), r.Name)
	key := "output"
	if r.Status != llm.StatusOK {
		key = "error"
	}
	text := r.Output
	if text == "" {
		text = "(The result is an image, which follows.)"
	}
	w.b = append(append(append(w.b, `,"response":{"`...), key...), `":`...)
	w.b = append(wireview.AppendString(w.b, text), `}}}`...)
	if len(r.Images) > 0 {
		w.pending = append(w.pending, r)
	}
}

func (w *writer) id(id string) {
	if w.c.ids {
		w.b = append(wireview.AppendString(append(w.b, `"id":`...), wireview.SafeID(id, 64)), ',')
	}
}

// Assistant writes one response. Thoughts go back only with a signature.
func (w *writer) Assistant(a llm.Assistant) {
	w.images()
	need := w.c.signed // by the first call
	for _, p := range a.Parts {
		switch p := p.(type) {
		case llm.Text:
			w.part("model", `{"text":`)
			w.b = wireview.AppendString(w.b, p.Text)
			w.sign(string(p.Opaque.Data))
		case llm.Reasoning:
			if len(p.Opaque.Data) > 0 {
				w.part("model", `{"thought":true,"text":`)
				w.b = wireview.AppendString(w.b, p.Text)
				w.sign(string(p.Opaque.Data))
			}
		case llm.Call:
			sig := string(p.Opaque.Data)
			if need && sig == "" {
				sig = skipCheck
			}
			need = false
			w.part("model", `{"functionCall":{`)
			w.id(p.ID)
			w.b = wireview.AppendString(append(w.b, `"name":`...), p.Name)
			w.b = append(append(append(w.b, `,"args":`...), p.Input...), '}')
			w.sign(sig)
		}
	}
}

// sign ends a part, with its signature when it has one.
func (w *writer) sign(sig string) {
	if sig != "" {
		w.b = wireview.AppendString(append(w.b, `,"thoughtSignature":`...), sig)
	}
	w.b = append(w.b, '}')
}
