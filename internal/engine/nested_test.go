package engine_test

import (
	"context"
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/turn"
)

// What a request beside the conversation learns of the server is told as for
// any other, while that request is on its way; what its model says is not.
func TestWhatANestedRequestLearnsIsTold(t *testing.T) {
	t.Parallel()
	t.Run("a summary", func(t *testing.T) {
		t.Parallel()
		summaries := 0
		var hear func(llm.Chunk)
		k := newKit(t, llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
			if n > 60 {
				return llmtest.Step{Text: strings.Repeat("words ", 500)}
			}
			return wordyStep(n, req)
		}), offering(4000, func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
			o.Summarise = func(_ context.Context, s engine.SummaryOrder) (engine.Summary, error) {
				summaries++
				hear = s.Hear
				s.Hear(llm.Warning{Text: "refused the parameter top_p"})
				s.Hear(llm.TextDelta{Text: "what the model writes"})
				s.Hear(llm.Rebuilt{Reason: "not this conversation"})
				return engine.Summary{Text: "short"}, nil
			}
		}))
		told := func() (n int) {
			for _, e := range find[event.Notice](k.told) {
				if strings.Contains(e.Text, "top_p") {
					n++
				}
			}
			return n
		}
		if done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{Steps: 100}}); done.Reason != turn.Stop || summaries == 0 {
			t.Fatalf("done %+v, %d summaries", done, summaries)
		}
		if n := told(); n != summaries || strings.Contains(k.told.String(), "what the model writes") {
			t.Errorf("told %d times of %d in\n%s", n, summaries, k.told)
		}
		k.in.Window = 0
		for range 8 {
			k.run(t.Context(), engine.Submit{})
		}
		before := summaries
		if _, err := k.eng.Compact(t.Context(), ""); err != nil || summaries == before {
			t.Fatal(err, summaries)
		}
		if n := told(); n != summaries {
			t.Errorf("at will: told %d times of %d", n, summaries)
		}
		hear(llm.Warning{Text: "too late: top_p"})
		if n := told(); n != summaries {
			t.Error("told after its end")
		}
	})
	t.Run("a draft", func(t *testing.T) {
		t.Parallel()
		var k *kit
		draft := tool.Define(tool.Definition{Name: "draft", Effect: policy.State, Set: tool.Core, Description: "Draft."}, nil,
			func(context.Context, gate.Hands, nothing) (tool.Result, error) {
				k.eng.Hear(llm.Warning{Text: "refused the parameter top_p"})
				return tool.Result{Output: "drafted"}, nil
			})
		k = newKit(t, llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "draft", Input: "{}"}}}, llmtest.Step{Text: "ok"}),
			func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) { in.Tools = tool.Set{draft} })
		if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Stop {
			t.Fatalf("done %+v", done)
		}
		k.eng.Hear(llm.Warning{Text: "no turn runs"})
		if n := find[event.Notice](k.told); len(n) != 1 || !strings.Contains(n[0].Text, "top_p") {
			t.Errorf("told\n%s", k.told)
		}
	})
}
