package provider

import (
	"charm.land/catwalk/pkg/catwalk"

	"assent/internal/llm"
)

// Price is what tokens cost, in USD per million, by class.
type Price struct {
	Input, Output, CacheRead, CacheWrite float64
}

// PriceOverride is a price as a user writes it. A class that is left out takes
// the catalogue's price; where that is unknown, the cache classes cost what
// input costs.
type PriceOverride struct {
	Input, Output, CacheRead, CacheWrite *float64
}

// over lays the override over a price, which may be nil.
func (o *PriceOverride) over(base *Price) *Price {
	p := Price{}
	if base != nil {
		p = *base
	}
	set(&p.Input, o.Input)
	set(&p.Output, o.Output)
	if base == nil || o.Input != nil {
		p.CacheRead, p.CacheWrite = p.Input, p.Input
	}
	set(&p.CacheRead, o.CacheRead)
	set(&p.CacheWrite, o.CacheWrite)
	return &p
}

// Cost returns what a response cost in USD, nil when the price is not known.
// The classes of usage are disjoint; reasoning is part of output.
func Cost(u llm.Usage, p *Price) *float64 {
	if p == nil {
		return nil
	}
	usd := (float64(u.Input)*p.Input + float64(u.Output)*p.Output +
		float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / 1e6
	return &usd
}

// priceOf reads a price from the catalogue. Its two cached prices change their
// meaning from vendor to vendor: written and read at one, read and something
// else at another. A price for reading is always below that of plain input, a
// price for writing never is; that tells them apart. An unknown class costs
// what input costs, so that a sum is never too low.
func priceOf(m catwalk.Model) *Price {
	p := &Price{Input: m.CostPer1MIn, Output: m.CostPer1MOut, CacheRead: m.CostPer1MIn, CacheWrite: m.CostPer1MIn}
	for _, c := range []float64{m.CostPer1MInCached, m.CostPer1MOutCached} {
		switch {
		case c > 0 && c < p.CacheRead:
			p.CacheRead = c
		case c > p.Input && c == m.CostPer1MInCached && c <= 2*p.Input:
			p.CacheWrite = c
		}
	}
	return p
}
