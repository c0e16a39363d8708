package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// mostFields bounds what brace expansion makes of one word.
const mostFields = 64

// braces expands the brace expressions of a word; nil when they make more than
// is followed. What runs in the word is walked all the same.
func (r *reader) braces(list []syntax.WordPart, sc *scope) [][]part {
	out, whole := [][]part{nil}, true
	for i, p := range list {
		choices := [][]part{}
		if b, ok := p.(*syntax.BraceExp); ok {
			choices = r.choices(b, sc)
		} else {
			one := r.parts([]syntax.WordPart{p}, sc)
			if i > 0 && len(one) == 1 && one[0].static {
				one[0].quoted = true
			}
			choices = append(choices, one)
		}
		if len(out)*len(choices) > mostFields || len(choices) == 0 {
			out, whole = [][]part{nil}, false
			continue
		}
		next := make([][]part, 0, len(out)*len(choices))
		for _, before := range out {
			for _, c := range choices {
				next = append(next, append(before[:len(before):len(before)], c...))
			}
		}
		out = next
	}
	if !whole {
		return nil
	}
	return out
}

// joins says whether the shell, which expands braces first and as text, reads
// other names in a word than stand in it: $a{b,c} is $ab and $ac. next is the
// first character behind the parts, 0 for none.
func joins(list []syntax.WordPart, next byte) bool {
	for i, p := range list {
		after := next
		for _, q := range list[i+1:] {
			if l, ok := q.(*syntax.Lit); !ok || l.Value != "" {
				after = begins(q)
				break
			}
		}
		open := false
		switch p := p.(type) {
		case *syntax.BraceExp:
			for _, e := range p.Elems {
				if joins(e.Parts, after) {
					return true
				}
			}
		case *syntax.ParamExp:
			open = p.Short && (after == '_' || after >= '0' && syntax.ValidName("a"+string(after)))
		case *syntax.Lit:
			open = strings.HasSuffix(p.Value, "$") && after != 0
		}
		if open {
			return true
		}
	}
	return false
}

// doubtful says whether a brace that was taken for a plain character stands
// before a comma or two dots and a closing brace: {a}b,c} is a}b and c to some
// readers.
func doubtful(list []syntax.WordPart) bool {
	var text strings.Builder
	for _, p := range list {
		switch p := p.(type) {
		case *syntax.Lit:
			for i := 0; i < len(p.Value); i++ {
				if p.Value[i] == '\\' {
					i++
				} else {
					text.WriteByte(p.Value[i])
				}
			}
		case *syntax.BraceExp:
			if slices.ContainsFunc(p.Elems, func(e *syntax.Word) bool { return doubtful(e.Parts) }) {
				return true
			}
			text.WriteByte('x')
		default:
			text.WriteByte('x')
		}
	}
	_, rest, open := strings.Cut(text.String(), "{")
	at := strings.IndexByte(rest, ',')
	if dots := strings.Index(rest, ".."); dots >= 0 && (at < 0 || dots < at) && !strings.HasPrefix(rest[dots:], "..}") {
		at = dots
	}
	return open && at >= 0 && strings.IndexByte(rest[at:], '}') >= 0
}

// begins is the first character of a part, a letter where it may be one.
func begins(p syntax.WordPart) byte {
	switch p := p.(type) {
	case *syntax.Lit:
		return p.Value[0]
	case *syntax.SglQuoted, *syntax.DblQuoted:
		return '"'
	case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp:
		return '$'
	}
	return 'a'
}

// choices are what a brace expression stands for; nil where that is not followed.
func (r *reader) choices(b *syntax.BraceExp, sc *scope) [][]part {
	if b.Sequence {
		return sequence(b)
	}
	var out [][]part
	whole := true
	for _, e := range b.Elems {
		inner := r.braces(e.Parts, sc)
		whole = whole && inner != nil && len(out) <= mostFields
		if whole {
			out = append(out, inner...)
		}
	}
	if !whole || len(out) > mostFields {
		return nil
	}
	return out
}

// sequence expands {a..e} and {1..9..2}; nil when it is too long.
func sequence(b *syntax.BraceExp) [][]part {
	var ends [3]string
	for i, e := range b.Elems {
		if i < 3 {
			ends[i] = e.Lit()
		}
	}
	first, errA := strconv.Atoi(ends[0])
	last, errB := strconv.Atoi(ends[1])
	letters := errA != nil || errB != nil
	if letters {
		if len(ends[0]) != 1 || len(ends[1]) != 1 {
			return nil
		}
		first, last = int(ends[0][0]), int(ends[1][0])
	}
	step, _ := strconv.Atoi(ends[2])
	if step < 0 {
		step = -step
	}
	step = max(step, 1)
	if gap := max(first, last) - min(first, last); gap/step > mostFields || gap < 0 {
		return nil
	}
	width := 0
	if !letters && (padded(ends[0]) || padded(ends[1])) {
		width = max(len(ends[0]), len(ends[1]))
	}
	var out [][]part
	for n := first; ; {
		text := strconv.Itoa(n)
		if letters {
			text = string(rune(n))
		} else if len(text) < width {
			text = strings.Repeat("0", width-len(text)) + text
		}
		out = append(out, []part{{text: text, shown: text, static: true, quoted: true}})
		if n == last || first < last && n+step > last || first > last && n-step < last {
			return out
		}
		if first < last {
			n += step
		} else {
			n -= step
		}
	}
}

func padded(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return len(s) > 1 && s[0] == '0'
}
