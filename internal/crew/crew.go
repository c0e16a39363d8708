// Package crew owns the start of goroutines. A panic in one of them is told to
// its owner: there it becomes a result, or gives the terminal back first, where
// it would have ended the program with the terminal still raw. A test of the
// floors names the few places that start one by themselves.
//
// It knows nothing of what they do. Its laws: Wait returns, or panics, only when
// all of a group have ended; no panic leaves a goroutine that was started here.
package crew

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Beside runs a function on a goroutine of its own. A panic in it is told to
// broke from there, with where it was; broke must hand it on to whoever owns
// the goroutine. Done, nil for none, is called when all is said.
func Beside(f func(), broke func(text string), done func()) {
	go func() {
		if done != nil {
			defer done()
		}
		caught(f, broke)
	}()
}

// caught runs a function and tells of its panic.
func caught(f func(), broke func(text string)) {
	defer func() {
		if p := recover(); p != nil {
			broke(fmt.Sprintf("%v\n%s", p, debug.Stack()))
		}
	}()
	f()
}

// Group is the goroutines that work for one caller. The zero value is ready.
type Group struct {
	group sync.WaitGroup
	once  sync.Once
	broke string
}

// Go runs a function beside the caller.
func (c *Group) Go(f func()) {
	c.group.Go(func() {
		caught(f, func(text string) { c.once.Do(func() { c.broke = text }) })
	})
}

// Wait waits for all of them, and panics with what the first of them panicked
// with and where that was.
func (c *Group) Wait() {
	c.group.Wait()
	if c.broke != "" {
		panic(c.broke)
	}
}
