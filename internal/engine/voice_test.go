package engine_test

import (
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/llm/llmtest"
)

// TestVoiceIsMasked, SEC-13: known key shapes are masked in what a model says,
// thinks and asks for, also when a key comes in pieces.
func TestVoiceIsMasked(t *testing.T) {
	t.Parallel()
	key := "sk-ant-" + "api03-" + strings.Repeat("aB3x", 24)
	m := llmtest.New(t,
		llmtest.Step{Think: "It is " + key + ".", Text: "Your key is " + key + ", keep it.", Calls: []llmtest.Call{{Name: "put", Input: `{"path":"b.txt","text":"` + key + `"}`}}},
		llmtest.Step{Text: "Done."},
	)
	k := newKit(t, m)
	k.run(t.Context(), engine.Submit{Text: "do it"})
	var said, all strings.Builder
	for _, e := range k.told.all() {
		line, err := event.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(line)
		if text, ok := e.(event.Text); ok {
			said.WriteString(text.Text)
		}
	}
	if !strings.HasPrefix(said.String(), "Your key is ") || !strings.HasSuffix(said.String(), ", keep it.Done.") {
		t.Errorf("said %q", said.String())
	}
	for i := 0; i+12 <= len(key); i += 12 {
		if strings.Contains(all.String()+said.String(), key[max(i, 12):max(i, 12)+12]) {
			t.Errorf("a part of the key is told: %s", all.String())
			break
		}
	}
}
