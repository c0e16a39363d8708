package tool

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Crew is the goroutines of one call. A panic in one of them is the call's: so
// it becomes a result, where it would have ended the program. The zero value
// is ready.
type Crew struct {
	group sync.WaitGroup
	once  sync.Once
	broke string
}

// Go runs a function beside the caller.
func (c *Crew) Go(f func()) {
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
func (c *Crew) Wait() {
	c.group.Wait()
	if c.broke != "" {
		panic(c.broke)
	}
}
