package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/redact"
)

// Engine runs one conversation, one turn at a time. Its methods may be called
// from any goroutine.
type Engine struct {
	o Options

	mu        sync.Mutex // guards what follows
	turn      *run       // the running turn, nil when idle
	items     []llm.Item // only grows within an epoch; never changed in place
	lastCalls lastCalls
	turns     int       // turns begun
	flights   []*flight // calls that run, in the order in which they began

	// The rest belongs to the goroutine of the running turn.
	sent  sent              // what the last request was made of
	noted map[string]string // topic → what was last said on it
	aside map[string]string // call id → name of the output that is kept aside
}

// New makes the engine of a conversation.
func New(o Options) *Engine {
	if o.Tell == nil {
		o.Tell = func(event.Event) {}
	}
	if o.Redact == nil {
		o.Redact = redact.New()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Waited == nil {
		o.Waited = func() time.Duration { return 0 }
	}
	if o.Grace <= 0 {
		o.Grace = 5 * time.Second
	}
	e := &Engine{o: o, items: slices.Clone(o.Items), noted: map[string]string{}, aside: map[string]string{}}
	e.sent.ids = map[string]bool{}
	for _, it := range e.items {
		if a, ok := it.(llm.Assistant); ok {
			for _, c := range a.Calls() {
				e.sent.ids[c.ID] = true
			}
		}
	}
	if len(e.items) > 0 {
		e.sent.reason = "resume"
	}
	return e
}

// Items returns the conversation as the model is sent it. The caller must not
// change it.
func (e *Engine) Items() []llm.Item {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.items[:len(e.items):len(e.items)]
}

// Run runs a turn to its end. Cancelling ctx ends it with the reason
// "cancelled", in an orderly way; Run still returns a Done then. The only error
// is ErrBusy.
func (e *Engine) Run(ctx context.Context, s Submit) (Done, error) {
	r := newRun(ctx, e, s)
	if !e.begin(r) {
		return Done{}, ErrBusy
	}
	defer e.leave()
	return r.loop(), nil
}

// begin takes the place of the running turn; false when it is taken.
func (e *Engine) begin(r *run) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.turn != nil {
		return false
	}
	e.turn = r
	e.turns++
	r.number = e.turns
	return true
}

func (e *Engine) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.turn = nil
}

// Steering is a message for the running turn.
type Steering struct {
	Text, Expanded string
	Images         []llm.Image
}

// Steer gives the running turn a message of the user. When it returns nil, the
// message is stored and enters the conversation at the next step, unless the
// turn is cancelled before; then no event.Prompt tells it. The error is
// ErrIdle when no turn takes it, or that of the log.
func (e *Engine) Steer(ctx context.Context, s Steering) error {
	e.mu.Lock()
	r := e.turn
	e.mu.Unlock()
	if r == nil {
		return ErrIdle
	}
	m := steering{Steering: s, taken: make(chan error, 1)}
	select {
	case r.steers <- m:
	case <-r.over:
		return ErrIdle
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case err := <-m.taken:
		return err
	case <-r.over:
		// It may have been answered just before the end.
		select {
		case err := <-m.taken:
			return err
		default:
			return ErrIdle
		}
	}
}

// Interrupt ends one running call, which then fails as interrupted; the turn
// goes on. An empty id takes the call that began last. It reports whether there
// was one.
func (e *Engine) Interrupt(callID string) bool {
	e.mu.Lock()
	var hit *flight
	for _, f := range e.flights {
		if callID == "" || f.id == callID {
			hit = f
		}
	}
	e.mu.Unlock()
	if hit == nil {
		return false
	}
	hit.interrupted.Store(true)
	if e.o.Interrupt == nil || !e.o.Interrupt(hit.id) {
		hit.stop()
	}
	return true
}

// mask hides the secrets in a text.
func (e *Engine) mask(s string) string {
	if s == "" {
		return s
	}
	s, _ = e.o.Redact.String(s)
	return s
}

// Hear tells what the transport says of a request beside the conversation, as
// long as a turn runs.
func (e *Engine) Hear(c llm.Chunk) {
	e.mu.Lock()
	r := e.turn
	e.mu.Unlock()
	if r != nil {
		r.send(message{apply: func() { e.transport(c) }})
	}
}

// Spend counts what a request beside the conversation used towards the running
// turn; what names what it was for.
func (e *Engine) Spend(u llm.Usage, provider, model, what string) {
	e.mu.Lock()
	r := e.turn
	e.mu.Unlock()
	if r == nil {
		return
	}
	r.send(message{apply: func() { r.nested(u, provider, model, what) }})
}
