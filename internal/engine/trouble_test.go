package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/session"
	"assent/internal/tool"
	"assent/internal/turn"
	"assent/internal/wireview"
)

// TestAFullDisk is SESS-11: what must not be lost stops the turn, and the
// session goes on when there is room again.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	script := []llmtest.Step{{Text: "t", Calls: []llmtest.Call{{Name: "put", Input: `{"path":"x","text":"y"}`}}}, {Text: "ok"}}
	cases := map[string]struct {
		full     func(session.Record) bool
		requests int
		ran      bool
		reason   turn.Reason
	}{
		"user":             {func(r session.Record) bool { _, ok := r.(session.User); return ok }, 0, false, turn.Error},
		"assistant":        {func(r session.Record) bool { _, ok := r.(session.Assistant); return ok }, 1, false, turn.Error},
		"call":             {func(r session.Record) bool { _, ok := r.(session.Call); return ok }, 1, false, turn.Error},
		"result":           {func(r session.Record) bool { _, ok := r.(session.Result); return ok }, 1, true, turn.Error},
		"all":              {func(session.Record) bool { return true }, 0, false, turn.Error},
		"best effort only": {func(r session.Record) bool { return !r.Required() }, 2, true, turn.Stop},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := llmtest.Play(t, func(n int, _ llm.Request) llmtest.Step {
				s := script[(n-1)%len(script)]
				s.Usage = llm.Usage{Input: 1}
				if n > c.requests {
					return llmtest.Step{Text: "fine"}
				}
				return s
			})
			k := newKit(t, m)
			k.disk.fill(c.full)
			done := k.run(t.Context(), engine.Submit{})
			if done.Reason != c.reason {
				t.Errorf("done %+v", done)
			}
			if c.reason == turn.Error && (done.Failure.Kind != llm.KindPersistence || !strings.Contains(done.Failure.Message, "no space left")) {
				t.Errorf("failure %+v", done.Failure)
			}
			if c.reason == turn.Stop && len(find[event.Notice](k.told)) == 0 {
				t.Error("the loss was not told")
			}
			if n := len(m.Requests()); n != c.requests {
				t.Errorf("the model was asked %d times, want %d", n, c.requests)
			}
			if _, err := os.Stat(filepath.Join(k.root, "x")); (err == nil) != c.ran {
				t.Errorf("ran: %v", err == nil)
			}
			k.disk.fill(nil)
			if done := k.run(t.Context(), engine.Submit{Text: "again"}); done.Reason != turn.Stop {
				t.Errorf("with room again: %+v", done)
			}
		})
	}
}

// TestRetries is PROV-16 and PROV-17.
func TestRetries(t *testing.T) {
	t.Parallel()
	busy := &llm.Failure{Kind: llm.KindProvider, Message: "overloaded", Status: 529, Retryable: true, RetryAfter: time.Millisecond}
	m := llmtest.New(t, llmtest.Step{Fail: busy}, llmtest.Step{Fail: busy}, llmtest.Step{Text: "ok"})
	k := newKit(t, m)
	done := k.run(t.Context(), engine.Submit{})
	if done.Reason != turn.Stop || done.Steps != 1 {
		t.Errorf("done %+v", done)
	}
	if r := find[event.Retry](k.told); len(r) != 2 || r[1].Attempt != 2 || r[0].Wait != time.Millisecond {
		t.Errorf("retries %+v", r)
	}
	if n := len(find[event.Step](k.told)); n != 1 {
		t.Errorf("%d steps told", n)
	}
}

// TestFailuresAreToldAndEnd is HEAD-01 and HEAD-08.
func TestFailuresAreToldAndEnd(t *testing.T) {
	t.Parallel()
	later := &llm.Failure{Kind: llm.KindRateLimit, Message: "slow down", Status: 429, Retryable: true, RetryAfter: time.Hour}
	cases := map[string]struct {
		step   llmtest.Step
		reason turn.Reason
		kind   llm.Kind
		text   string
	}{
		"auth":       {llmtest.Step{Fail: &llm.Failure{Kind: llm.KindAuth, Message: "set KEY", Status: 401}}, turn.Error, llm.KindAuth, "set KEY"},
		"rate limit": {llmtest.Step{Fail: later}, turn.Error, llm.KindRateLimit, "wait 1h0m0s"},
		"refusal":    {llmtest.Step{Stop: llm.StopRefusal, Detail: "weapons"}, turn.Refusal, llm.KindProvider, "weapons"}, // PROV-24, PROV-25
		"filter":     {llmtest.Step{Text: "a", Stop: llm.StopFilter}, turn.Filter, llm.KindProvider, "filter"},
		"length":     {llmtest.Step{Text: "a", Stop: llm.StopLength}, turn.Length, llm.KindProvider, "cut off"},
		"breakdown":  {llmtest.Step{Panic: true}, turn.Error, llm.KindInternal, "broke down"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit(t, llmtest.New(t, c.step))
			done := k.run(t.Context(), engine.Submit{})
			if done.Reason != c.reason || done.Failure == nil || done.Failure.Kind != c.kind || !strings.Contains(done.Failure.Message, c.text) {
				t.Errorf("done %+v, %+v", done, done.Failure)
			}
			e := find[event.Error](k.told)
			if len(e) != 1 || e[0].Kind != c.kind || !strings.Contains(e[0].Message, c.text) {
				t.Errorf("told %+v", e)
			}
		})
	}
}

