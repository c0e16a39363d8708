package provider_test

import (
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

func TestQuarantine(t *testing.T) {
	t.Parallel()
	refusal := func(param, text string) error {
		return &llm.Failure{Kind: llm.KindProvider, Status: 400, Message: text, Err: &provider.APIError{Param: param, Message: text}}
	}
	req := llm.Request{
		Tools: []llm.Spec{{Name: "read"}, {Name: "mcp_bad"}, {Name: "write"}},
		Items: []llm.Item{
			llm.User{Text: "a", Images: []llm.Image{{Name: "old.png", Data: []byte("old")}}},
			llm.Result{Images: []llm.Image{{Name: "new.png", Data: []byte("new")}}},
		},
	}
	for _, c := range []struct{ name, param, text, tool string }{
		{"anthropic (MCP-05)", "", "tools.1.custom.input_schema: JSON schema is invalid", "mcp_bad"},
		{"openai by name", "tools[1].function.parameters", "Invalid schema for function 'mcp_bad': x", "mcp_bad"},
		{"responses by name", "", "Invalid schema for function 'mcp_bad': x", "mcp_bad"},
		{"gemini", "", "* GenerateContentRequest.tools[0].function_declarations[1].parameters: bad", "mcp_bad"},
		{"nothing of tools", "", "temperature: must be a number", ""},
		{"out of range", "", "tools.9: bad", ""},
	} {
		var q provider.Quarantine
		told := q.Learn(refusal(c.param, c.text), req)
		left := q.Tools(req.Tools)
		if (told != "") != (c.tool != "") || !strings.Contains(told, c.tool) || (c.tool != "") != (len(left) == 2) {
			t.Errorf("%s: told %q, left %v", c.name, told, left)
		}
	}
	var q provider.Quarantine
	const bad = "messages.1.content.0.image.source.base64: image exceeds 5 MB maximum"
	q.Accepted(llm.Request{Items: req.Items[:1]})
	if told := q.Learn(refusal("", bad), req); !strings.Contains(told, "new.png") || strings.Contains(told, "old.png") {
		t.Errorf("told %q", told)
	}
	if _, refused := q.Image(llm.Image{Data: []byte("old")}); refused {
		t.Error("an image that was accepted before is left out")
	}
	if told := q.Learn(refusal("", bad), req); !strings.Contains(told, "old.png") {
		t.Errorf("told %q", told)
	}
	if told := q.Learn(refusal("", bad), req); told != "" {
		t.Errorf("learning does not end: %q", told)
	}
}
