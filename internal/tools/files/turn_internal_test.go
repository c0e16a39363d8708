package files

import (
	"context"
	"errors"
	"testing"
)

// Who waits for the turn to write stops waiting with its context.
func TestTurn(t *testing.T) {
	t.Parallel()
	w := tools{writing: make(chan struct{}, 1)}
	leave, err := w.turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := w.turn(ctx)
		ended <- err
	}()
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	leave()
	leave, err = w.turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	leave()
}
