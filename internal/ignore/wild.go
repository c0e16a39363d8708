package ignore

import "strings"

// outcome is the result of matching a glob. The two ways to give up keep the
// stars before it from trying again what cannot match.
type outcome int

const (
	differs outcome = iota
	matches
	// hopeless: no later start can match, the text is too short.
	hopeless
	// blocked: a single star met a slash; only a double star can go on.
	blocked
)

// budget bounds the work on one glob and text, so that a hostile pattern of
// many stars costs little. A glob that needs more does not match.
const budget = 20_000

// glob matches one pattern against one text, byte by byte, as git does.
type glob struct {
	// path says that the text is a path, in which only ** crosses slashes.
	path bool
	fold bool
	left int
}

// wild reports whether a whole text matches a pattern.
func wild(pattern, text string, path, fold bool) bool {
	g := glob{path, fold, budget}
	return g.match(pattern, text) == matches
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// match matches from here. Where a pattern begins counts: a double star is one
// that crosses slashes only at the beginning or after a slash.
func (g *glob) match(pattern, text string) outcome {
	p := 0
	for p < len(pattern) {
		if g.left--; g.left < 0 {
			return hopeless
		}
		c := pattern[p]
		if c == '*' {
			return g.star(pattern, p, text)
		}
		if text == "" {
			return hopeless
		}
		t := text[0]
		if g.fold {
			t, c = lower(t), lower(c)
		}
		switch c {
		case '?':
			if g.path && t == '/' {
				return differs
			}
		case '[':
			size, in, ok := g.class(pattern[p:], t)
			if !ok {
				return hopeless
			}
			if !in || g.path && t == '/' {
				return differs
			}
			p += size - 1
		case '\\':
			p++
			if p == len(pattern) || pattern[p] != t {
				return differs
			}
		default:
			if c != t {
				return differs
			}
		}
		p++
		text = text[1:]
	}
	if text != "" {
		return differs
	}
	return matches
}

// star matches from a star at p on.
func (g *glob) star(pattern string, p int, text string) outcome {
	end := p
	for end < len(pattern) && pattern[end] == '*' {
		end++
	}
	rest := pattern[end:]
	crosses := !g.path
	if g.path && end-p > 1 && (p == 0 || pattern[p-1] == '/') && (rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)) {
		crosses = true
		// a/**/b also matches a/b
		if strings.HasPrefix(rest, "/") && g.match(rest[1:], text) == matches {
			return matches
		}
	}
	switch {
	case rest == "":
		if !crosses && strings.Contains(text, "/") {
			return blocked
		}
		return matches
	case !crosses && rest[0] == '/':
		// A single star before a slash matches the rest of this part.
		slash := strings.IndexByte(text, '/')
		if slash < 0 {
			return hopeless
		}
		return g.match(rest[1:], text[slash+1:])
	}
	for ; text != ""; text = text[1:] {
		if g.left--; g.left < 0 {
			return hopeless
		}
		switch o := g.match(rest, text); {
		case o != differs && (!crosses || o != blocked):
			return o
		case o == differs && !crosses && text[0] == '/':
			return blocked
		}
	}
	return hopeless
}
