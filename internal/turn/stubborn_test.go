package turn_test

import (
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/turn"
)

// world answers orders always in the same way.
type world struct {
	model  turn.Fact
	folded turn.Folded
	plain  bool // a plainer form of the conversation can be made
}

// run plays a turn in a world and returns its orders.
func (w world) run(t *testing.T, limits turn.Limits) []turn.Order {
	t.Helper()
	var all []turn.Order
	s, orders := turn.Step(turn.State{}, turn.Submitted{Limits: limits, Size: 10})
	queue := []turn.Fact{}
	for n := 0; ; n++ {
		if n > 10_000 {
			t.Fatal("the turn does not end")
		}
		for _, o := range orders {
			all = append(all, o)
			switch o := o.(type) {
			case turn.Ask:
				queue = append(queue, w.model)
			case turn.Wait:
				queue = append(queue, turn.Waited{})
			case turn.Fold:
				queue = append(queue, w.folded)
			case turn.Rebuild:
				queue = append(queue, turn.Rebuilt{Changed: w.plain})
			case turn.Permit:
				queue = append(queue, turn.Granted(o))
			case turn.Run:
				queue = append(queue, turn.Finished{CallID: o.CallID, Status: llm.StatusOK})
			case turn.End:
				if s.Running() {
					t.Error("the state still runs after End")
				}
				return all
			}
		}
		if len(queue) == 0 {
			t.Fatal("the turn waits for nothing")
		}
		s, orders = turn.Step(s, queue[0])
		queue = queue[1:]
	}
}

func count[O turn.Order](orders []turn.Order) int {
	n := 0
	for _, o := range orders {
		if _, ok := o.(O); ok {
			n++
		}
	}
	return n
}

func last[O turn.Order](orders []turn.Order) (found O) {
	for _, o := range orders {
		if o, ok := o.(O); ok {
			found = o
		}
	}
	return found
}

