package anthropic_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/anthropic"
)

// tape answers every request with the same bytes, in this process, so that a
// benchmark measures the client alone.
type tape struct {
	answer []byte
	sent   int64
}

func (t *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	n, err := io.Copy(io.Discard, r.Body)
	t.sent += n
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(bytes.NewReader(t.answer)), Request: r,
	}, err
}

// record takes the answer to a script off the wire.
func record(b *testing.B, script string) []byte {
	b.Helper()
	_, server := conversation(b, script, nil)
	body := `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"hello"}]}`
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, server.URL()+"/v1/messages", strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		b.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	return answer
}

func taped(b *testing.B, t *tape) *anthropic.Conversation {
	b.Helper()
	c, err := anthropic.New(provider.Options{Name: "anthropic", BaseURL: "http://localhost:1", HTTP: &http.Client{Transport: t}})
	if err != nil {
		b.Fatal(err)
	}
	return c.Conversation()
}

// BenchmarkLongStream is an answer of 200 KB in pieces of 20 bytes.
func BenchmarkLongStream(b *testing.B) {
	m := taped(b, &tape{answer: record(b, "flood 200000 20")})
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		if _, err := m.Stream(b.Context(), ask("claude-opus-5", ""), func(llm.Chunk) { n++ }); err != nil || n < 10_000 {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkGrowingHistory is a conversation of 200 steps with results of 4 KB;
// a step costs what is new, and the sending of the rest.
func BenchmarkGrowingHistory(b *testing.B) {
	output := strings.Repeat("a line of output\n", 250)
	answer := record(b, "text ok")
	b.ReportAllocs()
	for b.Loop() {
		t := &tape{answer: answer}
		m := taped(b, t)
		var items []llm.Item
		for n := range 200 {
			id := "c" + strconv.Itoa(n)
			items = append(items,
				llm.Assistant{Parts: []llm.Part{llm.Text{Text: "step"}, llm.Call{ID: id, Name: "read_file", Input: json.RawMessage(`{"path":"a"}`)}}},
				llm.Result{CallID: id, Name: "read_file", Status: llm.StatusOK, Output: output})
			if _, err := m.Stream(b.Context(), ask("claude-opus-5", "", items...), func(llm.Chunk) {}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(t.sent)/200, "sentB/step")
	}
}
