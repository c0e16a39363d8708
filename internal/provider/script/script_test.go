package script_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/provider/providertest"
	"assent/internal/provider/script"
)

func TestMain(m *testing.M) { providertest.NoLeak(m) }

func read(t *testing.T, text string) *script.Player {
	t.Helper()
	p, err := script.Read("s.jsonl", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ask(items ...llm.Item) llm.Request {
	return llm.Request{Model: "s.jsonl", System: "system text", Items: items}
}

func TestPlaysLinesInOrder(t *testing.T) {
	t.Parallel()
	c := read(t, `
# a comment
{"reasoning":"hm","text":"I will read it, Grüße an alle und noch mehr Text.","calls":[{"name":"read_file","input":{"path":"a"}},{"name":"list"}],"usage":{"input":7,"output":3,"cacheRead":2,"cacheWrite":1,"reasoning":1}}
{"text":"done","expect":["RESULT","system text"]}
`).Conversation()
	var chunks []llm.Chunk
	items := []llm.Item{llm.User{Text: "go"}}
	r, err := c.Stream(t.Context(), ask(items...), func(c llm.Chunk) { chunks = append(chunks, c) })
	if err != nil {
		t.Fatal(err)
	}
	a := llm.Assistant{Parts: r.Parts, Provider: r.Provider, Model: r.Model}
	calls := a.Calls()
	if r.Stop != llm.StopCalls || len(calls) != 2 || calls[0].ID != "call_1" || calls[1].ID != "call_2" {
		t.Fatalf("reply is %+v", r)
	}
	if string(calls[0].Input) != `{"path":"a"}` || string(calls[1].Input) != "{}" {
		t.Errorf("inputs are %s and %s", calls[0].Input, calls[1].Input)
	}
	if r.Usage != (llm.Usage{Input: 7, Output: 3, CacheRead: 2, CacheWrite: 1, Reasoning: 1}) {
		t.Errorf("usage is %+v", r.Usage)
	}
	if len(chunks) < 6 {
		t.Errorf("the text came in %d chunks", len(chunks))
	}
	items = append(items, a, llm.Result{CallID: "call_1", Output: "RESULT"}, llm.Result{CallID: "call_2"})
	if r, err = c.Stream(t.Context(), ask(items...), func(llm.Chunk) {}); err != nil || r.Stop != llm.StopEnd {
		t.Fatalf("reply %+v, error %v", r, err)
	}
	_, err = c.Stream(t.Context(), ask(items...), func(llm.Chunk) {})
	failed(t, err, llm.KindProvider, "no response left")
}

func failed(t *testing.T, err error, kind llm.Kind, words string) *llm.Failure {
	t.Helper()
	var f *llm.Failure
	if !errors.As(err, &f) || f.Kind != kind || !strings.Contains(f.Message, words) {
		t.Fatalf("error is %#v, want %s with %q", err, kind, words)
	}
	return f
}

func TestExpectFailsLoudly(t *testing.T) {
	t.Parallel()
	_, err := read(t, `{"text":"x","expect":"the secret word"}`).Conversation().
		Stream(t.Context(), ask(llm.User{Text: "something else"}), func(llm.Chunk) {})
	f := failed(t, err, llm.KindProvider, `line 1 expects the request to contain "the secret word"`)
	if !strings.Contains(f.Message, "something else") {
		t.Errorf("the message does not say what came: %s", f.Message)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	c := read(t, `{"error":{"kind":"rate_limit","message":"slow down","status":429,"retryable":true,"retryAfterMs":1500}}
{"text":"half","cut":true}
{"text":"whole","calls":[{"name":"x","input":"{broken"}]}`).Conversation()
	_, err := c.Stream(t.Context(), ask(), func(llm.Chunk) {})
	f := failed(t, err, llm.KindRateLimit, "slow down")
	if f.Status != 429 || !f.Retryable || f.RetryAfter != 1500*time.Millisecond {
		t.Errorf("failure is %+v", f)
	}
	_, err = c.Stream(t.Context(), ask(), func(llm.Chunk) {})
	if f = failed(t, err, llm.KindNetwork, "cuts"); len(f.Partial) != 1 {
		t.Errorf("kept %v", f.Partial)
	}
	r, err := c.Stream(t.Context(), ask(), func(llm.Chunk) {})
	if err != nil {
		t.Fatal(err)
	}
	if in := (llm.Assistant{Parts: r.Parts}).Calls()[0].Input; string(in) != "{broken" {
		t.Errorf("input is %s", in)
	}
}

func TestResumedConversationGoesOn(t *testing.T) {
	t.Parallel()
	const two = `{"error":{"retryable":true}}
{"text":"first","calls":[{"name":"x"}]}
{"text":"second","calls":[{"name":"x","id":"call_1"}]}`
	heard := func(n int) []llm.Item {
		items := []llm.Item{llm.User{Text: "go"}}
		for range n {
			items = append(items, llm.Assistant{Provider: "script", Model: "s.jsonl", Parts: []llm.Part{llm.Call{ID: "call_1", Name: "x"}}}, llm.Result{CallID: "call_1"})
		}
		return items
	}
	r, err := read(t, two).Conversation().Stream(t.Context(), ask(heard(1)...), func(llm.Chunk) {})
	if err != nil {
		t.Fatal(err)
	}
	a := llm.Assistant{Parts: r.Parts}
	if a.Text() != "second" || a.Calls()[0].ID != "call_1_2" {
		t.Errorf("reply is %+v", r)
	}
	if _, err := read(t, two).Conversation().Stream(t.Context(), ask(heard(2)...), func(llm.Chunk) {}); err == nil {
		t.Error("a script that was heard whole does not begin again")
	}
}

func TestMatchAndCancel(t *testing.T) {
	t.Parallel()
	p := read(t, `{"match":"for the helper","text":"helper"}
{"text":"main"}
{"text":"late","delayMs":60000}`)
	for _, want := range []string{"main", "helper"} {
		prompt := "hello"
		if want == "helper" {
			prompt = "a task for the helper"
		}
		r, err := p.Conversation().Stream(t.Context(), ask(llm.User{Text: prompt}), func(llm.Chunk) {})
		if err != nil || (llm.Assistant{Parts: r.Parts}).Text() != want {
			t.Errorf("reply %+v, error %v, want %s", r, err, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := p.Conversation().Stream(ctx, ask(), func(llm.Chunk) {}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
}

func TestBadScripts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"not JSON", "{\"text\":\"a\"}\n{\"text\":", "line 2"},
		{"not an object", "[1]", "line 1: want a JSON object"},
		{"unknown field", `{"txt":"a"}`, `unknown field "txt", did you mean "text"? The fields of a line are text`},
		{"unknown field of a call", `{"calls":[{"nme":"a"}]}`, `unknown field "nme", did you mean "name"? The fields of a call are id, name, input`},
		{"unlike any field", `{"zzzzzzzzz":"a"}`, `unknown field "zzzzzzzzz"; the fields are text`},
		{"another type", `{"calls":[{"name":1}]}`, "calls.name: want a string, got a number"},
		{"not closed", `{"text":"a"`, "the JSON object is not complete"},
		{"a slip", `{"text":"a",}`, "not valid JSON at character"},
		{"below zero", `{"delayMs":-1}`, "cannot be below 0"},
		{"unknown stop", `{"stop":"never"}`, `unknown stop "never"; use one of: stop, calls, length`},
		{"unknown kind", `{"error":{"kind":"x"}}`, `unknown error.kind "x"`},
		{"two objects", `{"text":"a"} {"text":"b"}`, "one JSON object"},
		{"nameless call", `{"calls":[{"input":{}}]}`, "calls[0] has no name"},
		{"bad expect", `{"expect":3}`, "text or a list"},
		{"empty", "\n\n", "no response"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := script.Read("s.jsonl", strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "s.jsonl") {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(`{"text":"hi"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := script.Open(path); err != nil {
		t.Error(err)
	}
	if _, err := script.Open(""); err == nil || !strings.Contains(err.Error(), "--model") {
		t.Errorf("error is %v", err)
	}
	if _, err := script.Open(path + ".no"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"text":"a","calls":[{"name":"x","input":{}}]}`)
	f.Add("{\"expect\":[1]}\n#x\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := script.Read("the-file", strings.NewReader(text))
		if err != nil {
			if !strings.Contains(err.Error(), "the-file") || p != nil {
				t.Fatalf("%v and %v", p, err)
			}
			return
		}
		if _, err := p.Conversation().Stream(canceled(), ask(), func(llm.Chunk) {}); !errors.Is(err, context.Canceled) {
			var failed *llm.Failure
			if !errors.As(err, &failed) {
				t.Fatalf("a turn that was given up ends with %v", err)
			}
		}
	})
}

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
