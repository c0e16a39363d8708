package ink

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Wrap breaks prose into lines of at most w cells: at blanks, of which any
// number counts as one, and between wide characters; a longer word is cut. A
// line end in the text begins a new line.
func Wrap(spans []Span, w int) []Line {
	spans = settle(spans)
	p := wrapper{spans: spans, w: max(1, w)}
	for k := range spans {
		p.span(k)
	}
	p.flush()
	if len(p.line) > 0 || len(p.lines) == 0 {
		p.next()
	}
	return p.lines
}

// settle drops selectors that begin a span: they would change the character at
// the end of the span before, and its width.
func settle(spans []Span) []Span {
	for i, s := range spans {
		r, _ := utf8.DecodeRuneInString(s.Text)
		if !selector(r) {
			continue
		}
		spans = slices.Clone(spans)
		for k := i; k < len(spans); k++ {
			spans[k].Text = strings.TrimLeftFunc(spans[k].Text, selector)
		}
		break
	}
	return spans
}

// piece is a part of a span: the text from a to b of the span at k.
type piece struct{ k, a, b int }

type wrapper struct {
	spans []Span
	w     int
	lines []Line
	// The row that grows, its width and the piece that its last span shows.
	line  Line
	cells int
	last  piece
	// The word that grows behind a gap of 0 or 1 blanks.
	word      []piece
	wordCells int
	gap       int
	gapAt     int // the span that the gap's blank is in
}

// span reads one span word by word.
func (p *wrapper) span(k int) {
	text := p.spans[k].Text
	for i := 0; i < len(text); {
		switch text[i] {
		case '\n':
			p.flush()
			p.next()
			i++
		case ' ', '\t':
			p.flush()
			if p.cells > 0 {
				p.gap, p.gapAt = 1, k
			}
			i++
		default:
			end := strings.IndexAny(text[i:], " \t\n")
			if end < 0 {
				end = len(text) - i
			}
			p.run(k, i, i+end)
			i += end
		}
	}
}

// run adds text without blanks to the word.
func (p *wrapper) run(k, a, b int) {
	text := p.spans[k].Text
	if ascii(text[a:b]) {
		p.word = append(p.word, piece{k, a, b})
		p.wordCells += b - a
		return
	}
	from := a
	for i := a; i < b; {
		g, cells := cluster(text[i:b])
		if cells > 1 {
			p.add(k, from, i)
			if !closing(g) {
				p.flush()
			}
			p.add(k, i, i+len(g))
			p.wordCells += cells
			i += len(g)
			from = i
			if i < b && !closing(text[i:b]) {
				p.flush()
			}
			continue
		}
		p.wordCells += cells
		i += len(g)
	}
	p.add(k, from, b)
}

// closing reports whether a text begins with wide punctuation that stays on
// the row of what it closes.
func closing(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("、。，．！？：；）］｝」』】〉》〕”’…ー々", r)
}

func (p *wrapper) add(k, a, b int) {
	if b > a {
		p.word = append(p.word, piece{k, a, b})
	}
}

// flush puts the word on the row, or on the next.
func (p *wrapper) flush() {
	if len(p.word) == 0 {
		return
	}
	if p.cells+p.gap+p.wordCells > p.w {
		if p.cells > 0 {
			p.next()
		}
		p.gap = 0
	}
	if p.gap > 0 {
		p.blank()
	}
	for _, q := range p.word {
		p.put(q)
	}
	p.word, p.wordCells, p.gap = p.word[:0], 0, 0
}

// blank puts the gap's blank on the row, as part of the span before when the
// source has it so.
func (p *wrapper) blank() {
	if p.last.k == p.gapAt && len(p.line) > 0 && p.last.b < len(p.spans[p.gapAt].Text) && p.spans[p.gapAt].Text[p.last.b] == ' ' {
		p.put(piece{p.gapAt, p.last.b, p.last.b + 1})
		return
	}
	s := p.spans[p.gapAt]
	s.Text = " "
	p.line = append(p.line, s)
	p.cells++
	p.last = piece{k: -1}
}

// put adds a piece to the row, over as many rows as it needs.
func (p *wrapper) put(q piece) {
	text := p.spans[q.k].Text
	for q.a < q.b {
		n, cells := fit(text[q.a:q.b], p.w-p.cells)
		if n == 0 {
			if p.cells > 0 {
				p.next()
				continue
			}
			n = len(firstOf(text[q.a:q.b])) // wider than a whole row: left out
			q.a += n
			continue
		}
		if len(p.line) > 0 && p.last.k == q.k && p.last.b == q.a {
			p.last.b = q.a + n
			p.line[len(p.line)-1].Text = text[p.last.a:p.last.b]
		} else {
			s := p.spans[q.k]
			p.last = piece{q.k, q.a, q.a + n}
			s.Text = text[q.a : q.a+n]
			p.line = append(p.line, s)
		}
		p.cells += cells
		q.a += n
	}
}

func firstOf(s string) string {
	g, _ := cluster(s)
	return g
}

// next ends the row.
func (p *wrapper) next() {
	p.lines = append(p.lines, p.line)
	p.line, p.cells, p.gap = nil, 0, 0
	p.last = piece{k: -1}
}

// Chop breaks text as it is, blanks and all, into lines of at most w cells.
// Tabs are expanded.
func Chop(spans []Span, w int) []Line {
	p := wrapper{spans: make([]Span, 0, len(spans)), w: max(1, w), last: piece{k: -1}}
	for _, s := range settle(spans) {
		for i, part := range splitLines(s.Text) {
			if i > 0 {
				p.next()
			}
			s.Text = Expand(part, p.cells)
			if s.Text == "" {
				continue
			}
			p.spans = append(p.spans, s)
			k := len(p.spans) - 1
			p.put(piece{k, 0, len(s.Text)})
		}
	}
	p.next()
	return p.lines
}

func splitLines(s string) []string {
	if !strings.Contains(s, "\n") {
		return []string{s}
	}
	return strings.Split(s, "\n")
}

// Bound cuts the lines that are wider than w cells, for what was drawn without
// room.
func Bound(lines []Line, w int) []Line {
	var out []Line
	for _, l := range lines {
		if l.Width() <= w {
			out = append(out, l)
			continue
		}
		out = append(out, Chop(l, w)...)
	}
	return out
}

// Hang puts first before the first line and rest before the others.
func Hang(lines []Line, first, rest Line) []Line {
	out := make([]Line, len(lines))
	for i, l := range lines {
		head := rest
		if i == 0 {
			head = first
		}
		if len(l) == 0 {
			head = trimEnd(head)
		}
		out[i] = append(head[:len(head):len(head)], l...)
	}
	return out
}

// trimEnd drops blanks at the end of a line, so that empty rows stay empty.
func trimEnd(l Line) Line {
	for len(l) > 0 {
		s := l[len(l)-1]
		s.Text = strings.TrimRight(s.Text, " ")
		if s.Text != "" {
			return append(l[:len(l)-1:len(l)-1], s)
		}
		l = l[:len(l)-1]
	}
	return l
}
