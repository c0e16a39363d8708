package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"

	"assent/internal/crew"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/tool"
)

// What the engine is given runs in goroutines of its own, where a panic would
// end the program with the terminal still raw. Each is turned into what the
// turn can go on with.

// beside runs a function beside the turn. What is panicked with there all the
// same is the turn's, whose runner turns it into its end.
func (r *run) beside(f func()) {
	crew.Beside(f, func(text string) { r.send(message{apply: func() { panic(text) }}) }, nil)
}

// report keeps what is known of a panic that was caught, and tells where.
func (e *Engine) report(p any, stack []byte) {
	if e.o.Crash != nil {
		e.o.Tell(event.Notice{Text: e.o.Crash(p, stack).Error()})
	}
}

// inWords is what a panic said, as it may be shown: without keys, and not at a
// length that only a report has.
func (e *Engine) inWords(p any) string {
	const most = 500
	text := fmt.Sprint(p)
	text = e.mask(text[:min(len(text), 100*most)])
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// guarded turns a panic of a model's adapter into a failure.
func (e *Engine) guarded(ctx context.Context, m Model, req llm.Request, emit func(llm.Chunk)) (reply llm.Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			e.report(p, debug.Stack())
			err = &llm.Failure{Kind: llm.KindInternal, Message: fmt.Sprintf("read the model's response: it broke down (%s)", e.inWords(p))}
		}
	}()
	return m.Stream(ctx, req, emit)
}

// decide asks the gate. One that breaks down has not said yes.
func (e *Engine) decide(ctx context.Context, req gate.Request) (grant *gate.Grant, d policy.Decision) {
	defer func() {
		if p := recover(); p != nil {
			e.report(p, debug.Stack())
			grant = nil
			d = policy.Decision{Verdict: policy.Deny, By: policy.ByDefault, Reason: fmt.Sprintf("the call could not be decided (%s), and so it does not run", e.inWords(p))}
		}
	}()
	return e.o.Gate.Decide(ctx, req)
}

// after lets AfterCall add to a result, which stands as it is when that breaks
// down.
func (r *run) after(ctx context.Context, req gate.Request, was tool.Result) (result tool.Result) {
	if r.e.o.AfterCall == nil {
		return was
	}
	defer func() {
		if p := recover(); p != nil {
			r.e.report(p, debug.Stack())
			result = was
			r.tell(event.Notice{Text: fmt.Sprintf("Could not look at what %s came upon (%s); its result stands.", req.Tool, r.e.inWords(p))})
		}
	}()
	return r.e.o.AfterCall(ctx, req, was)
}

// summarise has the summary of a plan written where there is something to
// summarise and somebody to write it. What is said of the request is told as
// long as the ear is open.
func (e *Engine) summarise(ctx context.Context, f folding, heard *ear) (s Summary, err error) {
	if len(f.plan.Leave) == 0 || e.o.Summarise == nil {
		return Summary{}, nil
	}
	defer func() {
		if p := recover(); p != nil {
			e.report(p, debug.Stack())
			s, err = Summary{}, fmt.Errorf("write the summary: it broke down (%s)", e.inWords(p))
		}
	}()
	return e.o.Summarise(ctx, SummaryOrder{
		Prompt: f.plan.Prompt(f.focus, f.limit), MaxTokens: f.plan.Summary,
		Hear: func(c llm.Chunk) { heard.hear(func() { e.transport(c) }) },
	})
}

// transport tells what the transport of a request says; what the model says is
// not told here.
func (e *Engine) transport(c llm.Chunk) {
	switch c := c.(type) {
	case llm.Warning:
		e.o.Tell(event.Notice(c))
	case llm.Waiting:
		e.o.Tell(event.Notice{Text: c.Reason}) // it is no try of the turn's, and nothing is waited for
	case llm.TextDelta, llm.ReasoningDelta, llm.CallStart:
	case llm.Rebuilt: // of a conversation, which keeps it itself
	}
}

// ear hears what a request says, until the request has ended or was given up:
// what came after that would stand in the next turn of every front.
type ear struct {
	mu     sync.Mutex
	closed bool
}

// hear tells something unless the ear is closed. Telling is done under the
// lock, so that nothing is on its way when close returns.
func (e *ear) hear(tell func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.closed {
		tell()
	}
}

// close is for the turn's goroutine; a nil ear hears nothing anyway.
func (e *ear) close() {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
}
