package edit

import (
	"slices"
	"strings"
)

// Edit is one replacement.
type Edit struct {
	// Old is the text to look for, New what takes its place.
	Old, New string
	// All replaces every match instead of requiring exactly one.
	All bool
	// Normal gives a character's normal form (NFC) for the unicode tier; nil
	// leaves characters as they are.
	Normal func(string) string
}

// Match says how an edit matched.
type Match struct {
	// Tier is the tier that matched: exact, line ends, trailing blanks,
	// unicode or, in patches, indentation.
	Tier string
	// Count is the number of replacements.
	Count int
	// Lines are where the matches began in the old content, from 1.
	Lines []int
	// Spans are the replaced pieces in the new content, as pairs of byte
	// offsets.
	Spans [][2]int
	// Stripped says that line numbers of the read view were taken off the edit.
	Stripped bool
}

// Replace makes one edit. The error is ErrEmpty, ErrSame, a *NotFoundError or
// an *AmbiguousError; the content then comes back as it was.
func Replace(content string, e Edit) (string, Match, error) {
	if e.Old == e.New {
		return content, Match{}, ErrSame
	}
	if e.Old == "" {
		if content != "" {
			return content, Match{}, ErrEmpty
		}
		return e.New, Match{Tier: Exact, Count: 1, Lines: []int{1}, Spans: [][2]int{{0, len(e.New)}}}, nil
	}
	spans, tier := search(content, e)
	stripped := false
	if spans == nil && carriesNumbers(e.Old) {
		if bare, ok := unnumbered(e); ok {
			if spans, tier = search(content, bare); spans != nil {
				e, stripped = bare, true
			}
		}
	}
	switch {
	case spans == nil:
		return content, Match{}, nearest(content, e.Old, e.Normal)
	case len(spans) > 1 && !e.All:
		return content, Match{}, &AmbiguousError{Lines: lineNumbers(content, spans), Tier: tier}
	case e.Old == e.New:
		return content, Match{}, ErrSame
	}
	spans = apart(spans)
	out, m := splice(content, spans, e, tier)
	m.Stripped = stripped
	if out == content {
		return content, Match{}, ErrSame
	}
	return out, m, nil
}

// unnumbered takes the read view's numbers off an edit, if that is what its
// old text consists of.
func unnumbered(e Edit) (Edit, bool) {
	old, ok := Unnumber(e.Old)
	if !ok || old == "" {
		return e, false
	}
	e.Old = old
	if text, ok := Unnumber(e.New); ok {
		e.New = text
	} else if carriesNumbers(e.New) {
		return e, false // some lines with and some without: do not guess
	}
	return e, true
}

// search tries the tiers in order and gives the matches of the first that has
// any.
func search(content string, e Edit) ([]span, string) {
	if spans := exact(content, e.Old); spans != nil {
		return spans, Exact
	}
	for _, l := range []level{lineEnds, trailingBlanks, unicodeForms} {
		if l == lineEnds && !strings.Contains(content, "\r\n") && !strings.Contains(e.Old, "\r\n") && strings.HasSuffix(content, "\n") {
			continue // nothing to forgive
		}
		old := fold(e.Old, l, e.Normal, false)
		if l > lineEnds && strings.Trim(old.text, "\n") == "" {
			return nil, "" // nothing but blanks: too little to be tolerant about
		}
		if spans := fold(content, l, e.Normal, true).find(old); spans != nil {
			return spans, l.String()
		}
	}
	return nil, ""
}

// exact finds a text byte by byte. When a match would cut a CRLF in two, the
// next tier decides about all of them.
func exact(content, old string) []span {
	var found []span
	for from := 0; ; {
		i := strings.Index(content[from:], old)
		if i < 0 {
			return found
		}
		i += from
		stop := i + len(old)
		cuts := old[0] == '\n' && i > 0 && content[i-1] == '\r' ||
			old[len(old)-1] == '\r' && stop < len(content) && content[stop] == '\n'
		if cuts {
			return nil
		}
		found = append(found, span{i, stop})
		from = i + 1
	}
}

// apart drops matches that overlap an earlier one.
func apart(spans []span) []span {
	kept := spans[:1:1]
	for _, s := range spans[1:] {
		if s.start >= kept[len(kept)-1].end {
			kept = append(kept, s)
		}
	}
	return kept
}

// splice puts the new text in the place of each match.
func splice(content string, spans []span, e Edit, tier string) (string, Match) {
	m := Match{Tier: tier, Count: len(spans), Lines: lineNumbers(content, spans)}
	var b strings.Builder
	last := 0
	for _, s := range spans {
		text := e.New
		if tier != Exact {
			s, text = narrow(content, s, e)
		}
		text = fit(text, e.Old, tier, ending(content, s))
		b.WriteString(content[last:s.start])
		m.Spans = append(m.Spans, [2]int{b.Len(), b.Len() + len(text)})
		b.WriteString(text)
		last = s.end
	}
	b.WriteString(content[last:])
	return b.String(), m
}

// narrow leaves out of a tolerant match the lines that the edit does not
// change, so that they stay as they are. The match has as many lines as Old.
func narrow(content string, s span, e Edit) (span, string) {
	plain := func(t string) []string {
		return slices.Collect(strings.Lines(strings.ReplaceAll(t, "\r\n", "\n")))
	}
	was, is := plain(e.Old), plain(e.New)
	there := slices.Collect(strings.Lines(content[s.start:s.end]))
	if len(there) != len(was) {
		return s, e.New
	}
	text := e.New
	if open := there[len(there)-1]; strings.HasSuffix(e.Old, "\n") && !strings.HasSuffix(open, "\n") {
		// The last line of the file has no end; it stays without one.
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		was, is = plain(strings.TrimSuffix(e.Old, "\n")), plain(text)
		if len(was) != len(there) {
			return s, text
		}
	}
	lines := slices.Collect(strings.Lines(text))
	head := 0
	for head < min(len(was), len(is)) && was[head] == is[head] {
		head++
	}
	tail := 0
	for tail < min(len(was), len(is))-head && was[len(was)-1-tail] == is[len(is)-1-tail] {
		tail++
	}
	for _, l := range there[:head] {
		s.start += len(l)
	}
	for _, l := range there[len(there)-tail:] {
		s.end -= len(l)
	}
	return s, strings.Join(lines[head:len(lines)-tail], "")
}

// lineNumbers are the lines on which matches begin.
func lineNumbers(content string, spans []span) []int {
	lines := make([]int, 0, len(spans))
	line, from := 1, 0
	for _, s := range spans {
		line += strings.Count(content[from:s.start], "\n")
		from = s.start
		lines = append(lines, line)
	}
	return lines
}
