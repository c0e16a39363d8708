package engine_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
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

type numbered struct {
	N int `json:"n"`
}

// wordy reads nothing and says much.
var wordy = tool.Define(tool.Definition{Name: "wordy", Effect: policy.State, Set: tool.Core, Description: "Say much."}, nil,
	func(_ context.Context, _ gate.Hands, in numbered) (tool.Result, error) {
		return tool.Result{Output: fmt.Sprintf("output %d: %s", in.N, strings.Repeat("lorem ipsum ", 200))}, nil
	})

func wordyStep(n int, req llm.Request) llmtest.Step {
	return llmtest.Step{
		Think: "I must go on.", Calls: []llmtest.Call{{Name: "wordy", Input: fmt.Sprintf(`{"n":%d}`, n)}},
		Usage: llm.Usage{Input: compact.Tokens(req.Items...) + 50, Output: 30},
	}
}

func offering(window int, more ...change) change {
	return func(o *engine.Options, in *engine.StepInput, g *gate.Options) {
		in.Tools, in.Window = tool.Set{wordy}, window
		for _, c := range more {
			c(o, in, g)
		}
	}
}

var earlier = regexp.MustCompile(`- \((\d+) earlier calls\)`)

// known counts the calls that a request tells of: as items, as lines of the
// summary, or as its number.
func known(req llm.Request) int {
	n := 0
	for _, it := range req.Items {
		switch it := it.(type) {
		case llm.Assistant:
			n += len(it.Calls())
		case llm.Note:
			if strings.HasPrefix(it.Text, compact.Heading) {
				n += strings.Count(it.Text, "- wordy")
				if m := earlier.FindStringSubmatch(it.Text); m != nil {
					more, _ := strconv.Atoi(m[1])
					n += more
				}
			}
		case llm.User, llm.Result:
		}
	}
	return n
}

// TestALongLoopEndsBecauseTheModelChooses is the behaviour that compaction
// owes: 200 steps over the threshold, and no request forgets what was done
// (CTX-20, CTX-23, CTX-27).
func TestALongLoopEndsBecauseTheModelChooses(t *testing.T) {
	t.Parallel()
	for _, window := range []int{6_000, 20_000} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			t.Parallel()
			longLoop(t, window)
		})
	}
}

func longLoop(t *testing.T, window int) {
	const steps = 200
	m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
		if n > steps {
			return llmtest.Step{Text: "I have seen enough."}
		}
		return wordyStep(n, req)
	})
	k := newKit(t, m, offering(window))
	done := k.run(t.Context(), engine.Submit{Text: "count to 200; the port is 5433", Limits: engine.Limits{Steps: 500}})
	if done.Reason != turn.Stop || done.Steps != steps+1 || done.Text != "I have seen enough." {
		t.Fatalf("done %+v, %+v", done, done.Failure)
	}
	epochs, folds := 0, 0
	for i, r := range m.Requests() {
		if got := known(r); got != i {
			t.Fatalf("request %d knows of %d calls", i+1, got)
		}
		if n := compact.Tokens(r.Items...); n > window {
			t.Errorf("request %d has about %d tokens", i+1, n)
		}
		if r.Epoch != epochs {
			epochs = r.Epoch
			folds++
		}
		if u, ok := r.Items[0].(llm.User); !ok || !strings.Contains(u.Text, "5433") {
			t.Errorf("request %d lost the user's words: %#v", i+1, r.Items[0])
		}
	}
	if folds < 3 || folds > steps/4 {
		t.Errorf("%d epochs for %d steps", folds, steps)
	}
	if n := len(find[event.Compacted](k.told)); n != 1 {
		t.Errorf("%d compacted events in one turn", n)
	}
	// The log is complete, and the session goes on from it.
	if n := len(k.results()); n != steps {
		t.Errorf("%d results on the disk", n)
	}
	m2 := llmtest.New(t, llmtest.Step{Text: "ok"})
	e := engine.New(engine.Options{Log: k.disk, Gate: k.gate, Items: session.Fold(k.log.Branch()), Step: stepper(k, m2)})
	if done, err := e.Run(t.Context(), engine.Submit{Text: "go on"}); err != nil || done.Reason != turn.Stop {
		t.Fatalf("%+v %v", done, err)
	}
	resumed := m2.Requests()[0]
	if n := compact.Tokens(resumed.Items...); n > window {
		t.Errorf("resumed it has %d tokens", n)
	}
	if got := known(resumed); got != steps {
		t.Errorf("resumed it knows of %d calls", got)
	}
}

