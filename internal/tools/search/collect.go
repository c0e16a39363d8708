package search

import (
	"bytes"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"assent/internal/workspace"
)

// row is a line to show.
type row struct {
	number int
	text   string
	hit    bool
}

// file is a file with hits, or a binary file that matches.
type file struct {
	rel, name string
	hits      int
	rows      []row
	binary    bool
}

// collector keeps the first hits in the order of paths, whatever order the
// files come in.
type collector struct {
	most int

	mu    sync.Mutex
	files []file // sorted by rel
	hits  int
	last  string // once it is full, the path after which nothing can count
	full  bool
}

// beyond reports whether a file comes after all that can be shown.
func (c *collector) beyond(rel string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.full && rel > c.last
}

// search adds the hits of a file.
func (c *collector) search(p *pattern, rel, name string, data []byte, context int) {
	text, binary := p.asText(data)
	f := c.hitsOf(p, text, binary, context)
	if f.hits > 0 && !utf8.Valid(text) { // show it as read_file does
		if t, ok := foreign(data); ok {
			text = t
			f = c.hitsOf(p, text, false, context)
		}
	}
	f.rel, f.name = rel, name
	if f.hits == 0 && !f.binary {
		return
	}
	f.count(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	at := sort.Search(len(c.files), func(i int) bool { return c.files[i].rel >= rel })
	c.files = append(c.files, file{})
	copy(c.files[at+1:], c.files[at:])
	c.files[at] = f
	c.hits += f.hits
	for n := len(c.files) - 1; n > 0 && c.hits-c.files[n].hits >= c.most; n-- {
		c.hits -= c.files[n].hits
		c.files = c.files[:n]
	}
	if c.hits >= c.most {
		c.full, c.last = true, c.files[len(c.files)-1].rel
	}
}

// hitsOf are the hits in a text.
func (c *collector) hitsOf(p *pattern, text []byte, binary bool, context int) (f file) {
	p.each(text, func(h hit) bool {
		if f.hits++; binary {
			f.binary, f.hits = true, 0
			return false
		}
		f.add(text, h, context)
		return f.hits < c.most
	})
	return f
}

// asText returns the text of a file in UTF-8; a binary file is returned as it
// is. Text in another encoding is decoded where the pattern would not match its
// bytes.
func (p *pattern) asText(data []byte) (text []byte, binary bool) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		if t, err := workspace.Decode(data); err == nil {
			return []byte(t.Content), false
		}
	}
	const sample = 8000
	head := data[:min(len(data), sample)]
	switch {
	case bytes.IndexByte(head, 0) >= 0:
		if p.here() && (looksForeign(head, 0) || looksForeign(head, 2)) { // UTF-16 without a mark
			if t, ok := foreign(data); ok {
				return t, false
			}
		}
		return data, true
	case p.wide && !utf8.Valid(data):
		if t, ok := foreign(data); ok {
			return t, false
		}
	}
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), false
}

// looksForeign judges the beginning of a file, with so many bytes left out at
// its end, which may be the half of a character.
func looksForeign(head []byte, less int) bool {
	_, ok := foreign(head[:max(len(head)&^1-less, 0)])
	return ok
}

// foreign is the text of a file that is stored in another encoding than UTF-8,
// by the same guess by which it is read and edited.
func foreign(data []byte) ([]byte, bool) {
	t, err := workspace.Decode(data)
	if err != nil || t.Encoding == workspace.UTF8 {
		return nil, false
	}
	return []byte(t.Content), true
}

// add adds the line of a hit with the lines around it. Numbers are offsets
// until count.
func (f *file) add(text []byte, h hit, context int) {
	shown := -1 // offset of the last line shown
	if n := len(f.rows); n > 0 {
		shown = f.rows[n-1].number
	}
	if context == 0 {
		f.rows = append(f.rows, row{h.start, cut(text[h.start:h.end], h.at-h.start), true})
		return
	}
	var before []hit
	for l := h; len(before) < context && l.start > 0 && l.start-1 > shown; {
		l = lineAt(text, l.start-1)
		if l.start <= shown {
			break
		}
		before = append(before, l)
	}
	for i := len(before) - 1; i >= 0; i-- {
		f.rows = append(f.rows, row{before[i].start, cut(text[before[i].start:before[i].end], 0), false})
	}
	if shown == h.start {
		f.rows[len(f.rows)-1] = row{h.start, cut(text[h.start:h.end], h.at-h.start), true}
	} else {
		f.rows = f.upTo(h.start)
		f.rows = append(f.rows, row{h.start, cut(text[h.start:h.end], h.at-h.start), true})
	}
	for l := h; context > 0 && l.end+1 < len(text); context-- {
		l = lineAt(text, l.end+1)
		f.rows = append(f.rows, row{l.start, cut(text[l.start:l.end], 0), false})
	}
}

// upTo drops what was shown as context from a place on: it comes again.
func (f *file) upTo(at int) []row {
	n := len(f.rows)
	for n > 0 && f.rows[n-1].number >= at {
		n--
	}
	return f.rows[:n]
}

// count turns offsets into line numbers.
func (f *file) count(text []byte) {
	line, at := 1, 0
	for i := range f.rows {
		r := &f.rows[i]
		line += bytes.Count(text[at:r.number], []byte("\n"))
		at = r.number
		r.number = line
	}
}

// longest is how many characters of a line are shown.
const longest = 400

// cut makes a line fit to be shown: valid, without control characters, and of
// a long one the part around the match.
func cut(line []byte, at int) string {
	line = bytes.TrimSuffix(line, []byte("\r"))
	s := line
	before, after := "", ""
	if len(line) > longest && utf8.RuneCount(line) > longest {
		from := max(min(at-longest/4, len(line)-longest), 0)
		for from > 0 && !utf8.RuneStart(line[from]) {
			from--
		}
		to := min(from+longest, len(line))
		for to < len(line) && !utf8.RuneStart(line[to]) {
			to++
		}
		if from > 0 {
			before = "… "
		}
		if to < len(line) {
			after = " …"
		}
		s = line[from:to]
	}
	return before + strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(s), "\ufffd")) + after
}
