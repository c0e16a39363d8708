package provider

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"

	"assent/internal/llm"
)

// The causes with which a stream's own limits end its request.
var (
	errFirstByte = errors.New("no answer in time")
	errIdle      = errors.New("stream fell silent")
	errQuiet     = errors.New("only keep-alives")
)

// Stream is one answer while it arrives. It is used by one goroutine.
type Stream struct {
	// Header is the answer's header.
	Header http.Header

	endpoint *Endpoint
	ctx      context.Context // the caller's: its end is not the server's fault
	body     *watched
	cancel   context.CancelCauseFunc
}

// Events yields the events of the answer, keep-alives left out. The last pair
// may carry an error, always a *llm.Failure or the caller's context error. A
// sequence that ends without an error ended by the server's own will: the
// adapter knows whether the response was complete. Leaving the loop closes
// the stream at once.
func (s *Stream) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		defer s.Close()
		for ev, err := range readEvents(s.body, s.endpoint.limits.Event) {
			if err != nil {
				yield(Event{}, s.fail(err))
				return
			}
			if keepAlive(ev) {
				continue
			}
			if !yield(ev, nil) {
				return
			}
			s.body.real = time.Now()
		}
	}
}

// Close ends the exchange; it may be called more than once.
func (s *Stream) Close() {
	s.cancel(context.Canceled)
	_ = s.body.Close()
}

// fail classifies a broken read.
func (s *Stream) fail(err error) error {
	if cause := s.ctx.Err(); cause != nil {
		return cause
	}
	return s.endpoint.broken(err, s.body.cause())
}

// Progress says how much of a response has arrived.
type Progress int

const (
	// More says that the response goes on.
	More Progress = iota
	// Complete says that nothing is missing, but counts or a closing word may
	// follow.
	Complete
	// Ended says that the terminal event has come.
	Ended
)

// Gather hands every event to take until the response has ended. It returns
// nil exactly when the response is complete; else a *llm.Failure that holds
// what had arrived in parts and usage, or the caller's context error.
func (s *Stream) Gather(parts *Parts, usage *llm.Usage, take func(Event) (Progress, error)) error {
	defer s.Close()
	state, end := More, &ending{stream: s}
	defer end.stop()
	for ev, err := range s.Events() {
		if err != nil {
			if state == Complete && s.ctx.Err() == nil {
				return nil
			}
			return WithPartial(err, parts, *usage)
		}
		now, err := take(ev)
		if err != nil {
			return WithPartial(err, parts, *usage)
		}
		if parts.full() {
			return WithPartial(s.endpoint.tooMuch(), parts, *usage)
		}
		if state = max(state, now); state == Ended {
			return nil
		}
		end.after(state, parts)
	}
	if cause := s.ctx.Err(); cause != nil {
		return cause
	}
	if state == More {
		return WithPartial(s.endpoint.Cut(), parts, *usage)
	}
	return nil
}

// ending gives up a stream some time after its response was complete, since some
// servers never send their closing word and keep the socket open. Others say of
// every piece that it is the last: behind an event that brought a part of the
// response another may follow, however long the model takes over it, so there
// the silence of any stream is waited for.
type ending struct {
	stream *Stream
	timer  *time.Timer // runs when the end stood by itself
	held   int         // what parts held then
}

// after looks at what an event left.
func (e *ending) after(state Progress, parts *Parts) {
	before := e.held
	e.held = parts.size + len(parts.parts)
	switch {
	case state != Complete:
	case e.held != before:
		e.stop()
	case e.timer == nil:
		e.timer = time.AfterFunc(e.stream.endpoint.limits.Linger, func() { e.stream.cancel(context.Canceled) })
	}
}

func (e *ending) stop() {
	if e.timer != nil {
		e.timer.Stop()
		e.timer = nil
	}
}

// WithPartial adds what had arrived to a failure; any other error is returned
// as it is.
func WithPartial(err error, parts *Parts, usage llm.Usage) error {
	var f *llm.Failure
	if !errors.As(err, &f) {
		return err
	}
	f.Partial = parts.Partial()
	f.Usage = usage
	return f
}

// watched is a body under the stream's limits: the request is cancelled with
// a cause when it stays silent too long.
type watched struct {
	body   io.ReadCloser
	ctx    context.Context // the request's
	cancel context.CancelCauseFunc
	limits Limits
	timer  *time.Timer // armed for the first byte since the request was sent
	first  bool        // a byte has arrived
	real   time.Time   // when the last real event was handled
	left   int64
}

// Read reads under the idle limit. Time that the reader spends between reads
// does not count.
func (w *watched) Read(p []byte) (int, error) {
	if w.first {
		w.timer.Reset(w.limits.Idle)
	}
	n, err := w.body.Read(p)
	if n > 0 || err != nil {
		w.timer.Stop()
	}
	if n > 0 && !w.first {
		w.first, w.real = true, time.Now()
		w.timer.Stop()
		w.timer = time.AfterFunc(w.limits.Idle, func() { w.cancel(errIdle) })
		w.timer.Stop()
	}
	if w.left -= int64(n); w.left < 0 {
		return 0, errTooLarge
	}
	if err == nil && time.Since(w.real) > w.limits.Quiet {
		w.cancel(errQuiet)
		return 0, errQuiet
	}
	return n, err
}

// Close releases the body and its timer.
func (w *watched) Close() error {
	w.timer.Stop()
	return w.body.Close()
}

// cause says which limit ended the request, nil when none did.
func (w *watched) cause() error { return limitCause(w.ctx) }

// limitCause says which limit ended a request's context, nil when none did.
func limitCause(ctx context.Context) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errFirstByte), errors.Is(cause, errIdle), errors.Is(cause, errQuiet):
		return cause
	}
	return nil
}
