package tui

import (
	"context"
	"os"
	"os/signal"
)

// interrupts tells when the user presses ctrl+c on a terminal that makes a
// signal of it.
func interrupts() (<-chan os.Signal, func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	return c, func() { signal.Stop(c) }
}

// uninterrupted is ctx without its end by an interrupt while deaf says so: what
// has the terminal takes ctrl+c then. is tells an interrupt from another cause;
// nil knows none.
func uninterrupted(ctx context.Context, is func(cause error) bool, deaf func() bool) (context.Context, context.CancelFunc) {
	own, stop := context.WithCancel(context.WithoutCancel(ctx))
	end := context.AfterFunc(ctx, func() {
		if is == nil || !is(context.Cause(ctx)) || !deaf() {
			stop()
		}
	})
	return own, func() { end(); stop() }
}
