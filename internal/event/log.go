package event

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// ErrClosed tells a reader that the log has ended and everything was read.
var ErrClosed = errors.New("event log closed")

// mergeLimit bounds a merged delta in bytes, so that one event stays small
// enough to be drawn at once.
const mergeLimit = 16 << 10

// The output of one command that a reader has not read yet is kept up to
// unreadLimit bytes: its beginning of unreadHead bytes, and its end. A command
// that prints without end behind a reader that has stopped costs no more.
const (
	unreadLimit = 1 << 20
	unreadHead  = 256 << 10
)

// Log is the ordered list of what was told. Any number of readers follow it,
// each with a Cursor of its own and at its own pace. An event that every
// cursor has passed is let go, so a long conversation does not grow the log;
// without a cursor nothing is kept.
//
// Deltas of one block (text, reasoning, output of one command) are merged with
// the delta before while no cursor has read it: a slow reader gets fewer,
// larger deltas, and never misses a fact. Of a command's output it misses the
// middle when it falls far behind, and is told how much. The zero value is ready
// to use, and all methods may be called from any goroutine.
type Log struct {
	mu      sync.Mutex
	base    uint64  // sequence number of events[0]
	events  []Event // what some cursor has not read yet
	cursors []*Cursor
	closed  bool
}

// Cursor is one reader's place in a Log. It belongs to one goroutine.
type Cursor struct {
	log   *Log
	first []Event // before all that the log tells
	next  uint64
	wake  chan struct{}
}

// Tell appends an event. After Close it does nothing.
func (l *Log) Tell(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if len(l.cursors) == 0 {
		l.base++
		return
	}
	if !l.merge(e) {
		l.events = append(l.events, e)
		if e, ok := e.(ToolOutput); ok {
			l.bound(e.ID)
		}
	}
	l.wakeAll()
}

// Close ends the log: each cursor reads what is left and then gets ErrClosed.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.wakeAll()
}

// Follow returns a cursor that reads the given events, which it alone sees,
// and then everything told from now on. The reader must Close it, or the log
// keeps events for it.
func (l *Log) Follow(first ...Event) *Cursor {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &Cursor{log: l, first: first, next: l.base + uint64(len(l.events)), wake: make(chan struct{}, 1)}
	l.cursors = append(l.cursors, c)
	return c
}

// Next waits for events and returns all that the cursor has not read, in
// order. It fails with ErrClosed when the log has ended and with the context's
// error when that is done first. The slice belongs to the caller.
func (c *Cursor) Next(ctx context.Context) ([]Event, error) {
	for {
		events, closed := c.take()
		if len(events) > 0 {
			return events, nil
		}
		if closed {
			return nil, ErrClosed
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-c.wake:
		}
	}
}

// Close ends the cursor; the log keeps nothing for it any more.
func (c *Cursor) Close() {
	l := c.log
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, other := range l.cursors {
		if other == c {
			l.cursors = append(l.cursors[:i], l.cursors[i+1:]...)
			break
		}
	}
	l.trim()
}

func (c *Cursor) take() (events []Event, closed bool) {
	l := c.log
	l.mu.Lock()
	defer l.mu.Unlock()
	events, c.first = c.first, nil
	end := l.base + uint64(len(l.events))
	if c.next < end {
		events = append(events, l.events[c.next-l.base:]...)
		c.next = end
		l.trim()
	}
	return events, l.closed
}

// trim lets go of what every cursor has passed.
func (l *Log) trim() {
	low := l.base + uint64(len(l.events))
	for _, c := range l.cursors {
		low = min(low, c.next)
	}
	n := int(low - l.base)
	clear(l.events[:n])
	l.events = l.events[n:]
	if len(l.events) == 0 {
		l.events = nil
	}
	l.base = low
}

// merge joins a delta to the newest event when that is a delta of the same
// block and nobody has read it.
func (l *Log) merge(e Event) bool {
	if len(l.events) == 0 {
		return false
	}
	last := len(l.events) - 1
	for _, c := range l.cursors {
		if c.next > l.base+uint64(last) {
			return false
		}
	}
	joined, ok := join(l.events[last], e)
	if ok {
		l.events[last] = joined
	}
	return ok
}

func join(a, b Event) (Event, bool) {
	switch b := b.(type) {
	case Text:
		if a, ok := a.(Text); ok && len(a.Text)+len(b.Text) <= mergeLimit {
			return Text{a.Text + b.Text}, true
		}
	case Reasoning:
		if a, ok := a.(Reasoning); ok && len(a.Text)+len(b.Text) <= mergeLimit {
			return Reasoning{a.Text + b.Text}, true
		}
	case ToolOutput:
		if a, ok := a.(ToolOutput); ok && a.ID == b.ID && len(a.Chunk)+len(b.Chunk) <= mergeLimit {
			return ToolOutput{ID: a.ID, Chunk: a.Chunk + b.Chunk}, true
		}
	default: // facts stay as they are
	}
	return nil, false
}

// bound lets go of the oldest output of a command behind its beginning while
// too much of it is unread. An event without a chunk stays in its place and
// counts what is gone.
func (l *Log) bound(id string) {
	unread, gap, victim := 0, -1, -1
	for i, e := range l.events {
		out, ok := e.(ToolOutput)
		if !ok || out.ID != id {
			continue
		}
		switch {
		case victim >= 0 || unread < unreadHead:
		case out.Skipped > 0:
			gap = i
		default:
			victim = i
		}
		unread += len(out.Chunk)
	}
	if unread <= unreadLimit || victim < 0 || victim == len(l.events)-1 {
		return
	}
	n := len(l.events[victim].(ToolOutput).Chunk)
	if gap < 0 || l.parted(gap, victim) {
		l.events[victim] = ToolOutput{ID: id, Skipped: n}
		return
	}
	n += l.events[gap].(ToolOutput).Skipped
	l.events[gap] = ToolOutput{ID: id, Skipped: n}
	l.events = slices.Delete(l.events, victim, victim+1)
	for _, c := range l.cursors {
		if c.next > l.base+uint64(victim) {
			c.next--
		}
	}
}

// parted says that a cursor has read the one event and not the other.
func (l *Log) parted(early, late int) bool {
	return slices.ContainsFunc(l.cursors, func(c *Cursor) bool {
		return c.next > l.base+uint64(early) && c.next <= l.base+uint64(late)
	})
}

func (l *Log) wakeAll() {
	for _, c := range l.cursors {
		select {
		case c.wake <- struct{}{}:
		default: // it has not seen the last one yet
		}
	}
}
