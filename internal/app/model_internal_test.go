package app

import (
	"net/http"
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/providertest"
)

// A summary and a draft have a conversation of their own; what the main one has
// learned of the server they know.
func TestWhatIsLearnedOfAServerIsKept(t *testing.T) {
	t.Parallel()
	s := providertest.Start(t, "status 404 not_found_error\n---\ntext one\n---\ntext two\n---\ntext three")
	preset, err := provider.FindPreset("openai")
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	m := &models{catalogue: provider.NewCatalogue(nil), http: &http.Client{Transport: transport}}
	for _, model := range []string{"m", "m", "m"} {
		_, open, err := m.open(choice{preset: preset, baseURL: s.URL(), model: model})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := open().Stream(t.Context(), llm.Request{Model: model, Items: []llm.Item{llm.User{Text: "go"}}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	var paths []string
	for _, r := range s.Requests() {
		paths = append(paths, r.Path)
	}
	if got := strings.Join(paths, " "); got != "/v1/responses /v1/chat/completions /v1/chat/completions /v1/chat/completions" {
		t.Errorf("asked %s", got)
	}
}

// What a summary or a draft learns of the server holds for the conversation
// too, and so it is told.
func TestWhatANestedRequestLearnsIsTold(t *testing.T) {
	t.Parallel()
	s := providertest.Start(t, "status 404 not_found_error\n---\ntext one\n---\ntext two")
	w := newWorld(t)
	w.env["OPENAI_API_KEY"] = "k"
	f := Flags{Provider: "openai", Model: "m", BaseURL: s.URL(), Dir: w.root, Print: true}
	var c *conversation
	f.opened = func(opened *conversation) { c = opened }
	w.open(f)
	var told []string
	hear := func(ch llm.Chunk) {
		if ch, ok := ch.(llm.Warning); ok {
			told = append(told, ch.Text)
		}
	}
	if _, err := c.summarise(t.Context(), engine.SummaryOrder{Prompt: "go", MaxTokens: 10, Hear: hear}); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "going on with Chat Completions") {
		t.Errorf("told %q", told)
	}
	c.hear = hear
	if _, err := c.Write(t.Context(), "go"); err != nil || len(told) != 1 {
		t.Errorf("told %q, %v", told, err)
	}
}
