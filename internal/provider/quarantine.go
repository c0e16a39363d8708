package provider

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"slices"
	"strconv"
	"strings"

	"assent/internal/llm"
)

// Quarantine remembers what a server refused of one conversation, so that one
// bad image or tool does not make every later request fail. It is used by one
// goroutine; the zero value is ready.
type Quarantine struct {
	blind  bool // the model is known to see no images
	images map[digest]bool
	tools  map[string]bool
	// taken are the images of requests that the server took: they are not at
	// fault. counted items of an epoch were looked at.
	taken   map[digest]bool
	counted int
	epoch   int
	trial   *trial // nil when no bad image is looked for
}

// digest stands for the bytes of an image.
type digest = [sha256.Size]byte

// Begin tells what is known of the model of an epoch.
func (q *Quarantine) Begin(f Facts) { q.blind = f.Blind() }

// Accepted tells that the server took a request.
func (q *Quarantine) Accepted(req llm.Request) {
	from := q.counted
	if req.Epoch != q.epoch || from > len(req.Items) {
		from = 0 // another view of the conversation, a shorter one perhaps
	}
	for _, s := range q.suspects(req.Items[from:]) {
		if q.taken == nil {
			q.taken = map[digest]bool{}
		}
		q.taken[s.digest] = true
	}
	q.counted, q.epoch, q.trial = len(req.Items), req.Epoch, nil
}

// Learn takes from a refusal what to leave out from now on and returns what
// to tell the user; empty when the refusal is about no image and no tool, or
// nothing new is found. The caller renders the request anew. body returns the
// request as it was sent; nil: it is not known.
func (q *Quarantine) Learn(err error, req llm.Request, body func() []byte) string {
	if _, ok := refusedShape(err); !ok {
		return ""
	}
	var api *APIError
	if !errors.As(err, &api) {
		return ""
	}
	if name := q.badTool(api, q.Tools(req.Tools)); name != "" {
		if q.tools == nil {
			q.tools = map[string]bool{}
		}
		q.tools[name] = true
		return "refused the tool " + name + " (" + clip(api.Message, 200) + "); going on without it"
	}
	if !badImage(api) {
		return ""
	}
	return q.isolate(api, req, body)
}

// Tools returns the tools that the server takes, in their order.
func (q *Quarantine) Tools(specs []llm.Spec) []llm.Spec {
	if len(q.tools) == 0 {
		return specs
	}
	return slices.DeleteFunc(slices.Clone(specs), func(s llm.Spec) bool { return q.tools[s.Name] })
}

// Image says whether an image is left out, and the text that stands for it:
// it was refused, or the model sees none.
func (q *Quarantine) Image(img llm.Image) (instead string, left bool) {
	name := cmp.Or(img.Name, "without a name")
	switch {
	case q.blind:
		return "(An image is here, " + name + ", but this model cannot see images.)", true
	case len(q.images) > 0 && q.images[sha256.Sum256(img.Data)]:
		return "(The image " + name + " is left out: the provider refused it.)", true
	}
	return "", false
}

// Images are the images of an item.
func Images(it llm.Item) []llm.Image {
	switch it := it.(type) {
	case llm.User:
		return it.Images
	case llm.Result:
		return it.Images
	case llm.Note, llm.Assistant:
	}
	return nil
}

// badTool returns the tool of the sent list that a refusal names by its place
// or its name, empty when it names none.
func (q *Quarantine) badTool(api *APIError, sent []llm.Spec) string {
	text := api.Param + " " + api.Message
	for _, lead := range []string{"function_declarations[", "functionDeclarations[", "tools[", "tools."} {
		if lead == "tools[" && strings.Contains(text, "unction") && strings.Contains(text, "eclarations") {
			continue // Gemini's tools hold the declarations
		}
		if i, ok := indexAfter(text, lead); ok && i < len(sent) {
			return sent[i].Name
		}
	}
	if !has(strings.ToLower(text), "schema", "function", "tool name", "tool_name") {
		return ""
	}
	for _, s := range sent {
		for _, mark := range []string{"'", `"`, "`"} {
			if strings.Contains(text, mark+s.Name+mark) {
				return s.Name
			}
		}
	}
	return ""
}

// indexAfter reads the number after a lead.
func indexAfter(text, lead string) (int, bool) {
	_, rest, ok := strings.Cut(text, lead)
	if !ok {
		return 0, false
	}
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	n, err := strconv.Atoi(digits)
	return n, err == nil
}
