package host

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/llm"
)

// Engine runs turns, one at a time.
type Engine interface {
	Run(ctx context.Context, s engine.Submit) (engine.Done, error)
	Steer(ctx context.Context, s engine.Steering) error
	Interrupt(callID string) bool
}

// Options make a Host. Engine and Events are needed.
type Options struct {
	Engine Engine
	// Events is the log that the engine tells.
	Events *event.Log
	// Approvals is the gate's asker; nil when nobody is asked.
	Approvals *Approvals
	// Opening is what every front is told first: the session, and what was
	// noticed while it was opened.
	Opening []event.Event
	// Open are the calls that an earlier process left waiting for the user, those
	// before them included; Continue goes on with them.
	Open []engine.OpenCall
	// Prepare turns a prompt into what the engine runs, with the limits of the
	// turn; nil takes the prompt as it is, without limits.
	Prepare func(ctx context.Context, s Submit) (engine.Submit, error)
	// Use changes agent, model or thinking and returns what holds now; nil
	// refuses.
	Use func(ctx context.Context, u Use) (event.State, error)
	// Ask answers the queries of fronts; nil answers none.
	Ask func(ctx context.Context, q Query) (Answer, error)
	// Crash keeps what is known of a panic and words it; nil only words it.
	Crash func(p any, stack []byte) error
	// Close ends what the conversation holds open; it is called once, when no
	// turn, change or query runs any more.
	Close func() error
}

// ErrClosed says that the conversation has ended.
var ErrClosed = errors.New("the conversation is closed")

// ErrNothing says that there is nothing that the command could act on.
var ErrNothing = errors.New("nothing to act on")

// Host is one conversation. Its methods may be called from any goroutine.
type Host struct {
	o Options
	// ctx ends with Close; turns live in it.
	ctx  context.Context
	stop context.CancelFunc

	mu      sync.Mutex
	queue   []Submit
	cleared int  // how often the queue was given up
	begun   bool // a turn has begun
	running bool
	cancel  context.CancelFunc // of the running turn
	closed  bool
	work    sync.WaitGroup // turns, queries and changes that Close waits for
	done    chan struct{}  // closed when Close is done
	err     error          // of Close
}

// New makes a host. ctx carries values only: a turn ends by Cancel or Close.
func New(ctx context.Context, o Options) *Host {
	h := &Host{o: o, done: make(chan struct{})}
	h.ctx, h.stop = context.WithCancel(context.WithoutCancel(ctx))
	return h
}

// Events returns a cursor that begins with the opening events. The front must
// close it.
func (h *Host) Events() *event.Cursor { return h.o.Events.Follow(h.o.Opening...) }

// Do carries out a command. It returns when the command has been taken, not
// when its consequences are over; those are told as events. Close is the
// exception: it returns when everything has ended, and what comes after it is
// ErrClosed.
func (h *Host) Do(ctx context.Context, c Command) error {
	switch c := c.(type) {
	case Submit:
		return h.submit(c)
	case Steer:
		return h.steer(ctx, c)
	case Promote:
		return h.promote(ctx)
	case Continue:
		return h.goOn()
	case Cancel:
		h.interrupt()
		return nil
	case Interrupt:
		if !h.o.Engine.Interrupt(c.CallID) {
			return fmt.Errorf("interrupt a command: %w", ErrNothing)
		}
		return nil
	case Decide:
		if h.o.Approvals == nil {
			return fmt.Errorf("answer an approval: %w", ErrNothing)
		}
		return h.o.Approvals.decide(c)
	case Use:
		return h.use(ctx, c)
	case Close:
		return h.close()
	default:
		return fmt.Errorf("unknown command %T", c)
	}
}

// submit begins a turn, or queues the prompt while one runs.
func (h *Host) submit(s Submit) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return ErrClosed
	}
	if h.running {
		h.queue = append(h.queue, s)
		h.tellQueue()
		return nil
	}
	h.start(s)
	return nil
}

// goOn begins a turn with the calls that were left waiting.
func (h *Host) goOn() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return ErrClosed
	case h.begun || len(h.o.Open) == 0:
		return nil
	}
	text := "A call waited for you when this session ended; it is asked again."
	if n := waiting(h.o.Open); n > 1 {
		text = fmt.Sprintf("%d calls waited for you when this session ended; they are asked again.", n)
	}
	h.o.Events.Tell(event.Notice{Text: text})
	h.launch(func(ctx context.Context) { h.turn(ctx, Submit{}, h.o.Open) })
	return nil
}

// waiting counts the calls that have no end yet.
func waiting(open []engine.OpenCall) int {
	n := 0
	for _, c := range open {
		if c.Result == nil {
			n++
		}
	}
	return n
}

// start begins a turn with a prompt; the lock is held and nothing runs.
func (h *Host) start(s Submit) {
	h.launch(func(ctx context.Context) { h.turn(ctx, s, nil) })
}

// launch begins turns on a goroutine of its own, first this one and then those
// of the queue; the lock is held and nothing runs.
func (h *Host) launch(first func(context.Context)) {
	h.running, h.begun = true, true
	ctx := h.begin()
	h.work.Go(func() {
		first(ctx)
		for {
			ctx, s, more := h.next()
			if !more {
				return
			}
			h.turn(ctx, s, nil)
		}
	})
}

