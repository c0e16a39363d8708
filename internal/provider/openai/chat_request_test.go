package openai_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// hi is an answer that ends a turn.
func hi() answer { return events(delta(`{"content":"hi"}`), finish("stop"), "[DONE]") }

func TestChatRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, hi())
	req := request("gpt-x")
	req.MaxOutput = 50
	req.Items = []llm.Item{
		llm.User{Text: "look", Images: []llm.Image{{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\nP"), Name: "a.png"}}},
		llm.Note{Text: "note"},
		llm.Assistant{Parts: []llm.Part{llm.Text{Text: "I "}, llm.Text{Text: "look"}, llm.Call{ID: "a", Name: "ls", Input: json.RawMessage(`{"p":"<x>"}`)}}},
		llm.Result{CallID: "a", Name: "ls", Output: "", Images: []llm.Image{{MIME: "image/gif", Data: []byte("GIF89aG"), Name: "b.gif"}}},
		llm.Note{Text: "two"},
		llm.User{Text: "three"},
	}
	ask(t, converse(t, s.options("openai", "api.openai.com"), provider.WireOpenAI), req)
	sent := s.sent(0)
	for _, tt := range []struct {
		want string
		at   []any
	}{
		{`"gpt-x"`, []any{"model"}},
		{`true`, []any{"stream"}},
		{`{"include_usage":true}`, []any{"stream_options"}},
		{`50`, []any{"max_completion_tokens"}},
		{`null`, []any{"max_tokens"}},
		{`"s1"`, []any{"prompt_cache_key"}},
		{`null`, []any{"reasoning_effort"}},
		{`null`, []any{"temperature"}}, // PROV-35
		{`{"description":"lists","name":"ls","parameters":{"type":"object"}}`, []any{"tools", 0, "function"}},
		{`{"content":"be brief","role":"system"}`, []any{"messages", 0}},
		{`[{"text":"look","type":"text"},{"image_url":{"url":"data:image/png;base64,iVBORw0KGgpQ"},"type":"image_url"},{"text":"note","type":"text"}]`, []any{"messages", 1, "content"}},
		{`"I look"`, []any{"messages", 2, "content"}},
		{`{"function":{"arguments":"{\"p\":\"\u003cx\u003e\"}","name":"ls"},"id":"a","type":"function"}`, []any{"messages", 2, "tool_calls", 0}},
		{`"a"`, []any{"messages", 3, "tool_call_id"}},
		{`"data:image/gif;base64,R0lGODlhRw=="`, []any{"messages", 4, "content", 1, "image_url", "url"}},
		{`"three"`, []any{"messages", 4, "content", 3, "text"}},
		{`null`, []any{"messages", 5}},
	} {
		if got := text(field(sent, tt.at...)); got != tt.want {
			t.Errorf("%v is %s, want %s", tt.at, got, tt.want)
		}
	}
	if s.paths[0] != "POST /v1/chat/completions" {
		t.Error(s.paths[0])
	}
}

// TestChatExtends asserts the prefix contract on the wire.
func TestChatExtends(t *testing.T) {
	t.Parallel()
	s := serve(t, events(delta(`{"content":"x","tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":""}}]}`), finish("tool_calls"), "[DONE]"), hi(), hi())
	c := converse(t, s.options("custom-openai", ""), provider.WireOpenAI)
	req := request("m")
	for range 3 {
		reply, _ := ask(t, c, req)
		req = goOn(req, reply, llm.User{Text: "more"})
	}
	for i := 1; i < 3; i++ {
		prefix, _, ok := strings.Cut(s.raw(i-1), `],"stream":`)
		if !ok || !strings.HasPrefix(s.raw(i), prefix) {
			t.Errorf("request %d does not extend the one before:\n%s\n%s", i, s.raw(i-1), s.raw(i))
		}
	}
}

func TestChatEchoesReasoning(t *testing.T) {
	t.Parallel()
	calls := `"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]`
	tests := []struct {
		name, preset, host, model string
		reply                     []string
		field                     string
		want                      string // of messages[2]
	}{
		{"PROV-01 DeepSeek", "deepseek", "api.deepseek.com", "deepseek-v4", []string{delta(`{"reasoning_content":"hm"}`), delta(`{` + calls + `}`)}, "reasoning_content", `"hm"`},
		{"PROV-02 DeepSeek without reasoning", "deepseek", "api.deepseek.com", "deepseek-v4", []string{delta(`{` + calls + `}`)}, "reasoning_content", `""`},
		{"Kimi behind another address", "custom-openai", "", "kimi-k2-thinking", []string{delta(`{"reasoning_content":"hm"}`), delta(`{` + calls + `}`)}, "reasoning_content", `"hm"`},
		{"in the field it came in", "custom-openai", "", "deepseek-r1", []string{delta(`{"reasoning":"hm"}`), delta(`{` + calls + `}`)}, "reasoning", `"hm"`},
		{"a response without calls", "deepseek", "api.deepseek.com", "deepseek-v4", []string{delta(`{"reasoning_content":"hm"}`), delta(`{"content":"x"}`)}, "reasoning_content", `null`},
		{"a server that wants none", "groq", "api.groq.com", "deepseek-r1", []string{delta(`{"reasoning_content":"hm"}`), delta(`{` + calls + `}`)}, "reasoning_content", `null`},
		{"OpenRouter text", "openrouter", "openrouter.ai", "x/y", []string{delta(`{"reasoning":"hm"}`), delta(`{` + calls + `}`)}, "reasoning", `"hm"`},
		{
			"PROV-03 OpenRouter details, joined and whole", "openrouter", "openrouter.ai", "x/y",
			[]string{
				delta(`{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","index":0,"format":"f1","signature":null}]}`),
				delta(`{"reasoning":"b","reasoning_details":[{"type":"reasoning.text","text":"b<","index":0}]}`),
				delta(`{"reasoning_details":[{"type":"reasoning.text","index":0,"signature":"sig"}]}`),
				delta(`{"reasoning_details":[{"type":"reasoning.encrypted","data":"AA","id":"e1","index":1,"unknown":{"z":1}}],` + calls + `}`),
			},
			"reasoning_details",
			`[{"format":"f1","index":0,"signature":"sig","text":"ab\u003c","type":"reasoning.text"},{"data":"AA","id":"e1","index":1,"type":"reasoning.encrypted","unknown":{"z":1}}]`,
		},
		{
			"PROV-03 details without any text", "openrouter", "openrouter.ai", "x/y",
			[]string{delta(`{"content":"so"}`), delta(`{` + calls + `,"reasoning_details":[{"type":"reasoning.encrypted","data":"AA"}]}`)},
			"reasoning_details", `[{"data":"AA","type":"reasoning.encrypted"}]`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, events(append(tt.reply, finish("stop"), "[DONE]")...), hi(), hi())
			c := converse(t, s.options(tt.preset, tt.host), provider.WireOpenAI)
			reply, _ := ask(t, c, request(tt.model))
			req := goOn(request(tt.model), reply, llm.User{Text: "more"})
			ask(t, c, req)
			if got := text(field(s.sent(1), "messages", 2, tt.field)); got != tt.want {
				t.Errorf("%s is %s, want %s\n%s", tt.field, got, tt.want, s.raw(1))
			}
			// A new epoch has none of it left.
			req.Epoch++
			ask(t, c, req)
			want := map[bool]string{true: `""`, false: `null`}[strings.Contains(tt.name, "PROV-0") && tt.preset == "deepseek" || tt.preset == "custom-openai"]
			if got := text(field(s.sent(2), "messages", 2, "reasoning_content")); got != want {
				t.Errorf("in a new epoch reasoning_content is %s, want %s", got, want)
			}
			if strings.Contains(s.raw(2), "reasoning_details") || strings.Contains(s.raw(2), `"hm"`) {
				t.Errorf("a new epoch shows old reasoning: %s", s.raw(2))
			}
		})
	}
}

