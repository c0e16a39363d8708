package engine

import (
	"math"

	"assent/internal/compact"
	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/session"
	"assent/internal/turn"
)

// micros turns US dollars into millionths, rounded up, so that a price above
// nothing never counts as nothing.
func micros(usd float64) int64 {
	if usd <= 0 || math.IsNaN(usd) {
		return 0
	}
	return int64(math.Ceil(min(usd, 1e9) * 1e6))
}

// used takes the usage of a response in: record, event, totals and cost.
func (r *run) used(u llm.Usage, in StepInput) {
	if u == (llm.Usage{}) {
		return
	}
	e, rec := r.priceUsage(u, in.Provider, in.Name)
	e.Context, e.Window, e.Threshold = u.Total(), in.Window, threshold(in)
	r.account(e, rec)
}

// nested takes in what a request beside the conversation used. It counts as any
// other, but says nothing of how large the conversation is; what names what the
// request was for.
func (r *run) nested(u llm.Usage, provider, model, what string) {
	if u == (llm.Usage{}) {
		return
	}
	e, rec := r.priceUsage(u, provider, model)
	rec.Purpose = what
	r.account(e, rec)
}

// priceUsage is the usage of a request as it is told and as it is recorded.
func (r *run) priceUsage(u llm.Usage, provider, model string) (event.Usage, session.Usage) {
	e := event.Usage{
		InputTokens: u.Input + u.CacheRead + u.CacheWrite, OutputTokens: u.Output,
		CachedTokens: u.CacheRead, CacheWrites: u.CacheWrite, ReasoningTokens: u.Reasoning,
	}
	if r.e.o.Price != nil {
		if usd, ok := r.e.o.Price(provider, model, u); ok {
			e.CostUSD = &usd
		}
	}
	return e, session.Usage{
		Provider: provider, Model: model, Input: u.Input, Output: u.Output, CacheRead: u.CacheRead,
		CacheWrite: u.CacheWrite, Reasoning: u.Reasoning, CostUSD: e.CostUSD, Subagent: r.e.o.Subagent,
	}
}

// account stores, counts and tells what a request used.
func (r *run) account(e event.Usage, rec session.Usage) {
	r.saveBest(rec)
	r.addUsage(e)
	r.tell(e)
}

// addUsage adds to the totals of the turn and tells turn what it cost.
func (r *run) addUsage(u event.Usage) {
	t := &r.done.Usage
	t.InputTokens += u.InputTokens
	t.OutputTokens += u.OutputTokens
	t.CachedTokens += u.CachedTokens
	t.CacheWrites += u.CacheWrites
	t.ReasoningTokens += u.ReasoningTokens
	if u.CostUSD == nil {
		r.priced = false
		r.unpriced()
		return
	}
	sum := *u.CostUSD
	if t.CostUSD != nil {
		sum += *t.CostUSD
	}
	t.CostUSD = &sum
	r.post(turn.Spent{Micros: micros(*u.CostUSD)})
}

// weigh tells of a cost limit that cannot hold before the first request is made
// under it.
func (r *run) weigh(in StepInput) {
	if r.submit.Limits.CostUSD <= 0 || r.e.o.Price == nil {
		return
	}
	if _, ok := r.e.o.Price(in.Provider, in.Name, llm.Usage{}); !ok {
		r.unpriced()
	}
}

// unpriced tells, once a turn, that nobody knows what it costs.
func (r *run) unpriced() {
	if r.submit.Limits.CostUSD > 0 && !r.unlimited {
		r.unlimited = true
		r.notice("The price of this model is not known, so the cost limit (--max-cost, or maxCostUsd in your config) cannot stop the run.")
	}
}

// tokens estimates the size of items.
func tokens(items ...llm.Item) int { return compact.Tokens(items...) }

// size estimates the size of the conversation as it is sent.
func (e *Engine) size() int { return compact.Tokens(e.Items()...) + e.sent.fixed }

// threshold is the size above which the history is folded for a model.
func threshold(in StepInput) int { return compact.Threshold(in.Window, in.MaxOutput, in.FoldAt) }
