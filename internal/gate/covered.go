package gate

import (
	"context"
	"errors"
	"sync"

	"assent/internal/policy"
)

// ErrCovered is why a question ends that nobody answered: what the user
// granted meanwhile, in answer to another one, covers its call.
var ErrCovered = errors.New("the call is covered by what was allowed meanwhile")

// waiting are the questions that the user has not answered yet.
type waiting struct {
	mu   sync.Mutex
	next int
	list map[int]func()
}

// enter adds a question. look is called, one call at a time, at once and
// whenever rules were granted, and not after leave has returned: a grant may
// have come after the rules were read that made the question.
func (w *waiting) enter(look func()) (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.list == nil {
		w.list = map[int]func(){}
	}
	id := w.next
	w.next++
	w.list[id] = look
	look()
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.list, id)
	}
}

// look has every question look whether it is still one.
func (w *waiting) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, look := range w.list {
		look()
	}
}

// put asks the user about a call and waits for the answer. When the user grants
// a rule in answer to another call that covers this one too, nobody has to
// answer: then granted is the decision by that rule. Only where a rule made the
// call ask, a rule can answer it.
func (g *Gate) put(ctx context.Context, t trial, p Prompt) (a Answer, granted *policy.Decision, err error) {
	if len(p.Offer) == 0 {
		a, err = approve(ctx, g.options.Asker, p)
		return a, nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	leave := g.waiting.enter(func() {
		defer func() { _ = recover() }() // a check that breaks down has not passed
		fresh := t
		g.rule(&fresh)
		if granted == nil && fresh.decision.Verdict == policy.Allow {
			granted = &fresh.decision
			stop(ErrCovered)
		}
	})
	if err = context.Cause(ctx); !errors.Is(err, ErrCovered) {
		a, err = approve(ctx, g.options.Asker, p)
	}
	leave()
	if err == nil { // an answer that was given counts
		granted = nil
	}
	return a, granted, err
}