// begin makes the context of a turn; the lock is held.
func (h *Host) begin() context.Context {
	ctx, cancel := context.WithCancel(h.ctx)
	h.cancel = cancel
	return ctx
}

// turn runs a prompt, or what an earlier process left open, to its end. One
// that breaks down ends with an error, and the program goes on.
func (h *Host) turn(ctx context.Context, s Submit, open []engine.OpenCall) {
	defer func() {
		if p := recover(); p != nil {
			err := fmt.Errorf("the turn broke down: %v", p)
			if h.o.Crash != nil {
				err = h.o.Crash(p, debug.Stack())
			}
			h.fail(err)
		}
	}()
	submit := engine.Submit{Text: s.Text, Expanded: s.Expanded, Images: s.Images}
	if h.o.Prepare != nil {
		prepared, err := h.o.Prepare(ctx, s)
		if err != nil {
			h.fail(err)
			return
		}
		submit = prepared
	}
	submit.Open = open
	if _, err := h.o.Engine.Run(ctx, submit); err != nil {
		h.fail(err)
	}
}

// fail ends a turn that could not begin.
func (h *Host) fail(err error) {
	kind := llm.KindInternal
	var failure *llm.Failure
	if errors.As(err, &failure) {
		kind = failure.Kind
	}
	h.o.Events.Tell(event.Error{Message: err.Error(), Kind: kind})
	h.o.Events.Tell(event.Done{Reason: "error"})
}

// next takes the oldest waiting prompt; without one the host is idle.
func (h *Host) next() (context.Context, Submit, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cancel()
	if h.closed || len(h.queue) == 0 {
		h.running = false
		return nil, Submit{}, false
	}
	s := h.queue[0]
	h.queue = h.queue[1:]
	h.tellQueue()
	return h.begin(), s, true
}

// steer gives a message to the running turn; when none takes it, it is a
// prompt, so that nothing typed is lost.
func (h *Host) steer(ctx context.Context, s Steer) error {
	err := h.o.Engine.Steer(ctx, engine.Steering(s))
	if errors.Is(err, engine.ErrIdle) {
		return h.submit(Submit(s))
	}
	return err
}

// promote makes the oldest waiting prompt a steer. One that no turn takes, for
// whatever reason, is the next prompt again: it was the oldest. When no turn
// runs by then, it begins one, since nothing else would drain the queue.
func (h *Host) promote(ctx context.Context) error {
	h.mu.Lock()
	if len(h.queue) == 0 {
		h.mu.Unlock()
		return fmt.Errorf("steer with a queued prompt: %w", ErrNothing)
	}
	s := h.queue[0]
	h.queue = h.queue[1:]
	cleared := h.cleared
	h.tellQueue()
	h.mu.Unlock()
	err := h.o.Engine.Steer(ctx, engine.Steering{Text: s.Text, Expanded: s.Expanded, Images: s.Images})
	if err == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return ErrClosed
	case h.cleared != cleared:
		return nil // the user cancelled it with the rest of the queue
	case !h.running:
		h.start(s) // which tells what it comes to
		return nil
	}
	h.queue = append([]Submit{s}, h.queue...)
	h.tellQueue()
	if errors.Is(err, engine.ErrIdle) {
		return nil
	}
	return err
}

// interrupt cancels the running turn and clears the queue. Waiting prompts are
// given up before the turn is told, so that none of them begins.
func (h *Host) interrupt() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cleared++
	if len(h.queue) > 0 {
		h.queue = nil
		h.tellQueue()
	}
	if h.running {
		h.cancel()
	}
}

// Unqueue takes the newest waiting prompt back, for editing; ok is false when
// none waits.
func (h *Host) Unqueue() (s Submit, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.queue) == 0 {
		return Submit{}, false
	}
	s = h.queue[len(h.queue)-1]
	h.queue = h.queue[:len(h.queue)-1]
	h.tellQueue()
	return s, true
}

func (h *Host) tellQueue() {
	q := event.Queue{Prompts: make([]string, len(h.queue))}
	for i, s := range h.queue {
		q.Prompts[i] = s.Text
	}
	h.o.Events.Tell(q)
}

func (h *Host) use(ctx context.Context, u Use) error {
	if h.o.Use == nil {
		return errors.New("this conversation cannot change its agent or model")
	}
	ctx, leave, err := h.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	state, err := h.o.Use(ctx, u)
	if err != nil {
		return err
	}
	h.o.Events.Tell(state)
	return nil
}

// enter begins something that Close must wait for, since it uses what Close
// ends. Its context ends with Close too, so that the wait has an end.
func (h *Host) enter(front context.Context) (ctx context.Context, leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, nil, ErrClosed
	}
	h.work.Add(1)
	ctx, cancel := context.WithCancel(front)
	forget := context.AfterFunc(h.ctx, cancel)
	return ctx, func() {
		forget()
		cancel()
		h.work.Done()
	}, nil
}

// close ends everything once; every caller waits for it.
func (h *Host) close() error {
	h.mu.Lock()
	first := !h.closed
	h.closed = true
	h.queue = nil
	h.mu.Unlock()
	if !first {
		<-h.done
		return h.err
	}
	h.stop()
	h.work.Wait()
	if h.o.Close != nil {
		h.err = h.o.Close()
	}
	h.o.Events.Close()
	close(h.done)
	return h.err
}
