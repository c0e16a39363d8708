package openai_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/openai"
	"assent/internal/provider/providertest"
)

// The items of a response, in a spelling that no encoder of ours would make.
const (
	thought = `{"type":"reasoning", "id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"ENC<1>"}`
	message = `{"id":"msg_1","type":"message","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"so","annotations":[]}]}`
	toCall  = `{"type":"function_call","id":"fc_1","call_id":"call_a","name":"ls","arguments":"{\"p\": 1}","status":"completed"}`
)

func itemDone(index int, item string) string {
	return `{"type":"response.output_item.done","output_index":` + string(rune('0'+index)) + `,"item":` + item + `}`
}

func completed(output string) string {
	return `{"type":"response.completed","response":{"status":"completed","output":[` + output + `],"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":60},"output_tokens":20,"output_tokens_details":{"reasoning_tokens":5}}}}`
}

// turn is a response with reasoning, text and a call.
func turn() answer {
	return events(itemDone(0, thought), itemDone(1, message), itemDone(2, toCall), completed(""))
}

func ended() answer { return events(itemDone(0, message), completed("")) }

func TestResponsesRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, ended())
	req := request("gpt-5.2")
	req.MaxOutput, req.Level = 50, llm.LevelHigh
	req.Items = []llm.Item{
		llm.User{Text: "look", Images: []llm.Image{{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\nP")}}},
		llm.Note{Text: "note"},
		llm.Assistant{Parts: []llm.Part{
			llm.Reasoning{Text: "foreign", Opaque: llm.Opaque{Provider: "x", Data: []byte(`{"type":"reasoning"}`)}},
			llm.Text{Text: "I look"},
			llm.Call{ID: "a", Name: "ls", Input: json.RawMessage(`{"p":1}`)},
		}},
		llm.Result{CallID: "a", Name: "ls", Output: "seen", Images: []llm.Image{{MIME: "image/gif", Data: []byte("GIF89aG")}}},
	}
	ask(t, converse(t, s.options("openai", ""), provider.WireResponses), req)
	for _, tt := range []struct {
		want string
		at   []any
	}{
		{`false`, []any{"store"}}, // CTX-06
		{`["reasoning.encrypted_content"]`, []any{"include"}},
		{`{"effort":"high","summary":"auto"}`, []any{"reasoning"}},
		{`50`, []any{"max_output_tokens"}},
		{`"s1"`, []any{"prompt_cache_key"}},
		{`"be brief"`, []any{"instructions"}},
		{`{"description":"lists","name":"ls","parameters":{"type":"object"},"strict":false,"type":"function"}`, []any{"tools", 0}},
		{`[{"text":"look","type":"input_text"},{"image_url":"data:image/png;base64,iVBORw0KGgpQ","type":"input_image"}]`, []any{"input", 0, "content"}},
		{`[{"text":"note","type":"input_text"}]`, []any{"input", 1, "content"}},
		{`{"content":[{"text":"I look","type":"output_text"}],"role":"assistant","type":"message"}`, []any{"input", 2}},
		{`{"arguments":"{\"p\":1}","call_id":"a","name":"ls","type":"function_call"}`, []any{"input", 3}},
		{`{"call_id":"a","output":[{"text":"seen","type":"input_text"},{"image_url":"data:image/gif;base64,R0lGODlhRw==","type":"input_image"}],"type":"function_call_output"}`, []any{"input", 4}},
		{`null`, []any{"input", 5}},
		{`null`, []any{"previous_response_id"}},
	} {
		if got := text(field(s.sent(0), tt.at...)); got != tt.want {
			t.Errorf("%v is %s, want %s", tt.at, got, tt.want)
		}
	}
	if s.paths[0] != "POST /v1/responses" {
		t.Error(s.paths[0])
	}
}

// TestResponsesSendsItemsBackWhole: byte for byte while the epoch lasts,
// inline and without ids afterwards (CTX-06, CTX-09).
func TestResponsesSendsItemsBackWhole(t *testing.T) {
	t.Parallel()
	s := serve(t, turn(), ended(), ended())
	c := converse(t, s.options("openai", ""), provider.WireResponses)
	req := request("gpt-5.2")
	reply, got := ask(t, c, req)
	if s := summary(reply.Parts); s != `think:hm text:so call:call_a:ls:{"p": 1}` || reply.Stop != llm.StopCalls {
		t.Errorf("got %s, %s", s, reply.Stop)
	}
	if want := (llm.Usage{Input: 40, Output: 20, CacheRead: 60, Reasoning: 5}); reply.Usage != want {
		t.Errorf("usage %+v", reply.Usage)
	}
	if len(got.chunks) != 3 {
		t.Errorf("told %+v", got.chunks)
	}
	req = goOn(req, reply)
	ask(t, c, req)
	if !strings.Contains(s.raw(1), thought+","+message+","+toCall) {
		t.Errorf("the items changed on their way back: %s", s.raw(1))
	}
	if field(s.sent(0), "include", 0) != "reasoning.encrypted_content" {
		t.Errorf("with no level set, the reasoning was not asked for: %s", s.raw(0))
	}
	req.Epoch, req.Items = 1, append(req.Items, llm.User{Text: "more"})
	ask(t, c, req)
	for _, gone := range []string{"rs_1", "msg_1", "fc_1", "ENC", "reasoning\","} {
		if strings.Contains(s.raw(2), gone) {
			t.Errorf("a new epoch still has %s: %s", gone, s.raw(2))
		}
	}
	if got := text(field(s.sent(2), "input", 1)); got != `{"content":[{"text":"so","type":"output_text"}],"role":"assistant","type":"message"}` {
		t.Errorf("the text became %s", got)
	}
	if field(s.sent(2), "input", 2, "call_id") != "call_a" || field(s.sent(2), "input", 3, "output") != "done call_a" {
		t.Errorf("the exchange is gone: %s", s.raw(2))
	}
}

func TestResponsesOfBrokenWholes(t *testing.T) {
	t.Parallel()
	bare := `{"type":"reasoning","id":"rs_1","summary":[]}`
	odd := `{"type":"function_call","id":"fc_1","call_id":"call_a","name":"ls","arguments":"{\"p\":"}`
	for name, first := range map[string]answer{
		"reasoning that only the store could read": events(itemDone(0, bare), itemDone(1, message), completed("")),
		"arguments that were repaired":             events(itemDone(0, thought), itemDone(1, odd), completed("")),
		"an item that never came whole":            events(`{"type":"response.output_text.delta","output_index":0,"delta":"so"}`, itemDone(1, thought), itemDone(2, message), completed("")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, first, ended())
			c := converse(t, s.options("openai", ""), provider.WireResponses)
			reply, _ := ask(t, c, request("m"))
			ask(t, c, goOn(request("m"), reply, llm.User{Text: "more"}))
			for _, gone := range []string{"rs_1", "msg_1", "fc_1"} {
				if strings.Contains(s.raw(1), gone) {
					t.Errorf("sent %s: %s", gone, s.raw(1))
				}
			}
		})
	}
}

