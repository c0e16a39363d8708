package engine_test

import (
	"context"
	"strings"
	"testing"

	"assent/internal/compact"
	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/session"
	"assent/internal/tool"
	"assent/internal/turn"
)

// summarising has a model of its own write the summaries.
func summarising(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
	o.Price = func(_, model string, _ llm.Usage) (float64, bool) { return 1, model == "small" }
	o.Summarise = func(context.Context, engine.SummaryOrder) (engine.Summary, error) {
		return engine.Summary{Text: "short", Usage: llm.Usage{Input: 77_000, Output: 10}, Provider: "test", Name: "small"}, nil
	}
}

// What a summary used counts, but it is not the size of the conversation: the
// status line and a resumed session would show it as that.
func TestASummaryIsNotTheConversation(t *testing.T) {
	t.Parallel()
	t.Run("within a turn", func(t *testing.T) {
		t.Parallel()
		m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
			if n > 60 {
				return llmtest.Step{Text: "ok", Usage: llm.Usage{Input: 900, Output: 1}}
			}
			return wordyStep(n, req)
		})
		k := newKit(t, m, offering(4000, summarising))
		if done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{Steps: 100}}); done.Reason != turn.Stop || done.Usage.InputTokens < 77_000 {
			t.Fatalf("done %+v", done)
		}
		for _, u := range find[event.Usage](k.told) {
			if (u.InputTokens == 77_000) != (u.Context == 0) {
				t.Errorf("told %+v", u)
			}
		}
		if s := session.Restore(k.log.Branch()); s.Context != 901 || s.CostUSD == nil {
			t.Errorf("restored %+v", s)
		}
	})
	t.Run("at will", func(t *testing.T) {
		t.Parallel()
		m := llmtest.Play(t, func(int, llm.Request) llmtest.Step {
			return llmtest.Step{Text: strings.Repeat("words ", 500), Usage: llm.Usage{Input: 900, Output: 1}}
		})
		k := newKit(t, m, offering(0, summarising))
		for range 8 {
			k.run(t.Context(), engine.Submit{})
		}
		if _, err := k.eng.Compact(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		s := session.Restore(k.log.Branch())
		if s.CostUSD == nil || *s.CostUSD != 1 || s.Usage.Input < 77_000 || s.Context != 901 {
			t.Errorf("restored %+v", s)
		}
	})
}

// A call that was told has an end and a record, also when the turn was
// cancelled and its picture could not be stored.
func TestACallEndsWithoutItsPicture(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	shot := tool.Define(tool.Definition{Name: "shot", Effect: policy.State, Set: tool.Core, Description: "Look."}, nil,
		func(ctx context.Context, _ gate.Hands, _ nothing) (tool.Result, error) {
			close(begun)
			<-ctx.Done()
			return tool.Result{Output: "a cat", Images: []llm.Image{{MIME: "image/png", Name: "cat.png", Data: []byte("png")}}}, nil
		})
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "shot"}}})
	k := newKit(t, m, func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) { in.Tools = append(in.Tools, shot) })
	k.disk.blind = true
	ctx, cancel := context.WithCancel(t.Context())
	ch := k.start(ctx, engine.Submit{})
	<-begun
	cancel()
	if done := k.ended(ch); done.Reason != turn.Cancel {
		t.Errorf("done %+v", done)
	}
	if r := k.results()["c1"]; r.Output != "a cat" || len(r.Images) != 0 {
		t.Errorf("the record %+v", r)
	}
	if got := k.told.types(); !strings.HasSuffix(got, "tool-run error tool-result done") {
		t.Errorf("told %s", got)
	}
}

// A new credential is no new try: nothing is waited for.
func TestAFreshCredentialIsNoRetry(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t), func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) { in.Model = refreshing{} })
	if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Stop {
		t.Errorf("done %+v", done)
	}
	if n := find[event.Notice](k.told); len(n) != 1 || n[0].Text != "refused; trying once more" || len(find[event.Retry](k.told)) != 0 {
		t.Errorf("told\n%s", k.told)
	}
}

// refreshing is a model whose credential was renewed.
type refreshing struct{}

func (refreshing) Stream(_ context.Context, _ llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	emit(llm.Waiting{Reason: "refused; trying once more"})
	return llm.Reply{Parts: []llm.Part{llm.Text{Text: "ok"}}, Stop: llm.StopEnd}, nil
}

// Pictures take room: a prompt with some is folded for before it is sent.
func TestPicturesCountBeforeTheyAreSent(t *testing.T) {
	t.Parallel()
	const window = 10_000
	pictures := make([]llm.Image, 4)
	for i := range pictures {
		pictures[i] = llm.Image{MIME: "image/png", Name: "a.png", Data: []byte("png")}
	}
	m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
		if n > 6 {
			return llmtest.Step{Text: "ok"}
		}
		return wordyStep(n, req)
	})
	k := newKit(t, m, offering(window))
	k.run(t.Context(), engine.Submit{})
	if n := len(find[event.Compacted](k.told)); n != 0 {
		t.Fatalf("folded %d times already", n)
	}
	k.run(t.Context(), engine.Submit{Text: "look", Images: pictures})
	last := m.Requests()[len(m.Requests())-1]
	if n := compact.Tokens(last.Items...); len(find[event.Compacted](k.told)) != 1 || n > compact.Threshold(window, 0, 0) {
		t.Errorf("sent %d tokens of %d\n%s", n, compact.Threshold(window, 0, 0), k.told.types())
	}
}
