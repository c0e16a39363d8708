package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"assent/internal/llm"
)

// Parts gathers the parts of a response in the order in which they begin and
// tells each piece as a chunk. It is used by one goroutine.
type Parts struct {
	emit   func(llm.Chunk)
	unique func(id string) string
	parts  []gathered
	size   int // bytes said: text, thinking, arguments, refusal
	beside int // bytes held beside them

	refusal strings.Builder
}

// The most that is taken of one response, many times what any model may say, so
// that a server which never ends costs neither all memory nor a record that is
// too long to be read back.
const (
	maxResponse = 16 << 20 // bytes said
	maxHeld     = 64 << 20 // bytes held for it, in the server's own form too
	maxParts    = 4000
)

// full says that a response passed what is taken of one.
func (p *Parts) full() bool {
	return p.size > maxResponse || p.size+p.beside > maxHeld || len(p.parts) > maxParts
}

// Hold counts bytes that a decoder keeps of a response beside its parts.
func (p *Parts) Hold(n int) { p.beside += n }

// Refuse adds to the model's words of refusal.
func (p *Parts) Refuse(s string) {
	p.refusal.WriteString(s)
	p.size += len(s)
}

// Refusal is what the model said in refusing, empty when it did not.
func (p *Parts) Refusal() string { return p.refusal.String() }

// gathered is a part that still grows.
type gathered struct {
	kind   partKind
	buf    []byte
	id     string
	name   string
	opaque llm.Opaque
	closed bool
	told   bool // a call's start was told
}

type partKind int

const (
	kindText partKind = iota
	kindReasoning
	kindCall
)

// NewParts returns an empty gathering. emit receives the chunks; unique makes
// a call's id unique within the conversation (wireview.View.Unique).
func NewParts(emit func(llm.Chunk), unique func(id string) string) *Parts {
	if emit == nil {
		emit = func(llm.Chunk) {}
	}
	if unique == nil {
		unique = func(id string) string { return id }
	}
	return &Parts{emit: emit, unique: unique}
}

// Text adds visible text: to the last part when that is open text, else to a
// new one. It returns the part's handle.
func (p *Parts) Text(s string) int {
	h := p.open(kindText)
	if s != "" {
		p.add(h, s)
		p.emit(llm.TextDelta{Text: s})
	}
	return h
}

// Reasoning adds hidden thinking, like Text.
func (p *Parts) Reasoning(s string) int {
	h := p.open(kindReasoning)
	if s != "" {
		p.add(h, s)
		p.emit(llm.ReasoningDelta{Text: s})
	}
	return h
}

// AppendText adds to the text or reasoning part of a handle, for wires that
// number their blocks.
func (p *Parts) AppendText(h int, s string) {
	g := &p.parts[h]
	if s == "" || g.kind == kindCall {
		return
	}
	p.add(h, s)
	if g.kind == kindText {
		p.emit(llm.TextDelta{Text: s})
	} else {
		p.emit(llm.ReasoningDelta{Text: s})
	}
}

// Close ends the last part: what follows begins a new one.
func (p *Parts) Close() {
	if n := len(p.parts); n > 0 {
		p.parts[n-1].closed = true
	}
}

// Call begins a call and returns its handle. Its start is told when its name
// is known; an empty id gets one of ours.
func (p *Parts) Call(id, name string) int {
	p.parts = append(p.parts, gathered{kind: kindCall, id: id, name: name, closed: true})
	h := len(p.parts) - 1
	p.Hold(len(id) + len(name))
	p.tell(h)
	return h
}

// Name adds an id or name that came after the call's beginning.
func (p *Parts) Name(h int, id, name string) {
	g := &p.parts[h]
	if g.told || g.kind != kindCall {
		return
	}
	p.Hold(len(id) + len(name))
	g.id, g.name = cmp.Or(g.id, id), cmp.Or(g.name, name)
	p.tell(h)
}

