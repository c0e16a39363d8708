package policy

import (
	"strings"
	"unicode/utf8"
)

// Pattern is a compiled pattern: "*" stands for any characters, newline and
// "/" included, "?" for exactly one, all else for itself. A pattern that ends
// in " *" also matches without that ending ("cat *" matches "cat").
type Pattern struct {
	text string
	// chunks are the parts between stars; a pattern without a star has one.
	chunks []string
	// short is the pattern before a final " *", nil without one.
	short *Pattern
	// marks says that the pattern holds "?".
	marks bool
}

// Compile reads a pattern. Every text is a pattern.
func Compile(text string) Pattern {
	p := Pattern{text: text, marks: strings.IndexByte(text, '?') >= 0}
	if text == "*" || text == "" {
		return p
	}
	p.chunks = strings.Split(text, "*")
	if strings.HasSuffix(text, " *") {
		short := Compile(strings.TrimRight(strings.TrimSuffix(text, "*"), " "))
		if short.text == "" {
			short.chunks = []string{""} // nothing, where an empty pattern is anything
		}
		p.short = &short
	}
	return p
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.text }

// Any says that the pattern is a bare wildcard and so names nothing.
func (p Pattern) Any() bool { return strings.Trim(p.text, "*") == "" }

// Match says whether the pattern matches the whole text. Time is linear in
// the text for patterns without "?".
func (p Pattern) Match(text string) bool {
	if p.chunks == nil {
		return true
	}
	if len(p.chunks) == 1 {
		if !p.marks {
			return p.text == text
		}
		n, ok := head(p.chunks[0], text)
		return ok && n == len(text)
	}
	if p.short != nil && p.short.chunks != nil && p.short.short == nil && !p.marks && !strings.HasPrefix(text, p.short.chunks[0]) {
		return false
	}
	if p.match(text) {
		return true
	}
	return p.short != nil && p.short.Match(text)
}

// match consumes the first chunk at the start, the last at the end, and each
// chunk between at its first place, which is never worse than a later one.
func (p Pattern) match(text string) bool {
	if !p.marks && !strings.HasPrefix(text, p.chunks[0]) {
		return false
	}
	n, ok := head(p.chunks[0], text)
	if !ok {
		return false
	}
	text = text[n:]
	last := len(p.chunks) - 1
	for _, chunk := range p.chunks[1:last] {
		end, ok := find(chunk, text)
		if !ok {
			return false
		}
		text = text[end:]
	}
	return tail(p.chunks[last], text)
}

// head matches a chunk at the start of text and returns the bytes it took.
func head(chunk, text string) (int, bool) {
	if strings.IndexByte(chunk, '?') < 0 {
		return len(chunk), strings.HasPrefix(text, chunk)
	}
	at := 0
	for i := 0; i < len(chunk); {
		if at >= len(text) {
			return 0, false
		}
		if chunk[i] == '?' {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			i++
			continue
		}
		if chunk[i] != text[at] {
			return 0, false
		}
		i++
		at++
	}
	return at, true
}

// find matches a chunk at its first place in text and returns where it ends.
func find(chunk, text string) (int, bool) {
	if strings.IndexByte(chunk, '?') < 0 {
		i := strings.Index(text, chunk)
		return i + len(chunk), i >= 0
	}
	for i := 0; ; {
		if n, ok := head(chunk, text[i:]); ok {
			return i + n, true
		}
		if i == len(text) {
			return 0, false
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
}

// tail matches a chunk at the end of text: it counts as many characters from
// the end as the chunk has and reads them forwards as find does, so that both
// part bytes that are no UTF-8 alike.
func tail(chunk, text string) bool {
	if strings.IndexByte(chunk, '?') < 0 {
		return strings.HasSuffix(text, chunk)
	}
	at := len(text)
	for range utf8.RuneCountInString(chunk) {
		if at == 0 {
			return false
		}
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	n, ok := head(chunk, text[at:])
	return ok && n == len(text)-at
}

// Overlap says whether some text is matched by both patterns. It serves paths
// of which only a part is known.
func Overlap(a, b string) bool {
	// row[j] says that a up to the current place and b up to j share a text.
	row := make([]bool, len(b)+1)
	row[0] = true
	for j := 1; j <= len(b); j++ {
		row[j] = row[j-1] && b[j-1] == '*'
	}
	for i := 1; i <= len(a); i++ {
		prev := row[0]
		row[0] = prev && a[i-1] == '*'
		for j := 1; j <= len(b); j++ {
			old := row[j]
			switch x, y := a[i-1], b[j-1]; {
			case x == '*' || y == '*':
				row[j] = old || row[j-1] || prev
			case x == y || x == '?' || y == '?':
				row[j] = prev
			default:
				row[j] = false
			}
			prev = old
		}
	}
	return row[len(b)]
}
