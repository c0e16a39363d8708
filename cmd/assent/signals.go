package main

import (
	"context"
	"errors"
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
	ctx, end := context.WithCancelCause(parent)
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, ends...)
	go func() {
		select {
		case s := <-asked:
			end(&signalled{s})
			time.AfterFunc(haste, func() { signal.Stop(asked) })
		case <-ctx.Done():
			signal.Stop(asked)
		}
	}()
	return ctx, func() { end(context.Canceled) }
}

// signalled is why a context ended: a signal came.
type signalled struct{ signal os.Signal }

// Error names the signal.
func (s *signalled) Error() string { return s.signal.String() + " signal received" }

// interrupted reports whether what ended a context is the user's ctrl+c.
func interrupted(cause error) bool {
	var s *signalled
	return errors.As(cause, &s) && s.signal == os.Interrupt
}
