package session

import (
	"slices"

	"assent/internal/llm"
)

// What the model is told about a call that has no result.
const (
	Interrupted = "The user interrupted this call or the program ended. It did not finish, so its effects are unknown."
	Undecided   = "The session ended before this call was decided. It was not run."
)

// Fold turns a branch into the items of a conversation. A call without result
// gets one that says so; a result without call is left out; a summary takes
// the place of what it covers, save the user's own messages.
func Fold(b Branch) []llm.Item {
	f := foldAll(b)
	f.close()
	return items(f.out)
}

// OpenCall is a call at the end of a branch that has no result.
type OpenCall struct {
	llm.Call
	// Decided says that a decision was stored, or that it may have been and is
	// lost, so the tool may have run.
	Decided  bool
	Decision Call
}

// FoldOpen is Fold for a conversation that goes on where it stopped: the open
// calls at its end are given apart and without results of our making. held are
// messages that came while the calls were open; they belong behind the
// results.
func FoldOpen(b Branch) (done []llm.Item, open []OpenCall, held []llm.Item) {
	f := foldAll(b)
	if !f.anyOpen() {
		f.close()
		return items(f.out), nil, nil
	}
	for _, c := range f.open {
		if c.result != nil {
			f.out = append(f.out, *c.result)
			continue
		}
		open = append(open, OpenCall{Call: c.call, Decided: c.decision != nil || f.gap, Decision: deref(c.decision)})
	}
	return items(f.out), open, items(f.held)
}

// placed is an item with the record that it came from.
type placed struct {
	item llm.Item
	id   string
	// at is its place: that of its record, or one behind the record that it stands
	// behind.
	at place
	// void is what broke off and was said again, or was nothing but reasoning: it
	// counts as an item of the conversation that was, and is none of one that goes
	// on.
	void bool
}

// place orders items by the branch: the position of a record times behindOne, so
// that there is room for what stands behind it.
type place int64

const behindOne place = 1 << 20

func placeAt(i int) place { return place(i) * behindOne }

type openCall struct {
	call     llm.Call
	decision *Call
	result   *placed
}

// fold is the state of folding.
type fold struct {
	blob func(string) ([]byte, error)
	out  []placed
	// open are the calls of the newest response, held what was said by the
	// user meanwhile.
	open []openCall
	// places finds an open call by its id, the first where it repeats.
	places map[string]int
	held   []placed
	last   placed // the newest response
	// steers are the ids of those that it did not hear of, and of those since.
	steers []string
	// gap says that records are missing since the newest response, so that a
	// call without a decision may have been decided and may have run.
	gap bool
}

func foldAll(b Branch) *fold {
	f := &fold{blob: b.Blob, places: map[string]int{}, out: make([]placed, 0, len(b.Entries)/2)}
	at := map[string]int{} // the entries before seen, which few branches need
	seen := 0
	lost, back := b.lost, b.Withdrawn()
	for i, e := range b.Entries {
		for ; len(lost) > 0 && lost[0] <= i; lost = lost[1:] {
			f.gap = true
		}
		p := placed{id: e.ID, at: placeAt(i)}
		switch r := e.Record.(type) {
		case User:
			p.item = f.user(r.Text, r.Expanded, r.Images)
			f.say(p)
		case Steer:
			f.steers = append(f.steers, e.ID)
			if back[e.ID] {
				continue
			}
			p.item = f.user(r.Text, r.Expanded, r.Images)
			f.say(p)
		case Assistant:
			f.close()
			later := f.unheard(r.Unheard, p.at+1)
			f.steers = f.newest(r.Unheard)
			p.item, p.void = assistant(r), r.gone()
			f.out = append(f.out, p)
			f.last, f.gap = p, false
			clear(f.places)
			for _, c := range r.Calls {
				if _, there := f.places[c.ID]; !there {
					f.places[c.ID] = len(f.open)
				}
				f.open = append(f.open, openCall{call: llm.Call{ID: c.ID, Name: c.Name, Input: c.Input}})
			}
			for _, s := range later {
				f.say(s)
			}
		case Call:
			if c := f.find(r.CallID); c != nil && c.decision == nil {
				c.decision = &r
			}
		case Result:
			if c := f.find(r.CallID); c != nil && c.result == nil {
				p.item = f.result(c.call, r)
				c.result = &p
			}
		case Summary:
			for ; seen <= i; seen++ {
				at[b.Entries[seen].ID] = seen
			}
			through, known := at[r.Through]
			if !f.anyOpen() {
				f.close()
			}
			later := f.unheard(r.Unheard, p.at+1)
			f.summarise(r, p, f.placeOf(r.Through, placeAt(through)), known)
			for _, s := range later {
				f.say(s)
			}
		case Header, Withdrawn, Ask, AskDismissed, Todo, Agent, Model, Undo, Label, Usage, Timing, Title, Notice, Unknown:
		}
	}
	f.gap = f.gap || len(lost) > 0
	return f
}

// unheard takes the newest n steers out of the conversation, for who appends them
// where they entered it.
func (f *fold) unheard(n int, at place) (later []placed) {
	newest := f.newest(n)
	if len(newest) == 0 {
		return nil
	}
	f.out = slices.DeleteFunc(f.out, func(p placed) bool {
		if !slices.Contains(newest, p.id) {
			return false
		}
		p.at = at + place(len(later))
		later = append(later, p)
		return true
	})
	return later
}

