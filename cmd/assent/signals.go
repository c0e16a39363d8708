package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// haste is how long after the first signal the next one is left to the system,
// which ends the program at once. Wrappers send a signal twice in a moment; a
// user who is tired of waiting does not.
const haste = 2 * time.Second

// interruptible returns a context that ends with the first signal that asks
// the program to end. A signal that whoever started the program wants ignored,
// as nohup does, stays ignored.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	// Writing to a pipe that nobody reads is an error like others and ends the
	// turn in an orderly way; left alone, the system would kill the program.
	// The signal is not set to be ignored, because commands would inherit that.
	unread := make(chan os.Signal, 1)
	signal.Notify(unread, syscall.SIGPIPE)

	var ends []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			ends = append(ends, s)
		}
	}
	if len(ends) == 0 { // none would mean all
		return context.WithCancel(parent)
	}
	ctx, stop := signal.NotifyContext(parent, ends...)
	context.AfterFunc(ctx, func() { time.AfterFunc(haste, stop) })
	return ctx, stop
}
