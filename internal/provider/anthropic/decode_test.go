package anthropic_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/anthropic"
	"assent/internal/provider/providertest"
)

// answers lets one in-memory answer come back, whatever is asked.
type answers []byte

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a)), Request: r}, nil
}

func decode(t *testing.T, stream []byte) (llm.Reply, []llm.Chunk, error) {
	t.Helper()
	c, err := anthropic.New(provider.Options{Name: "anthropic", BaseURL: "http://localhost:1", HTTP: &http.Client{Transport: answers(stream)}})
	if err != nil {
		t.Fatal(err)
	}
	var chunks []llm.Chunk
	reply, err := c.Conversation().Stream(t.Context(), ask("claude-opus-5", ""), func(c llm.Chunk) { chunks = append(chunks, c) })
	return reply, chunks, err
}

func TestUnusualAnswers(t *testing.T) {
	t.Parallel()
	const delta = `data: {"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"hi"}}` + "\n\n"
	const stop = `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n"
	for _, c := range []struct{ name, stream, text, fails string }{
		{"one document", `{"type":"message","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":1}}`, "hi", ""},
		{"no start of the block", delta + stop, "hi", ""},
		{"no message_stop, but a reason", delta + stop, "hi", ""},
		{"unknown events and fields", `data: {"type":"later","x":{}}` + "\n\n" + delta + stop, "hi", ""},
		{"no event names, carriage returns", strings.ReplaceAll(delta+stop, "\n", "\r\n"), "hi", ""},
		{"an event that is no object", "data: hello\n\n", "", "not readable"},
		{"an error document", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "", "Overloaded"},
		{"a document that is no response", `{"object":"list"}`, "", "not readable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			reply, _, err := decode(t, []byte(c.stream))
			if got := (llm.Assistant{Parts: reply.Parts}).Text(); got != c.text {
				t.Errorf("text is %q", got)
			}
			if (c.fails == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func FuzzStream(f *testing.F) {
	providertest.Fuzz(
		f, provider.WireAnthropic, open,
		"data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}}\n\n"+
			"data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"x\"}}\n\n"+
			"data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
		`{"type":"message","content":[{"type":"text","text":"hi"},{"type":"thinking","thinking":"a","signature":"b"}],"stop_reason":"end_turn"}`,
	)
}

// TestResponsesThatNeverEnd: whatever a server repeats, it is given up in time.
func TestResponsesThatNeverEnd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 32<<10)
	delta := func(d string) string {
		return `data: {"type":"content_block_delta","index":0,"delta":` + d + "}\n\n"
	}
	const block = `data: {"type":"content_block_start","index":0,"content_block":{"type":"`
	for name, c := range map[string][2]string{
		"empty blocks":       {"", block + `text","text":""}}` + "\n\n"},
		"redacted blocks":    {"", block + `redacted_thinking","data":"` + long + `"}}` + "\n\n"},
		"signatures":         {block + `thinking"}}` + "\n\n", delta(`{"type":"signature_delta","signature":"` + long + `"}`)},
		"calls":              {"", block + `tool_use","id":"a","name":"list","input":{}}}` + "\n\n"},
		"inputs of one call": {"", block + `tool_use","id":"a","name":"list","input":{"a":"` + long + `"}}}` + "\n\n"},
		"thinking":           {"", delta(`{"type":"thinking_delta","thinking":"` + long + `"}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			providertest.Endless(t, provider.WireAnthropic, open, c[0], c[1])
		})
	}
}
