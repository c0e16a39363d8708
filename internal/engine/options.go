package engine

import (
	"context"
	"errors"
	"time"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/redact"
	"assent/internal/session"
	"assent/internal/tool"
	"assent/internal/turn"
)

// Model is one conversation's line to a model.
type Model interface {
	// Stream sends a request and returns the complete response. emit is called
	// with every piece as it arrives, from one goroutine and not after Stream
	// has returned. The error is a *llm.Failure, or the context's once that is
	// done; Stream then returns without delay. It makes one attempt: trying
	// again is the caller's decision.
	Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error)
}

// Log keeps the records of a conversation. The methods are called from one
// goroutine at a time.
type Log interface {
	// Append stores a record before it returns, as durably as the record's
	// policy says.
	Append(r session.Record) error
	// Artifact stores data beside the log and returns the name by which it can
	// be read again, which may differ from the wanted one.
	Artifact(name string, data []byte) (string, error)
	// Image stores a picture beside the log.
	Image(mime, name string, data []byte) (session.Image, error)
}

// Gate decides calls.
type Gate interface {
	// Begin tells that a new turn begins.
	Begin()
	// Decide returns a grant if and only if the verdict is Allow. It may wait
	// for a person, and returns a refusal when ctx ends.
	Decide(ctx context.Context, r gate.Request) (*gate.Grant, policy.Decision)
}

// Options make an Engine. Gate and Step are needed.
type Options struct {
	// Log keeps the records; nil keeps none.
	Log  Log
	Gate Gate
	// Step is asked before every request for everything that may have changed
	// since the last one. An error ends the turn.
	Step func(ctx context.Context) (StepInput, error)
	// Tell is told every event, from several goroutines; nil tells nobody.
	Tell func(event.Event)

	// Items, Open and Held are the conversation so far, as session.FoldOpen
	// gives it. The first turn closes the open calls as interrupted, on the
	// disk too, unless its Submit goes on with them.
	Items []llm.Item
	Open  []session.OpenCall
	Held  []llm.Item
	// Session names the conversation for prompt caches.
	Session string
	// Subagent is set for a nested conversation: who asks, for the gate's
	// prompt. Its gate is the parent's, so it does not begin the gate's turns.
	Subagent string

	// Redact masks secrets in results and live output before log, events and
	// model see them; nil masks the known shapes of keys.
	Redact *redact.Masker
	// Price returns the cost of a response in US dollars; false when the price
	// is not known. Nil knows no price.
	Price func(provider, model string, u llm.Usage) (float64, bool)
	// Summarise writes the summary of items that leave the view; nil folds
	// without one.
	Summarise func(ctx context.Context, order SummaryOrder) (Summary, error)
	// AfterCall may add to the result of a call that ran; nil leaves results as
	// they are. It runs in the goroutine of the call.
	AfterCall func(ctx context.Context, r gate.Request, result tool.Result) tool.Result
	// Interrupt ends the process of a call and reports whether there was one;
	// without one, or when Interrupt is nil, the call's context ends.
	Interrupt func(callID string) bool

	// Waited is how long the user was waited for since the conversation began;
	// the durations of turns do not count it. Nil: never.
	Waited func() time.Duration

	// Crash keeps what is known of a panic that only cost a call or a request,
	// and words it for the user; nil keeps nothing.
	Crash func(p any, stack []byte) error

	// Grace is how long the end of a turn waits for calls and requests that
	// were told to stop; 0 means 5 s.
	Grace time.Duration
	// Now is the clock for durations; nil means time.Now.
	Now func() time.Time
}

// StepInput is what a request is made of beside the conversation.
type StepInput struct {
	Model Model
	// Provider and Name say which model it is, for events and prices.
	Provider, Name string
	Level          llm.Level
	System         string
	Tools          tool.Set
	// Withheld are tools that exist but are not offered, because agent or rules
	// refuse them whatever the call. A model that calls one all the same is told
	// by the gate who refused it, and why.
	Withheld tool.Set
	// Notes tell the model of state that changes while it works. Each is
	// appended when its text differs from what was last said on its topic.
	Notes []Note
	// Window is the model's context window in tokens, 0 when it is not known;
	// MaxOutput the most tokens of a response, 0 for the model's own limit.
	Window, MaxOutput int
	// FoldAt is the share of the window above which the history is folded; 0
	// means 0.8, a negative number never folds before the model refuses.
	FoldAt float64
}

// Note is a piece of state for the model.
type Note struct{ Topic, Text string }

// Submit begins a turn.
type Submit struct {
	// Text is what the user typed; Expanded what the model sees when it is not
	// Text.
	Text, Expanded string
	Images         []llm.Image
	// Open, when not empty, goes on with the open calls at the end of the
	// conversation instead of a new message.
	Open []OpenCall

	Limits Limits
}

// OpenCall is a call that an earlier process left without a result.
type OpenCall struct {
	Call llm.Call
	// Result ends it; nil puts the call to the gate and runs it.
	Result *llm.Result
}

// Limits bound a turn; a zero field takes its default.
type Limits struct {
	// Steps is the most requests, further tries not counted; 0 means 50.
	Steps int
	// CostUSD is the most that the turn may cost; 0 means no limit.
	CostUSD float64
	// Wall is the most time that it may take; 0 means no limit.
	Wall time.Duration
	// Tries, Backoff and MaxWait govern failed requests: 5 attempts, 2 s before
	// the second, and at most 60 s when the server names the wait.
	Tries            int
	Backoff, MaxWait time.Duration
}

// Done says how a turn ended.
type Done struct {
	Reason turn.Reason
	Usage  event.Usage
	Steps  int
	// Duration is the wall time but for that in which the user was waited for.
	Duration time.Duration
	// Failure is what went wrong, nil unless the reason is one of a failure.
	Failure *llm.Failure
	// Text is the text of the last response.
	Text string
}

// Errors of the methods of an Engine.
var (
	// ErrBusy says that a turn is running already.
	ErrBusy = errors.New("a turn is running")
	// ErrIdle says that no turn is running, or that it is ending, so that a
	// steering message must be submitted instead.
	ErrIdle = errors.New("no turn is running")
)
