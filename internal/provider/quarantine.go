package provider

import (
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
	images map[[sha256.Size]byte]bool
	tools  map[string]bool
	// accepted is how many items the server has taken: what it took before is
	// not at fault.
	accepted int
}

// Begin tells what is known of the model of an epoch.
func (q *Quarantine) Begin(f Facts) { q.blind = f.Blind() }

// Accepted tells that the server took a request.
func (q *Quarantine) Accepted(req llm.Request) { q.accepted = len(req.Items) }

// Learn takes from a refusal what to leave out from now on and returns what
// to tell the user; empty when the refusal is about no image and no tool, or
// nothing new is found. The caller renders the request anew.
func (q *Quarantine) Learn(err error, req llm.Request) string {
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
	names := q.dropImages(req.Items[min(q.accepted, len(req.Items)):])
	if len(names) == 0 {
		names = q.dropImages(req.Items)
	}
	if len(names) == 0 {
		return ""
	}
	return "refused an image (" + clip(api.Message, 200) + "); going on without " + strings.Join(names, ", ")
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
	name := first(img.Name, "without a name")
	switch {
	case q.blind:
		return "(An image is here, " + name + ", but this model cannot see images.)", true
	case len(q.images) > 0 && q.images[sha256.Sum256(img.Data)]:
		return "(The image " + name + " is left out: the provider refused it.)", true
	}
	return "", false
}

// dropImages leaves the images of items out and names them.
func (q *Quarantine) dropImages(items []llm.Item) []string {
	var names []string
	for _, it := range items {
		for _, img := range Images(it) {
			key := sha256.Sum256(img.Data)
			if q.images[key] {
				continue
			}
			if q.images == nil {
				q.images = map[[sha256.Size]byte]bool{}
			}
			q.images[key] = true
			names = append(names, first(img.Name, "the image"))
		}
	}
	return names
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

// badImage tells a refusal of an image.
func badImage(api *APIError) bool {
	text := strings.ToLower(api.Param + " " + api.Code + " " + api.Message)
	return has(text, "image", "inline_data", "inlinedata") &&
		has(text, "could not process", "invalid", "exceed", "unsupported", "not supported", "too large", "too small",
			"unable to process", "failed to", "not valid", "cannot be", "could not be", "corrupt", "does not match", "cannot read", "not a valid", "at most", "does not support",
			"no endpoints found", "maximum")
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
