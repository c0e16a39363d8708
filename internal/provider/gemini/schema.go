package gemini

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"assent/internal/late"
	"assent/internal/provider"
)

// schemaParam is the name under which JSON Schema is sent as it is. A server
// that does not know it wants "parameters", a part of OpenAPI's schemas.
const schemaParam = "parametersJsonSchema"

// unknownName is how servers say that they do not know a name, as opposed to
// refusing what stands under it.
var unknownName = late.Regexp(`(?i)unknown|cannot find|unrecogni[sz]ed|not support|unsupported|unexpected|not permitted|not allowed|extra inputs`)

// schemaRefused tells a server that does not take JSON Schema as it is.
func schemaRefused(err error) bool {
	return provider.RefusedParam(err, "parametersjsonschema", "parameters_json_schema", schemaParam) != "" && unknownName().MatchString(err.Error())
}

// Bounds of what is followed: a schema that refers to itself has no end.
const (
	maxDepth   = 16
	maxSchemas = 4000
)

// subset writes a JSON Schema as the part of OpenAPI's that older servers take.
// What has no counterpart is left out, so the result allows at least what the
// schema does; arguments are checked against the schema itself later. It is nil
// for a tool without arguments, which such servers want to have no schema.
//
// References, parts and alternatives are more than our own tools use. They are
// here because a tool set is sent as a whole: one schema of a remote tool that
// such a server does not know would cost the session all of its tools.
func subset(schema json.RawMessage) json.RawMessage {
	var root map[string]any
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	r := reducer{root: root, left: maxSchemas}
	s := r.schema(root, 0)
	if properties, ok := s["properties"].(map[string]any); !ok || len(properties) == 0 {
		return nil
	}
	s["type"] = "OBJECT"
	b, err := json.Marshal(s)
	if err != nil {
		return nil
	}
	return b
}

// reducer reduces the schemas of one document.
type reducer struct {
	root map[string]any
	left int // schemas that may still be followed
}

// plain are the words that mean the same in both.
var plain = []string{
	"title", "description", "pattern", "minItems", "maxItems", "minLength", "maxLength",
	"minProperties", "maxProperties", "minimum", "maximum",
}

// formats are the formats that are known for each type; others are refused.
var formats = map[string][]string{
	"NUMBER": {"float", "double"}, "INTEGER": {"int32", "int64"}, "STRING": {"date-time"},
}

// schema reduces one schema.
func (r *reducer) schema(from map[string]any, depth int) map[string]any {
	to := map[string]any{}
	if r.left--; depth > maxDepth || r.left < 0 {
		return to
	}
	from = r.whole(from, depth)
	for _, word := range plain {
		if v, ok := from[word]; ok {
			to[word] = v
		}
	}
	r.typed(to, from)
	kind, _ := to["type"].(string)
	if format, ok := from["format"].(string); ok && slices.Contains(formats[kind], format) {
		to["format"] = format
	}
	if list := words(from); kind == "STRING" && len(list) > 0 {
		to["enum"] = list
	}
	if properties, ok := from["properties"].(map[string]any); ok && len(properties) > 0 {
		reduced := map[string]any{}
		for name, p := range properties {
			reduced[name] = r.any(p, depth+1)
		}
		to["properties"] = reduced
		if required := known(from["required"], reduced); len(required) > 0 {
			to["required"] = required
		}
	}
	if items, ok := from["items"]; ok {
		to["items"] = r.any(items, depth+1)
	} else if kind == "ARRAY" {
		to["items"] = map[string]any{"type": "STRING"} // demanded
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if list, ok := from[word].([]any); ok && to["anyOf"] == nil {
			r.oneOf(to, list, depth) // of several lists one: each alone allows what all do
		}
	}
	return to
}

// any reduces a schema that may also be true or false.
func (r *reducer) any(v any, depth int) map[string]any {
	if m, ok := v.(map[string]any); ok {
		return r.schema(m, depth)
	}
	return map[string]any{}
}

