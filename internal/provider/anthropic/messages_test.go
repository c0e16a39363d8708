package anthropic_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/anthropic"
	"assent/internal/provider/providertest"
)

// conversation opens a model on a server that plays a script.
func conversation(tb testing.TB, script string, facts func(string) provider.Facts) (*anthropic.Conversation, *providertest.Server) {
	tb.Helper()
	server := providertest.Start(tb, script)
	c, err := anthropic.New(provider.Options{Name: "anthropic", BaseURL: server.URL() + "/v1/", Facts: facts})
	if err != nil {
		tb.Fatal(err)
	}
	return c.Conversation(), server
}

var tools = []llm.Spec{{Name: "read_file", Description: "Read.", Schema: json.RawMessage(`{"type":"object"}`)}}

func ask(model string, level llm.Level, items ...llm.Item) llm.Request {
	return llm.Request{Model: model, System: "Be brief.", Tools: tools, Items: append([]llm.Item{llm.User{Text: "hello"}}, items...), Level: level}
}

// told streams once and returns the warnings.
func told(t *testing.T, c *anthropic.Conversation, req llm.Request) (llm.Reply, []string) {
	t.Helper()
	var warnings []string
	reply, err := c.Stream(t.Context(), req, func(c llm.Chunk) {
		if w, ok := c.(llm.Warning); ok {
			warnings = append(warnings, w.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return reply, warnings
}

// body returns a field of a recorded request.
func field(t *testing.T, r providertest.Request, name string) string {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(r.Body, &all); err != nil {
		t.Fatal(err)
	}
	return string(all[name])
}

func TestThinkingByGeneration(t *testing.T) {
	t.Parallel()
	known := provider.NewCatalogue(nil)
	facts := func(id string) provider.Facts { return known.Lookup("anthropic", id) }
	const on = `{"type":"adaptive","display":"summarized"}`
	for _, c := range []struct {
		model           string
		level           llm.Level
		thinking, extra string
		warned          string
	}{
		{"claude-opus-5", llm.LevelMedium, on, `{"effort":"medium"}`, ""},
		{"claude-opus-5", llm.LevelMax, on, `{"effort":"max"}`, ""},
		{"claude-opus-5", llm.LevelOff, `{"type":"disabled"}`, "", ""},
		{"claude-opus-5", "", "", "", ""},
		{"claude-opus-5-5", llm.LevelOff, on, `{"effort":"low"}`, "low"},
		{"claude-fable-5", llm.LevelOff, on, `{"effort":"low"}`, "low"},
		{"claude-opus-6-unknown", llm.LevelHigh, on, `{"effort":"high"}`, ""},
		{"claude-sonnet-4-6", llm.LevelLow, on, `{"effort":"low"}`, ""},
		{"anthropic/claude-opus-4.7", llm.LevelHigh, on, `{"effort":"high"}`, ""},
		{"claude-sonnet-4-5-20250929", llm.LevelMedium, `{"type":"enabled","budget_tokens":10240}`, "", ""},
		{"claude-haiku-4-5", llm.LevelMax, `{"type":"enabled","budget_tokens":24000}`, "", ""},
		{"claude-haiku-4-5", llm.LevelOff, "", "", ""},
		{"claude-3-5-haiku-20241022", llm.LevelHigh, "", "", "off"},
		{"some-other-model", llm.LevelLow, `{"type":"enabled","budget_tokens":4096}`, "", ""},
	} {
		t.Run(c.model+" "+string(c.level), func(t *testing.T) {
			t.Parallel()
			m, server := conversation(t, "text a\nrepeat", facts)
			_, warnings := told(t, m, ask(c.model, c.level))
			r := server.Requests()[0]
			if got := field(t, r, "thinking"); got != c.thinking {
				t.Errorf("thinking is %s, want %s", got, c.thinking)
			}
			if got := field(t, r, "output_config"); got != c.extra {
				t.Errorf("output_config is %s, want %s", got, c.extra)
			}
			if (c.warned == "") != (len(warnings) == 0) || c.warned != "" && !strings.Contains(warnings[0], c.warned) {
				t.Errorf("warnings are %q", warnings)
			}
			if _, again := told(t, m, ask(c.model, c.level)); len(again) != 0 {
				t.Errorf("warned again: %q", again)
			}
		})
	}
}

func TestOutputLimit(t *testing.T) {
	t.Parallel()
	facts := func(id string) provider.Facts {
		return map[string]provider.Facts{
			"small": {MaxOutput: 64000, ContextWindow: 200_000, Known: true},
			"large": {MaxOutput: 128_000, ContextWindow: 1_000_000, Known: true},
			"tiny":  {MaxOutput: 4096, ContextWindow: 200_000, Known: true},
		}[id]
	}
	for _, c := range []struct {
		model string
		asked int
		want  string
	}{{"small", 0, "32000"}, {"large", 0, "64000"}, {"tiny", 0, "4096"}, {"unknown", 0, "32000"}, {"claude-3-opus-20240229", 0, "4096"}, {"large", 1000, "1000"}, {"tiny", 9000, "4096"}} {
		m, server := conversation(t, "text a", facts)
		req := ask(c.model, "")
		req.MaxOutput = c.asked
		told(t, m, req)
		if got := field(t, server.Requests()[0], "max_tokens"); got != c.want {
			t.Errorf("%s, %d asked: max_tokens is %s, want %s", c.model, c.asked, got, c.want)
		}
	}
}

func TestHeadersAndMarks(t *testing.T) {
	t.Parallel()
	m, server := conversation(t, "call read_file {}\n---\ncall read_file {}\n---\ntext done", nil)
	items := []llm.Item{}
	for range 3 {
		r, _ := told(t, m, ask("claude-opus-5", "", items...))
		a := llm.Assistant{Parts: r.Parts, Provider: r.Provider, Model: r.Model}
		items = append(items, a)
		for _, c := range a.Calls() {
			items = append(items, llm.Result{CallID: c.ID, Name: c.Name, Status: llm.StatusError, Output: "no"})
		}
	}
	reqs := server.Requests()
	last := reqs[2]
	if last.Path != "/v1/messages" || last.Header.Get("Anthropic-Version") != "2023-06-01" {
		t.Errorf("path %s, headers %v", last.Path, last.Header)
	}
	if n := bytes.Count(last.Body, []byte("cache_control")); n != 3 {
		t.Errorf("%d cache marks, want those of the system text and the last two batches", n)
	}
	msgs := field(t, last, "messages")
	if !strings.Contains(msgs, `"is_error":true,"cache_control":{"type":"ephemeral"}}`) {
		t.Errorf("messages are %s", msgs)
	}
	if got := field(t, last, "system"); got != `[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}]` {
		t.Errorf("system is %s", got)
	}
	m, server = conversation(t, "text a", nil)
	req := ask("claude-opus-5", "")
	req.System = ""
	told(t, m, req)
	if got := field(t, server.Requests()[0], "tools"); !strings.Contains(got, "cache_control") {
		t.Errorf("without system text the tools carry no mark: %s", got)
	}
}

// TestThinkingGoesBackByteForByte covers what the server escapes in its own way.
func TestThinkingGoesBackByteForByte(t *testing.T) {
	t.Parallel()
	const script = `event message_start {"type":"message_start","message":{"usage":{"input_tokens":1}}}
event content_block_start {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}
event content_block_delta {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"a\u00e9\/ \ud83d"}}
event content_block_delta {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\ude00 b"}}
event content_block_delta {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"AbC+\/=="}}
event content_block_stop {"type":"content_block_stop","index":0}
event content_block_start {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"x\/y"}}
event content_block_stop {"type":"content_block_stop","index":1}
event content_block_start {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"read_file","input":{"path":"whole"}}}
event content_block_stop {"type":"content_block_stop","index":2}
event message_delta {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":3}}
event message_stop {"type":"message_stop"}
cut`
	m, server := conversation(t, script, nil)
	r, _ := told(t, m, ask("claude-opus-5", llm.LevelLow))
	a := llm.Assistant{Parts: r.Parts, Provider: r.Provider, Model: r.Model}
	if c := a.Calls(); len(c) != 1 || string(c[0].Input) != `{"path":"whole"}` {
		t.Fatalf("calls are %+v", c)
	}
	if err := server.Add("text done"); err != nil {
		t.Fatal(err)
	}
	// The signatures are not the server's own, so it refuses them; the bytes
	// that it was sent count.
	_, warnings := told(t, m, ask("claude-opus-5", llm.LevelLow, a, llm.Result{CallID: "toolu_1", Name: "read_file", Status: llm.StatusOK, Output: "x"}))
	sent := string(server.Requests()[1].Body)
	for _, want := range []string{
		`{"type":"thinking","thinking":"a\u00e9\/ \ud83d\ude00 b","signature":"AbC+\/=="}`, `{"type":"redacted_thinking","data":"x\/y"}`,
	} {
		if !strings.Contains(sent, want) {
			t.Errorf("%s does not hold %s", sent, want)
		}
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "without it") {
		t.Errorf("warnings are %q", warnings)
	}
	if again := string(server.Requests()[2].Body); strings.Contains(again, `"thinking","thinking"`) || strings.Contains(again, "redacted") {
		t.Errorf("thinking was sent again: %s", again)
	}
}

// TestRefusedThinkingIsDroppedOnce covers CTX-12: a refusal that does not end.
func TestRefusedThinkingIsDroppedOnce(t *testing.T) {
	t.Parallel()
	const refusal = `status 400
body {"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: thinking block is bound to a different conversation"}}
repeat`
	m, server := conversation(t, refusal, nil)
	_, err := m.Stream(t.Context(), ask("claude-opus-5", llm.LevelLow), func(llm.Chunk) {})
	if err == nil || !strings.Contains(err.Error(), "different conversation") || len(server.Requests()) != 2 {
		t.Errorf("%d requests, error %v", len(server.Requests()), err)
	}
}

// TestRefusedParameters covers CONF-07 and PROV-35: what is not taken is left
// out, once, and said.
func TestRefusedParameters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, message, model, gone, stays string }{
		{"adaptive", "adaptive thinking is not supported on this model", "claude-opus-5", `"adaptive"`, `"messages"`},
		{"budget", `\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\"`, "new-model", `"enabled"`, `"adaptive"`},
		{"effort", "This model does not support the effort parameter", "claude-opus-5", `"effort"`, `"adaptive"`},
		{"display", "thinking.adaptive.display: Extra inputs are not permitted", "claude-opus-5", `"display"`, `"adaptive"`},
		{"cache marks", "cache_control: Extra inputs are not permitted", "claude-opus-5", `"cache_control"`, `"adaptive"`},
		{"limit", "max_tokens: 32000 > 21333, which is the maximum allowed number of output tokens for claude-opus-5-20260101", "claude-opus-5", `"max_tokens":32000`, `"max_tokens":21333`},
		{"limit with marks", "max_tokens must be at most 16,384 (got 32000)", "claude-opus-5", `"max_tokens":32000`, `"max_tokens":16384`},
		{"limit that is not named", "max_tokens: not supported for model 4", "claude-opus-5", `"max_tokens":32000`, `"max_tokens":8192`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := `{"type":"error","error":{"type":"invalid_request_error","message":"` + c.message + `"}}`
			m, server := conversation(t, "status 400\nbody "+body+"\n---\ntext fine\n---\ntext fine", nil)
			_, warnings := told(t, m, ask(c.model, llm.LevelLow))
			told(t, m, ask(c.model, llm.LevelLow))
			reqs := server.Requests()
			if len(reqs) != 3 || len(warnings) != 1 {
				t.Fatalf("%d requests, warnings %q", len(reqs), warnings)
			}
			if strings.HasPrefix(c.name, "limit") && !strings.Contains(warnings[0], "going on with "+strings.TrimPrefix(c.stays, `"max_tokens":`)) {
				t.Errorf("told %q", warnings)
			}
			if !strings.Contains(string(reqs[0].Body), c.gone) {
				t.Errorf("the first request has no %s: %s", c.gone, reqs[0].Body)
			}
			for _, r := range reqs[1:] {
				if strings.Contains(string(r.Body), c.gone) || !strings.Contains(string(r.Body), c.stays) {
					t.Errorf("a later request is %s", r.Body)
				}
			}
		})
	}
}

// TestLimitsThatSink: a limit is lowered as long as it sinks, and no longer.
func TestLimitsThatSink(t *testing.T) {
	t.Parallel()
	refuse := func(text string) string {
		return `status 400
body {"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: ` + text + `"}}
---
`
	}
	m, server := conversation(t, refuse("32000 > 20000 maximum")+refuse("20000 > 9000 maximum")+refuse("not supported")+refuse("not supported")+"text fine", nil)
	_, err := m.Stream(t.Context(), ask("claude-opus-5", llm.LevelLow), func(llm.Chunk) {})
	if err == nil || len(server.Requests()) != 4 {
		t.Fatalf("%d requests, error %v", len(server.Requests()), err)
	}
	for i, want := range []string{"32000", "20000", "9000", "8192"} {
		if body := string(server.Requests()[i].Body); !strings.Contains(body, `"max_tokens":`+want) {
			t.Errorf("request %d is %s, want %s", i, body, want)
		}
	}
}

// TestOneBadThingIsLeftOut covers EDIT-30, EDIT-31 and MCP-05.
func TestOneBadThingIsLeftOut(t *testing.T) {
	t.Parallel()
	const refusal = `status 400
body {"type":"error","error":{"type":"invalid_request_error","message":"messages.0.content.1.image.source.base64: image exceeds 5 MB maximum"}}
---
status 400
body {"type":"error","error":{"type":"invalid_request_error","message":"tools.0.custom.input_schema: JSON schema is invalid"}}
---
text fine`
	m, server := conversation(t, refusal, nil)
	req := ask("claude-opus-5", "")
	req.Tools = append([]llm.Spec{{Name: "bad", Schema: json.RawMessage("{}")}}, tools...)
	req.Items = []llm.Item{llm.User{Text: "see", Images: []llm.Image{{MIME: "image/png", Data: []byte("GIF89a large"), Name: "a.png"}}}}
	_, warnings := told(t, m, req)
	if len(warnings) != 2 || !strings.Contains(warnings[0], "a.png") || !strings.Contains(warnings[1], "bad") {
		t.Errorf("warnings are %q", warnings)
	}
	last := string(server.Requests()[2].Body)
	if strings.Contains(last, "base64") || strings.Contains(last, `"bad"`) || !strings.Contains(last, "a.png is left out") || !strings.Contains(last, "read_file") {
		t.Errorf("the last request is %s", last)
	}
}

func TestStops(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]llm.Stop{
		"text a\nstop pause":       llm.StopPause,
		"text a\nstop context":     llm.StopContext,
		"text a\nstop compaction":  llm.StopPause,
		"stop refusal":             llm.StopRefusal,
		"text a\nstop later_words": llm.StopEnd,
	} {
		m, _ := conversation(t, script, nil)
		r, warnings := told(t, m, ask("claude-opus-5", ""))
		if r.Stop != want {
			t.Errorf("%q stops with %q, want %q", script, r.Stop, want)
		}
		if want == llm.StopRefusal && r.Detail != "test: scripted" {
			t.Errorf("detail is %q", r.Detail)
		}
		if strings.Contains(script, "later") && (len(warnings) != 1 || !strings.Contains(warnings[0], "later_words")) {
			t.Errorf("warnings are %q", warnings)
		}
	}
}

