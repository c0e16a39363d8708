package event

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Marshal returns the event as one line of JSON without a line end: the field
// "type" first, then the event's own fields. A Subagent carries its nested
// event in the field "event".
func Marshal(e Event) ([]byte, error) {
	body, err := encode(e)
	if err != nil {
		return nil, fmt.Errorf("encode event %s: %w", e.Type(), err)
	}
	var line bytes.Buffer
	line.Grow(len(body) + len(e.Type()) + len(`{"type":"",`))
	line.WriteString(`{"type":"`)
	line.WriteString(e.Type())
	line.WriteByte('"')
	if len(body) > len("{}") {
		line.WriteByte(',')
	}
	line.Write(body[1:])
	return line.Bytes(), nil
}

// encode returns the event's own fields as a JSON object.
func encode(e Event) ([]byte, error) {
	switch e := e.(type) {
	case Subagent:
		nested, err := Marshal(e.Event)
		if err != nil {
			return nil, err
		}
		return plain(struct {
			ID    string          `json:"id"`
			Kind  string          `json:"kind"`
			Event json.RawMessage `json:"event"`
		}{e.ID, e.Kind, nested})
	case ToolCall:
		// What the model wrote may be no JSON; then it goes out as a string.
		if !json.Valid(e.Input) {
			text, err := plain(string(e.Input))
			if err != nil {
				return nil, err
			}
			e.Input = text
		}
		return plain(e)
	default:
		return plain(e)
	}
}

// plain encodes without escaping <, > and &, so that a reader sees the text
// as it is.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
