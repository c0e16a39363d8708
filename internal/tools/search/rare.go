package search

import (
	"regexp/syntax"
	"unicode/utf8"
)

// byteSet is a set of bytes of which every match contains one, for patterns
// without a text that every match contains.
type byteSet struct {
	has [256]bool
	// often is how many bytes of a thousand of ordinary source text are in it.
	often int
}

// rareEnough is how often a set may come to be worth looking for.
const rareEnough = 120

// rareBytes returns the rarest such set; nil when there is none worth it.
func rareBytes(re *syntax.Regexp) *byteSet {
	s := required(re)
	if s == nil || s.often > rareEnough {
		return nil
	}
	return s
}

func required(re *syntax.Regexp) *byteSet {
	switch re.Op {
	case syntax.OpLiteral:
		var best *byteSet
		for _, r := range re.Rune {
			ranges := []rune{r, r}
			if re.Flags&syntax.FoldCase != 0 && r < utf8.RuneSelf {
				low := rune(lowerByte(byte(r)))
				ranges = []rune{low, low, rune(upper(byte(low))), rune(upper(byte(low)))}
			} else if re.Flags&syntax.FoldCase != 0 {
				continue // its other cases may begin with other bytes
			}
			best = rarer(best, setOf(ranges))
		}
		return best
	case syntax.OpCharClass:
		return setOf(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		var best *byteSet
		for _, sub := range re.Sub {
			best = rarer(best, required(sub))
		}
		return best
	case syntax.OpAlternate:
		all := &byteSet{}
		for _, sub := range re.Sub {
			s := required(sub)
			if s == nil {
				return nil
			}
			for b, in := range s.has {
				if in {
					all.add(byte(b))
				}
			}
		}
		return all
	default: // it can match anything, or nothing
	}
	return nil
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b - 'A' + 'a'
	}
	return b
}

func rarer(a, b *byteSet) *byteSet {
	if a == nil || b != nil && b.often < a.often {
		return b
	}
	return a
}

// setOf returns the bytes that characters of a class begin with; bytes that
// are not UTF-8 count as the replacement character.
func setOf(ranges []rune) *byteSet {
	s := &byteSet{}
	for i := 0; i < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		for r := lo; r <= min(hi, utf8.RuneSelf-1); r++ {
			s.add(byte(r))
		}
		if hi >= utf8.RuneSelf { // all at once: they are rare anyway
			for b := utf8.RuneSelf; b < 256; b++ {
				s.add(byte(b))
			}
		}
	}
	return s
}

func (s *byteSet) add(b byte) {
	if s.has[b] {
		return
	}
	s.has[b] = true
	switch {
	case b == ' ':
		s.often += 180
	case 'a' <= b && b <= 'z':
		s.often += []int{38, 10, 22, 19, 60, 12, 10, 12, 37, 2, 5, 25, 14, 36, 36, 16, 1, 37, 35, 50, 18, 7, 5, 5, 7, 2}[b-'a']
	case b == '\t', b == '\n', b == '_', b == '.', b == ',', b == '(', b == ')', b == '=', b == '"', b == '/', b == '-':
		s.often += 14
	default:
		s.often += 3
	}
}

// next returns the first place of a byte of the set at or after a place.
func (s *byteSet) next(text []byte, from int) int {
	for i, b := range text[from:] {
		if s.has[b] {
			return from + i
		}
	}
	return len(text)
}
