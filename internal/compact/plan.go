package compact

import (
	"assent/internal/llm"
	"assent/internal/wireview"
)

// Budget says how small a conversation has to become, in estimated tokens.
type Budget struct {
	// Target is the size of all items afterwards.
	Target int
	// Users is what the user's messages of exchanges that leave may take; 0
	// means a quarter of Target.
	Users int
	// Summary is what the summary may take; 0 means an eighth of Target, at
	// most 4,000.
	Summary int
}

func (b Budget) filled() Budget {
	b.Target = max(b.Target, 1)
	if b.Users <= 0 {
		b.Users = b.Target / 4
	}
	if b.Summary <= 0 {
		b.Summary = min(b.Target/8, 4000)
	}
	return b
}

// Tier is a rung of the ladder.
type Tier int

// The rungs.
const (
	Reasoning Tier = iota + 1
	Results
	Exchanges
	Rest
)

// Plan says what leaves a conversation.
type Plan struct {
	Tier Tier
	// Stubs are the results that become a line, whole as they were: they must
	// be kept elsewhere before the plan is applied.
	Stubs []llm.Result
	// Leave are the items that a summary stands for; empty below Exchanges.
	// The user's messages are not among them.
	Leave []llm.Item
	// Summary is the room for the summary in estimated tokens.
	Summary int

	left  []llm.Item // everything that leaves, in its order
	users []llm.Item // what the user said there, within its budget
	tail  []llm.Item // what stays
	stub  map[int]bool
	limit int // bytes of a result or message of the tail, 0 for no limit
}

// Make plans how items come down to the budget.
func Make(items []llm.Item, b Budget) Plan {
	b = b.filled()
	items = wireview.Strip(items)
	if Tokens(items...) <= b.Target {
		return Plan{Tier: Reasoning, tail: items}
	}
	if p, ok := results(items, b.Target); ok {
		p.Tier = Results
		return p
	}
	return exchanges(items, b)
}

// results turns old results into lines; false when even that is too much.
func results(items []llm.Item, target int) (Plan, bool) {
	p := Plan{tail: items, stub: map[int]bool{}}
	total := Tokens(items...)
	last := lastExchange(items)
	for i, it := range items[:last] {
		if r, ok := it.(llm.Result); ok && gain(r) > 0 {
			p.stub[i] = true
			total -= gain(r)
		}
	}
	if total > target {
		return p, false
	}
	// The widest recent tail that fits stays whole.
	for i := last - 1; i >= 0; i-- {
		if !p.stub[i] {
			continue
		}
		if g := gain(items[i].(llm.Result)); total+g <= target {
			total += g
			delete(p.stub, i)
			continue
		}
		break
	}
	p.list()
	return p, true
}

// list fills Stubs from the indexes.
func (p *Plan) list() {
	p.Stubs = nil
	for i, it := range p.tail {
		if r, ok := it.(llm.Result); ok && p.stub[i] {
			p.Stubs = append(p.Stubs, r)
		}
	}
}

// gain is about what a result shrinks by when it becomes a line.
func gain(r llm.Result) int {
	left := stubSize
	if r.Status != llm.StatusOK {
		left += min(len(r.Output), errorHead) / perToken
	}
	return size(r) - left
}

// lastExchange is the index of the last response or message, from which on
// everything is needed to go on.
func lastExchange(items []llm.Item) int {
	for i := len(items) - 1; i >= 0; i-- {
		switch items[i].(type) {
		case llm.Assistant, llm.User:
			return i
		case llm.Note, llm.Result:
		}
	}
	return max(len(items)-1, 0)
}

// exchanges gives the oldest exchanges to a summary.
func exchanges(items []llm.Item, b Budget) Plan {
	room := b.Target - b.Summary - min(b.Users, Tokens(words(items)...))
	cut := lastExchange(items)
	best, ok := Plan{}, false
	for i := cut; i > 0; i-- {
		if !border(items, i) {
			continue
		}
		p, fits := results(items[i:], room)
		if !fits {
			break
		}
		best, cut, ok = p, i, true
	}
	if !ok {
		best = Plan{tail: items[cut:], limit: share(items[cut:], room)}
		best.Tier = Rest
	} else {
		best.Tier = Exchanges
	}
	best.Summary = b.Summary
	best.left = items[:cut]
	for _, it := range items[:cut] {
		if _, ok := it.(llm.User); !ok {
			best.Leave = append(best.Leave, it)
		}
	}
	best.users = within(words(items[:cut]), b.Users)
	return best
}

// words are the user's messages among items.
func words(items []llm.Item) []llm.Item {
	var said []llm.Item
	for _, it := range items {
		if u, ok := it.(llm.User); ok {
			said = append(said, u)
		}
	}
	return said
}

// border reports whether the items from i on can stand alone: they do not
// begin with a result.
func border(items []llm.Item, i int) bool {
	_, result := items[i].(llm.Result)
	return !result
}

// share is the most bytes that each long text may have so that all fit.
func share(items []llm.Item, room int) int {
	n := max(len(items), 1)
	return max(room*perToken/n, 400)
}

// Keeps counts the items of the tail that a session counts: notes do not.
func (p Plan) Keeps() int {
	n := 0
	for _, it := range p.tail {
		if _, note := it.(llm.Note); !note {
			n++
		}
	}
	return n
}

// Apply returns what is left. kept names where the results of Stubs are kept,
// by call id; summary is the text that stands for Leave.
func (p Plan) Apply(kept map[string]string, summary string) []llm.Item {
	out := make([]llm.Item, 0, len(p.users)+len(p.tail)+1)
	out = append(out, p.users...)
	if len(p.Leave) > 0 {
		out = append(out, llm.Note{Text: summary})
	}
	for i, it := range p.tail {
		switch it := it.(type) {
		case llm.Result:
			if p.stub[i] {
				out = append(out, stub(it, kept[it.CallID]))
				continue
			}
			it.Output = clip(it.Output, p.limit)
			if p.limit > 0 {
				it.Images = nil
			}
			out = append(out, it)
		case llm.User:
			it.Text = clip(it.Text, p.limit)
			out = append(out, it)
		case llm.Note, llm.Assistant:
			out = append(out, it)
		}
	}
	return out
}