func TestResponsesEnds(t *testing.T) {
	t.Parallel()
	text := `{"type":"response.output_text.delta","output_index":0,"delta":"par"}`
	tests := []struct {
		name   string
		events []string
		stop   llm.Stop
		want   string
	}{
		{"length", []string{text, `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`}, llm.StopLength, "text:par"},
		{"filter", []string{text, `{"type":"response.incomplete","response":{"incomplete_details":{"reason":"content_filter"}}}`}, llm.StopFilter, "text:par"},
		{
			"PROV-24 refusal", []string{itemDone(0, `{"type":"message","content":[{"type":"refusal","refusal":"no"}]}`), completed("")}, llm.StopRefusal, "text:",
		},
		{"everything at the end", []string{completed(message + "," + toCall)}, llm.StopCalls, `text:so call:call_a:ls:{"p": 1}`},
		{"a call that only the end has", []string{text, completed(message + "," + toCall)}, llm.StopCalls, `text:par call:call_a:ls:{"p": 1}`},
		{"an item of an unknown kind", []string{itemDone(0, `{"type":"novelty","x":1}`), itemDone(1, message), completed("")}, llm.StopEnd, "think: text:so"},
		{
			"summaries in pieces", []string{
				`{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning"}}`,
				`{"type":"response.reasoning_summary_part.added","output_index":0}`,
				`{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"a"}`,
				`{"type":"response.reasoning_summary_part.added","output_index":0}`,
				`{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"b"}`,
				itemDone(0, thought), completed(""),
			}, llm.StopEnd, "think:a\n\nb",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, events(tt.events...))
			reply, _ := ask(t, converse(t, s.options("custom-responses", ""), provider.WireResponses), request("m"))
			if got := summary(reply.Parts); got != tt.want || reply.Stop != tt.stop {
				t.Errorf("got %q, stop %s\nwant %q, stop %s", got, reply.Stop, tt.want, tt.stop)
			}
			if tt.stop == llm.StopRefusal && reply.Detail != "no" {
				t.Errorf("detail %q", reply.Detail)
			}
		})
	}
}

