package search

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// dialect is whose syntax an expression is written in. Both are written from
// one tree with everything spelled out, so that they mean the same.
type dialect int

const (
	forGo dialect = iota
	// forRipgrep: \b is made to know ASCII letters only, and a class that takes
	// the replacement character takes bytes that are not UTF-8 too, as in Go.
	forRipgrep
)

var errLines = errors.New(`the pattern asks for a line end; lines are matched one by one, so search for a part on one line`)

// parse reads a pattern, with its text anchors made line anchors and line ends
// taken out of its classes.
func parse(pattern string, fold bool) (*syntax.Regexp, error) {
	flags := syntax.Perl
	if fold {
		flags |= syntax.FoldCase
	}
	re, err := syntax.Parse(pattern, flags)
	if err != nil {
		var bad *syntax.Error
		if errors.As(err, &bad) {
			return nil, fmt.Errorf("read pattern: %s in %q; escape what is meant literally with a backslash", bad.Code, bad.Expr)
		}
		return nil, fmt.Errorf("read pattern: %w", err)
	}
	if crosses(re) {
		return nil, fmt.Errorf("read pattern: %w", errLines)
	}
	return re, nil
}

// crosses reports whether every match of some part needs a line end.
func crosses(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '\n') {
		return true
	}
	if re.Op == syntax.OpCharClass && len(re.Rune) == 2 && re.Rune[0] == '\n' && re.Rune[1] == '\n' {
		return true
	}
	return slices.ContainsFunc(re.Sub, crosses)
}

// write writes a tree in a dialect.
func write(b *strings.Builder, re *syntax.Regexp, d dialect) {
	switch re.Op {
	case syntax.OpNoMatch:
		b.WriteString(`[^\x00-\x{10FFFF}]`)
	case syntax.OpEmptyMatch:
		b.WriteString(`(?:)`)
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if r == utf8.RuneError {
				writeClass(b, []rune{r, r}, d) // stands for bad bytes as well
			} else {
				writeRune(b, r, re.Flags&syntax.FoldCase != 0)
			}
		}
	case syntax.OpCharClass:
		writeClass(b, re.Rune, d)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		writeClass(b, []rune{0, unicode.MaxRune}, d)
	case syntax.OpBeginLine, syntax.OpBeginText:
		b.WriteString(`(?m:^)`)
	case syntax.OpEndLine, syntax.OpEndText:
		b.WriteString(`(?:\r?(?m:$))`)
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		which := `\b`
		if re.Op == syntax.OpNoWordBoundary {
			which = `\B`
		}
		if d == forRipgrep {
			which = `(?-u:` + which + `)`
		}
		b.WriteString(which)
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			write(b, sub, d)
		}
	case syntax.OpAlternate:
		for i, sub := range re.Sub {
			b.WriteString(map[bool]string{true: `(?:`, false: `|`}[i == 0])
			write(b, sub, d)
		}
		b.WriteString(`)`)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		b.WriteString(`(?:`)
		write(b, re.Sub[0], d)
		b.WriteString(`)` + times(re))
	}
}

// times writes how often something repeats.
func times(re *syntax.Regexp) string {
	s := ""
	switch re.Op {
	case syntax.OpStar:
		s = "*"
	case syntax.OpPlus:
		s = "+"
	case syntax.OpQuest:
		s = "?"
	case syntax.OpRepeat:
		s = fmt.Sprintf("{%d,%d}", re.Min, re.Max)
		if re.Max < 0 {
			s = fmt.Sprintf("{%d,}", re.Min)
		}
	default: // nothing else repeats
	}
	if re.Flags&syntax.NonGreedy != 0 {
		s += "?"
	}
	return s
}

// writeRune writes one character. When case does not count, ASCII letters are
// alike to their ASCII counterparts only, so that they can be searched for as
// bytes.
func writeRune(b *strings.Builder, r rune, fold bool) {
	alike := []rune{r}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if (r < utf8.RuneSelf) == (f < utf8.RuneSelf) {
				alike = append(alike, f)
			}
		}
	}
	if len(alike) == 1 {
		fmt.Fprintf(b, `\x{%X}`, r)
		return
	}
	b.WriteString(`[`)
	for _, f := range alike {
		fmt.Fprintf(b, `\x{%X}`, f)
	}
	b.WriteString(`]`)
}

// writeClass writes a class without the line end.
func writeClass(b *strings.Builder, ranges []rune, d dialect) {
	var out strings.Builder
	bad := false // takes what stands for bytes that are not UTF-8
	for i := 0; i < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		bad = bad || lo <= utf8.RuneError && utf8.RuneError <= hi
		if lo <= '\n' && '\n' <= hi {
			writeRange(&out, lo, '\n'-1)
			lo = '\n' + 1
		}
		writeRange(&out, lo, hi)
	}
	switch {
	case out.Len() == 0:
		b.WriteString(`[^\x00-\x{10FFFF}]`)
	case bad && d == forRipgrep:
		b.WriteString(`(?:[` + out.String() + `]|(?-u:[\x80-\xFF]))`)
	default:
		b.WriteString(`[` + out.String() + `]`)
	}
}

// writeRange writes a range of characters, without the numbers reserved for
// UTF-16 that no dialect takes.
func writeRange(b *strings.Builder, lo, hi rune) {
	const firstHalf, lastHalf = 0xD800, 0xDFFF
	if lo < firstHalf && hi > lastHalf {
		writeRange(b, lo, firstHalf-1)
		writeRange(b, lastHalf+1, hi)
		return
	}
	if lo >= firstHalf && lo <= lastHalf {
		lo = lastHalf + 1
	}
	if hi >= firstHalf && hi <= lastHalf {
		hi = firstHalf - 1
	}
	if lo <= hi {
		fmt.Fprintf(b, `\x{%X}-\x{%X}`, lo, hi)
	}
}
