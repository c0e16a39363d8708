package openai_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/providertest"
)

// delta is a chunk with one choice.
func delta(d string) string { return `{"choices":[{"index":0,"delta":` + d + `}]}` }

func finish(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

const counts = `{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens_details":{"reasoning_tokens":5}}}`

// summary writes parts for comparison.
func summary(parts []llm.Part) string {
	var s []string
	for _, p := range parts {
		switch p := p.(type) {
		case llm.Text:
			s = append(s, "text:"+p.Text)
		case llm.Reasoning:
			s = append(s, "think:"+p.Text)
		case llm.Call:
			id := p.ID
			if strings.HasPrefix(id, "call_") && len(id) == 21 {
				id = "OWN"
			}
			s = append(s, fmt.Sprintf("call:%s:%s:%s", id, p.Name, p.Input))
		}
	}
	return strings.Join(s, " ")
}

func TestChatAssemblesCalls(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		events []string
		want   string
		stop   llm.Stop
	}{
		{
			"deltas by index",
			[]string{
				delta(`{"role":"assistant","content":"let "}`), delta(`{"content":"me"}`),
				delta(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"ls","arguments":""}}]}`),
				delta(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"p\":"}}]}`),
				delta(`{"tool_calls":[{"index":1,"id":"b","function":{"name":"cat","arguments":"{"}}]}`),
				delta(`{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}`),
				delta(`{"tool_calls":[{"index":1,"function":{"arguments":"}"}}]}`),
				finish("tool_calls"), counts, "[DONE]",
			},
			`text:let me call:a:ls:{"p":1} call:b:cat:{}`, llm.StopCalls,
		},
		{
			"PROV-06 index but no id",
			[]string{delta(`{"tool_calls":[{"index":0,"function":{"name":"ls","arguments":"{}"}}]}`), finish("tool_calls"), "[DONE]"},
			`call:OWN:ls:{}`, llm.StopCalls,
		},
		{
			"no index, whole calls in one delta each",
			[]string{
				delta(`{"tool_calls":[{"id":"a","function":{"name":"ls","arguments":"{\"p\":1}"}}]}`),
				delta(`{"tool_calls":[{"id":"b","function":{"name":"ls","arguments":"{\"p\":2}"}}]}`),
				finish("stop"), "[DONE]",
			},
			`call:a:ls:{"p":1} call:b:ls:{"p":2}`, llm.StopCalls,
		},
		{
			"no index, pieces follow",
			[]string{
				delta(`{"tool_calls":[{"id":"a","function":{"name":"ls","arguments":"{\"p\""}}]}`),
				delta(`{"tool_calls":[{"function":{"arguments":":1}"}}]}`),
				finish("tool_calls"), "[DONE]",
			},
			`call:a:ls:{"p":1}`, llm.StopCalls,
		},
		{
			"every call has index 0",
			[]string{
				delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]}`),
				delta(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"ls","arguments":"{}"}}]}`),
				finish("stop"), "[DONE]",
			},
			`call:a:ls:{} call:b:ls:{}`, llm.StopCalls,
		},
		{
			"index 0, no ids, one name",
			[]string{
				delta(`{"tool_calls":[{"index":0,"function":{"name":"ls","arguments":"{\"p\":1}"}}]}`),
				delta(`{"tool_calls":[{"index":0,"function":{"name":"ls","arguments":"{\"p\":2}"}}]}`),
				finish("stop"), "[DONE]",
			},
			`call:OWN:ls:{"p":1} call:OWN:ls:{"p":2}`, llm.StopCalls,
		},
		{
			"name and id repeated in later pieces",
			[]string{
				delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{"}}]}`),
				delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"\"p\":1"}}]}`),
				delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"}"}}]}`),
				finish("tool_calls"), "[DONE]",
			},
			`call:a:ls:{"p":1}`, llm.StopCalls,
		},
		{
			"another id in every piece",
			[]string{
				delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\""}}]}`),
				delta(`{"tool_calls":[{"index":0,"id":"x","function":{"arguments":":1}"}}]}`),
				finish("tool_calls"), "[DONE]",
			},
			`call:a:ls:{"p":1}`, llm.StopCalls,
		},
		{
			"text and a call in one delta with the finish reason",
			[]string{`{"choices":[{"delta":{"content":"hi","tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, "[DONE]"},
			`text:hi call:a:ls:{}`, llm.StopCalls,
		},
		{
			"PROV-10 empty and null arguments",
			[]string{
				delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":""}},{"index":1,"id":"b","function":{"name":"ls","arguments":null}},{"index":2,"id":"c","function":{"name":"ls"}}]}`),
				finish("tool_calls"), "[DONE]",
			},
			`call:a:ls:{} call:b:ls:{} call:c:ls:{}`, llm.StopCalls,
		},
		{
			"arguments as an object",
			[]string{delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":{"p":1}}}]}`), finish("stop"), "[DONE]"},
			`call:a:ls:{"p":1}`, llm.StopCalls,
		},
		{
			"a field of an odd type loses nothing else",
			[]string{delta(`{"content":"x","tool_calls":[{"index":"0","id":7,"function":{"name":"ls","arguments":"{}"}}]}`), finish("stop"), "[DONE]"},
			`text:x call:OWN:ls:{}`, llm.StopCalls,
		},
		{
			"the same id twice",
			[]string{delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}},{"index":1,"id":"a","function":{"name":"cat","arguments":"{}"}}]}`), finish("stop"), "[DONE]"},
			`call:a:ls:{} call:a_2:cat:{}`, llm.StopCalls,
		},
		{
			"reasoning in its three places",
			[]string{
				delta(`{"reasoning_content":"a"}`), delta(`{"reasoning":"b"}`),
				delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"c"}]},{"type":"text","text":"d"}]}`),
				finish("stop"), "[DONE]",
			},
			`think:abc text:d`, llm.StopEnd,
		},
		{
			"DONE is missing, and so is usage",
			[]string{delta(`{"content":"x"}`), finish("stop")},
			`text:x`, llm.StopEnd,
		},
		{
			"a choice that was not asked for",
			[]string{`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"yes"}}]}`, finish("stop")},
			`text:yes`, llm.StopEnd,
		},
		{
			"PROV-21 cut at the limit within a call",
			[]string{delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\":\"x"}}]}`), finish("length"), "[DONE]"},
			`call:a:ls:{"p":"x`, llm.StopLength,
		},
		{"content filter", []string{delta(`{"content":"x"}`), finish("content_filter")}, "text:x", llm.StopFilter},
		{"context exceeded", []string{finish("model_context_window_exceeded")}, "", llm.StopContext},
		{"PROV-24 refusal", []string{delta(`{"refusal":"I can"}`), delta(`{"refusal":"not"}`), finish("stop")}, "", llm.StopRefusal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, events(tt.events...))
			reply, _ := ask(t, converse(t, s.options("custom-openai", ""), provider.WireOpenAI), request("m"))
			if got := summary(reply.Parts); got != tt.want || reply.Stop != tt.stop {
				t.Errorf("got %s, stop %s\nwant %s, stop %s", got, reply.Stop, tt.want, tt.stop)
			}
			if tt.stop == llm.StopRefusal && reply.Detail != "I cannot" {
				t.Errorf("detail %q", reply.Detail)
			}
		})
	}
}

