// Package crew owns goroutines that work for one caller. A panic in one of them
// is the caller's: there it becomes a result, where it would have ended the
// program with the terminal still raw.
//
// It knows nothing of what they do. Its law: Wait returns, or panics, only when
// all of them have ended.
package crew

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Group is the goroutines of one caller. The zero value is ready.
type Group struct {
	group sync.WaitGroup
	once  sync.Once
	broke string
}

// Go runs a function beside the caller.
func (c *Group) Go(f func()) {
	c.group.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				c.once.Do(func() { c.broke = fmt.Sprintf("%v\n%s", p, debug.Stack()) })
			}
		}()
		f()
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