func TestResponsesFails(t *testing.T) {
	t.Parallel()
	text := `{"type":"response.output_text.delta","output_index":0,"delta":"par"}`
	tests := []struct {
		name  string
		event string
		kind  llm.Kind
		retry bool
		words string
	}{
		{"failed", `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"it broke"}}}`, llm.KindProvider, true, "it broke"},
		{"too long", `{"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window"}}}`, llm.KindOverflow, false, "context window"},
		{"failed without a reason", `{"type":"response.failed","response":{}}`, llm.KindProvider, true, "failed"},
		{"an error event", `{"type":"error","code":"rate_limit_exceeded","message":"slow down","param":null}`, llm.KindRateLimit, true, "slow down"},
		{"an error event without text", `{"type":"error"}`, llm.KindProvider, false, "without a text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, events(text, tt.event))
			f := fails(t, converse(t, s.options("openai", ""), provider.WireResponses), request("m"))
			if f.Kind != tt.kind || f.Retryable != tt.retry || !strings.Contains(f.Message, tt.words) || summary(f.Partial) != "text:par" {
				t.Errorf("%s, retryable %v: %s, kept %q", f.Kind, f.Retryable, f.Message, summary(f.Partial))
			}
		})
	}
}

func TestResponsesLearns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, refusal string
		gone          string
	}{
		{"no summaries", `{"error":{"message":"Your organization must be verified to generate reasoning summaries.","param":"reasoning.summary"}}`, `"summary":"auto"`},
		{"no effort", `{"error":{"message":"Unsupported parameter: 'reasoning.effort' is not supported with this model.","param":"reasoning.effort"}}`, `"effort"`},
		{"no encrypted content", `{"error":{"message":"Encrypted content is not supported with this model.","param":"include"}}`, `"include"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, refusal(400, tt.refusal), ended(), ended())
			c := converse(t, s.options("openai", ""), provider.WireResponses, provider.WireOpenAI)
			req := request("m")
			req.Level = llm.LevelLow
			reply, got := ask(t, c, req)
			if len(got.warnings()) != 1 || !strings.Contains(s.raw(0), tt.gone) || strings.Contains(s.raw(1), tt.gone) {
				t.Errorf("warned %q\nfirst %s\nthen %s", got.warnings(), s.raw(0), s.raw(1))
			}
			if _, got = ask(t, c, goOn(req, reply, llm.User{Text: "more"})); len(got.warnings()) != 0 || strings.Contains(s.raw(2), tt.gone) {
				t.Errorf("learned nothing: %q %s", got.warnings(), s.raw(2))
			}
		})
	}
}

// TestResponsesStaleItems is CTX-06 and CTX-12: what the server no longer
// accepts of its own is sent inline, once.
func TestResponsesStaleItems(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]answer{
		"not found":      refusal(404, `{"error":{"message":"Item with id 'rs_1' not found. Items are not persisted when store is set to false."}}`),
		"not verifiable": refusal(400, `{"error":{"code":"invalid_encrypted_content","message":"The encrypted content could not be verified."}}`),
		"not complete":   refusal(400, `{"error":{"message":"Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'."}}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, turn(), r, ended(), r, r)
			c := converse(t, s.options("openai", ""), provider.WireResponses)
			reply, _ := ask(t, c, request("m"))
			req := goOn(request("m"), reply)
			reply, got := ask(t, c, req)
			if len(got.warnings()) != 1 || strings.Contains(s.raw(2), "rs_1") || !strings.Contains(s.raw(2), "done call_a") {
				t.Errorf("warned %q, sent %s", got.warnings(), s.raw(2))
			}
			fails(t, c, goOn(req, reply, llm.User{Text: "more"}))
			if s.count() != 5 {
				t.Errorf("%d requests: a refusal that stays must end", s.count())
			}
		})
	}
}