func TestChatTellsAsItStreams(t *testing.T) {
	t.Parallel()
	s := serve(t, events(
		delta(`{"reasoning_content":"hm"}`), delta(`{"content":"so"}`),
		delta(`{"tool_calls":[{"index":0,"id":"a"}]}`),
		delta(`{"tool_calls":[{"index":0,"function":{"name":"ls","arguments":"{}"}}]}`),
		finish("tool_calls"), counts, "[DONE]"))
	reply, got := ask(t, converse(t, s.options("custom-openai", ""), provider.WireOpenAI), request("m"))
	want := []llm.Chunk{llm.ReasoningDelta{Text: "hm"}, llm.TextDelta{Text: "so"}, llm.CallStart{ID: "a", Name: "ls"}}
	if !reflect.DeepEqual(got.chunks, want) {
		t.Errorf("told %+v", got.chunks)
	}
	if want := (llm.Usage{Input: 40, Output: 20, CacheRead: 60, Reasoning: 5}); reply.Usage != want {
		t.Errorf("usage %+v", reply.Usage)
	}
}

func TestChatCountsOfVendors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, usage string
		want        llm.Usage
	}{
		{"DeepSeek", `{"prompt_tokens":10,"completion_tokens":2,"prompt_cache_hit_tokens":8}`, llm.Usage{Input: 2, CacheRead: 8, Output: 2}},
		{"Moonshot", `{"prompt_tokens":10,"completion_tokens":2,"cached_tokens":4}`, llm.Usage{Input: 6, CacheRead: 4, Output: 2}},
		{"writes", `{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":3,"cache_write_tokens":5}}`, llm.Usage{Input: 2, CacheRead: 3, CacheWrite: 5, Output: 2}},
		{"reasoning beside the completion", `{"prompt_tokens":10,"completion_tokens":2,"total_tokens":19,"completion_tokens_details":{"reasoning_tokens":7}}`, llm.Usage{Input: 10, Output: 9, Reasoning: 7}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, events(delta(`{"content":"x"}`), finish("stop"), `{"usage":`+tt.usage+`}`, "[DONE]"))
			reply, _ := ask(t, converse(t, s.options("custom-openai", ""), provider.WireOpenAI), request("m"))
			if reply.Usage != tt.want {
				t.Errorf("got %+v, want %+v", reply.Usage, tt.want)
			}
		})
	}
}

func TestChatReadsAWholeAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t, answer{body: `{"choices":[{"message":{"content":"x","tool_calls":[
		{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},
		{"id":"b","type":"function","function":{"name":"ls","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3}}`})
	reply, _ := ask(t, converse(t, s.options("custom-openai", ""), provider.WireOpenAI), request("m"))
	if got := summary(reply.Parts); got != "text:x call:a:ls:{} call:b:ls:{}" || reply.Usage.Input != 3 {
		t.Errorf("got %s %+v", got, reply.Usage)
	}
}

func TestChatBreaks(t *testing.T) {
	t.Parallel()
	half := delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\":1}"}}]}`)
	tests := []struct {
		name   string
		answer answer
		kind   llm.Kind
		retry  bool
		words  string
	}{
		{"cut after output", events(delta(`{"content":"par"}`), half), llm.KindNetwork, true, "before the response was complete"},
		{"PROV-18 an error inside the stream", events(delta(`{"content":"par"}`), `{"error":{"code":502,"message":"upstream is down"}}`), llm.KindProvider, true, "upstream is down"},
		{"an error without an error field", events(delta(`{"content":"par"}`), `{"object":"error","message":"worker died","type":"server_error"}`), llm.KindProvider, true, "worker died"},
		{"a finish reason that is a failure", events(delta(`{"content":"par"}`), finish("insufficient_system_resource")), llm.KindProvider, true, "insufficient_system_resource"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tt.answer)
			f := fails(t, converse(t, s.options("custom-openai", ""), provider.WireOpenAI), request("m"))
			if f.Kind != tt.kind || f.Retryable != tt.retry || !strings.Contains(f.Message, tt.words) {
				t.Errorf("got %s, retryable %v: %s", f.Kind, f.Retryable, f.Message)
			}
			if got := summary(f.Partial); got != "text:par" {
				t.Errorf("kept %q, want the text alone", got)
			}
		})
	}
}

// TestChatEndsWithoutTheSocket: a response that is complete is not waited for
// longer than for what may follow it, and not at all behind the word that it is
// over. The time is that of a bubble, so it is exact.
func TestChatEndsWithoutTheSocket(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last []string
		wait time.Duration
	}{"at once": {[]string{counts, "[DONE]"}, 0}, "after a while": {nil, 2 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := events(append([]string{delta(`{"content":"x"}`), finish("stop")}, c.last...)...)
				conv := converse(t, provider.Options{Name: "openai", BaseURL: "https://api.test", HTTP: &http.Client{Transport: providertest.Paced{Pieces: []string{a.body}, Open: true}}}, provider.WireOpenAI)
				start := time.Now()
				reply, _ := ask(t, conv, request("m"))
				if took := time.Since(start); summary(reply.Parts) != "text:x" || took != c.wait {
					t.Errorf("%s after %s, want %s", summary(reply.Parts), took, c.wait)
				}
			})
		})
	}
}

// TestChatCallsThatEachEnd: some servers send each of parallel calls whole, with
// a finish reason, when the model has written it.
func TestChatCallsThatEachEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		one := func(i int) string {
			return events(fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"ls","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, i, i)).body
		}
		conv := converse(t, provider.Options{Name: "openai", BaseURL: "https://api.test", HTTP: &http.Client{
			Transport: providertest.Paced{Pieces: []string{one(0), one(1), one(2), events("[DONE]").body}, Pause: 30 * time.Second, Open: true},
		}}, provider.WireOpenAI)
		reply, _ := ask(t, conv, request("m"))
		if got := summary(reply.Parts); got != "call:c0:ls:{} call:c1:ls:{} call:c2:ls:{}" {
			t.Errorf("got %s", got)
		}
	})
}

func TestChatCancelled(t *testing.T) {
	t.Parallel()
	a := events(delta(`{"content":"x"}`))
	a.hold = true
	s := serve(t, a)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := converse(t, s.options("custom-openai", ""), provider.WireOpenAI).Stream(ctx, request("m"), func(llm.Chunk) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzChatStream(f *testing.F) {
	providertest.Fuzz(f, provider.WireOpenAI, suiteMaker(provider.WireOpenAI),
		"data: "+delta(`{"reasoning_details":[{"type":"reasoning.text","text":"a","index":0}]}`)+"\n\ndata: "+finish("length")+"\n\n",
		"data: "+delta(`{"content":"<think>a</think>b"}`)+"\n\ndata: "+finish("stop")+"\n\ndata: [DONE]\n\n",
		`{"choices":[{"message":{"content":[{"type":"thinking","thinking":"a"}],"tool_calls":[{"function":{"name":"ls","arguments":{}}}]},"finish_reason":"stop"}]}`,
		"data: {\"type\":1,\"error\":{\"message\":\"no\"}}\n\n", "data: {\"errors\":\"x\",\"error\":\"y\"}\n\n")
}