// TestChatKeepsExtraContent is PROV-03 and PROV-05 of a Gemini gateway.
func TestChatKeepsExtraContent(t *testing.T) {
	t.Parallel()
	extra := `{"google":{"thought_signature":"c2ln"}}`
	s := serve(t, events(
		delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"},"extra_content":`+extra+`},{"index":1,"id":"b","function":{"name":"ls","arguments":"{}"}}]}`),
		finish("tool_calls"), "[DONE]"), hi(), hi())
	c := converse(t, s.options("custom-openai", ""), provider.WireOpenAI)
	reply, _ := ask(t, c, request("gemini-3"))
	req := goOn(request("gemini-3"), reply)
	ask(t, c, req)
	if got := text(field(s.sent(1), "messages", 2, "tool_calls", 0, "extra_content")); got != extra {
		t.Errorf("got %s", got)
	}
	if got := field(s.sent(1), "messages", 2, "tool_calls", 1, "extra_content"); got != nil {
		t.Errorf("the second call got %v", got)
	}
	req.Model, req.Epoch = "other", 1
	ask(t, c, req)
	if strings.Contains(s.raw(2), "c2ln") {
		t.Errorf("another model was sent the signature: %s", s.raw(2))
	}
}

// TestChatLearnsToEcho: an unknown server that asks for the reasoning gets it,
// and keeps getting it.
func TestChatLearnsToEcho(t *testing.T) {
	t.Parallel()
	s := serve(t,
		events(delta(`{"reasoning_content":"hm"}`), delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]}`), finish("tool_calls"), "[DONE]"),
		refusal(400, `{"error":{"message":"The reasoning_content in the thinking mode must be passed back to the API."}}`), hi())
	c := converse(t, s.options("custom-openai", ""), provider.WireOpenAI)
	reply, _ := ask(t, c, request("m"))
	_, got := ask(t, c, goOn(request("m"), reply))
	if w := got.warnings(); len(w) != 1 || !strings.Contains(w[0], "reasoning") || !slices.Contains(got.chunks, llm.Chunk(llm.Rebuilt{Reason: "the server wants the model's reasoning sent back"})) {
		t.Errorf("told %+v", got.chunks)
	}
	if got := field(s.sent(1), "messages", 2, "reasoning_content"); got != nil {
		t.Errorf("sent unasked: %v", got)
	}
	if got := field(s.sent(2), "messages", 2, "reasoning_content"); got != "hm" {
		t.Errorf("after the refusal: %v", got)
	}
}

func TestChatDropsRefusedParameters(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, host string
		refusals   []answer
		gone       []string
		kept       []string
		warnings   int
	}{
		{"by param", "api.openai.com", []answer{refusal(400, `{"error":{"message":"Unsupported value","param":"reasoning_effort","code":"unsupported_value"}}`)}, []string{"reasoning_effort"}, []string{"stream_options"}, 1},
		{
			"by message, one after the other", "",
			[]answer{
				refusal(400, `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`),
				refusal(422, `{"detail":[{"type":"extra_forbidden","loc":["body","reasoning_effort"],"msg":"Extra inputs are not permitted"}]}`),
			},
			[]string{"reasoning_effort", "stream_options"},
			nil, 2,
		},
		{
			"the other name of the limit", "",
			[]answer{refusal(400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens"}}`)},
			[]string{"max_tokens"},
			[]string{"max_completion_tokens"},
			1,
		},
		{"no thinking at all", "", []answer{refusal(400, `{"error":{"message":"\"m\" does not support thinking"}}`)}, []string{"reasoning_effort"}, nil, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, append(tt.refusals, hi(), hi())...)
			c := converse(t, s.options("custom-openai", tt.host), provider.WireOpenAI)
			req := request("m")
			req.Level, req.MaxOutput = llm.LevelHigh, 9
			reply, got := ask(t, c, req)
			if n := len(got.warnings()); n != tt.warnings {
				t.Errorf("warned %q", got.warnings())
			}
			_, got = ask(t, c, goOn(req, reply, llm.User{Text: "more"}))
			if len(got.warnings()) != 0 {
				t.Errorf("warned again: %q", got.warnings())
			}
			for _, i := range []int{s.count() - 2, s.count() - 1} {
				for _, p := range tt.gone {
					if v, ok := s.sent(i)[p]; ok {
						t.Errorf("request %d still has %s: %v", i, p, v)
					}
				}
				for _, p := range tt.kept {
					if _, ok := s.sent(i)[p]; !ok {
						t.Errorf("request %d lost %s", i, p)
					}
				}
			}
			if field(s.sent(0), "reasoning_effort") != "high" {
				t.Errorf("first sent %s", s.raw(0))
			}
		})
	}
}

func TestChatGivesUpOnRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		words      []string
	}{
		{"the same parameter for ever", `{"error":{"message":"bad stream_options","param":"stream_options"}}`, []string{"stream_options"}},
		{"a model without tools", `{"error":{"message":"registry/gemma:2b does not support tools"}}`, []string{"cannot call tools", "choose another model"}},
		{"something else", `{"error":{"message":"the weather is bad"}}`, []string{"the weather is bad"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, refusal(400, tt.body), refusal(400, tt.body), refusal(400, tt.body))
			f := fails(t, converse(t, s.options("custom-openai", ""), provider.WireOpenAI), request("m"))
			for _, w := range tt.words {
				if !strings.Contains(f.Message, w) {
					t.Errorf("%q lacks %q", f.Message, w)
				}
			}
			if s.count() > 2 || f.Retryable {
				t.Errorf("%d requests, retryable %v", s.count(), f.Retryable)
			}
		})
	}
}

func TestChatThinkingLevels(t *testing.T) {
	t.Parallel()
	known := func(efforts ...string) provider.Facts {
		return provider.Facts{Known: true, Thinking: true, Efforts: efforts}
	}
	tests := []struct {
		name, preset, host string
		facts              provider.Facts
		level              llm.Level
		want               string // thinking, reasoning, reasoning_effort
		warned             bool
	}{
		{"unsaid", "custom-openai", "", provider.Facts{}, "", `null null null`, false},
		{"unknown model", "custom-openai", "", provider.Facts{}, llm.LevelMedium, `null null "medium"`, false},
		{"unknown model, max", "custom-openai", "", provider.Facts{}, llm.LevelMax, `null null "high"`, true},
		{"unknown model, off", "custom-openai", "", provider.Facts{}, llm.LevelOff, `null null null`, false},
		{"ollama, off", "ollama", "", provider.Facts{}, llm.LevelOff, `null null "none"`, false},
		{"known not to think", "openai", "api.openai.com", provider.Facts{Known: true}, llm.LevelHigh, `null null null`, false},
		{"exact", "openai", "api.openai.com", known("none", "low", "high", "xhigh", "max"), llm.LevelMax, `null null "max"`, false},
		{"xhigh is max", "openai", "api.openai.com", known("low", "high", "xhigh"), llm.LevelMax, `null null "xhigh"`, false},
		{"nearest", "openai", "api.openai.com", known("low", "medium", "high"), llm.LevelOff, `null null "low"`, true},
		{"DeepSeek off", "deepseek", "api.deepseek.com", known("low", "high", "max"), llm.LevelOff, `{"type":"disabled"} null null`, false},
		{"DeepSeek high", "deepseek", "api.deepseek.com", known("low", "high", "max"), llm.LevelHigh, `{"type":"enabled"} null "high"`, false},
		{"Kimi", "custom-openai", "api.moonshot.ai", provider.Facts{}, llm.LevelLow, `{"type":"enabled"} null null`, false},
		{"OpenRouter", "openrouter", "openrouter.ai", known("low", "high"), llm.LevelHigh, `null {"effort":"high"} null`, false},
		{"OpenRouter off", "openrouter", "openrouter.ai", known("low", "high"), llm.LevelOff, `null {"enabled":false} null`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, hi(), hi())
			if tt.preset == "ollama" {
				s = serve(t, refusal(404, ""), hi(), refusal(404, ""), hi())
			}
			o := s.options(tt.preset, tt.host)
			o.Facts = func(string) provider.Facts { return tt.facts }
			c := converse(t, o, provider.WireOpenAI)
			req := request("m")
			req.Level = tt.level
			reply, got := ask(t, c, req)
			sent := s.sent(s.count() - 1)
			line := text(field(sent, "thinking")) + " " + text(field(sent, "reasoning")) + " " + text(field(sent, "reasoning_effort"))
			if line != tt.want || (len(got.warnings()) > 0) != tt.warned {
				t.Errorf("sent %s, warned %q\nwant %s", line, got.warnings(), tt.want)
			}
			if tt.preset == "ollama" {
				return
			}
			if _, got = ask(t, c, goOn(req, reply, llm.User{Text: "more"})); len(got.warnings()) > 0 {
				t.Errorf("warned again: %q", got.warnings())
			}
		})
	}
}

