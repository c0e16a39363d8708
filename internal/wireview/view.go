package wireview

import (
	"bytes"

	"assent/internal/llm"
)

// View is what one conversation has sent to one provider in the current
// epoch. It is not safe for concurrent use: a conversation has one request at
// a time.
type View struct {
	provider string
	repair   repairer
	begun    bool
	last     llm.Request // what the last body was made of; Items is a copy
	former   int         // how many items are of former epochs
	again    bool        // render anew what this epoch already showed
	pieces   [][]byte    // head, then chunks with their separators
	marks    []mark
	ids      map[string]bool // call ids handed out by Unique
}

// New returns the view of a conversation that has sent nothing yet. provider
// is the name under which the adapter tags its opaque data.
func New(provider string) *View {
	return &View{provider: provider, ids: map[string]bool{}}
}

// Body renders a request. Within an epoch only the items that were appended
// since the last call are repaired and rendered, as one batch; its border
// stays where it is. The request counts as sent: one that failed may be
// repeated or extended. Where the request neither extends the last one nor
// begins a new epoch, Body changes nothing and returns a *PrefixError.
//
// At the beginning of an epoch everything is rendered anew, without the
// reasoning and the opaque data of former ones.
func (v *View) Body(req llm.Request, c Codec) (Body, error) {
	if !v.begun || req.Epoch != v.last.Epoch {
		v.begin(req, len(req.Items), c)
	} else if err := extends(v.last, req); err != nil {
		return Body{}, err
	} else if v.again {
		v.begin(req, v.former, c)
	} else {
		v.add(v.repair.batch(req.Items[len(v.last.Items):]), c)
	}
	kept := append(v.last.Items, req.Items[len(v.last.Items):]...)
	v.last = req
	v.last.Items = kept
	n := len(v.pieces)
	return Body{
		pieces: append(v.pieces[:n:n], c.Tail(req)),
		marks:  v.marks[:len(v.marks):len(v.marks)],
	}, nil
}

// Restart forgets what was sent: the next body is rendered anew as if an epoch
// began, for instance after the provider refused a signature of its own.
func (v *View) Restart() { v.begun = false }

// Rerender makes the next body render everything anew with what this epoch
// may show, for instance after the provider asked for another form of it.
func (v *View) Rerender() { v.again = true }

// Unique returns id, or a variant of it when a call of this conversation
// already has it. A provider may repeat its ids; a conversation may not.
func (v *View) Unique(id string) string {
	id = fresh(id, func(s string) bool { return v.ids[s] || v.repair.used[s] })
	v.ids[id] = true
	return id
}

// begin renders everything; the first items are of former epochs.
func (v *View) begin(req llm.Request, former int, c Codec) {
	v.begun, v.again, v.former = true, false, former
	v.repair = newRepairer(v.provider, req.Model)
	v.pieces = [][]byte{c.Head(req)}
	v.marks = nil
	v.last = llm.Request{}
	v.add(v.repair.batch(append(Strip(req.Items[:former]), req.Items[former:]...)), c)
}

// add renders one batch and keeps it.
func (v *View) add(batch []llm.Item, c Codec) {
	if len(batch) == 0 {
		return
	}
	chunk := c.Items(batch)
	if len(chunk.Bytes) == 0 {
		return
	}
	if last := v.pieces[len(v.pieces)-1]; !bytes.HasSuffix(last, []byte{'['}) {
		v.pieces = append(v.pieces, []byte{','})
	}
	if chunk.Mark >= 0 {
		v.marks = append(v.marks, mark{len(v.pieces), chunk.Mark})
	}
	v.pieces = append(v.pieces, chunk.Bytes)
}