// TestACutStreamIsAskedForAgain is PROV-14: the model keeps what arrived, with a
// note and no prefill, and says all of it again; nobody else takes the half for
// an answer.
func TestACutStreamIsAskedForAgain(t *testing.T) {
	t.Parallel()
	cut := &llm.Failure{Kind: llm.KindNetwork, Message: "cut", Retryable: true, RetryAfter: 1, Usage: llm.Usage{Input: 5}}
	m := llmtest.New(t, llmtest.Step{Text: "The answer is", Fail: cut}, llmtest.Step{Text: "The answer is 42."})
	k := newKit(t, m)
	done := k.run(t.Context(), engine.Submit{})
	if done.Reason != turn.Stop || done.Steps != 1 || done.Usage.InputTokens != 5 {
		t.Errorf("done %+v", done)
	}
	items := m.Requests()[1].Items
	if a, ok := items[1].(llm.Assistant); !ok || a.Text() != "The answer is" {
		t.Errorf("kept %#v", items[1])
	}
	if n, ok := items[2].(llm.Note); !ok || n.Text == "" {
		t.Errorf("after it %#v", items[2])
	}
	if got := k.recordTypes(); got != "session user usage assistant assistant timing" {
		t.Errorf("records %s", got)
	}
	if done.Text != "The answer is 42." {
		t.Errorf("the answer is %q", done.Text)
	}
	told := []string{""}
	for _, e := range k.told.all() {
		switch e := e.(type) {
		case event.Text:
			told[len(told)-1] += e.Text
		case event.Void:
			told = append(told, fmt.Sprintf("void %d: ", e.Step))
		default:
		}
	}
	if got := strings.Join(told, "|"); got != "The answer is|void 1: The answer is 42." {
		t.Errorf("told %s", got)
	}
	tree, _, err := session.Load(k.log.Path())
	again := session.Fold(tree.Branch(""))
	if err != nil || len(again) != 2 || again[1].(llm.Assistant).Text() != "The answer is 42." {
		t.Errorf("a resume gives the model %#v", again)
	}
}

// A cost limit that cannot hold is told of before the model is asked.
func TestALimitThatCannotHoldIsToldOfFirst(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "ok", Usage: llm.Usage{Input: 5}}), func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
		o.Price = func(string, string, llm.Usage) (float64, bool) { return 0, false }
	})
	k.run(t.Context(), engine.Submit{Limits: engine.Limits{CostUSD: 1}})
	var order []string
	for _, e := range k.told.all() {
		switch e.(type) {
		case event.Notice, event.Text:
			if n := len(order); n == 0 || order[n-1] != e.Type() {
				order = append(order, e.Type())
			}
		default:
		}
	}
	if got := strings.Join(order, " "); got != "notice text" {
		t.Errorf("told %s", got)
	}
}

// Thoughts and the name of a call that broke off are taken back too.
func TestWhatIsNoTextIsTakenBackToo(t *testing.T) {
	t.Parallel()
	cut := &llm.Failure{Kind: llm.KindNetwork, Message: "cut", Retryable: true, RetryAfter: 1}
	for name, step := range map[string]struct {
		llmtest.Step
		voids int
	}{
		"a thought": {llmtest.Step{Think: "hm", Fail: cut}, 1},
		"nothing":   {llmtest.Step{Fail: cut}, 0},
	} {
		k := newKit(t, llmtest.New(t, step.Step, llmtest.Step{Text: "ok"}))
		if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Stop || len(find[event.Void](k.told)) != step.voids {
			t.Errorf("%s: done %+v\n%s", name, done, k.told)
		}
	}
}

func TestAnEmptyAnswerIsNudged(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, llmtest.Step{Text: " "}, llmtest.Step{Think: "only thought"}, llmtest.Step{})
	k := newKit(t, m)
	done := k.run(t.Context(), engine.Submit{})
	if done.Reason != turn.Error || done.Failure == nil || done.Failure.Kind != llm.KindProvider || len(find[event.Error](k.told)) != 1 {
		t.Errorf("done %+v\n%s", done, k.told)
	}
}

