package gemini

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSubset(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, schema, want string }{
		{
			"plain", `{"type":"object","properties":{"path":{"type":"string","description":"where"}},"required":["path"],"additionalProperties":false,"$schema":"x"}`,
			`{"properties":{"path":{"description":"where","type":"STRING"}},"required":["path"],"type":"OBJECT"}`,
		},
		{"nothing to give", `{"type":"object"}`, ``},
		{"empty properties", `{"type":"object","properties":{}}`, ``},
		{"no JSON", `{`, ``},
		{"null", `{"properties":{"a":{"type":["integer","null"],"minimum":1}}}`, `{"properties":{"a":{"minimum":1,"nullable":true,"type":"INTEGER"}},"type":"OBJECT"}`},
		{"two types", `{"properties":{"a":{"type":["integer","string"]}}}`, `{"properties":{"a":{"anyOf":[{"type":"INTEGER"},{"type":"STRING"}]}},"type":"OBJECT"}`},
		{
			"words", `{"properties":{"a":{"enum":["x","y",""]},"b":{"const":"z"},"c":{"type":"integer","enum":[1,2]}}}`,
			`{"properties":{"a":{"enum":["x","y"],"type":"STRING"},"b":{"enum":["z"],"type":"STRING"},"c":{"type":"INTEGER"}},"type":"OBJECT"}`,
		},
		{
			"a list", `{"properties":{"a":{"type":"array","items":{"type":"number","format":"double"}},"b":{"type":"array"}}}`,
			`{"properties":{"a":{"items":{"format":"double","type":"NUMBER"},"type":"ARRAY"},"b":{"items":{"type":"STRING"},"type":"ARRAY"}},"type":"OBJECT"}`,
		},
		{
			"unknown formats", `{"properties":{"a":{"type":"string","format":"uri"},"b":{"type":"string","format":"date-time"}}}`,
			`{"properties":{"a":{"type":"STRING"},"b":{"format":"date-time","type":"STRING"}},"type":"OBJECT"}`,
		},
		{
			"references", `{"properties":{"a":{"$ref":"#/$defs/p"}},"$defs":{"p":{"type":"object","properties":{"x":{"$ref":"#/$defs/n"}}},"n":{"type":"integer"}}}`,
			`{"properties":{"a":{"properties":{"x":{"type":"INTEGER"}},"type":"OBJECT"}},"type":"OBJECT"}`,
		},
		{
			"two lists of alternatives", `{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"number"}],"oneOf":[{"type":"boolean"}]}}}`,
			`{"properties":{"a":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"}]}},"type":"OBJECT"}`,
		},
		{
			"alternatives", `{"properties":{"a":{"oneOf":[{"type":"string"},{"type":"null"},{"type":"boolean"}]}}}`,
			`{"properties":{"a":{"anyOf":[{"type":"STRING"},{"type":"BOOLEAN"}],"nullable":true}},"type":"OBJECT"}`,
		},
		{
			"all of", `{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b","gone"]}]}`,
			`{"properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"required":["a","b"],"type":"OBJECT"}`,
		},
		{"true", `{"properties":{"a":true}}`, `{"properties":{"a":{}},"type":"OBJECT"}`},
		{
			"a property of a word's name", `{"properties":{"properties":{"type":"string"},"$ref":{"type":"string"}}}`,
			`{"properties":{"$ref":{"type":"STRING"},"properties":{"type":"STRING"}},"type":"OBJECT"}`,
		},
	} {
		if got := string(subset(json.RawMessage(c.schema))); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// A schema without an end ends.
func TestSubsetOfEndlessSchemas(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}}}`,
		`{"$ref":"#","properties":{"a":{}}}`,
		`{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}],"properties":{"a":{}}}`,
	} {
		if got := subset(json.RawMessage(schema)); !json.Valid(got) || len(got) > 1<<20 {
			t.Errorf("%s became %d bytes", schema, len(got))
		}
	}
}

func FuzzSubset(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x"]},"b":{"$ref":"#/$defs/c"}},"$defs":{"c":{"oneOf":[{"type":"array"}]}},"required":["a"]}`)
	f.Fuzz(func(t *testing.T, schema string) {
		got := subset(json.RawMessage(schema))
		if got == nil {
			return
		}
		if !json.Valid(got) || string(got) != string(subset(json.RawMessage(schema))) || !strings.HasPrefix(string(got), "{") {
			t.Errorf("%s became %s", schema, got)
		}
	})
}