// TestEveryLoopIsBounded plays worlds that never give in (CTX-17, CTX-18,
// CTX-19, PROV-16, PROV-17, PROV-21, PROV-23, PROV-24, PROV-27).
func TestEveryLoopIsBounded(t *testing.T) {
	t.Parallel()
	call := []turn.Call{{ID: "a"}}
	fold := turn.Folded{OK: true, Size: 10}
	cases := map[string]struct {
		world
		limits turn.Limits
		asks   int
		steps  int
		reason turn.Reason
		kind   llm.Kind
	}{
		"the server is always overloaded": {
			world: world{model: turn.Broke{Kind: llm.KindProvider, Retryable: true}},
			asks:  5, steps: 1, reason: turn.Error, kind: llm.KindProvider,
		},
		"the server asks to wait too long": {
			world: world{model: turn.Broke{Kind: llm.KindRateLimit, Retryable: true, RetryAfter: 61 * time.Second}},
			asks:  1, steps: 1, reason: turn.Error, kind: llm.KindRateLimit,
		},
		"the server asks to wait": {
			world: world{model: turn.Broke{Kind: llm.KindRateLimit, Retryable: true, RetryAfter: 60 * time.Second}},
			asks:  5, steps: 1, reason: turn.Error, kind: llm.KindRateLimit,
		},
		"the credential is refused": {
			world: world{model: turn.Broke{Kind: llm.KindAuth}},
			asks:  1, steps: 1, reason: turn.Error, kind: llm.KindAuth,
		},
		"every stream is cut after some text": {
			world: world{model: turn.Broke{Kind: llm.KindNetwork, Retryable: true, Text: true}},
			asks:  2, steps: 1, reason: turn.Error, kind: llm.KindNetwork,
		},
		"the request is always refused": {
			world: world{model: turn.Broke{Kind: llm.KindProvider, Refused: true}, plain: true},
			asks:  3, steps: 1, reason: turn.Error, kind: llm.KindProvider,
		},
		"the request is refused and nothing can be left out": {
			world: world{model: turn.Broke{Kind: llm.KindProvider, Refused: true}},
			asks:  1, steps: 1, reason: turn.Error, kind: llm.KindProvider,
		},
		"the conversation is always too long": {
			world: world{model: turn.Broke{Kind: llm.KindOverflow}, folded: fold},
			asks:  2, steps: 1, reason: turn.Context, kind: llm.KindOverflow,
		},
		"the conversation is too long and cannot be folded": {
			world: world{model: turn.Broke{Kind: llm.KindOverflow}},
			asks:  1, steps: 1, reason: turn.Context, kind: llm.KindOverflow,
		},
		"the window is always full": {
			world: world{model: turn.Said{Stop: llm.StopContext, Text: true, Size: 100}, folded: fold},
			asks:  2, steps: 1, reason: turn.Context, kind: llm.KindOverflow,
		},
		"every response is over the threshold": {
			world:  world{model: turn.Said{Stop: llm.StopCalls, Calls: call, Size: 100, Threshold: 50}, folded: turn.Folded{OK: true, Size: 90}},
			limits: turn.Limits{Threshold: 50},
			asks:   50, steps: 50, reason: turn.MaxSteps,
		},
		"every answer is empty": {
			world: world{model: turn.Said{Stop: llm.StopEnd}},
			asks:  3, steps: 3, reason: turn.Error, kind: llm.KindProvider,
		},
		"every response is paused": {
			world: world{model: turn.Said{Stop: llm.StopPause, Keep: true}},
			asks:  9, steps: 9, reason: turn.Error, kind: llm.KindProvider,
		},
		"every call is cut off": {
			world: world{model: turn.Said{Stop: llm.StopLength, Calls: call}},
			asks:  3, steps: 3, reason: turn.Length, kind: llm.KindProvider,
		},
		"the answer is cut off": {
			world: world{model: turn.Said{Stop: llm.StopLength, Text: true}},
			asks:  1, steps: 1, reason: turn.Length, kind: llm.KindProvider,
		},
		"the model refuses": {
			world: world{model: turn.Said{Stop: llm.StopRefusal, Detail: "bio"}},
			asks:  1, steps: 1, reason: turn.Refusal, kind: llm.KindProvider,
		},
		"the filter stops it": {
			world: world{model: turn.Said{Stop: llm.StopFilter, Text: true}},
			asks:  1, steps: 1, reason: turn.Filter, kind: llm.KindProvider,
		},
		"a reason nobody knows": {
			world: world{model: turn.Said{Stop: "novel", Text: true}},
			asks:  1, steps: 1, reason: turn.Error, kind: llm.KindProvider,
		},
		"the model never stops calling": {
			world:  world{model: turn.Said{Stop: llm.StopCalls, Calls: call}},
			limits: turn.Limits{Steps: 7},
			asks:   7, steps: 7, reason: turn.MaxSteps,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			orders := c.run(t, c.limits)
			if n := count[turn.Ask](orders); n != c.asks {
				t.Errorf("%d requests, want %d", n, c.asks)
			}
			if n := last[turn.Ask](orders).Step; n != c.steps {
				t.Errorf("%d steps, want %d", n, c.steps)
			}
			if got := last[turn.End](orders).Reason; got != c.reason {
				t.Errorf("ended as %q, want %q", got, c.reason)
			}
			if got := last[turn.Fail](orders).Kind; got != c.kind {
				t.Errorf("failed as %q, want %q", got, c.kind)
			}
			if n := count[turn.Fold](orders); n > 20 {
				t.Errorf("%d folds", n)
			}
		})
	}
}

func TestWaitsGrowAndStayBetweenHalfAndAll(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		w := world{model: turn.Broke{Kind: llm.KindNetwork, Retryable: true}}
		orders := w.run(t, turn.Limits{Seed: seed, Tries: 9})
		full := 2 * time.Second
		for _, o := range orders {
			wait, ok := o.(turn.Wait)
			if !ok {
				continue
			}
			if wait.For < full/2 || wait.For > full {
				t.Fatalf("seed %d: try %d waits %v, want between %v and %v", seed, wait.Try, wait.For, full/2, full)
			}
			full = min(2*full, time.Minute)
		}
	}
}

func TestWaitsDoNotOverflow(t *testing.T) {
	t.Parallel()
	w := world{model: turn.Broke{Kind: llm.KindNetwork, Retryable: true}}
	for _, o := range w.run(t, turn.Limits{Tries: 60, Backoff: 1 << 61, MaxWait: 1 << 61}) {
		if wait, ok := o.(turn.Wait); ok && (wait.For < 1<<60 || wait.For > 1<<61) {
			t.Fatalf("try %d waits %v", wait.Try, wait.For)
		}
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	w := world{model: turn.Broke{Kind: llm.KindRateLimit, Retryable: true, RetryAfter: 17 * time.Second}}
	if got := last[turn.Wait](w.run(t, turn.Limits{})).For; got != 17*time.Second {
		t.Errorf("waited %v", got)
	}
	w.model = turn.Broke{Kind: llm.KindRateLimit, Message: "slow down", Retryable: true, RetryAfter: 5 * time.Minute}
	got := last[turn.Fail](w.run(t, turn.Limits{})).Message
	if want := "slow down; the server asks to wait 5m0s, longer than the limit of 1m0s (retry.maxWait)"; got != want {
		t.Errorf("said %q", got)
	}
}
