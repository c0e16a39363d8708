package host_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm/llmtest"
)

// ending is an engine that cannot store a steer, and whose turn ends meanwhile.
type ending struct {
	host.Engine
	end func()
	err error
	ran chan context.Context // of the turns
}

func (e ending) Run(ctx context.Context, s engine.Submit) (engine.Done, error) {
	e.ran <- ctx
	return e.Engine.Run(ctx, s)
}

func (e ending) Steer(context.Context, engine.Steering) error {
	ctx := <-e.ran
	e.end()
	<-ctx.Done() // the turn is over, and nothing waits for it
	return e.err
}

// A prompt that could not steer must not stay in a queue that no turn drains:
// it would be shown as waiting for ever, and the next prompt would overtake it.
func TestPromoteAfterTheLastTurnRunsThePrompt(t *testing.T) {
	t.Parallel()
	for _, err := range []error{engine.ErrIdle, errors.New("no space left"), context.Canceled} {
		t.Run(err.Error(), func(t *testing.T) {
			t.Parallel()
			first, release := held("one")
			k := newKit(t, llmtest.New(t, first, llmtest.Step{Text: "two"}, llmtest.Step{Text: "three"}), func(o *host.Options) {
				o.Engine = ending{Engine: o.Engine, end: release, err: err, ran: make(chan context.Context, 8)}
			})
			k.do(host.Submit{Text: "a"})
			next[event.Text](k, nil)
			k.do(host.Submit{Text: "b"})
			k.do(host.Promote{})
			k.do(host.Submit{Text: "c"})
			for range 3 {
				next[event.Done](k, nil)
			}
			if got := k.prompts(); got != "a b c" {
				t.Errorf("prompts in the log: %s", got)
			}
		})
	}
}

// Close waits for a change of model, so it must be able to end one that hangs
// on a keyring.
func TestCloseEndsAChange(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	k := newKit(t, llmtest.New(t), func(o *host.Options) {
		o.Use = func(ctx context.Context, _ host.Use) (event.State, error) {
			close(began)
			select {
			case <-ctx.Done():
				return event.State{}, ctx.Err()
			case <-time.After(10 * time.Second):
				return event.State{}, errors.New("close did not end it")
			}
		}
	})
	changed := make(chan error, 1)
	go func() { changed <- k.host.Do(context.Background(), host.Use{Agent: "plan"}) }()
	<-began
	if err := k.host.Do(t.Context(), host.Close{}); err != nil {
		t.Error(err)
	}
	if err := <-changed; !errors.Is(err, context.Canceled) {
		t.Errorf("the change ended with %v", err)
	}
}
