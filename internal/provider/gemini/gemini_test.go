package gemini_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/gemini"
	"assent/internal/provider/providertest"
)

func TestMain(m *testing.M) { providertest.NoLeak(m) }

func TestSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, provider.WireGemini, func(o provider.Options) (providertest.Model, error) {
		c, err := gemini.New(o)
		if err != nil {
			return nil, err
		}
		return c.Conversation(), nil
	})
}

func TestRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, done())
	req := request("models/gemini-3-pro")
	req.MaxOutput, req.Level = 50, llm.LevelHigh
	req.Items = []llm.Item{
		llm.User{Text: "look", Images: []llm.Image{{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\nP")}}},
		llm.Note{Text: "note"},
		llm.Assistant{Parts: []llm.Part{llm.Text{Text: "I look"}}},
		llm.Assistant{Parts: []llm.Part{
			llm.Call{ID: "a", Name: "ls", Input: json.RawMessage(`{"p":1}`)},
			llm.Call{ID: "b.c", Name: "ls", Input: json.RawMessage(`{}`)},
		}},
		llm.Result{CallID: "a", Name: "ls", Status: llm.StatusOK, Output: "seen", Images: []llm.Image{{MIME: "image/gif", Data: []byte("GIF89aG")}}},
		llm.Result{CallID: "b.c", Name: "ls", Status: llm.StatusError, Output: "no"},
		llm.User{Text: "steer"},
	}
	ask(t, s.open(), req)
	if s.urls[0] != "POST /v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse" || s.keys[0] != "the-"+"key" {
		t.Errorf("asked %s", s.urls[0])
	}
	var id string
	if err := json.Unmarshal([]byte(s.sent(0, "contents", 1, "parts", 2, "functionCall", "id")), &id); err != nil || strings.Contains(id, ".") {
		t.Errorf("id %q", id)
	}
	for _, tt := range []struct {
		want string
		at   []any
	}{
		{`"be brief"`, []any{"systemInstruction", "parts", 0, "text"}},
		{`{"description":"lists","name":"ls","parametersJsonSchema":{"type":"object"}}`, []any{"tools", 0, "functionDeclarations", 0}},
		{`{"maxOutputTokens":50,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"HIGH"}}`, []any{"generationConfig"}},
		{`{"parts":[{"text":"look"},{"inlineData":{"data":"iVBORw0KGgpQ","mimeType":"image/png"}},{"text":"note"}],"role":"user"}`, []any{"contents", 0}},
		{`"model"`, []any{"contents", 1, "role"}},
		{`{"text":"I look"}`, []any{"contents", 1, "parts", 0}},
		{`{"functionCall":{"args":{"p":1},"id":"a","name":"ls"},"thoughtSignature":"skip_thought_signature_validator"}`, []any{"contents", 1, "parts", 1}}, // PROV-04
		{`{"functionCall":{"args":{},"id":"` + id + `","name":"ls"}}`, []any{"contents", 1, "parts", 2}},
		{`{"parts":[{"functionResponse":{"id":"a","name":"ls","response":{"output":"seen"}}},{"functionResponse":{"id":"` + id + `","name":"ls","response":{"error":"no"}}}],"role":"user"}`, []any{"contents", 2}},
		{`{"parts":[{"text":"(The image of the result of ls:)"},{"inlineData":{"data":"R0lGODlhRw==","mimeType":"image/gif"}},{"text":"steer"}],"role":"user"}`, []any{"contents", 3}},
		{`null`, []any{"contents", 4}},
	} {
		if got := s.sent(0, tt.at...); got != tt.want {
			t.Errorf("%v is %s, want %s", tt.at, got, tt.want)
		}
	}
}

// TestSignatures: each goes back on its own part while the epoch lasts
// (PROV-03, PROV-05); afterwards calls carry the value that skips the check.
func TestSignatures(t *testing.T) {
	t.Parallel()
	s := serve(t, events(
		parts(`{"text":"hm","thought":true}`),
		parts(`{"text":"a"}`), parts(`{"text":"b"}`), parts(`{"text":"c","thoughtSignature":"U0lHMQ=="}`), parts(`{"text":"d"}`),
		parts(`{"functionCall":{"name":"ls","args":{"p":1}},"thoughtSignature":"U0lHMg=="},{"functionCall":{"name":"ls"}}`),
		parts(`{"text":"","thoughtSignature":"U0lHMw=="}`), finish("STOP")), done(), done())
	c := s.open()
	req := request("gemini-3-pro")
	reply, _ := ask(t, c, req)
	if got, want := summary(reply.Parts), `think:hm[] text:ab[] text:c[U0lHMQ==] text:d[] call:OWN:ls:{"p":1}[U0lHMg==] call:OWN:ls:{}[] text:[U0lHMw==]`; got != want || reply.Stop != llm.StopCalls {
		t.Fatalf("got  %s, %s\nwant %s", got, reply.Stop, want)
	}
	calls := (llm.Assistant{Parts: reply.Parts}).Calls()
	if calls[0].ID == calls[1].ID {
		t.Errorf("both calls are %s", calls[0].ID)
	}
	req = goOn(req, reply)
	ask(t, c, req)
	want := fmt.Sprintf(`[{"text":"ab"},{"text":"c","thoughtSignature":"U0lHMQ=="},{"text":"d"},{"functionCall":{"args":{"p":1},"id":"%s","name":"ls"},"thoughtSignature":"U0lHMg=="},{"functionCall":{"args":{},"id":"%s","name":"ls"}},{"text":"","thoughtSignature":"U0lHMw=="}]`, calls[0].ID, calls[1].ID)
	if got := s.sent(1, "contents", 1, "parts"); got != want {
		t.Errorf("went back as %s\nwant %s", got, want)
	}
	if got := s.sent(1, "contents", 2, "parts", 1, "functionResponse", "id"); got != `"`+calls[1].ID+`"` {
		t.Errorf("the result answers %s", got)
	}
	req.Epoch, req.Items = 1, append(req.Items, llm.User{Text: "more"})
	ask(t, c, req)
	want = fmt.Sprintf(`[{"text":"ab"},{"text":"c"},{"text":"d"},{"functionCall":{"args":{"p":1},"id":"%s","name":"ls"},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"args":{},"id":"%s","name":"ls"}}]`, calls[0].ID, calls[1].ID)
	if got := s.sent(2, "contents", 1, "parts"); got != want {
		t.Errorf("in a new epoch %s\nwant %s", got, want)
	}
	if prefix, _, _ := strings.Cut(s.bodies[0], `],"generationConfig"`); !strings.HasPrefix(s.bodies[1], strings.TrimSuffix(prefix, "]}")) {
		t.Errorf("%s does not extend %s", s.bodies[1], s.bodies[0])
	}
}

func TestSignaturesByFamily(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]bool{
		"gemini-2.5-pro": false, "gemini-1.5-flash": false, "gemma-3": false, "gemini-3.7-flash": true, "gemini-pro-latest": true, "models/gemini-3-pro-preview": true,
	} {
		s := serve(t, done())
		req := request(model)
		req.Items = append(req.Items, llm.Assistant{Parts: []llm.Part{llm.Call{ID: "a", Name: "ls", Input: json.RawMessage(`{}`)}}}, llm.Result{CallID: "a", Output: "x"})
		ask(t, s.open(), req)
		if got := strings.Contains(s.bodies[0], "skip_thought_signature_validator"); got != want {
			t.Errorf("%s: %v", model, got)
		}
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	text := parts(`{"text":"par"}`)
	tests := []struct {
		name   string
		answer answer
		stop   llm.Stop
		detail string
	}{
		{"stop", events(text, finish("STOP")), llm.StopEnd, ""},
		{"PROV-21 limit", events(text, finish("MAX_TOKENS")), llm.StopLength, ""},
		{"PROV-24 safety", events(text, `{"candidates":[{"finishReason":"SAFETY","finishMessage":"too hot"}]}`), llm.StopFilter, "SAFETY too hot"},
		{"recitation", events(finish("RECITATION")), llm.StopFilter, "RECITATION"},
		{"a blocked prompt", events(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}`), llm.StopFilter, "PROHIBITED_CONTENT"},
		{"a finish reason in every event", events(`{"candidates":[{"content":{"parts":[{"text":"p"}]},"finishReason":"STOP"}]}`, `{"candidates":[{"content":{"parts":[{"text":"ar"}]},"finishReason":"STOP"}]}`), llm.StopEnd, ""},
		{"a list instead of a stream", answer{200, `[` + text + `,` + finish("STOP") + `]`}, llm.StopEnd, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tt.answer)
			reply, _ := ask(t, s.open(), request("gemini-3-pro"))
			if reply.Stop != tt.stop || reply.Detail != tt.detail || len(reply.Parts) > 0 && summary(reply.Parts) != "text:par[]" {
				t.Errorf("got %s %q %s", reply.Stop, reply.Detail, summary(reply.Parts))
			}
		})
	}
}

// TestAnEndInEveryEvent: a server that writes a finish reason into every event
// is heard to the end, however long it pauses; one that keeps the socket open is
// waited for as long as any silence lasts. Where the finish reason stands by
// itself little more is waited for.
func TestAnEndInEveryEvent(t *testing.T) {
	t.Parallel()
	last := func(p string) string {
		return `{"candidates":[{"content":{"role":"model","parts":[` + p + `]},"finishReason":"STOP"}]}`
	}
	every := []string{last(`{"text":"a"}`), last(`{"text":"b"}`), last(`{"functionCall":{"id":"x","name":"ls","args":{}}}`), last(`{"functionCall":{"id":"y","name":"ls","args":{}}}`)}
	const all = "text:ab[] call:x:ls:{}[] call:y:ls:{}[]"
	for name, c := range map[string]struct {
		events []string
		pause  time.Duration
		open   bool
		want   string
		took   time.Duration
	}{
		"pauses":                       {every, 3 * time.Second, false, all, 9 * time.Second},
		"long pauses":                  {every, 59 * time.Second, false, all, 3 * 59 * time.Second},
		"the socket stays open":        {every, time.Second, true, all, 3*time.Second + time.Minute},
		"an end by itself":             {[]string{parts(`{"text":"a"}`), finish("STOP")}, time.Second, true, "text:a[]", 3 * time.Second},
		"an end, and more after all":   {[]string{parts(`{"text":"a"}`), finish("STOP"), last(`{"text":"b"}`), last(`{"text":"c"}`)}, 1900 * time.Millisecond, false, "text:abc[]", 3 * 1900 * time.Millisecond},
		"nothing new does not hold it": {[]string{parts(`{"text":"a"}`), finish("STOP"), finish("STOP"), finish("STOP"), finish("STOP")}, time.Second, true, "text:a[]", 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var pieces []string
				for _, e := range c.events {
					pieces = append(pieces, events(e).body)
				}
				client, err := gemini.New(provider.Options{
					Name: "gemini", BaseURL: "https://api.test", Limits: provider.Limits{Idle: time.Minute},
					HTTP: &http.Client{Transport: providertest.Paced{Pieces: pieces, Pause: c.pause, Open: c.open}},
				})
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				reply, _ := ask(t, client.Conversation(), request("gemini-2.5-pro"))
				if took := time.Since(start); summary(reply.Parts) != c.want || took != c.took {
					t.Errorf("%s after %v, want %s after %v", summary(reply.Parts), took, c.want, c.took)
				}
			})
		})
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	s := serve(t, events(`{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":60,"candidatesTokenCount":10,"thoughtsTokenCount":5,"toolUsePromptTokenCount":2}}`))
	reply, _ := ask(t, s.open(), request("gemini-3-pro"))
	if want := (llm.Usage{Input: 42, CacheRead: 60, Output: 15, Reasoning: 5}); reply.Usage != want {
		t.Errorf("got %+v, want %+v", reply.Usage, want)
	}
}

func TestFails(t *testing.T) {
	t.Parallel()
	text := parts(`{"text":"par"}`)
	tests := []struct {
		name   string
		answer answer
		kind   llm.Kind
		retry  bool
		words  string
		kept   string
		wait   time.Duration
	}{
		{
			"a quota with its wait",
			answer{429, `[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"quota","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"17.5s"}]}}]`},
			llm.KindRateLimit, true, "quota", "", 17500 * time.Millisecond,
		},
		{"an error inside the stream", events(text, `{"error":{"code":503,"status":"UNAVAILABLE","message":"overloaded"}}`), llm.KindProvider, true, "overloaded", "text:par[]", 0},
		{"a malformed call", events(text, `{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print(x)"}]}`), llm.KindProvider, true, "print(x)", "text:par[]", 0},
		{"a cut", events(text, parts(`{"functionCall":{"name":"ls","args":{}}}`)), llm.KindNetwork, true, "before the response was complete", "text:par[]", 0},
		{"too long", answer{400, `{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)."}}`}, llm.KindOverflow, false, "2000000", "", 0},
		{"a bad key", answer{400, `{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}`}, llm.KindAuth, false, "API key not valid", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tt.answer)
			_, err := s.open().Stream(t.Context(), request("gemini-3-pro"), func(llm.Chunk) {})
			var f *llm.Failure
			if !errors.As(err, &f) {
				t.Fatalf("got %v", err)
			}
			if f.Kind != tt.kind || f.Retryable != tt.retry || !strings.Contains(f.Message, tt.words) || summary(f.Partial) != tt.kept || f.RetryAfter != tt.wait {
				t.Errorf("%s, retryable %v after %s: %s, kept %q", f.Kind, f.Retryable, f.RetryAfter, f.Message, summary(f.Partial))
			}
		})
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	known := func(efforts ...string) provider.Facts {
		return provider.Facts{Known: true, Thinking: true, Efforts: efforts}
	}
	tests := []struct {
		model  string
		facts  provider.Facts
		level  llm.Level
		want   string
		warned bool
	}{
		{"gemini-3-pro", known("low", "high"), "", `null`, false},
		{"gemini-3-pro", known("low", "high"), llm.LevelLow, `{"includeThoughts":true,"thinkingLevel":"LOW"}`, false},
		{"gemini-3-pro", known("low", "high"), llm.LevelOff, `{"includeThoughts":false,"thinkingLevel":"LOW"}`, true},
		{"gemini-3.6-flash", known("minimal", "low", "medium", "high"), llm.LevelMax, `{"includeThoughts":true,"thinkingLevel":"HIGH"}`, true},
		{"gemini-4-pro", provider.Facts{}, llm.LevelHigh, `{"includeThoughts":true,"thinkingLevel":"HIGH"}`, false},
		{"gemini-2.5-flash", known(), llm.LevelOff, `{"includeThoughts":false,"thinkingBudget":0}`, false},
		{"gemini-2.5-pro", known(), llm.LevelOff, `{"includeThoughts":false,"thinkingBudget":128}`, true},
		{"gemini-2.5-pro", known(), llm.LevelMax, `{"includeThoughts":true,"thinkingBudget":32768}`, false},
		{"gemma-3", provider.Facts{}, llm.LevelHigh, `null`, false},
		{"gemini-2.0-flash", provider.Facts{Known: true}, llm.LevelHigh, `null`, false},
	}
	for _, tt := range tests {
		t.Run(tt.model+" "+string(tt.level), func(t *testing.T) {
			t.Parallel()
			s := serve(t, done(), done())
			s.options.Facts = func(string) provider.Facts { return tt.facts }
			c := s.open()
			req := request(tt.model)
			req.Level = tt.level
			reply, warned := ask(t, c, req)
			if got := s.sent(0, "generationConfig", "thinkingConfig"); got != tt.want || (len(warned) > 0) != tt.warned {
				t.Errorf("sent %s, warned %q", got, warned)
			}
			if _, warned = ask(t, c, goOn(req, reply, llm.User{Text: "more"})); len(warned) > 0 {
				t.Errorf("warned again: %q", warned)
			}
		})
	}
}

func TestLearns(t *testing.T) {
	t.Parallel()
	history := func() llm.Request {
		req := request("gemini-3-pro")
		req.Level = llm.LevelHigh
		req.Items = append(req.Items, llm.Assistant{Parts: []llm.Part{llm.Call{ID: "a", Name: "ls", Input: json.RawMessage(`{}`)}}}, llm.Result{CallID: "a", Output: "x"})
		return req
	}
	for name, tt := range map[string]struct{ refusal, gone string }{
		"thinking": {`{"error":{"code":400,"message":"Thinking level is not supported for this model."}}`, "thinkingConfig"},
		"ids":      {`{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"id\" at 'contents[1].parts[0].function_call': Cannot find field."}}`, `"id":`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, answer{400, tt.refusal}, done(), done())
			c := s.open()
			reply, warned := ask(t, c, history())
			if len(warned) != 1 || !strings.Contains(s.bodies[0], tt.gone) || strings.Contains(s.bodies[1], tt.gone) {
				t.Errorf("warned %q, sent %s", warned, s.bodies[1])
			}
			if _, warned = ask(t, c, goOn(history(), reply, llm.User{Text: "more"})); len(warned) != 0 {
				t.Errorf("warned again: %q", warned)
			}
		})
	}
	t.Run("a signature that is refused", func(t *testing.T) {
		t.Parallel()
		s := serve(t,
			events(parts(`{"functionCall":{"name":"ls","args":{}},"thoughtSignature":"U0lH"}`), finish("STOP")),
			answer{400, `{"error":{"code":400,"message":"Thought signature is not valid."}}`}, done(), answer{400, `{"error":{"message":"Thought signature is not valid."}}`}, answer{400, `{"error":{"message":"Thought signature is not valid."}}`})
		c := s.open()
		reply, _ := ask(t, c, request("gemini-3-pro"))
		req := goOn(request("gemini-3-pro"), reply)
		reply, warned := ask(t, c, req)
		if len(warned) != 1 || strings.Contains(s.bodies[2], "U0lH") || !strings.Contains(s.bodies[2], "skip_thought") {
			t.Errorf("warned %q, sent %s", warned, s.bodies[2])
		}
		if _, err := c.Stream(t.Context(), goOn(req, reply, llm.User{Text: "more"}), func(llm.Chunk) {}); err == nil || len(s.bodies) != 5 {
			t.Errorf("%d requests, %v: a refusal that stays must end", len(s.bodies), err)
		}
	})
}

// A word that is refused again is an error, and sends nothing anew: what is
// asked next goes on as before.
func TestRefusedTwice(t *testing.T) {
	t.Parallel()
	no := answer{400, `{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"id\" at 'contents[1]': Cannot find field."}}`}
	s := serve(t, no, done(), no, done())
	c := s.open()
	reply, _ := ask(t, c, request("gemini-3-pro"))
	req := goOn(request("gemini-3-pro"), reply, llm.User{Text: "more"})
	if _, err := c.Stream(t.Context(), req, func(llm.Chunk) {}); err == nil || len(s.bodies) != 3 {
		t.Fatalf("%d requests, %v", len(s.bodies), err)
	}
	if _, err := c.Stream(t.Context(), req, func(c llm.Chunk) {
		if r, ok := c.(llm.Rebuilt); ok {
			t.Errorf("sent anew: %s", r.Reason)
		}
	}); err != nil {
		t.Error(err)
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	s := serve(t, answer{200, `{"models":[{"name":"models/gemini-3-pro","supportedGenerationMethods":["generateContent"]},{"name":"models/embedding-1","supportedGenerationMethods":["embedContent"]}]}`})
	c, err := gemini.New(s.options)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := c.Models(t.Context())
	if err != nil || strings.Join(ids, " ") != "gemini-3-pro" {
		t.Errorf("%v, %v", ids, err)
	}
}

func FuzzStream(f *testing.F) {
	providertest.Fuzz(f, provider.WireGemini, func(o provider.Options) (providertest.Model, error) {
		c, err := gemini.New(o)
		if err != nil {
			return nil, err
		}
		return c.Conversation(), nil
	}, `data: {"promptFeedback":{"blockReason":"X"}}`, `[{"candidates":[null]},{"error":{}}]`,
		`data: {"type":1,"error":{"message":"no"}}`, `data: {"errors":"x","error":"y"}`)
}

// TestResponsesThatNeverEnd: whatever a server repeats, it is given up in time.
func TestResponsesThatNeverEnd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 32<<10)
	for name, p := range map[string]string{
		"signatures": `{"thoughtSignature":"` + long + `"}`, "empty signed": `{"thoughtSignature":"x"}`, "calls": `{"functionCall":{"name":"ls"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			providertest.Endless(t, provider.WireGemini, func(o provider.Options) (providertest.Model, error) {
				c, err := gemini.New(o)
				if err != nil {
					return nil, err
				}
				return c.Conversation(), nil
			}, "", events(parts(p)).body)
		})
	}
}