func TestOverflowIsFoldedOnce(t *testing.T) {
	t.Parallel()
	full := &llm.Failure{Kind: llm.KindOverflow, Message: "prompt is too long", Status: 400}
	t.Run("and then it fits", func(t *testing.T) {
		t.Parallel()
		m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
			switch n {
			case 6:
				return llmtest.Step{Fail: full}
			case 7:
				return llmtest.Step{Text: "ok"}
			}
			return wordyStep(n, req)
		})
		k := newKit(t, m, offering(0)) // the window is not known
		done := k.run(t.Context(), engine.Submit{})
		if done.Reason != turn.Stop || done.Steps != 6 {
			t.Fatalf("done %+v", done)
		}
		reqs := m.Requests()
		before, after := compact.Tokens(reqs[5].Items...), compact.Tokens(reqs[6].Items...)
		if after > before*2/3 || known(reqs[6]) != 5 || reqs[6].Reason != "compaction" {
			t.Errorf("%d tokens after %d, %d calls known, epoch for %q", after, before, known(reqs[6]), reqs[6].Reason)
		}
		c := find[event.Compacted](k.told)
		if len(c) != 1 || c[0].TokensAfter >= c[0].TokensBefore || c[0].Before != len(reqs[5].Items) {
			t.Errorf("told %+v", c)
		}
	})
	t.Run("and then it is too long again", func(t *testing.T) { // CTX-17
		t.Parallel()
		m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
			if n >= 6 {
				return llmtest.Step{Fail: full}
			}
			return wordyStep(n, req)
		})
		k := newKit(t, m, offering(0))
		done := k.run(t.Context(), engine.Submit{})
		if done.Reason != turn.Context || done.Failure.Kind != llm.KindOverflow || len(m.Requests()) != 7 {
			t.Errorf("done %+v after %d requests", done, len(m.Requests()))
		}
	})
	t.Run("a prompt that is too long", func(t *testing.T) { // CTX-14, CTX-18
		t.Parallel()
		m := llmtest.New(t, llmtest.Step{Fail: full}, llmtest.Step{Text: "ok"})
		k := newKit(t, m, offering(0))
		done := k.run(t.Context(), engine.Submit{Text: strings.Repeat("a long story ", 10_000)})
		if done.Reason != turn.Stop {
			t.Errorf("done %+v", done)
		}
	})
	t.Run("the tools alone do not fit", func(t *testing.T) { // CTX-19
		t.Parallel()
		m := llmtest.New(t)
		k := newKit(t, m, offering(100, func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) {
			in.System = strings.Repeat("rule ", 200)
		}))
		done := k.run(t.Context(), engine.Submit{})
		if done.Reason != turn.Context || !strings.Contains(done.Failure.Message, "system text") || !strings.Contains(done.Failure.Message, "1 tool (about ") {
			t.Errorf("done %+v", done.Failure)
		}
		if got := len(find[event.Compacted](k.told)); got != 0 {
			t.Errorf("%d folds", got)
		}
	})
}

