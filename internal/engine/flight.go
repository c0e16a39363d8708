package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"assent/internal/event"
	"assent/internal/redact"
)

// flight is a call on its way: its live output, and the means to stop it.
type flight struct {
	id          string
	stop        context.CancelFunc
	interrupted atomic.Bool
	tell        func(event.Event)

	mu      sync.Mutex
	mask    *redact.Output
	printed tail
	closed  bool
	broken  *breakdown
}

// breakdown is a panic that was caught, and where it was.
type breakdown struct {
	cause any
	stack []byte
}

// Error says what the panic said.
func (b *breakdown) Error() string { return fmt.Sprint(b.cause) }

// emit takes a piece of live output. What may be the beginning of a secret is
// held back until it is known.
func (f *flight) emit(chunk string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	// It runs on the goroutine that reads the output of a command, which must go
	// on reading: no more is shown, and the call is told at its end.
	defer func() {
		if p := recover(); p != nil {
			f.closed, f.broken = true, &breakdown{p, debug.Stack()}
		}
	}()
	if !f.closed {
		f.out(f.mask.Write(chunk))
	}
}

// end lets the rest out; later output is not heard.
func (f *flight) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.out(f.mask.Flush())
		f.closed = true
	}
}

// broke is the panic that ended the live output, nil for none.
func (f *flight) broke() *breakdown {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.broken
}

func (f *flight) out(text string) {
	if text == "" {
		return
	}
	f.printed.add(text)
	f.tell(event.ToolOutput{ID: f.id, Chunk: text})
}

// said returns what the call printed, or its end where that is long.
func (f *flight) said() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.printed.String()
}

// tailSize is how much live output is kept for a call that is stopped.
const tailSize = 16 << 10

// tail keeps the end of a text.
type tail struct {
	b   []byte
	cut bool
}

func (t *tail) add(s string) {
	t.b = append(t.b, s...)
	if len(t.b) > 2*tailSize {
		t.b = append(t.b[:0], t.b[len(t.b)-tailSize:]...)
		t.cut = true
	}
}

// String returns the end, valid UTF-8, with a mark where something is missing.
func (t *tail) String() string {
	b := t.b
	if len(b) > tailSize {
		b = b[len(b)-tailSize:]
	}
	if len(b) == len(t.b) && !t.cut {
		return string(b)
	}
	for len(b) > 0 && b[0]&0xc0 == 0x80 {
		b = b[1:]
	}
	return "[…]" + string(b)
}
