package host_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm/llmtest"
)

// breaking is an engine whose first turn breaks down.
type breaking struct {
	host.Engine
	broke *bool
}

func (b breaking) Run(ctx context.Context, s engine.Submit) (engine.Done, error) {
	if !*b.broke {
		*b.broke = true
		panic("broken inside")
	}
	return b.Engine.Run(ctx, s)
}

// A turn that breaks down ends as an internal error that says where its report
// is, and the next one runs.
func TestATurnThatBreaksDownEndsNothingButItself(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, llmtest.Step{Text: "two"}), func(o *host.Options) {
		o.Engine = breaking{o.Engine, new(bool)}
		o.Crash = func(p any, stack []byte) error {
			if !strings.Contains(string(stack), "crash_test.go") {
				return errors.New("the stack does not say where")
			}
			return fmt.Errorf("broke down: %v", p)
		}
	})
	k.do(host.Submit{Text: "a"})
	if e := next[event.Error](k, nil); e.Kind != "internal" || e.Message != "broke down: broken inside" {
		t.Errorf("told %+v", e)
	}
	if d := next[event.Done](k, nil); d.Reason != "error" {
		t.Errorf("ended with %+v", d)
	}
	k.do(host.Submit{Text: "b"})
	if d := next[event.Done](k, nil); d.Reason != "stop" {
		t.Errorf("the next one ended with %+v", d)
	}
}
