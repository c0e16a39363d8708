package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assent/internal/amount"
	"assent/internal/compact"
	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/session"
	"assent/internal/turn"
	"assent/internal/wireview"
)

// SummaryOrder asks for the summary of what leaves the conversation.
type SummaryOrder struct {
	// Prompt is the whole message to send to a model, in a conversation of its
	// own and without tools.
	Prompt string
	// MaxTokens is about how long the summary may be.
	MaxTokens int
	// Hear is told what the transport says of that request, which is told to the
	// user as it is for any other: the server is the same, and what it was found
	// to refuse is not sent to it again. What the model writes need not be told.
	Hear func(llm.Chunk)
}

// Summary is what a model wrote.
type Summary struct {
	Text string
	// Usage is what it took; Provider and Name say which model it was.
	Usage          llm.Usage
	Provider, Name string
}

// folding is a fold on its way.
type folding struct {
	plan          compact.Plan
	items, tokens int // before
	focus         string
	limit         int // of the request for the summary
}

// forSummary is what the request for a summary is recorded as.
const forSummary = "summary"

// errNotShorter says that a fold gained nothing.
var errNotShorter = errors.New("the conversation cannot be made shorter")

// planFold plans how the conversation becomes much shorter than it may be.
func (e *Engine) planFold(in StepInput, refused bool, focus string) (folding, error) {
	items := e.Items()
	estimate := compact.Tokens(items...)
	whole := estimate + e.sent.fixed
	target := int(float64(threshold(in)) * e.sent.scale() / 2)
	if target <= 0 || refused && target > whole/2 {
		target = whole / 2
	}
	if target <= e.sent.fixed {
		return folding{}, fmt.Errorf("%s leave no room for a conversation: offer fewer tools, shorten the instruction files, or use a model with a larger context window", e.fixed(in))
	}
	f := folding{items: len(items), tokens: whole, focus: focus, limit: whole / 2}
	if in.Window > 0 {
		f.limit = int(float64(in.Window) * e.sent.scale() / 2)
	}
	f.plan = compact.Make(items, compact.Budget{Target: target - e.sent.fixed})
	return f, nil
}

// fixed names what every request carries, and how large it is.
func (e *Engine) fixed(in StepInput) string {
	system := compact.Text(in.System)
	return fmt.Sprintf("the system text (about %d tokens) and the %s (about %d tokens)", system, amount.Of(len(in.Tools), "tool"), e.sent.fixed-system)
}

// applyFold puts a plan in force: what leaves is kept aside, the summary is
// stored, and a new epoch begins. unheard are the steers that have not entered.
func (e *Engine) applyFold(f folding, s Summary, unheard int) (event.Compacted, error) {
	kept := map[string]string{}
	for _, res := range f.plan.Stubs {
		kept[res.CallID] = e.keepAside(res)
	}
	note := ""
	if len(f.plan.Leave) > 0 {
		note = f.plan.Compose(e.mask(s.Text))
	}
	items := f.plan.Apply(kept, note)
	after := compact.Tokens(items...) + e.sent.fixed
	if after >= f.tokens {
		return event.Compacted{}, errNotShorter
	}
	if note != "" {
		rec := session.Summary{Text: note, Keeps: f.plan.Keeps(), Unheard: unheard, TokensBefore: f.tokens, TokensAfter: after}
		if err := e.save(rec); err != nil {
			return event.Compacted{}, err
		}
		e.noted = map[string]string{} // what was noted may have left
	}
	e.renew(items, "compaction")
	return event.Compacted{Before: f.items, After: len(items), TokensBefore: f.tokens, TokensAfter: after}, nil
}

// keepAside stores a result that becomes a line, and returns its name; empty
// when it could not be stored.
func (e *Engine) keepAside(res llm.Result) string {
	if name := e.aside[res.CallID]; name != "" || e.o.Log == nil {
		return name
	}
	name, err := e.o.Log.Artifact(res.CallID+".txt", []byte(res.Output))
	if err != nil {
		return ""
	}
	e.aside[res.CallID] = name
	return name
}

