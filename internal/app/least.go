package app

import (
	"bytes"
	"encoding/json"
	"slices"

	"assent/internal/tool"
)

// inputOf reads the input of a call that is only to be explained: an object as
// it is, else the value of the tool's load-bearing argument. What else the
// tool requires gets a value that says nothing.
func inputOf(t tool.Tool, input string) json.RawMessage {
	text := bytes.TrimSpace([]byte(input))
	schema := readShape(t.Spec().Schema)
	var call map[string]any
	if !bytes.HasPrefix(text, []byte("{")) || json.Unmarshal(text, &call) != nil {
		title := t.TitleArgument()
		call = map[string]any{title: schema.property(title).least(input)}
	}
	for _, name := range schema.Required {
		if _, there := call[name]; there {
			continue
		}
		said := ""
		if name == "to" { // a move within one place
			said, _ = call["from"].(string)
		}
		call[name] = schema.property(name).least(said)
	}
	whole, err := json.Marshal(call)
	if err != nil {
		return text
	}
	return whole
}

// shape is what of a JSON Schema is needed to make the least value of it.
type shape struct {
	Type       any                        `json:"type"`
	Enum       []any                      `json:"enum"`
	Items      json.RawMessage            `json:"items"`
	MinItems   int                        `json:"minItems"`
	Minimum    float64                    `json:"minimum"`
	Required   []string                   `json:"required"`
	Properties map[string]json.RawMessage `json:"properties"`
}

func readShape(schema json.RawMessage) shape {
	var s shape
	_ = json.Unmarshal(schema, &s) // what cannot be read asks for a text
	return s
}

func (s shape) property(name string) shape { return readShape(s.Properties[name]) }

// kind is the type, of several the first that is not null.
func (s shape) kind() string {
	if list, ok := s.Type.([]any); ok {
		i := slices.IndexFunc(list, func(t any) bool { return t != "null" })
		if i < 0 {
			return ""
		}
		kind, _ := list[i].(string)
		return kind
	}
	kind, _ := s.Type.(string)
	return kind
}

// least is the least value with a text in the place of its first one.
func (s shape) least(text string) any {
	if len(s.Enum) > 0 && text == "" {
		return s.Enum[0]
	}
	switch s.kind() {
	case "array":
		return slices.Repeat([]any{readShape(s.Items).least(text)}, max(1, s.MinItems))
	case "object":
		object := map[string]any{}
		for i, name := range s.Required {
			if i > 0 {
				text = ""
			}
			object[name] = s.property(name).least(text)
		}
		return object
	case "integer", "number":
		return s.Minimum
	case "boolean":
		return false
	}
	return text
}