func TestChatForServers(t *testing.T) {
	t.Parallel()
	items := []llm.Item{
		llm.User{Text: "go"},
		llm.Assistant{Parts: []llm.Part{llm.Call{ID: "functions.ls:0", Name: "ls", Input: json.RawMessage(`{}`)}}},
		llm.Result{CallID: "functions.ls:0", Name: "ls", Output: "x", Images: []llm.Image{{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\nP"), Name: "a.png"}}},
	}
	t.Run("Mistral wants no user message behind a result, and short ids", func(t *testing.T) {
		t.Parallel()
		s := serve(t, hi(), hi())
		c := converse(t, s.options("mistral", "api.mistral.ai"), provider.WireOpenAI)
		req := request("m")
		req.Items = append([]llm.Item{}, items[:2]...)
		req.Items = append(req.Items, llm.Result{CallID: "functions.ls:0", Name: "ls", Output: "x"})
		ask(t, c, req)
		req.Items = append(req.Items, llm.User{Text: "the request before failed"})
		ask(t, c, req)
		got := s.sent(1)
		if field(got, "messages", 4, "role") != "assistant" || field(got, "messages", 5, "role") != "user" {
			t.Errorf("sent %s", s.raw(1))
		}
		id, _ := field(got, "messages", 2, "tool_calls", 0, "id").(string)
		if len(id) != 9 || field(got, "messages", 3, "tool_call_id") != id {
			t.Errorf("id %q: %s", id, s.raw(1))
		}
	})
	t.Run("a model without eyes", func(t *testing.T) {
		t.Parallel()
		s := serve(t, hi())
		o := s.options("openai", "api.openai.com")
		o.Facts = func(string) provider.Facts { return provider.Facts{Known: true} }
		req := request("m")
		req.Items = items
		ask(t, converse(t, o, provider.WireOpenAI), req)
		if strings.Contains(s.raw(0), "image_url") || !strings.Contains(s.raw(0), "a.png") {
			t.Errorf("sent %s", s.raw(0))
		}
		if id := field(s.sent(0), "messages", 2, "tool_calls", 0, "id"); id == "functions.ls:0" || id != field(s.sent(0), "messages", 3, "tool_call_id") {
			t.Errorf("id %v", id)
		}
	})
}
