package tui

import (
	"context"
	"sync"
)

// errands are carried out one after the other, in the order in which they were
// added, beside the loop. Adding one never waits.
type errands struct {
	mu   sync.Mutex
	list []func()
	wake chan struct{}
}

func (e *errands) add(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, f)
	select {
	case e.signal() <- struct{}{}:
	default: // it is awake
	}
}

// signal is the channel that wakes the worker; the lock is held.
func (e *errands) signal() chan struct{} {
	if e.wake == nil {
		e.wake = make(chan struct{}, 1)
	}
	return e.wake
}

func (e *errands) next() (f func(), wake <-chan struct{}) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.list) > 0 {
		f, e.list = e.list[0], e.list[1:]
	}
	return f, e.signal()
}

// work carries errands out until ctx ends.
func (e *errands) work(ctx context.Context) {
	for ctx.Err() == nil {
		f, wake := e.next()
		if f != nil {
			f()
			continue
		}
		select {
		case <-wake:
		case <-ctx.Done():
		}
	}
}
