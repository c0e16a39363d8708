package engine_test

import (
	"context"
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm/llmtest"
	"assent/internal/provider"
	"assent/internal/provider/anthropic"
	"assent/internal/provider/gemini"
	"assent/internal/provider/openai"
	"assent/internal/provider/providertest"
	"assent/internal/session"
	"assent/internal/turn"
)

// wires opens a conversation with a server on each wire.
func wires(t *testing.T) map[string]func(provider.Options) (engine.Model, error) {
	t.Helper()
	chat := func(wires ...provider.Wire) func(provider.Options) (engine.Model, error) {
		return func(o provider.Options) (engine.Model, error) {
			c, err := openai.New(o, wires...)
			if err != nil {
				return nil, err
			}
			return c.Conversation(), nil
		}
	}
	return map[string]func(provider.Options) (engine.Model, error){
		"anthropic": func(o provider.Options) (engine.Model, error) {
			c, err := anthropic.New(o)
			if err != nil {
				return nil, err
			}
			return c.Conversation(), nil
		},
		"gemini": func(o provider.Options) (engine.Model, error) {
			c, err := gemini.New(o)
			if err != nil {
				return nil, err
			}
			return c.Conversation(), nil
		},
		"chat":      chat(provider.WireOpenAI),
		"responses": chat(provider.WireResponses),
	}
}

// TestEveryWireTakesWhatATurnLeaves plays a troubled conversation against a
// server that refuses malformed histories: calls, a cut stream, a cancelled
// turn, a steering message, a fold, and a resume.
func TestEveryWireTakesWhatATurnLeaves(t *testing.T) {
	t.Parallel()
	script := strings.Join([]string{
		"think hm\ntext I look.\ncall look {\"path\":\"a\"}\ncall look_twice {\"path\":\"none\"}\ncall nope {}\ncall put {\"path\"\nusage 100 10 0 0 0\nstop calls",
		"text half an\ncut",
		"text answer\nstop end",
		"text wait\ncall run {\"command\":\"echo begun; sleep 60\"}\ncall look {\"path\":\"a\"}\nstop calls",
		"text fine\nstop end",
		"text resumed\nstop end",
	}, "\n---\n")
	script = strings.ReplaceAll(script, "call nope", "unoffered\ncall nope")
	for name, open := range wires(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := providertest.Start(t, script)
			key := func(context.Context, bool) (string, error) { return "key", nil }
			conversation := func() engine.Model {
				m, err := open(provider.Options{Name: name, BaseURL: server.URL(), Key: key})
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			k := newKit(t, llmtest.New(t), func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) {
				in.Model = conversation()
			})
			k.file("a", "content of a")
			if done := k.run(t.Context(), engine.Submit{Text: "one"}); done.Reason != turn.Stop || done.Steps != 2 {
				t.Fatalf("done %+v, %+v, problems %q", done, done.Failure, server.Problems())
			}
			ctx, cancel := context.WithCancel(t.Context())
			ch := k.start(ctx, engine.Submit{Text: "two"})
			wait(t, k.told, func(e event.ToolOutput) bool { return strings.Contains(e.Chunk, "begun") })
			if err := k.eng.Steer(t.Context(), engine.Steering{Text: "mind this"}); err != nil {
				t.Error(err)
			}
			cancel()
			if done := k.ended(ch); done.Reason != turn.Cancel {
				t.Fatalf("done %+v", done)
			}
			if _, err := k.eng.Compact(t.Context(), ""); err != nil {
				t.Logf("compact: %v", err) // it may be too short for that
			}
			if done := k.run(t.Context(), engine.Submit{Text: "three"}); done.Reason != turn.Stop || done.Text != "fine" {
				t.Fatalf("done %+v, %+v, problems %q", done, done.Failure, server.Problems())
			}
			in := k.in
			in.Model = conversation()
			e := engine.New(engine.Options{
				Log: k.disk, Gate: k.gate, Items: session.Fold(k.log.Branch()),
				Step: func(context.Context) (engine.StepInput, error) { return in, nil },
			})
			if done, err := e.Run(t.Context(), engine.Submit{Text: "four"}); err != nil || done.Reason != turn.Stop || done.Text != "resumed" {
				t.Fatalf("done %+v, %+v, problems %q", done, err, server.Problems())
			}
			if p := server.Problems(); len(p) > 0 {
				t.Errorf("problems %q", p)
			}
			for id, r := range k.results() {
				if r.Output == "" || r.Status == "" {
					t.Errorf("%s: %+v", id, r)
				}
			}
			if got := len(k.results()); got != 6 {
				t.Errorf("%d results", got)
			}
		})
	}
}

// TestARebuiltPrefixIsOnRecord: a server that wants another form of what it has
// seen loses its cache of it, within an epoch; the log says why.
func TestARebuiltPrefixIsOnRecord(t *testing.T) {
	t.Parallel()
	server := providertest.Start(t, `think hm
call look {"path":"a"}
---
status 400
body {"error":{"message":"The reasoning_content in the thinking mode must be passed back to the API."}}
---
text fine`)
	m, err := wires(t)["chat"](provider.Options{Name: "vendor", BaseURL: server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	k := newKit(t, llmtest.New(t), func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) { in.Model = m })
	k.file("a", "A")
	if done := k.run(t.Context(), engine.Submit{Text: "go"}); done.Reason != turn.Stop || done.Text != "fine" {
		t.Fatalf("done %+v, %+v, problems %q", done, done.Failure, server.Problems())
	}
	var told, kept int
	for _, r := range k.records() {
		if r, ok := r.(session.Notice); ok && r.Text == "The conversation is sent anew: the server wants the model's reasoning sent back." {
			kept++
		}
	}
	for _, n := range find[event.Notice](k.told) {
		if strings.Contains(n.Text, "reasoning") {
			told++
		}
	}
	if told != 1 || kept != 1 {
		t.Errorf("told %d times, kept %d times", told, kept)
	}
}
