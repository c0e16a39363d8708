package redact

import (
	"slices"
	"strings"
	"sync/atomic"
)

// Span is a credential in a text: the bytes from Start to End. Those up to
// Keep tell what it is and may be shown.
type Span struct {
	Start, Keep, End int
	Kind             string
}

// Masker masks the known shapes and some values of the user's own. It is safe
// for concurrent use.
type Masker struct{ own atomic.Pointer[values] }

// values are a user's own; they are replaced, never changed. A key is a dozen
// of them, so that nearly every byte begins one: they are told apart by two.
type values struct {
	list  []value      // longest first
	from  [256][]value // the same by their first byte
	pairs [1 << 10]uint64
}

// opens says whether a value begins with these two bytes.
func (l *values) opens(a, b byte) bool { return l.pairs[int(a)<<2|int(b)>>6]&(1<<(b&63)) != 0 }

// leastValue is the shortest value that is masked: a shorter one would hit
// ordinary words.
const leastValue = 8

// New makes a masker for the known shapes and for these values, such as the
// configured keys, wherever they stand and in the spellings that common
// commands give them. Values under 8 bytes are left out.
func New(own ...string) *Masker {
	m := &Masker{}
	m.own.Store(&values{})
	m.Learn(own...)
	return m
}

// Learn adds values, such as a key that was renewed; it counts for texts and
// streams that begin afterwards.
func (m *Masker) Learn(own ...string) {
	for {
		old := m.own.Load()
		next := &values{list: slices.Clone(old.list)}
		for _, v := range own {
			if v = strings.TrimSpace(v); len(v) < leastValue {
				continue
			}
			next.add(value{v, shown(v)})
			for _, s := range spellings(v) {
				next.add(value{s, 0})
			}
		}
		if len(next.list) == len(old.list) {
			return
		}
		next.order()
		if m.own.CompareAndSwap(old, next) {
			return
		}
	}
}

func (l *values) add(v value) {
	if !slices.ContainsFunc(l.list, func(w value) bool { return w.text == v.text }) {
		l.list = append(l.list, v)
	}
}

// order sorts the values for the search.
func (l *values) order() {
	slices.SortStableFunc(l.list, func(a, b value) int { return len(b.text) - len(a.text) })
	for _, v := range l.list {
		a, b := v.text[0], v.text[1]
		l.from[a] = append(l.from[a], v)
		l.pairs[int(a)<<2|int(b)>>6] |= 1 << (b & 63)
	}
}

// Find lists the credentials of known shapes in a text, in order.
func Find(s string) []Span { return New().Find(s) }

// String masks the credentials of known shapes and returns how many there
// were.
func String(s string) (string, int) { return New().String(s) }

// Find lists the credentials in a text, in order.
func (m *Masker) Find(s string) []Span {
	var found []Span
	st := m.Stream()
	st.found = &found
	st.Write(s)
	st.Flush()
	return found
}

// String masks the credentials in a text and returns how many there were.
func (m *Masker) String(s string) (string, int) {
	st := m.Stream()
	out := st.Write(s) + st.Flush()
	return out, st.Count()
}

// Stream begins the masking of a text that comes in chunks.
func (m *Masker) Stream() *Stream { return &Stream{own: m.own.Load()} }

// Stream masks a text that comes in chunks. It is used by one goroutine.
type Stream struct {
	own   *values
	held  string  // what may still become a credential
	last  [2]byte // the two bytes before held
	rest  *set    // what still belongs to the credential that was masked last
	count int
	at    int // offset of held in the text
	found *[]Span
}

// Count is the number of credentials masked so far.
func (s *Stream) Count() int { return s.count }

// Write takes a chunk and returns what is sure of the text so far.
func (s *Stream) Write(chunk string) string { return s.advance(chunk, false) }

// Flush returns what was held back; the text ends here.
func (s *Stream) Flush() string {
	out := s.advance("", true)
	s.last, s.rest = [2]byte{}, nil
	return out
}

// advance moves on over all that can be decided.
func (s *Stream) advance(chunk string, final bool) string {
	text := s.held + chunk
	var out strings.Builder
	from, i := 0, 0 // text[from:i] is to be copied
	for i < len(text) {
		if s.rest != nil {
			n, more := s.swallow(text[i:], final)
			if i += n; n > 0 {
				from = i
				s.last = [2]byte{'*', '*'}
				s.grow(n)
			}
			if more {
				break
			}
			s.rest = nil
			continue
		}
		if n := s.dull(text[i:]); n > 0 {
			s.step(text[i : i+n])
			i += n
			continue
		}
		h, a := s.try(text[i:], final)
		if a == later {
			break
		}
		if a == no {
			s.step(text[i : i+1])
			i++
			continue
		}
		out.WriteString(text[from:i])
		out.WriteString(s.kept(text[i:i+h.keep], i, h))
		out.WriteString(h.mask)
		s.note(i, h)
		i += h.size
		from, s.rest, s.last = i, h.rest, [2]byte{'*', '*'}
	}
	out.WriteString(text[from:i])
	s.held, s.at = text[i:], s.at+i
	return out.String()
}

