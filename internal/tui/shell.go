package tui

import (
	"context"
	"sync"
	"time"
)

// spool takes what a command prints and shows it at a pace that a reader can
// follow. Only the end of a flood is kept.
type spool struct {
	show func(string)

	mu   sync.Mutex
	text []byte
	wake chan struct{}
}

// mostSpool bounds what waits to be shown, in bytes.
const mostSpool = 64 << 10

func newSpool(show func(string)) *spool { return &spool{show: show, wake: make(chan struct{}, 1)} }

// write takes output in. It never waits.
func (s *spool) write(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, b...)
	if extra := len(s.text) - mostSpool; extra > 0 {
		s.text = append(s.text[:0], s.text[extra:]...)
	}
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
}

func (s *spool) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(s.text)
	s.text = s.text[:0]
	return text
}

// run shows what comes until ctx ends.
func (s *spool) run(ctx context.Context) {
	pace := time.NewTimer(flush)
	defer pace.Stop()
	for {
		select {
		case <-s.wake:
		case <-ctx.Done():
			return
		}
		s.show(s.take())
		pace.Reset(flush)
		select {
		case <-pace.C:
		case <-ctx.Done():
			return
		}
	}
}