// TestARefusedRequestIsSentPlainer is CTX-12 and CTX-13, and a bad image does
// not make the session unusable.
func TestARefusedRequestIsSentPlainer(t *testing.T) {
	t.Parallel()
	bad := &llm.Failure{Kind: llm.KindProvider, Message: "bad request", Status: 400}
	m := llmtest.New(t,
		llmtest.Step{Think: "deep", Calls: []llmtest.Call{{Name: "look", Input: `{"path":"a"}`}}},
		llmtest.Step{Fail: bad}, llmtest.Step{Fail: bad}, llmtest.Step{Text: "ok"},
	)
	k := newKit(t, m)
	k.file("a", "A")
	done := k.run(t.Context(), engine.Submit{Text: "see", Images: []llm.Image{{MIME: "image/png", Name: "shot.png", Data: []byte("png")}}})
	if done.Reason != turn.Stop || done.Steps != 2 {
		t.Errorf("done %+v", done)
	}
	reqs := m.Requests()
	if a := reqs[2].Items[1].(llm.Assistant); len(a.Parts) != 1 {
		t.Errorf("reasoning was sent again: %#v", a)
	}
	if u := reqs[2].Items[0].(llm.User); len(u.Images) != 1 {
		t.Error("the image left too early")
	}
	if u := reqs[3].Items[0].(llm.User); len(u.Images) != 0 || !strings.Contains(u.Text, "shot.png") {
		t.Errorf("the image is not named: %#v", u)
	}
	if n := find[event.Notice](k.told); len(n) != 1 || !strings.Contains(n[0].Text, "shot.png") {
		t.Errorf("notices %+v", n)
	}
}

func TestAFailingStepEndsTheTurn(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t), func(o *engine.Options, _ *engine.StepInput, _ *gate.Options) {
		o.Step = func(context.Context) (engine.StepInput, error) { return engine.StepInput{}, os.ErrPermission }
	})
	if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Error || done.Failure.Kind != llm.KindInternal {
		t.Errorf("done %+v", done)
	}
}

func TestSecretsAndLongOutput(t *testing.T) {
	t.Parallel()
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	leak := tool.Define(tool.Definition{Name: "leak", Effect: policy.State, Set: tool.Core, Description: "Leak."}, nil,
		func(_ context.Context, h gate.Hands, _ nothing) (tool.Result, error) {
			h.Emit("live " + secret[:9])
			h.Emit(secret[9:] + "\n")
			return tool.Result{Output: "short " + secret, Raw: "long " + secret, Summary: secret, Diff: secret}, nil
		})
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "leak"}}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m, func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) { in.Tools = append(in.Tools, leak) })
	k.run(t.Context(), engine.Submit{})
	r := k.results()["c1"]
	raw, err := k.log.Artifacts().Read(r.Artifact)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Output, "read_output") || !strings.Contains(r.Output, r.Artifact) {
		t.Errorf("the output does not name the artifact: %q", r.Output)
	}
	sent := m.Requests()[1].Items[2].(llm.Result).Output
	for what, text := range map[string]string{"events": k.told.String(), "log": fmt.Sprint(k.records()), "artifact": string(raw), "model": sent} {
		if strings.Contains(text, secret) || strings.Contains(text, secret[9:]) {
			t.Errorf("%s holds the secret: %s", what, text)
		}
	}
	if !strings.Contains(k.told.String(), "live ") {
		t.Errorf("no live output:\n%s", k.told)
	}
}

func TestAForeignToolCannotFillTheWindow(t *testing.T) {
	t.Parallel()
	flood := tool.Define(tool.Definition{Name: "flood", Effect: policy.Foreign, Set: tool.MCP, Description: "Flood."}, nil,
		func(context.Context, gate.Hands, nothing) (tool.Result, error) {
			return tool.Result{Output: strings.Repeat("many words\n", 100_000)}, nil
		})
	m := llmtest.New(t, llmtest.Step{Calls: []llmtest.Call{{Name: "flood"}}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m, func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) { in.Tools = append(in.Tools, flood) })
	k.run(t.Context(), engine.Submit{})
	r := k.results()["c1"]
	if len(r.Output) > 31_000 || r.Artifact == "" {
		t.Errorf("%d characters, artifact %q", len(r.Output), r.Artifact)
	}
	if raw, err := k.log.Artifacts().Read(r.Artifact); err != nil || len(raw) != 1_100_000 {
		t.Errorf("the whole has %d bytes: %v", len(raw), err)
	}
}

// TestARequestThatDoesNotExtendBeginsAnEpoch lets the wire's proof fail once:
// the conversation is sent anew, with a notice.
func TestARequestThatDoesNotExtendBeginsAnEpoch(t *testing.T) {
	t.Parallel()
	m := llmtest.New(t, llmtest.Step{Fail: &llm.Failure{
		Kind: llm.KindInternal, Message: "prefix", Err: &wireview.PrefixError{Field: "items[1]", Epoch: 1},
	}}, llmtest.Step{Text: "ok"})
	k := newKit(t, m)
	if done := k.run(t.Context(), engine.Submit{}); done.Reason != turn.Stop {
		t.Errorf("done %+v", done.Failure)
	}
	if r := m.Requests(); r[1].Epoch != r[0].Epoch+1 {
		t.Errorf("epochs %d and %d", r[0].Epoch, r[1].Epoch)
	}
	if n := find[event.Notice](k.told); len(n) != 1 || !strings.Contains(n[0].Text, "items[1]") {
		t.Errorf("notices %+v", n)
	}
}
