package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"assent/internal/llm"
)

// Call is a call of a response. An empty ID gets one that counts; an empty
// Input is {}.
type Call struct{ ID, Name, Input string }

// Step is one response.
type Step struct {
	// Think is reasoning, with opaque data that must come back as it is.
	Think string
	// Text is the answer; it streams in small pieces.
	Text  string
	Calls []Call
	// Stop is why the response ends; empty is StopCalls with calls, else
	// StopEnd. Detail goes with a refusal.
	Stop   llm.Stop
	Detail string
	Usage  llm.Usage
	// Warn is told before anything else.
	Warn string

	// Wait holds the response back until it is closed, after Text streamed.
	Wait <-chan struct{}
	// Hang streams Text and then nothing until the context ends. Deaf ignores
	// even that and waits for Wait alone.
	Hang, Deaf bool
	// Fail ends the response with a failure. When Text is not empty, it has
	// arrived before and is the failure's Partial.
	Fail *llm.Failure
	// Panic breaks the adapter down.
	Panic bool
}

// Model plays steps. It is safe for concurrent use.
type Model struct {
	// Name is the provider under which opaque data is tagged.
	Name string

	tb   testing.TB
	next func(n int, req llm.Request) (Step, bool)

	mu       sync.Mutex
	requests []llm.Request
	calls    int
}

// New makes a model that plays steps in order. Asking it once more, or leaving
// steps unplayed, fails the test.
func New(tb testing.TB, steps ...Step) *Model {
	m := &Model{Name: "test", tb: tb}
	m.next = func(n int, _ llm.Request) (Step, bool) {
		if n > len(steps) {
			return Step{}, false
		}
		return steps[n-1], true
	}
	tb.Cleanup(func() {
		if n := len(m.Requests()); n < len(steps) && !tb.Failed() {
			tb.Errorf("the model was asked %d times, the script has %d steps", n, len(steps))
		}
	})
	return m
}

// Play makes a model that answers with what next makes of the n-th request,
// counting from 1.
func Play(tb testing.TB, next func(n int, req llm.Request) Step) *Model {
	return &Model{Name: "test", tb: tb, next: func(n int, r llm.Request) (Step, bool) { return next(n, r), true }}
}

// Requests returns what the model was sent, in order.
func (m *Model) Requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]llm.Request(nil), m.requests...)
}

// Stream plays the next step.
func (m *Model) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	m.mu.Lock()
	n := len(m.requests) + 1
	var last *llm.Request
	if n > 1 {
		last = &m.requests[n-2]
	}
	if err := Check(last, req); err != nil {
		m.tb.Errorf("request %d: %v", n, err)
	}
	m.requests = append(m.requests, req)
	m.mu.Unlock()
	step, ok := m.next(n, req)
	if !ok {
		m.tb.Errorf("request %d: the script has ended", n)
		return llm.Reply{}, &llm.Failure{Kind: llm.KindInternal, Message: "the script has ended"}
	}
	return m.play(ctx, step, req, emit)
}

func (m *Model) play(ctx context.Context, s Step, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	if s.Panic {
		panic("the adapter broke down")
	}
	if s.Warn != "" {
		emit(llm.Warning{Text: s.Warn})
	}
	reply := llm.Reply{Stop: s.Stop, Detail: s.Detail, Usage: s.Usage, Provider: m.Name, Model: req.Model}
	if s.Think != "" {
		emit(llm.ReasoningDelta{Text: s.Think})
		opaque := llm.Opaque{Provider: m.Name, Model: req.Model, Data: []byte("sealed " + s.Think)}
		reply.Parts = append(reply.Parts, llm.Reasoning{Text: s.Think, Opaque: opaque})
	}
	for i, word := range strings.SplitAfter(s.Text, " ") {
		if word != "" {
			emit(llm.TextDelta{Text: word})
		}
		if i == 0 && ctx.Err() != nil && !s.Deaf {
			return llm.Reply{}, context.Cause(ctx)
		}
	}
	if s.Text != "" {
		reply.Parts = append(reply.Parts, llm.Text{Text: s.Text})
	}
	if err := s.hold(ctx); err != nil {
		return llm.Reply{}, err
	}
	for _, c := range s.Calls {
		call := m.call(c)
		emit(llm.CallStart{ID: call.ID, Name: call.Name})
		reply.Parts = append(reply.Parts, call)
	}
	if s.Fail != nil {
		f := *s.Fail
		if s.Text != "" {
			f.Partial = append(f.Partial, llm.Text{Text: s.Text})
		}
		return llm.Reply{}, &f
	}
	if reply.Stop == "" {
		reply.Stop = llm.StopEnd
		if len(s.Calls) > 0 {
			reply.Stop = llm.StopCalls
		}
	}
	return reply, nil
}

// hold waits as the step says.
func (s Step) hold(ctx context.Context) error {
	switch {
	case s.Deaf:
		<-s.Wait
	case s.Hang:
		<-ctx.Done()
		return context.Cause(ctx)
	case s.Wait != nil:
		select {
		case <-s.Wait:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (m *Model) call(c Call) llm.Call {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if c.ID == "" {
		c.ID = fmt.Sprintf("c%d", m.calls)
	}
	if c.Input == "" {
		c.Input = "{}"
	}
	return llm.Call{ID: c.ID, Name: c.Name, Input: json.RawMessage(c.Input)}
}