// fold shortens the conversation during a turn.
func (r *run) fold(o turn.Fold) {
	f, err := r.e.planFold(r.step, o.Reason == "overflow", "")
	if err != nil {
		r.post(turn.Folded{Message: err.Error(), Least: true})
		return
	}
	r.model.flying++
	r.ear = &ear{}
	ctx, heard := r.model.ctx, r.ear
	r.beside(func() {
		s, err := r.e.summarise(ctx, f, heard)
		heard.close()
		r.send(message{apply: func() {
			if r.model.flying == 0 {
				return // it came after it was given up
			}
			r.model.flying--
			r.folded(f, s, err, o.Tell)
		}})
	})
}

func (r *run) folded(f folding, s Summary, err error, tell bool) {
	r.nested(s.Usage, s.Provider, s.Name, forSummary)
	if r.model.ctx.Err() != nil {
		r.post(turn.Folded{Message: "the turn was cancelled"})
		return
	}
	if err != nil {
		r.notice(fmt.Sprintf("No model could write the summary (%v); a list of what was done stands in for it.", err))
	}
	told, err := r.e.applyFold(f, s, r.outside)
	if err != nil {
		r.post(turn.Folded{Message: err.Error(), Least: errors.Is(err, errNotShorter)})
		return
	}
	r.sighted = nil // it is another conversation now
	if tell {
		r.tell(told)
	}
	r.post(turn.Folded{OK: true, Size: int(float64(told.TokensAfter) / r.e.sent.scale())})
}

// rebuild sends the conversation in a plainer form from now on.
func (r *run) rebuild(form turn.Form) {
	items := r.e.Items()
	switch form {
	case turn.FormBare:
		if !r.reply.mismatch && !vendored(items) {
			r.post(turn.Rebuilt{})
			return
		}
		r.e.renew(wireview.Strip(items), "the provider refused the request; sent without reasoning")
	case turn.FormBlind:
		blind, names := compact.Blind(items)
		if len(names) == 0 {
			r.post(turn.Rebuilt{})
			return
		}
		r.notice(fmt.Sprintf("The provider refused the request; it is sent again without the images: %v.", names))
		r.sighted = items
		r.e.renew(blind, "the provider refused the request; sent without images")
	}
	r.post(turn.Rebuilt{Changed: true})
}

// seeAgain puts the images back that were left out in vain: the request was
// refused without them too, so they were not at fault.
func (r *run) seeAgain() {
	if r.sighted == nil {
		return
	}
	items := append(slices.Clone(r.sighted), r.e.Items()[len(r.sighted):]...)
	r.sighted = nil
	r.e.renew(items, "the images were not at fault")
}

// vendored reports whether items carry reasoning or vendor data.
func vendored(items []llm.Item) bool {
	for _, it := range items {
		a, ok := it.(llm.Assistant)
		if !ok {
			continue
		}
		for _, p := range a.Parts {
			switch p := p.(type) {
			case llm.Reasoning:
				return true
			case llm.Text:
				if len(p.Opaque.Data) > 0 {
					return true
				}
			case llm.Call:
				if len(p.Opaque.Data) > 0 {
					return true
				}
			}
		}
	}
	return false
}

// Compact shortens the conversation at the user's wish, between turns. focus
// says what to keep above all. The error is ErrBusy while a turn runs. It is the
// engine's half of /compact; no front has a command for it yet.
func (e *Engine) Compact(ctx context.Context, focus string) (event.Compacted, error) {
	r := newRun(ctx, e, Submit{})
	if !e.begin(r) {
		return event.Compacted{}, ErrBusy
	}
	defer e.leave()
	defer close(r.over)
	in, err := e.o.Step(ctx)
	if err != nil {
		return event.Compacted{}, fmt.Errorf("compact the conversation: %w", err)
	}
	e.sent.measure(in)
	f, err := e.planFold(in, true, focus)
	if err != nil {
		return event.Compacted{}, fmt.Errorf("compact the conversation: %w", err)
	}
	heard := &ear{}
	s, err := e.summarise(ctx, f, heard)
	heard.close()
	r.nested(s.Usage, s.Provider, s.Name, forSummary)
	if err != nil {
		return event.Compacted{}, fmt.Errorf("compact the conversation: %w", err)
	}
	told, err := e.applyFold(f, s, len(e.o.Held))
	if err != nil {
		return event.Compacted{}, fmt.Errorf("compact the conversation: %w", err)
	}
	e.o.Tell(told)
	return told, nil
}