// TestChain: where a server refuses the shape of a request on one wire, the next
// wire takes over, whichever is the first, for the rest of the session.
func TestChain(t *testing.T) {
	t.Parallel()
	responses, chat := "POST /v1/responses", "POST /v1/chat/completions"
	for _, status := range []int{400, 404, 405, 415, 422, 501} {
		for _, c := range []struct {
			wires        []provider.Wire
			first, other string
			name         string
			says         answer
		}{
			{[]provider.Wire{provider.WireResponses, provider.WireOpenAI}, responses, chat, "Chat Completions", hi()},
			{[]provider.Wire{provider.WireOpenAI, provider.WireResponses}, chat, responses, "Responses", ended()},
		} {
			t.Run(fmt.Sprintf("%d to %s", status, c.name), func(t *testing.T) {
				t.Parallel()
				s := serve(t, refusal(status, `{"error":{"message":"no such thing here"}}`), c.says, c.says, c.says)
				client, err := openai.New(s.options("openai", ""), c.wires...)
				if err != nil {
					t.Fatal(err)
				}
				conv := client.Conversation()
				reply, got := ask(t, conv, request("m"))
				if w := got.warnings(); len(w) != 1 || !strings.Contains(w[0], "going on with "+c.name) {
					t.Errorf("warned %q", w)
				}
				if _, got = ask(t, conv, goOn(request("m"), reply, llm.User{Text: "more"})); len(got.warnings()) != 0 {
					t.Errorf("warned again: %q", got.warnings())
				}
				if _, got = ask(t, client.Conversation(), request("m")); len(got.warnings()) != 0 {
					t.Errorf("warned again in another conversation: %q", got.warnings())
				}
				if p, want := strings.Join(s.paths, " "), strings.Join([]string{c.first, c.other, c.other, c.other}, " "); p != want {
					t.Errorf("asked %s, want %s", p, want)
				}
			})
		}
	}
	t.Run("there and back", func(t *testing.T) {
		t.Parallel()
		no := refusal(400, `{"error":{"message":"not like this"}}`)
		s := serve(t, no, hi(), no, ended(), ended())
		c := converse(t, s.options("openai", ""), provider.WireResponses, provider.WireOpenAI)
		reply, _ := ask(t, c, request("m"))
		reply, got := ask(t, c, goOn(request("m"), reply, llm.User{Text: "more"}))
		if w := got.warnings(); len(w) != 1 || !strings.Contains(w[0], "going on with Responses") {
			t.Errorf("warned %q", w)
		}
		ask(t, c, goOn(request("m"), reply, llm.User{Text: "more"}))
		if p, want := strings.Join(s.paths, " "), strings.Join([]string{responses, chat, chat, responses, responses}, " "); p != want {
			t.Errorf("asked %s, want %s", p, want)
		}
	})
	t.Run("what was sent before is sent anew, and that is told", func(t *testing.T) {
		t.Parallel()
		s := serve(t, turn(), refusal(404, `{"error":{"message":"gone"}}`), hi(), refusal(500, `{"error":{"message":"busy"}}`), hi(), hi())
		client, err := openai.New(s.options("openai", ""), provider.WireResponses, provider.WireOpenAI)
		if err != nil {
			t.Fatal(err)
		}
		conv := client.Conversation()
		reply, got := ask(t, conv, request("m"))
		if r := got.rebuilt(); len(r) != 0 {
			t.Errorf("at the beginning: %q", r)
		}
		// Another conversation, that of a summary, falls; this one goes with it.
		ask(t, client.Conversation(), request("m"))
		got = &told{}
		if _, err := conv.Stream(t.Context(), goOn(request("m"), reply), got.emit); err == nil {
			t.Fatal("a server that is busy")
		}
		if r := got.rebuilt(); len(r) != 1 || !strings.Contains(r[0], "Chat Completions API") {
			t.Errorf("told %q", r)
		}
		next, got := ask(t, conv, goOn(request("m"), reply))
		if r := got.rebuilt(); len(r) != 0 {
			t.Errorf("told again: %q", r)
		}
		other := goOn(goOn(request("m"), reply), next, llm.User{Text: "more"})
		other.Epoch++
		if _, got = ask(t, conv, other); len(got.rebuilt()) != 0 {
			t.Errorf("in a new epoch: %q", got.rebuilt())
		}
	})
	t.Run("for each model by itself", func(t *testing.T) {
		t.Parallel()
		s := serve(t, refusal(404, `{"error":{"message":"not this model"}}`), hi(), ended())
		c := converse(t, s.options("openai", ""), provider.WireResponses, provider.WireOpenAI)
		ask(t, c, request("m"))
		ask(t, c, llm.Request{Model: "n", Epoch: 1, Items: request("m").Items})
		if p, want := strings.Join(s.paths, " "), strings.Join([]string{responses, chat, responses}, " "); p != want {
			t.Errorf("asked %s, want %s", p, want)
		}
	})
	t.Run("not for what may pass", func(t *testing.T) {
		t.Parallel()
		for _, status := range []int{401, 429, 500, 413} {
			s := serve(t, refusal(status, `{"error":{"message":"no"}}`))
			fails(t, converse(t, s.options("openai", ""), provider.WireResponses, provider.WireOpenAI), request("m"))
			if s.count() != 1 {
				t.Errorf("%d switched", status)
			}
		}
	})
	t.Run("not where both refuse", func(t *testing.T) {
		t.Parallel()
		s := serve(t, refusal(400, `{"error":{"message":"this image is broken"}}`), refusal(400, `{"error":{"message":"second"}}`), ended())
		c := converse(t, s.options("openai", ""), provider.WireResponses, provider.WireOpenAI)
		if f := fails(t, c, request("m")); !strings.Contains(f.Message, "this image is broken") {
			t.Errorf("told %s", f.Message)
		}
		if _, got := ask(t, c, request("m")); len(got.warnings()) != 0 || s.paths[2] != "POST /v1/responses" {
			t.Errorf("warned %q, asked %s", got.warnings(), s.paths[2])
		}
	})
	t.Run("not after output", func(t *testing.T) {
		t.Parallel()
		s := serve(t, events(`{"type":"response.output_text.delta","output_index":0,"delta":"par"}`, `{"type":"error","code":"400","message":"bad"}`))
		fails(t, converse(t, s.options("openai", ""), provider.WireResponses, provider.WireOpenAI), request("m"))
		if s.count() != 1 {
			t.Error("switched after output")
		}
	})
	t.Run("with a history of the first wire", func(t *testing.T) {
		t.Parallel()
		s := serve(t, turn(), refusal(404, `{"error":{"message":"gone"}}`), hi())
		c := converse(t, s.options("openai", ""), provider.WireResponses, provider.WireOpenAI)
		reply, _ := ask(t, c, request("m"))
		ask(t, c, goOn(request("m"), reply))
		if strings.Contains(s.raw(2), "ENC") || field(s.sent(2), "messages", 2, "tool_calls", 0, "id") != "call_a" {
			t.Errorf("sent %s", s.raw(2))
		}
	})
}

func FuzzResponsesStream(f *testing.F) {
	providertest.Fuzz(f, provider.WireResponses, suiteMaker(provider.WireResponses),
		"data: "+completed("")+"\n\n", `{"object":"response","output":[{"type":"reasoning","summary":[{"text":"a"}]}],"status":"completed"}`)
}
