package gemini_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/llm"
)

// A server that does not know JSON Schema for tools gets their older form, from
// then on, in every conversation; no tool is blamed for it.
func TestASchemaFormThatAServerDoesNotKnow(t *testing.T) {
	t.Parallel()
	unknown := answer{400, `{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"Invalid JSON payload received. Unknown name \"parametersJsonSchema\" at 'tools[0].function_declarations[0]': Cannot find field."}}`}
	s := serve(t, unknown, done(), done())
	req := request("gemini-2.5-pro")
	req.Tools = append(req.Tools, llm.Spec{Name: "read", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`)})
	c := s.open()
	reply, warnings := ask(t, c, req)
	if len(warnings) != 1 || !strings.Contains(warnings[0], "older form") {
		t.Errorf("warned %q", warnings)
	}
	if s.sent(0, "tools", 0, "functionDeclarations", 1, "parametersJsonSchema") == "null" {
		t.Error("JSON Schema was not tried first")
	}
	want := `[{"description":"lists","name":"ls"},{"description":"reads","name":"read","parameters":{"properties":{"path":{"type":"STRING"}},"required":["path"],"type":"OBJECT"}}]`
	for i := 1; i < 3; i++ {
		if got := s.sent(i, "tools", 0, "functionDeclarations"); got != want {
			t.Errorf("request %d has %s", i, got)
		}
		if i == 1 {
			_, warnings = ask(t, c, goOn(req, reply, llm.User{Text: "more"}))
			if len(warnings) != 0 {
				t.Errorf("warned again: %q", warnings)
			}
		}
	}
}

// A schema that is bad in itself is its tool's fault, not the form's.
func TestABadSchemaIsNoUnknownForm(t *testing.T) {
	t.Parallel()
	bad := answer{400, `{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"* GenerateContentRequest.tools[0].function_declarations[1].parameters_json_schema: invalid schema"}}`}
	s := serve(t, bad, done())
	req := request("gemini-2.5-pro")
	req.Tools = append(req.Tools, llm.Spec{Name: "odd", Schema: json.RawMessage(`{"type":"object","properties":{"a":{}}}`)})
	_, warnings := ask(t, s.open(), req)
	if len(warnings) != 1 || !strings.Contains(warnings[0], "odd") {
		t.Errorf("warned %q", warnings)
	}
	if s.sent(1, "tools", 0, "functionDeclarations", 0, "parametersJsonSchema") == "null" {
		t.Error("the form was given up")
	}
}
