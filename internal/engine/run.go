package engine

import (
	"context"
	"time"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/turn"
)

// run is one turn. Only its own goroutine touches it, except for the channels.
type run struct {
	e      *Engine
	ctx    context.Context // the caller's; only looked at, nothing is derived from it that it would end
	submit Submit
	number int // of the turn in the conversation
	begun  time.Time
	idle   time.Duration // how long the user was waited for by then

	state turn.State
	queue []turn.Fact // facts that are known already

	messages chan message
	steers   chan steering
	over     chan struct{} // closed at the end

	tools     scope // decisions and calls
	model     scope // request, wait or fold
	ear       *ear  // of the request on its way, or of the last one
	wait      *time.Timer
	wall      *time.Timer
	grace     *time.Timer
	cancelled bool
	ended     bool // loop came to its end, it did not break down

	step    StepInput
	stepErr error
	stepped bool // step was asked for and is not used yet
	reply   response
	// sighted is the conversation with the images that were left out of the
	// request on its way; nil: none were.
	sighted   []llm.Item
	calls     map[string]*call
	steered   map[int]steering
	pending   []*steering // not answered yet
	outside   int         // how many are stored and have not entered
	done      Done
	priced    bool // every response so far had a price
	unlimited bool // the user was told that the cost is not known
}

// message is what another goroutine sends: apply runs in the turn's goroutine,
// then the fact is fed.
type message struct {
	apply func()
	fact  turn.Fact
}

type steering struct {
	Steering
	taken chan error
}

// scope is work that can be told to stop together.
type scope struct {
	ctx    context.Context
	stop   context.CancelFunc
	flying int
}

func newScope(parent context.Context) scope {
	ctx, stop := context.WithCancel(context.WithoutCancel(parent))
	return scope{ctx: ctx, stop: stop}
}

func newRun(ctx context.Context, e *Engine, s Submit) *run {
	return &run{
		e: e, ctx: ctx, submit: s,
		messages: make(chan message), steers: make(chan steering), over: make(chan struct{}),
		tools: newScope(ctx), model: newScope(ctx),
		wait: idleTimer(), wall: idleTimer(), grace: idleTimer(),
		calls: map[string]*call{}, steered: map[int]steering{}, priced: true,
	}
}

func idleTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// loop runs the turn to its end.
func (r *run) loop() Done {
	defer close(r.over)
	defer r.closeBroken()
	defer r.tools.stop()
	defer r.model.stop()
	defer func() { r.wait.Stop(); r.wall.Stop(); r.grace.Stop() }()
	r.begun, r.idle = r.e.o.Now(), r.e.o.Waited()
	if r.e.o.Subagent == "" {
		r.e.o.Gate.Begin()
	}
	if wall := r.submit.Limits.Wall; wall > 0 {
		r.wall.Reset(wall)
	}
	r.feed(r.submitted())
	for r.state.Running() {
		r.feed(r.next())
	}
	r.ended = true
	return r.done
}

// next returns the next fact: a cancel before all else, so that nothing new
// begins after it, then what is known already, then what comes.
func (r *run) next() turn.Fact {
	cancel := r.ctx.Done()
	if r.cancelled {
		cancel = nil
	}
	if cancel != nil && r.ctx.Err() != nil {
		r.cancelled = true
		return turn.Cancelled{}
	}
	if len(r.queue) > 0 {
		f := r.queue[0]
		r.queue = r.queue[1:]
		return f
	}
	select {
	case <-cancel:
		r.cancelled = true
		return turn.Cancelled{}
	case <-r.wall.C:
		return turn.TimedOut{}
	case <-r.wait.C:
		return turn.Waited{}
	case <-r.grace.C:
		r.abandon()
		return nil
	case s := <-r.steers:
		return r.steer(s)
	case m := <-r.messages:
		if m.apply != nil {
			m.apply()
		}
		return m.fact
	}
}

// feed steps the turn and carries out what follows.
func (r *run) feed(f turn.Fact) {
	if f == nil {
		return
	}
	var orders []turn.Order
	r.state, orders = turn.Step(r.state, f)
	for i, o := range orders {
		if err := r.carry(o); err != nil {
			r.feed(turn.SaveFailed{At: i, Message: err.Error()})
			break
		}
	}
	for _, s := range r.pending { // the turn does not take it
		s.taken <- ErrIdle
	}
	r.pending = nil
}

// post queues facts that are known at once.
func (r *run) post(facts ...turn.Fact) { r.queue = append(r.queue, facts...) }

// send hands a message to the turn's goroutine; after the end it is dropped.
func (r *run) send(m message) {
	select {
	case r.messages <- m:
	case <-r.over:
	}
}

func (r *run) tell(e event.Event) { r.e.o.Tell(e) }

// append adds to the conversation.
func (r *run) append(items ...llm.Item) {
	r.e.mu.Lock()
	defer r.e.mu.Unlock()
	r.e.items = append(r.e.items, items...)
	for _, it := range items {
		if _, ok := it.(llm.Assistant); ok {
			r.e.lastCalls = lastCalls{}
		}
	}
}

// submitted opens the turn.
func (r *run) submitted() turn.Fact {
	s, l := r.submit, r.submit.Limits
	r.step, r.stepErr = r.e.o.Step(r.ctx)
	r.stepped = true
	if r.stepErr == nil {
		r.e.sent.measure(r.step)
	}
	f := turn.Submitted{
		Limits: turn.Limits{
			Steps: l.Steps, MaxMicros: micros(l.CostUSD), Tries: l.Tries, Backoff: l.Backoff, MaxWait: l.MaxWait,
			Seed: uint64(r.begun.UnixNano()), Threshold: threshold(r.step),
		},
		Size: r.e.size() + tokens(llm.User{Text: shown(s.Text, s.Expanded), Images: s.Images}),
	}
	if len(s.Open) > 0 {
		return r.reopened(f)
	}
	r.closeOpen()
	return f
}

// steer takes a message of the user in.
func (r *run) steer(s steering) turn.Fact {
	id := len(r.steered) + 1
	r.steered[id] = s
	r.pending = append(r.pending, &s)
	return turn.Steered{ID: id, Size: tokens(llm.User{Text: shown(s.Text, s.Expanded), Images: s.Images})}
}

// shown is what the model sees of a message.
func shown(text, expanded string) string {
	if expanded != "" {
		return expanded
	}
	return text
}
