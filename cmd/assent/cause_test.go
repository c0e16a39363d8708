//go:build unix

package main

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"
)

// The context of a run says which signal ended it: ctrl+c may belong to an
// editor that has the terminal, a hang-up never does. It is not parallel, since
// signals are the process's.
func TestTheCauseOfTheEnd(t *testing.T) {
	for s, want := range map[syscall.Signal]bool{syscall.SIGINT: true, syscall.SIGTERM: false, syscall.SIGHUP: false} {
		ctx, stop := interruptible(context.Background())
		if err := syscall.Kill(syscall.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(patience):
			t.Fatalf("%s does not end it", s)
		}
		if got := interrupted(context.Cause(ctx)); got != want {
			t.Errorf("%s taken for ctrl+c: %t (%v)", s, got, context.Cause(ctx))
		}
		stop()
	}
	if interrupted(context.Canceled) || interrupted(nil) || interrupted(errors.New("interrupt signal received")) {
		t.Error("what is no signal is taken for ctrl+c")
	}
}
