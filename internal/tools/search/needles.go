package search

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// needle is a text that a matching line contains.
type needle struct {
	text string
	// fold says that case does not count; the text is ASCII in lower case.
	fold bool
	// rare is the place of its rarest byte, by which a folded one is found.
	rare int
}

// mostNeedles bounds how many alternatives are searched for one by one.
const mostNeedles = 16

// needles returns texts of which each match has at least one; nil when no such
// texts are known.
func needles(re *syntax.Regexp) []needle {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(re)
	case syntax.OpCapture, syntax.OpPlus:
		return needles(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needles(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []needle
		for _, sub := range re.Sub {
			if n := needles(sub); better(n, best) {
				best = n
			}
		}
		return best
	case syntax.OpAlternate:
		var all []needle
		for _, sub := range re.Sub {
			n := needles(sub)
			if n == nil || len(all)+len(n) > mostNeedles {
				return nil
			}
			all = append(all, n...)
		}
		return all
	default: // it can match without any text
	}
	return nil
}

// better prefers long texts, then few.
func better(a, b []needle) bool {
	if a == nil || b == nil {
		return a != nil
	}
	if x, y := shortest(a), shortest(b); x != y {
		return x > y
	}
	return len(a) < len(b)
}

func shortest(list []needle) int {
	if len(list) == 0 {
		return 0
	}
	return len(slices.MinFunc(list, func(a, b needle) int { return len(a.text) - len(b.text) }).text)
}

// literal makes a needle of a literal: all of it, or when case does not count
// its longest piece of ASCII.
func literal(re *syntax.Regexp) []needle {
	if re.Flags&syntax.FoldCase == 0 {
		if slices.Contains(re.Rune, utf8.RuneError) {
			return nil // it stands for any byte that is not UTF-8
		}
		return []needle{{text: string(re.Rune)}}
	}
	best := ""
	for piece := range strings.FieldsFuncSeq(string(re.Rune), func(r rune) bool { return r >= utf8.RuneSelf }) {
		if len(piece) > len(best) {
			best = piece
		}
	}
	if best == "" {
		return nil
	}
	n := needle{text: strings.ToLower(best), fold: true}
	for i := range len(n.text) {
		if rarity(n.text[i]) < rarity(n.text[n.rare]) {
			n.rare = i
		}
	}
	return []needle{n}
}

// rarity ranks bytes by how often they stand in source text, the rarest first.
func rarity(b byte) int {
	return strings.IndexByte("~^`@\\$%zqj#|&!?{}[]<>xkw9876543v+*Z10b2gyfmh:uc\"';lpd/,-().=_sonraiet \t", b)
}

// cursor finds one needle in one text, going forward only. What was found
// ahead is remembered, so that many hits of one needle do not search for
// another again and again.
type cursor struct {
	needle
	at int // next place, len(text) when there is none; -1 unknown
	// of a folded needle: the next places of its rarest byte in either case
	lower, upper int
}

// next returns the first place of the needle at or after a place.
func (c *cursor) next(text []byte, from int) int {
	if c.at >= from {
		return c.at
	}
	if !c.fold {
		c.at = indexFrom(text, from, c.text)
		return c.at
	}
	for {
		p := c.rarest(text, from+c.rare)
		if p == len(text) {
			c.at = len(text)
			return c.at
		}
		start := p - c.rare
		if start+len(c.text) <= len(text) && sameFold(text[start:start+len(c.text)], c.text) {
			c.at = start
			return start
		}
		from = start + 1
	}
}

// rarest returns the next place of the rarest byte in either case.
func (c *cursor) rarest(text []byte, from int) int {
	b := c.text[c.rare]
	if c.lower < from {
		c.lower = byteFrom(text, from, b)
	}
	up := upper(b)
	if up == b {
		return c.lower
	}
	if c.upper < from {
		c.upper = byteFrom(text, from, up)
	}
	return min(c.lower, c.upper)
}

func byteFrom(text []byte, from int, b byte) int {
	if from >= len(text) {
		return len(text)
	}
	if i := bytes.IndexByte(text[from:], b); i >= 0 {
		return from + i
	}
	return len(text)
}

func indexFrom(text []byte, from int, what string) int {
	if from >= len(text) {
		return len(text)
	}
	if i := bytes.Index(text[from:], []byte(what)); i >= 0 {
		return from + i
	}
	return len(text)
}

func upper(b byte) byte {
	if 'a' <= b && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

// sameFold compares with an ASCII text in lower case.
func sameFold(text []byte, low string) bool {
	for i := range len(low) {
		b := text[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != low[i] {
			return false
		}
	}
	return true
}
