package tui

import (
	"sync"
	"time"

	"assent/internal/crew"
)

// sides are the goroutines beside the loop. A panic in one of them is one of
// the loop's, so that the terminal is given back first.
type sides struct {
	group sync.WaitGroup
	// broke holds the first panic, for the loop.
	broke chan string
}

func newSides() *sides { return &sides{broke: make(chan string, 1)} }

// goes runs a function that await waits for.
func (s *sides) goes(f func()) {
	s.group.Add(1)
	crew.Beside(f, s.breaks, s.group.Done)
}

// apart runs a function that nobody waits for, as reading cannot be ended.
// Done is called at its end, when a panic of it is known.
func (s *sides) apart(f, done func()) { crew.Beside(f, s.breaks, done) }

func (s *sides) breaks(text string) {
	select {
	case s.broke <- text:
	default: // the first says enough
	}
}

// check panics with what a goroutine beside panicked with, if one did.
func (s *sides) check() {
	select {
	case text := <-s.broke:
		panic(text)
	default:
	}
}

// await waits for what runs beside the loop, as long as a user would.
func (s *sides) await() {
	const leaveTime = 2 * time.Second
	done := make(chan struct{})
	s.apart(s.group.Wait, func() { close(done) })
	select {
	case <-done:
	case <-time.After(leaveTime):
	}
}