func TestTheSummaryIsWrittenByAModel(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		t.Run(fmt.Sprintf("fails=%v", fails), func(t *testing.T) {
			t.Parallel()
			var orders []engine.SummaryOrder
			m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
				if n > 60 {
					return llmtest.Step{Text: "ok"}
				}
				return wordyStep(n, req)
			})
			k := newKit(t, m, offering(4000, func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
				o.Summarise = func(_ context.Context, s engine.SummaryOrder) (engine.Summary, error) {
					orders = append(orders, s)
					if fails {
						return engine.Summary{}, errors.New("no model")
					}
					text := fmt.Sprintf("Done: part %d.", len(orders))
					return engine.Summary{Text: text, Usage: llm.Usage{Input: 1000, Output: 10}, Provider: "test", Name: "small"}, nil
				}
			}))
			k.file("a", "A")
			done := k.run(t.Context(), engine.Submit{Limits: engine.Limits{Steps: 100}})
			if done.Reason != turn.Stop || len(orders) == 0 {
				t.Fatalf("done %+v, %d summaries", done, len(orders))
			}
			for i, o := range orders {
				if compact.Text(o.Prompt) > 5000 || !strings.Contains(o.Prompt, "Failed:") {
					t.Errorf("order %d has %d tokens", i, compact.Text(o.Prompt))
				}
				if i > 0 && !fails && !strings.Contains(o.Prompt, fmt.Sprintf("Done: part %d.", i)) {
					t.Errorf("order %d does not carry the last summary", i)
				}
			}
			var summaries []session.Summary
			for _, r := range k.records() {
				if s, ok := r.(session.Summary); ok {
					summaries = append(summaries, s)
				}
			}
			if len(summaries) != len(orders) {
				t.Fatalf("%d summaries on the disk, %d ordered", len(summaries), len(orders))
			}
			last := summaries[len(summaries)-1].Text
			if strings.Contains(last, fmt.Sprintf("Done: part %d.", len(orders))) == fails {
				t.Errorf("the summary: %.200s", last)
			}
			if n := len(find[event.Notice](k.told)); (n > 0) != fails {
				t.Errorf("%d notices", n)
			}
			if !fails && done.Usage.InputTokens < 1000*len(orders) {
				t.Errorf("the summaries are not counted: %+v", done.Usage)
			}
			if got, want := session.Fold(k.log.Branch()), k.eng.Items(); len(got) != len(want) {
				t.Errorf("%d items on disk, %d in memory", len(got), len(want))
			}
		})
	}
}

func TestCompactAtWill(t *testing.T) {
	t.Parallel()
	m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
		if n == 10 || n == 11 {
			return llmtest.Step{Text: "ok"}
		}
		return wordyStep(n, req)
	})
	focus := ""
	k := newKit(t, m, offering(0, func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
		o.Summarise = func(_ context.Context, s engine.SummaryOrder) (engine.Summary, error) {
			focus = s.Prompt
			return engine.Summary{Text: "short"}, nil
		}
	}))
	if _, err := k.eng.Compact(t.Context(), ""); err == nil {
		t.Error("compacted an empty conversation")
	}
	k.run(t.Context(), engine.Submit{})
	c, err := k.eng.Compact(t.Context(), "the port")
	if err != nil || c.TokensAfter >= c.TokensBefore {
		t.Fatalf("%+v %v", c, err)
	}
	if focus != "" && !strings.Contains(focus, "the port") {
		t.Error("the summary was asked for without its focus")
	}
	if done := k.run(t.Context(), engine.Submit{Text: "more"}); done.Reason != turn.Stop {
		t.Errorf("done %+v", done)
	}
	if r := m.Requests()[10]; r.Reason != "compaction" || known(r) != 9 {
		t.Errorf("the next request knows of %d calls, epoch for %q", known(r), r.Reason)
	}
}

// TestLeftOutResultsCanBeRead looks for the output behind a line.
func TestLeftOutResultsCanBeRead(t *testing.T) {
	t.Parallel()
	m := llmtest.Play(t, func(n int, req llm.Request) llmtest.Step {
		if n == 12 {
			return llmtest.Step{Text: "ok"}
		}
		return wordyStep(n, req)
	})
	k := newKit(t, m, offering(8000))
	k.run(t.Context(), engine.Submit{})
	name := regexp.MustCompile(`read_output with the id "([^"]+)"`)
	reqs := m.Requests()
	found := 0
	for _, it := range reqs[len(reqs)-1].Items {
		res, ok := it.(llm.Result)
		if !ok {
			continue
		}
		if got := name.FindStringSubmatch(res.Output); got != nil {
			found++
			data, err := k.log.Artifacts().Read(got[1])
			if err != nil || !strings.Contains(string(data), "lorem ipsum") {
				t.Errorf("%s: %v", got[1], err)
			}
		}
	}
	if found == 0 {
		t.Error("no result became a line")
	}
}
