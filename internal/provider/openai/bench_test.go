package openai_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// BenchmarkDecode reads a stream of 10,000 small events over a socket.
func BenchmarkDecode(b *testing.B) {
	const n = 10_000
	chat, resp := make([]string, 0, n), make([]string, 0, n)
	for range n {
		chat = append(chat, `{"id":"chatcmpl-0123456789","object":"chat.completion.chunk","created":1700000000,"model":"gpt-x","service_tier":"default","system_fingerprint":"fp_0","choices":[{"index":0,"delta":{"content":"word "},"logprobs":null,"finish_reason":null}],"usage":null}`)
		resp = append(resp, `{"type":"response.output_text.delta","sequence_number":7,"item_id":"msg_0123456789","output_index":0,"content_index":0,"delta":"word ","logprobs":[],"obfuscation":"abcdefgh"}`)
	}
	for _, c := range []struct {
		wire   provider.Wire
		events answer
	}{
		{provider.WireOpenAI, events(append(chat, finish("stop"), "[DONE]")...)},
		{provider.WireResponses, events(append(resp, completed(""))...)},
	} {
		b.Run(string(c.wire), func(b *testing.B) {
			s := serve(b)
			conv := converse(b, s.options("custom-openai", ""), c.wire)
			b.ReportAllocs()
			for b.Loop() {
				s.mu.Lock()
				s.answers = []answer{c.events}
				s.mu.Unlock()
				ask(b, conv, request("m"))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
		})
	}
}

// BenchmarkSession plays 200 steps with 2 KB results over a socket: every
// body is sent in full, but rendered only where it is new.
func BenchmarkSession(b *testing.B) {
	step := events(delta(`{"content":"I look."}`), delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{\"p\":1}"}}]}`), finish("tool_calls"), counts, "[DONE]")
	output := strings.Repeat("line of output\n", 140)
	for b.Loop() {
		s := serve(b)
		for range 200 {
			s.answers = append(s.answers, step)
		}
		conv := converse(b, s.options("custom-openai", ""), provider.WireOpenAI)
		req := request("m")
		for i := range 200 {
			reply, _ := ask(b, conv, req)
			req = goOn(req, reply)
			res := req.Items[len(req.Items)-1].(llm.Result)
			res.Output = fmt.Sprint(i, output)
			req.Items[len(req.Items)-1] = res
		}
	}
}
