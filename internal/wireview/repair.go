package wireview

import (
	"slices"
	"strings"

	"assent/internal/llm"
)

// The texts that stand for what is missing.
const (
	noResult  = "The call was interrupted before it brought a result. Its effects are unknown."
	noOutput  = "(no output)"
	noOpening = "(The earlier part of this conversation is not shown.)"
)

// Repair returns what a provider may see of items, as a whole: every call with
// exactly one result, directly after its response and in the order of the
// calls; results without a call, empty text and reasoning that closes a
// response left out; ids unique, names and inputs in a form that every wire
// takes; opaque data and reasoning only where provider and model made them.
// It is pure, changes none of its arguments, leaves a valid list as it is, and
// repairing twice is repairing once.
func Repair(items []llm.Item, provider, model string) []llm.Item {
	r := newRepairer(provider, model)
	return r.batch(items)
}

// repairer repairs batch after batch of one epoch; what was handed out before
// is never touched again.
type repairer struct {
	provider, model string
	used            map[string]bool // call ids of the epoch
	begun           bool            // the opening stands
}

func newRepairer(provider, model string) repairer {
	return repairer{provider: provider, model: model, used: map[string]bool{}}
}

// turn is an item with the results that belong directly behind it.
type turn struct {
	item  llm.Item
	calls []slot
}

// slot is a call that waits for its result.
type slot struct {
	written string // the id as the history has it
	call    llm.Call
	result  *llm.Result
}

// batch repairs what was appended.
func (r *repairer) batch(items []llm.Item) []llm.Item {
	var turns []turn
	waiting := map[string][]place{}
	for _, it := range items {
		switch it := it.(type) {
		case llm.User:
			if it, ok := repairUser(it); ok {
				turns = append(turns, turn{item: it})
			}
		case llm.Note:
			if strings.TrimSpace(it.Text) != "" {
				turns = append(turns, turn{item: it})
			}
		case llm.Assistant:
			if t, ok := r.assistant(it); ok {
				for i, s := range t.calls {
					waiting[s.written] = append(waiting[s.written], place{len(turns), i})
				}
				turns = append(turns, t)
			}
		case llm.Result:
			answer(turns, waiting, it)
		}
	}
	return r.join(turns)
}

// place is where a call waits for its result.
type place struct{ turn, slot int }

// answer gives a result to the newest response that still waits for it; one
// that nobody waits for is left out. waiting are the calls by their ids, in the
// order in which they were made.
func answer(turns []turn, waiting map[string][]place, res llm.Result) {
	open := waiting[res.CallID]
	at := len(open) - 1
	for at > 0 && open[at-1].turn == open[at].turn {
		at-- // the first of its response
	}
	if at < 0 {
		return
	}
	p := open[at]
	turns[p.turn].calls[p.slot].result = &res
	waiting[res.CallID] = slices.Delete(open, at, at+1)
}

// join lays the turns out in order, each call answered.
func (r *repairer) join(turns []turn) []llm.Item {
	out := make([]llm.Item, 0, len(turns))
	for _, t := range turns {
		if _, ok := t.item.(llm.Assistant); ok && !r.begun {
			out = append(out, llm.Note{Text: noOpening})
		}
		r.begun = true
		out = append(out, t.item)
		for _, s := range t.calls {
			res := llm.Result{Status: llm.StatusInterrupted, Output: noResult}
			if s.result != nil {
				res = *s.result
			}
			res.CallID, res.Name = s.call.ID, s.call.Name
			out = append(out, repairResult(res))
		}
	}
	return out
}

// assistant cleans one response; false when nothing of it is left.
func (r *repairer) assistant(a llm.Assistant) (turn, bool) {
	parts := make([]llm.Part, 0, len(a.Parts))
	var calls []slot
	for _, p := range a.Parts {
		switch p := p.(type) {
		case llm.Text:
			p.Opaque = r.own(p.Opaque)
			if strings.TrimSpace(p.Text) != "" || p.Opaque.Provider != "" {
				parts = append(parts, p)
			}
		case llm.Reasoning:
			if p.Opaque = r.own(p.Opaque); p.Opaque.Provider != "" {
				parts = append(parts, p)
			}
		case llm.Call:
			c := r.call(p)
			parts = append(parts, c)
			calls = append(calls, slot{written: p.ID, call: c})
		}
	}
	for len(parts) > 0 && isReasoning(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	a.Parts = parts
	return turn{item: a, calls: calls}, len(parts) > 0
}

func isReasoning(p llm.Part) bool {
	_, ok := p.(llm.Reasoning)
	return ok
}

// own keeps opaque data for the provider and model that made it.
func (r *repairer) own(o llm.Opaque) llm.Opaque {
	if o.Provider != r.provider || o.Model != r.model {
		return llm.Opaque{}
	}
	return o
}

// call gives a call an id that is unique in the epoch, a name that wires take
// and an object as its input. Opaque data may repeat what was changed, so it
// stays only with a call that is as it was.
func (r *repairer) call(c llm.Call) llm.Call {
	id := fresh(c.ID, func(s string) bool { return r.used[s] })
	r.used[id] = true
	name := safeName(c.Name)
	input, same := objectInput(c.Input)
	if c.Opaque = r.own(c.Opaque); id != c.ID || name != c.Name || !same {
		c.Opaque = llm.Opaque{}
	}
	c.ID, c.Name, c.Input = id, name, input
	return c
}

// repairUser takes out images that cannot be sent; false when nothing is left.
func repairUser(u llm.User) (llm.User, bool) {
	u.Images, u.Text = repairImages(u.Images, u.Text)
	return u, u.Text != "" || len(u.Images) > 0
}

func repairResult(res llm.Result) llm.Result {
	res.Images, res.Output = repairImages(res.Images, res.Output)
	if res.Output == "" && len(res.Images) == 0 {
		res.Output = noOutput
	}
	return res
}

// maxImage is the largest picture, in bytes, that any wire takes inline.
const maxImage = 20 << 20

// repairImages gives every image the type that its first bytes say, and names
// in the text those that no wire takes; blank text becomes none.
func repairImages(images []llm.Image, text string) ([]llm.Image, string) {
	if strings.TrimSpace(text) == "" {
		text = ""
	}
	if !slices.ContainsFunc(images, func(im llm.Image) bool { return fault(im) != "" || im.MIME != llm.ImageType(im.Data) }) {
		return images, text
	}
	var kept []llm.Image
	for _, im := range images {
		why := fault(im)
		if why == "" {
			im.MIME = llm.ImageType(im.Data)
			kept = append(kept, im)
			continue
		}
		if text != "" {
			text += "\n"
		}
		text += "(The image " + im.Name + " could not be sent: it is " + why + ".)"
	}
	return kept, text
}

// fault says why no wire takes an image, empty when some do.
func fault(im llm.Image) string {
	switch {
	case llm.ImageType(im.Data) == "":
		return "empty or of an unknown kind"
	case len(im.Data) > maxImage:
		return "larger than 20 MB"
	}
	return ""
}
