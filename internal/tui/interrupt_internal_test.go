package tui

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Who has the terminal takes ctrl+c; every other end ends. What is an interrupt
// is told, not read off the words of an error.
func TestUninterrupted(t *testing.T) {
	t.Parallel()
	errKey, errOther := errors.New("the key"), errors.New("interrupt signal received")
	is := func(cause error) bool { return errors.Is(cause, errKey) }
	for _, c := range []struct {
		name  string
		is    func(error) bool
		cause error
		deaf  bool
		goes  bool // on
	}{
		{"ctrl+c in an editor", is, errKey, true, true},
		{"ctrl+c", is, errKey, false, false},
		{"a hang-up while an editor has the terminal", is, errors.New("hangup"), true, false},
		{"words that look like it", is, errOther, true, false},
		{"nobody can tell", nil, errKey, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, end := context.WithCancelCause(t.Context())
			asked := make(chan struct{})
			own, stop := uninterrupted(ctx, c.is, func() bool { close(asked); return c.deaf })
			defer stop()
			end(c.cause)
			if !c.goes {
				select {
				case <-own.Done():
				case <-time.After(10 * time.Second):
					t.Error("it goes on")
				}
				return
			}
			<-asked
			if own.Err() != nil {
				t.Error("it ended")
			}
		})
	}
}
