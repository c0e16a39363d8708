package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tiers of tolerance, in the order in which they are tried. Each forgives what
// the ones before it do.
const (
	Exact          = "exact"
	LineEnds       = "line ends"
	TrailingBlanks = "trailing blanks"
	Unicode        = "unicode"
	Indentation    = "indentation" // patches only
)

// level is a tier as a number, for comparison.
type level int

const (
	lineEnds level = iota + 1
	trailingBlanks
	unicodeForms
)

func (l level) String() string {
	switch l {
	case lineEnds:
		return LineEnds
	case trailingBlanks:
		return TrailingBlanks
	default:
		return Unicode
	}
}

// folded is a text in which differences that a tier forgives are gone, and
// where each of its bytes came from.
type folded struct {
	text string
	// start and end are the bounds, in the text before, of what a byte stands
	// for. Bytes with the same start came from one character.
	start, end []int32
	// cut says that blanks at the very end were left out.
	cut bool
}

// folder builds a folded text.
type folder struct {
	text       []byte
	start, end []int32
	level      level
	normal     func(string) string
}

// fold forgives what a level forgives. With open, a text that does not end
// with a line end is read as if it did.
func fold(s string, l level, normal func(string) string, open bool) folded {
	f := folder{
		level: l, normal: normal, text: make([]byte, 0, len(s)),
		start: make([]int32, 0, len(s)+1), end: make([]int32, 0, len(s)+1),
	}
	cut := false
	for i := 0; i < len(s); {
		stop, next := len(s), len(s)
		if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
			stop, next = i+n, i+n+1
			if stop > i && s[stop-1] == '\r' {
				stop--
			}
		}
		kept := f.line(s, i, stop)
		if next > stop {
			f.emit("\n", stop, next)
		} else {
			cut = kept < stop
			if open {
				f.emit("\n", next, next)
			}
		}
		i = next
	}
	return folded{string(f.text), f.start, f.end, cut}
}

// line folds one line without its end and gives where what it kept of it ends.
func (f *folder) line(s string, i, stop int) int {
	if f.level >= trailingBlanks {
		blank := func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' }
		if f.level >= unicodeForms {
			blank = unicode.IsSpace
		}
		stop = i + len(strings.TrimRightFunc(s[i:stop], blank))
	}
	if f.level < unicodeForms {
		for ; i < stop; i++ {
			f.put(s[i], i, i+1)
		}
		return stop
	}
	for i < stop {
		size := cluster(s[i:stop])
		if size == 1 {
			f.put(s[i], i, i+1)
		} else {
			f.emit(f.form(s[i:i+size]), i, i+size)
		}
		i += size
	}
	return stop
}

func (f *folder) put(b byte, start, end int) {
	f.text = append(f.text, b)
	f.start, f.end = append(f.start, int32(start)), append(f.end, int32(end))
}

func (f *folder) emit(s string, start, end int) {
	for i := range len(s) {
		f.put(s[i], start, end)
	}
}

// cluster is the length of the first character with the marks that follow it,
// and of a Hangul syllable written in its parts.
func cluster(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		if r < 0x300 || !unicode.Is(unicode.M, r) && (r < 0x1160 || r > 0x11FF) {
			break
		}
		size += n
	}
	return size
}

// form is a character as the unicode tier sees it.
func (f *folder) form(s string) string {
	if r, size := utf8.DecodeRuneInString(s); size == len(s) {
		if plain, ok := plainForm(r); ok {
			return plain
		}
	}
	if f.normal != nil {
		return f.normal(s)
	}
	return s
}

// plainForm gives the plain spelling of typographic dashes, quotes and spaces.
func plainForm(r rune) (string, bool) {
	switch {
	case r >= 0x2010 && r <= 0x2015 || r == 0x2212:
		return "-", true
	case r >= 0x2018 && r <= 0x201B:
		return "'", true
	case r >= 0x201C && r <= 0x201F:
		return `"`, true
	case r == 0x00A0 || r >= 0x2002 && r <= 0x200A || r == 0x202F || r == 0x205F || r == 0x3000:
		return " ", true
	case r == 0x200B || r == 0x2060 || r == 0xFEFF: // seen by nobody
		return "", true
	default:
		return "", false
	}
}

// span is a piece of a text.
type span struct{ start, end int }

// find gives every place where a folded text occurs in another, overlapping
// ones included, as pieces of the text before folding. Pieces begin and end
// between characters.
func (f folded) find(old folded) []span {
	if old.text == "" {
		return nil
	}
	var found []span
	for from := 0; ; {
		i := strings.Index(f.text[from:], old.text)
		if i < 0 {
			return found
		}
		i += from
		stop := i + len(old.text)
		whole := (i == 0 || f.start[i] != f.start[i-1]) &&
			(stop == len(f.text) || f.start[stop] != f.start[stop-1])
		atEnd := !old.cut || stop == len(f.text) || f.text[stop] == '\n'
		if whole && atEnd {
			found = append(found, span{int(f.start[i]), int(f.end[stop-1])})
		}
		from = i + 1
	}
}
