package search

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// pattern is a compiled search. It is not changed by use.
type pattern struct {
	re      *regexp.Regexp
	needles []needle
	// rare are bytes of which a match has one, when there are no needles.
	rare *byteSet
	// plain says that the pattern is its one needle, so that a place of it is
	// a match.
	plain bool
	// wide says that the pattern names characters outside ASCII, so that files
	// in other encodings are to be decoded before they are searched.
	wide bool
	// ripgrep is the pattern as ripgrep reads it.
	ripgrep string
}

var errEmpty = errors.New("read pattern: it is empty and would match every line; give a word or an expression")

func compile(text string, fold bool) (*pattern, error) {
	if text == "" {
		return nil, errEmpty
	}
	re, err := parse(text, fold)
	if err != nil {
		return nil, err
	}
	p := &pattern{needles: needles(re), wide: namesWide(text)}
	if p.needles == nil {
		p.rare = rareBytes(re)
	}
	p.plain = re.Op == syntax.OpLiteral && len(p.needles) == 1 && len(p.needles[0].text) == len(string(re.Rune))
	var goText, rgText strings.Builder
	write(&goText, re, forGo)
	write(&rgText, re, forRipgrep)
	p.ripgrep = rgText.String()
	if p.re, err = regexp.Compile(goText.String()); err != nil {
		return nil, fmt.Errorf("read pattern: %w", err)
	}
	return p, nil
}

// namesWide reports whether a pattern names characters outside ASCII, and not
// just by leaving some out.
func namesWide(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) ||
		strings.Contains(text, `\p`) || strings.Contains(text, `\P`) || strings.Contains(text, `\x{`)
}

// here says that files are searched without asking ripgrep, which knows UTF-8
// and UTF-16 with a mark only.
func (p *pattern) here() bool { return p.wide || p.quick() }

// quick says that files can be searched by text, so that no other program
// would be faster.
func (p *pattern) quick() bool { return shortest(p.needles) >= 3 || p.plain || p.rare != nil }

// hit is a matching line.
type hit struct {
	start, end int // of the line, without its end
	at         int // where the match begins in the text
}

// each calls fn for the matching lines of a text in order until it returns
// false.
func (p *pattern) each(text []byte, fn func(hit) bool) {
	cursors := make([]cursor, len(p.needles))
	for i, n := range p.needles {
		cursors[i] = cursor{needle: n, at: -1, lower: -1, upper: -1}
	}
	for from := 0; from < len(text); {
		h, ok := p.next(text, from, cursors)
		if !ok || !fn(h) {
			return
		}
		from = h.end + 1
	}
}

// next finds the first matching line that begins at or after a line's begin.
func (p *pattern) next(text []byte, from int, cursors []cursor) (hit, bool) {
	if len(cursors) == 0 && p.rare == nil {
		loc := p.re.FindIndex(text[from:])
		if loc == nil || from+loc[0] == len(text) && text[len(text)-1] == '\n' {
			return hit{}, false // the end of the last line begins no further line
		}
		return lineAt(text, from+loc[0]), true
	}
	for from < len(text) {
		at := len(text)
		if p.rare != nil {
			at = p.rare.next(text, from)
		}
		for i := range cursors {
			at = min(at, cursors[i].next(text, from))
		}
		if at == len(text) {
			break
		}
		h := lineAt(text, at)
		if p.plain {
			return h, true
		}
		if loc := p.re.FindIndex(text[h.start:h.end]); loc != nil {
			h.at = h.start + loc[0]
			return h, true
		}
		from = h.end + 1
	}
	return hit{}, false
}

// lineAt returns the line around a place.
func lineAt(text []byte, at int) hit {
	h := hit{start: bytes.LastIndexByte(text[:at], '\n') + 1, end: len(text), at: at}
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		h.end = at + i
	}
	return h
}
