package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// schema is what arguments are checked against and what the model is shown.
type schema struct {
	text     json.RawMessage
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved // nil: only that it is an object is checked
	names    []string             // of the arguments, in order
	ours     bool                 // made here: closed, and null is nothing
}

// schemaFor builds the schema of a struct, without the null unions that the
// library makes of optional lists, which several providers refuse.
func schemaFor[In any](d Definition) (*schema, error) {
	root, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
	}})
	if err != nil {
		return nil, fmt.Errorf("make a schema of the arguments: %w", err)
	}
	clean(root)
	for path, values := range d.Enums {
		s, err := at(root, path)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			s.Enum = append(s.Enum, v)
		}
	}
	for path, b := range d.Bounds {
		s, err := at(root, path)
		if err != nil {
			return nil, err
		}
		bound(s, b)
	}
	return finish(root, root.PropertyOrder)
}

// schemaFrom takes a foreign schema as it is.
func schemaFrom(text json.RawMessage) (*schema, error) {
	var root jsonschema.Schema
	if err := json.Unmarshal(text, &root); err != nil || root.Type != "" && root.Type != "object" {
		return &schema{text: text}, nil //nolint:nilerr // shown, not used for checking
	}
	names := make([]string, 0, len(root.Properties))
	for name := range root.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	resolved, err := root.Resolve(nil)
	if err != nil {
		resolved = nil
	}
	return &schema{text, &root, resolved, names, false}, nil
}

func finish(root *jsonschema.Schema, names []string) (*schema, error) {
	text, err := json.Marshal(shown(root))
	if err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	if len(root.Properties) == 0 { // some servers insist on them
		text = []byte(`{"type":"object","properties":{}}`)
	}
	resolved, err := root.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("resolve the schema: %w", err)
	}
	return &schema{text, root, resolved, names, true}, nil
}

// shown is the schema as models are sent it, with every request: what is
// checked here anyway and tells a model nothing it would act on is left out,
// such as that texts are not empty and that there are no other arguments.
func shown(s *jsonschema.Schema) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	c := *s
	c.AdditionalProperties, c.MinLength, c.MaxLength, c.MinItems = nil, nil, nil, nil
	if c.Minimum != nil && *c.Minimum <= 1 {
		c.Minimum = nil
	}
	c.Items = shown(s.Items)
	if s.Properties != nil {
		c.Properties = make(map[string]*jsonschema.Schema, len(s.Properties))
		for name, p := range s.Properties {
			c.Properties[name] = shown(p)
		}
	}
	return &c
}

// clean drops null from the types of a schema and everything below it.
func clean(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if i := slices.Index(s.Types, "null"); i >= 0 {
		rest := slices.Delete(slices.Clone(s.Types), i, i+1)
		s.Types = rest
		if len(rest) == 1 {
			s.Type, s.Types = rest[0], nil
		}
	}
	for _, p := range s.Properties {
		clean(p)
	}
	clean(s.Items)
}

// at finds an argument's schema; dots lead into objects and the elements of
// lists.
func at(root *jsonschema.Schema, path string) (*jsonschema.Schema, error) {
	s := root
	for name := range strings.SplitSeq(path, ".") {
		for s.Type == "array" && s.Items != nil {
			s = s.Items
		}
		next, ok := s.Properties[name]
		if !ok {
			return nil, fmt.Errorf("find the argument %q: there is no %q", path, name)
		}
		s = next
	}
	return s, nil
}

func bound(s *jsonschema.Schema, b Bound) {
	if s.Type == "integer" || s.Type == "number" {
		lo, hi := float64(b.Min), float64(b.Max)
		if b.Min != 0 {
			s.Minimum = &lo
		}
		if b.Max != 0 {
			s.Maximum = &hi
		}
		return
	}
	lo, hi := &s.MinLength, &s.MaxLength
	if s.Type == "array" {
		lo, hi = &s.MinItems, &s.MaxItems
	}
	if b.Min != 0 {
		*lo = &b.Min
	}
	if b.Max != 0 {
		*hi = &b.Max
	}
}