func TestUsageByClass(t *testing.T) {
	t.Parallel()
	m, _ := conversation(t, "usage 1 2 3 4 1\ntext a", nil)
	r, _ := told(t, m, ask("claude-opus-5", ""))
	if r.Usage != (llm.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Reasoning: 1}) {
		t.Errorf("usage is %+v", r.Usage)
	}
}

// TestOldModelAfterResume: an older model refuses to think when the calls that
// wait for its answer were made without thinking.
func TestOldModelAfterResume(t *testing.T) {
	t.Parallel()
	m, server := conversation(t, "text a\n---\ntext b", nil)
	items := []llm.Item{
		llm.Assistant{Parts: []llm.Part{llm.Call{ID: "c", Name: "read_file", Input: json.RawMessage("{}")}}},
		llm.Result{CallID: "c", Name: "read_file", Status: llm.StatusOK, Output: "x"},
	}
	told(t, m, ask("claude-sonnet-4-5", llm.LevelLow, items...))
	items = append(items, llm.Assistant{Parts: []llm.Part{llm.Text{Text: "a"}}}, llm.User{Text: "more"})
	told(t, m, ask("claude-sonnet-4-5", llm.LevelLow, items...))
	reqs := server.Requests()
	if first, later := field(t, reqs[0], "thinking"), field(t, reqs[1], "thinking"); first != "" || later == "" {
		t.Errorf("thinking is %q, later %q", first, later)
	}
}

func TestBrokenPrefixIsSaid(t *testing.T) {
	t.Parallel()
	m, server := conversation(t, "text a\n---\ntext b", nil)
	told(t, m, ask("claude-opus-5", ""))
	req := ask("claude-opus-5", "")
	req.System = "Be long."
	_, warnings := told(t, m, req)
	if len(warnings) != 1 || !strings.Contains(warnings[0], "system") {
		t.Errorf("warnings are %q", warnings)
	}
	if !strings.Contains(string(server.Requests()[1].Body), "Be long.") {
		t.Error("the changed request was not sent")
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	server := providertest.Start(t, "")
	c, err := anthropic.New(provider.Options{Name: "anthropic", BaseURL: server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := c.Models(t.Context())
	if err != nil || strings.Join(ids, " ") != "model-a model-b" {
		t.Errorf("models are %v, %v", ids, err)
	}
}