// newest are the ids of the newest n steers.
func (f *fold) newest(n int) []string { return f.steers[max(0, len(f.steers)-max(n, 0)):] }

// placeOf is the place of an item, or another where there is none of that record.
func (f *fold) placeOf(id string, other place) place {
	for _, p := range slices.Backward(f.out) {
		if p.id == id {
			return p.at
		}
	}
	return other
}

// say adds a message of the user, behind the results when calls are open. One
// that lost its text to damage says nothing, and providers take none.
func (f *fold) say(p placed) {
	if u, ok := p.item.(llm.User); ok && u.Text == "" && len(u.Images) == 0 {
		return
	}
	if len(f.open) > 0 {
		if f.anyOpen() {
			f.held = append(f.held, p)
			return
		}
		f.close()
	}
	f.out = append(f.out, p)
}

func (f *fold) find(id string) *openCall {
	if i, ok := f.places[id]; ok && i < len(f.open) {
		return &f.open[i]
	}
	return nil
}

func (f *fold) anyOpen() bool {
	for _, c := range f.open {
		if c.result == nil {
			return true
		}
	}
	return false
}

// close gives every open call its result, in the order of the calls, and then
// what was said meanwhile.
func (f *fold) close() {
	behind := place(0)
	for _, c := range f.open {
		if c.result != nil {
			f.out, behind = append(f.out, *c.result), max(behind, c.result.at+1)
			continue
		}
		text := Undecided
		if c.decision != nil || f.gap {
			text = Interrupted
		}
		f.out = append(f.out, placed{
			item: llm.Result{CallID: c.call.ID, Name: c.call.Name, Status: llm.StatusInterrupted, Output: text},
			id:   f.last.id, at: f.last.at,
		})
	}
	for _, p := range f.held {
		p.at = max(p.at, behind)
		behind = p.at + 1
		f.out = append(f.out, p)
	}
	f.open, f.held = nil, nil
}

// summarise replaces everything up to a position but the user's messages. A
// summary whose end is not on the branch falls back to what it keeps; a
// response whose calls are still open is never covered.
func (f *fold) summarise(s Summary, note placed, through place, known bool) {
	if !known {
		through = f.keepFrom(s.Keeps)
	}
	if len(f.open) > 0 {
		through = min(through, f.last.at-1)
	}
	var kept, rest []placed
	covered := map[string]bool{} // calls whose response is covered
	for _, p := range f.out {
		switch it := p.item.(type) {
		case llm.User:
			if p.at <= through {
				kept = append(kept, p)
				continue
			}
		case llm.Assistant:
			if p.at <= through {
				for _, c := range it.Calls() {
					covered[c.ID] = true
				}
				continue
			}
			for _, c := range it.Calls() {
				delete(covered, c.ID)
			}
		case llm.Result:
			if p.at <= through || covered[it.CallID] {
				continue
			}
		case llm.Note: // an older summary
			continue
		}
		rest = append(rest, p)
	}
	note.item = llm.Note{Text: s.Text}
	f.out = append(append(kept, note), rest...)
}

// keepFrom is the position before the newest n items that are not notes.
func (f *fold) keepFrom(n int) place {
	all := append(f.out[:len(f.out):len(f.out)], f.held...)
	for i := len(all) - 1; i >= 0; i-- {
		if _, note := all[i].item.(llm.Note); note {
			continue
		}
		if n == 0 {
			return all[i].at
		}
		n--
	}
	return -1
}

// gone says that a response is no part of a conversation that is read.
func (r Assistant) gone() bool { return r.Void || r.Text == "" && len(r.Calls) == 0 }

func assistant(r Assistant) llm.Assistant {
	a := llm.Assistant{Provider: r.Provider, Model: r.Model, Stop: r.Stop}
	if r.Text != "" {
		a.Parts = append(a.Parts, llm.Text{Text: r.Text})
	}
	for _, c := range r.Calls {
		a.Parts = append(a.Parts, llm.Call{ID: c.ID, Name: c.Name, Input: c.Input})
	}
	return a
}

func (f *fold) user(text, expanded string, images []Image) llm.User {
	if expanded != "" {
		text = expanded
	}
	pictures, missing := f.images(images)
	return llm.User{Text: text + missing, Images: pictures}
}

func (f *fold) result(c llm.Call, r Result) llm.Result {
	pictures, missing := f.images(r.Images)
	if r.Output == "" && missing == "" && len(pictures) == 0 {
		missing = "[the output is no longer available]" // none is stored empty, and providers take none
	}
	return llm.Result{CallID: c.ID, Name: c.Name, Status: r.Status, Output: r.Output + missing, Images: pictures}
}

// images reads pictures; one that is gone costs itself and leaves a word.
func (f *fold) images(list []Image) (pictures []llm.Image, missing string) {
	for _, im := range list {
		var data []byte
		if f.blob != nil {
			data, _ = f.blob(im.Artifact)
		}
		if len(data) == 0 {
			missing += "\n[the image " + im.Name + " is no longer available]"
			continue
		}
		pictures = append(pictures, llm.Image{MIME: im.MIME, Data: data, Name: im.Name})
	}
	return pictures, missing
}

func items(list []placed) []llm.Item {
	out := make([]llm.Item, 0, len(list))
	for _, p := range list {
		if !p.void {
			out = append(out, p.item)
		}
	}
	return out
}

func deref(c *Call) Call {
	if c == nil {
		return Call{}
	}
	return *c
}