// swallow counts the bytes that still belong to the last credential; more says
// that what follows the text may too.
func (s *Stream) swallow(text string, final bool) (n int, more bool) {
	n = run(text, s.rest, len(text))
	sure, ended := clip(text[:n])
	switch {
	case ended:
		return sure, false
	case n == len(text) && !final:
		return sure, true
	}
	return n, false
}

// dull counts the bytes at the beginning of a text at which no credential can
// begin, by each two bytes that follow one another.
func (s *Stream) dull(text string) int {
	n := 0
	for n+1 < len(text) && !pairs[int(text[n])<<8|int(text[n+1])] && !s.own.opens(text[n], text[n+1]) {
		n++
	}
	return n
}

// step notes that a text was passed.
func (s *Stream) step(passed string) {
	if n := len(passed); n > 1 {
		s.last = [2]byte{passed[n-2], passed[n-1]}
	} else {
		s.last = [2]byte{s.last[1], passed[0]}
	}
}

// kept returns what stays readable of a credential.
func (s *Stream) kept(text string, i int, h hit) string {
	if !h.nested {
		return text
	}
	inner := &Stream{own: s.own}
	inner.found = &[]Span{}
	// The first byte is what this very credential was found by.
	inner.last = [2]byte{s.last[1], text[0]}
	out := text[:1] + inner.Write(text[1:]) + inner.Flush()
	s.count += inner.count
	if s.found != nil {
		for _, f := range *inner.found {
			by := s.at + i + 1
			*s.found = append(*s.found, Span{f.Start + by, f.Keep + by, f.End + by, f.Kind})
		}
	}
	return out
}

func (s *Stream) note(i int, h hit) {
	s.count++
	if s.found != nil {
		at := s.at + i
		span := Span{at, at + h.keep, at + h.size, h.kind}
		if h.nested {
			span.Start = span.Keep // what is kept has spans of its own
		}
		*s.found = append(*s.found, span)
	}
}

func (s *Stream) grow(n int) {
	if s.found != nil && len(*s.found) > 0 {
		(*s.found)[len(*s.found)-1].End += n
	}
}

// try asks every matcher about the beginning of a text, the surest first.
func (s *Stream) try(text string, final bool) (hit, answer) {
	b := text[0]
	for _, v := range s.own.from[b] {
		switch begins(text, v.text, final) {
		case no:
		case later:
			return hit{}, later
		case yes:
			return hit{kind: "configured key", keep: v.shown, size: len(v.text), mask: masked}, yes
		}
	}
	w := &byFirst[b]
	if !w.any {
		return hit{}, no
	}
	apart := s.apart()
	for _, f := range w.shapes {
		if f.apart && !apart {
			continue
		}
		if h, a := f.match(text, final); a != no {
			return h, a
		}
	}
	if apart {
		for _, f := range w.nameds {
			if h, a := f.match(text, final); a != no {
				return h, a
			}
		}
	}
	for _, f := range w.others {
		if f.apart && !apart {
			continue
		}
		if h, a := f.match(text, final); a != no {
			return h, a
		}
	}
	return hit{}, no
}

// shown is how many bytes of a value stay readable.
func shown(v string) int {
	if len(v) < 24 {
		return 0
	}
	return 4
}

// apart reports whether a word may begin here: no letter, digit or underscore
// stands before, unless as the end of an escape (\n, or a colour).
func (s *Stream) apart() bool {
	before, b := s.last[0], s.last[1]
	switch {
	case !in.word[b]:
		return true
	case before == '\\':
		return b == 'n' || b == 'r' || b == 't'
	case b == 'm':
		return before == '[' || before == ';' || before >= '0' && before <= '9'
	}
	return false
}

// matcher is a shape that a fixed prefix cannot describe.
type matcher struct {
	apart bool
	match func(s string, final bool) (hit, answer)
}

// watch lists what may begin with a byte.
type watch struct {
	any    bool
	shapes []*shape
	nameds []*named
	others []matcher
}

var byFirst = watches() //nolint:gochecknoglobals // a table that nobody changes

var pairs = openings() //nolint:gochecknoglobals // a table that nobody changes

// openings are the pairs of bytes that a credential can begin with.
func openings() (p [1 << 16]bool) {
	mark := func(a, b byte) { p[int(a)<<8|int(b)] = true }
	for _, f := range shapes {
		mark(f.prefix[0], f.prefix[1])
	}
	for _, f := range nameds {
		for _, a := range []byte{f.name[0], f.name[0] - 'a' + 'A'} {
			mark(a, f.name[1])
			mark(a, f.name[1]-'a'+'A')
			mark(a, '-') // of the names that have one there
		}
	}
	mark('e', 'y')
	mark('-', '-')
	mark(':', '/')
	return p
}

// watches are the shapes and names by the byte that they begin with.
func watches() (w [256]watch) {
	for i := range shapes {
		b := shapes[i].prefix[0]
		w[b].any, w[b].shapes = true, append(w[b].shapes, &shapes[i])
	}
	for i := range nameds {
		for _, b := range []byte{nameds[i].name[0], nameds[i].name[0] - 'a' + 'A'} {
			w[b].any, w[b].nameds = true, append(w[b].nameds, &nameds[i])
		}
	}
	for b, m := range map[byte]matcher{'e': {true, jwt}, '-': {false, block}, ':': {false, address}} {
		w[b].any, w[b].others = true, append(w[b].others, m)
	}
	return w
}