// whole is a schema with what it refers to, and with all that it is made of.
func (r *reducer) whole(from map[string]any, depth int) map[string]any {
	for range maxDepth {
		ref, ok := from["$ref"].(string)
		if !ok {
			break
		}
		from = merged(without(from, "$ref"), r.find(ref))
	}
	if list, ok := from["allOf"].([]any); ok && depth < maxDepth {
		from = without(from, "allOf")
		for _, v := range list {
			if r.left--; r.left < 0 {
				break
			}
			if m, ok := v.(map[string]any); ok {
				from = merged(from, r.whole(m, depth+1))
			}
		}
	}
	return from
}

// find follows a reference within the document.
func (r *reducer) find(ref string) map[string]any {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	var at any = r.root
	for name := range strings.SplitSeq(path, "/") {
		m, _ := at.(map[string]any)
		at = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	m, _ := at.(map[string]any)
	return m
}

// typed writes the type: one word, and whether null is taken as well.
func (r *reducer) typed(to, from map[string]any) {
	var kinds []string
	switch v := from["type"].(type) {
	case string:
		kinds = []string{v}
	case []any:
		for _, k := range v {
			if s, ok := k.(string); ok {
				kinds = append(kinds, s)
			}
		}
	}
	if i := slices.Index(kinds, "null"); i >= 0 && len(kinds) > 1 {
		to["nullable"] = true
		kinds = slices.Delete(kinds, i, i+1)
	}
	switch {
	case len(kinds) == 1:
		to["type"] = strings.ToUpper(kinds[0])
	case len(kinds) > 1:
		var list []any
		for _, k := range kinds {
			list = append(list, map[string]any{"type": k})
		}
		r.oneOf(to, list, 0)
	case from["properties"] != nil:
		to["type"] = "OBJECT"
	case from["items"] != nil:
		to["type"] = "ARRAY"
	case len(words(from)) > 0:
		to["type"] = "STRING"
	}
}

// oneOf writes alternatives; that of null becomes a word of its own.
func (r *reducer) oneOf(to map[string]any, list []any, depth int) {
	var kept []any
	for _, v := range list {
		if m, ok := v.(map[string]any); ok && m["type"] == "null" {
			to["nullable"] = true
			continue
		}
		kept = append(kept, r.any(v, depth+1))
	}
	if len(kept) > 0 {
		to["anyOf"] = kept
	}
}

// words are the texts that a schema allows, nil where it does not list them or
// lists others as well.
func words(from map[string]any) []string {
	list, ok := from["enum"].([]any)
	if c, one := from["const"]; !ok && one {
		list = []any{c}
	}
	var out []string
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil
		}
		if s != "" { // an empty one is refused
			out = append(out, s)
		}
	}
	return out
}

// known are the required names that have a schema.
func known(v any, properties map[string]any) []string {
	list, _ := v.([]any)
	var out []string
	for _, n := range list {
		if s, ok := n.(string); ok && properties[s] != nil && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func without(m map[string]any, word string) map[string]any {
	to := maps.Clone(m)
	delete(to, word)
	return to
}

// merged is a schema with another's words; its own count, but for properties
// and required, which add up.
func merged(a, b map[string]any) map[string]any {
	to := union(a, b)
	one, _ := a["properties"].(map[string]any)
	two, _ := b["properties"].(map[string]any)
	if one != nil && two != nil {
		to["properties"] = union(one, two)
	}
	first, _ := a["required"].([]any)
	second, _ := b["required"].([]any)
	if first != nil && second != nil {
		to["required"] = slices.Concat(first, second)
	}
	return to
}

// union holds what both hold; where both name a thing, the first.
func union(a, b map[string]any) map[string]any {
	to := map[string]any{}
	maps.Copy(to, b)
	maps.Copy(to, a)
	return to
}