// Args adds argument text to a call. A server may say that of a part which is
// none; it is not heard.
func (p *Parts) Args(h int, s string) {
	if p.parts[h].kind == kindCall {
		p.add(h, s)
	}
}

// SetArgs replaces the argument text of a call, where a server sends it whole
// at the end; see Args.
func (p *Parts) SetArgs(h int, s string) {
	if p.parts[h].kind != kindCall {
		return
	}
	p.size -= len(p.parts[h].buf)
	p.parts[h].buf = p.parts[h].buf[:0]
	p.add(h, s)
}

func (p *Parts) add(h int, s string) {
	p.parts[h].buf = append(p.parts[h].buf, s...)
	p.size += len(s)
}

// SetOpaque attaches vendor data to a part.
func (p *Parts) SetOpaque(h int, o llm.Opaque) {
	p.Hold(len(o.Data) - len(p.parts[h].opaque.Data))
	p.parts[h].opaque = o
}

// Opaque returns the vendor data of a part.
func (p *Parts) Opaque(h int) llm.Opaque { return p.parts[h].opaque }

// Len returns how many parts have begun.
func (p *Parts) Len() int { return len(p.parts) }

// Empty says that nothing visible has arrived: no text, reasoning or call.
func (p *Parts) Empty() bool {
	for _, g := range p.parts {
		if g.kind == kindCall || len(g.buf) > 0 {
			return false
		}
	}
	return true
}

// Calls says whether a call has begun.
func (p *Parts) Calls() bool {
	for _, g := range p.parts {
		if g.kind == kindCall {
			return true
		}
	}
	return false
}

// Done returns the parts of a complete response. Empty text is left out;
// arguments that are empty or null become {}.
func (p *Parts) Done() []llm.Part {
	var parts []llm.Part
	for h := range p.parts {
		if g := &p.parts[h]; g.kind == kindCall {
			p.name(g)
			parts = append(parts, llm.Call{ID: g.id, Name: g.name, Input: input(g.buf), Opaque: g.opaque})
		} else if part := g.prose(); part != nil {
			parts = append(parts, part)
		}
	}
	return parts
}

// Partial returns what of a broken response may be kept: its text and
// reasoning, without vendor data that may be incomplete.
func (p *Parts) Partial() []llm.Part {
	var parts []llm.Part
	for _, g := range p.parts {
		if g.kind == kindCall || len(g.buf) == 0 {
			continue
		}
		g.opaque = llm.Opaque{}
		parts = append(parts, g.prose())
	}
	return parts
}

// prose returns a text or reasoning part, nil when it holds nothing.
func (g *gathered) prose() llm.Part {
	if len(g.buf) == 0 && len(g.opaque.Data) == 0 {
		return nil
	}
	if g.kind == kindText {
		return llm.Text{Text: string(g.buf), Opaque: g.opaque}
	}
	return llm.Reasoning{Text: string(g.buf), Opaque: g.opaque}
}

// open returns the handle of the last part when it is open and of the kind,
// else of a new one.
func (p *Parts) open(kind partKind) int {
	if n := len(p.parts); n > 0 && p.parts[n-1].kind == kind && !p.parts[n-1].closed {
		return n - 1
	}
	p.parts = append(p.parts, gathered{kind: kind})
	return len(p.parts) - 1
}

// tell tells a call's start once its name is known.
func (p *Parts) tell(h int) {
	g := &p.parts[h]
	if g.told || g.name == "" {
		return
	}
	p.name(g)
	p.emit(llm.CallStart{ID: g.id, Name: g.name})
}

// name gives a call its final id.
func (p *Parts) name(g *gathered) {
	if !g.told {
		g.id, g.told = p.unique(g.id), true
	}
}

// input returns argument text as the input of a call.
func input(buf []byte) json.RawMessage {
	if t := bytes.TrimSpace(buf); len(t) == 0 || string(t) == "null" {
		return json.RawMessage("{}")
	}
	return buf
}
