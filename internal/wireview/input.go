package wireview

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// objectInput returns the arguments of a call as a JSON object: nothing at all
// as {}, and what is no object, cut-off arguments for instance, as the raw
// text under one key, so that the model still sees what it wrote. same says
// that nothing was changed.
func objectInput(in json.RawMessage) (out json.RawMessage, same bool) {
	text := bytes.TrimSpace(in)
	if len(text) == 0 || string(text) == "null" {
		return json.RawMessage("{}"), false
	}
	if text[0] == '{' && json.Valid(text) && utf8.Valid(text) {
		return in, true
	}
	raw := append([]byte(`{"_raw":`), AppendString(nil, string(in))...)
	return append(raw, '}'), false
}

// safeName returns a tool name that every wire takes: 1 to 64 letters, digits,
// "_" and "-". A model may have written anything.
func safeName(name string) string {
	if name == "" {
		return "unnamed"
	}
	name = safeWord(name)
	return name[:min(len(name), 64)]
}
