package screen

import (
	"fmt"
	"slices"
	"strings"
)

// When a pasted text is shown by its size, and how much may wait.
const (
	pasteLines = 8
	pasteBytes = 1000
	pasteLimit = 32 << 20 // all pasted texts together
	pasteCount = 500
	// A text that is recalled or taken back is folded only when it would fill
	// the screen.
	foldLines = 200
	foldBytes = 16 << 10
)

// mark begins every placeholder; none is longer than nameBytes.
const (
	mark      = "[pasted "
	nameBytes = 64
)

// paste is a text that stands in the editor by its name.
type paste struct{ name, text string }

// pastes are the texts that the editor may name.
type pastes struct {
	list []paste
	size int
}

// Paste takes a pasted text in, line ends as they came. A long one stands in
// the prompt as a placeholder and is sent whole.
func Paste(s State, text string) (State, []Intent) {
	text = clean(text)
	if text == "" {
		return s, nil
	}
	s.Armed = false
	if len(s.Approvals) > 0 && s.Approvals[0].Field != NoField {
		a := s.Approvals[0]
		a.Line = a.Line.Type(text)
		return s.front(a), nil
	}
	if s, intents, taken := s.pastePanel(text); taken {
		return s, intents
	}
	if s, intents, taken := s.pastePicture(text); taken {
		return s, intents
	}
	if !foldable(text) {
		return s, []Intent{Insert{text}}
	}
	s, name, ok := s.named(text)
	if !ok {
		return s.interject(Notice{fmt.Sprintf("The paste was not taken: %s of pasted text are waiting already. Save it to a file and name that.", size(s.pastes.size))}), nil
	}
	return s, []Intent{Insert{name}}
}

// foldable reports whether a pasted text is better shown by its size. One that
// could be taken for a placeholder always is.
func foldable(text string) bool {
	return len(text) > pasteBytes || strings.Count(text, "\n") >= pasteLines || strings.Contains(text, mark)
}

// recalled gives an earlier prompt as it stood in the editor: what was pasted
// into it by its name, so that the words around it are seen.
func (s State) recalled(text string) (State, string) {
	return s.fold(s.pastes.named(text))
}

// fold gives a text as it should stand in the editor: a very long one by its
// size.
func (s State) fold(text string) (State, string) {
	if len(text) <= foldBytes && strings.Count(text, "\n") < foldLines {
		return s, text
	}
	if t, name, ok := s.named(text); ok {
		return t, name
	}
	return s, text
}

// named gives a pasted text its name.
func (s State) named(text string) (State, string, bool) {
	p, name, ok := s.pastes.add(text, s.Editor.Text)
	s.pastes = p
	return s, name, ok
}

// named puts the names of pasted texts in their place. A text that has
// something like a name of its own stays as it is.
func (p pastes) named(text string) string {
	if strings.Contains(text, mark) {
		return text
	}
	known := slices.Clone(p.list)
	slices.SortStableFunc(known, func(a, b paste) int { return len(b.text) - len(a.text) })
	for _, x := range known {
		if x.text != "" && !strings.Contains(x.text, mark) {
			text = strings.ReplaceAll(text, x.text, x.name)
		}
	}
	return text
}

// add keeps a text under a name of its own; the same text has the same name.
// When too much is kept, the oldest texts that the editor does not name go.
func (p pastes) add(text, editor string) (pastes, string, bool) {
	for _, known := range p.list {
		if known.text == text {
			return p, known.name, true
		}
	}
	if p.size+len(text) > pasteLimit || len(p.list) >= pasteCount {
		p = p.without(editor, p.size+len(text)-pasteLimit)
	}
	if p.size+len(text) > pasteLimit || len(p.list) >= pasteCount {
		return p, "", false
	}
	base := mark + extent(text)
	name := base + "]"
	for n := 2; p.find(name) >= 0; n++ {
		name = fmt.Sprintf("%s (%d)]", base, n)
	}
	return pastes{append(slices.Clip(p.list), paste{name, text}), p.size + len(text)}, name, true
}

// without lets go of at least one text and of so many bytes, oldest first, as
// far as the editor does not name them.
func (p pastes) without(editor string, bytes int) pastes {
	named := map[string]bool{}
	for _, at := range p.spans(editor) {
		named[editor[at.start:at.end]] = true
	}
	var kept pastes
	gone, freed := 0, 0
	for _, x := range p.list {
		if !named[x.name] && (gone == 0 || freed < bytes) {
			gone, freed = gone+1, freed+len(x.text)
			continue
		}
		kept = pastes{append(kept.list, x), kept.size + len(x.text)}
	}
	return kept
}

func (p pastes) find(name string) int {
	return slices.IndexFunc(p.list, func(x paste) bool { return x.name == name })
}

// expand replaces the placeholders of a text, once and not in what they stand
// for, and says which there were.
func (p pastes) expand(text string) (string, []paste) {
	var used []paste
	text = replaceNames(text, func(name string) (string, bool) {
		i := p.find(name)
		if i < 0 {
			return "", false
		}
		used = append(used, p.list[i])
		return p.list[i].text, true
	})
	return text, used
}

// heal undoes an edit that would break a placeholder in two, for then its text
// would be lost: what was typed inside of one goes behind it, and who deletes a
// part of one deletes it.
func (p pastes) heal(old string, e Snapshot) (string, int, bool) {
	if len(p.list) == 0 || old == e.Text || !strings.Contains(old, mark) {
		return "", 0, false
	}
	from, to, typed := splice(old, e)
	broken := false
	for _, at := range p.spans(old) {
		switch {
		case from == to && at.start < from && from < at.end:
			from, to, broken = at.end, at.end, true
		case from < at.end && at.start < to && (at.start < from || to < at.end):
			from, to, broken = min(from, at.start), max(to, at.end), true
		}
	}
	return old[:from] + typed + old[to:], from + len(typed), broken
}

// splice says what an edit did: old[from:to] became typed. Where several
// answers fit, the cursor tells.
func splice(old string, e Snapshot) (from, to int, typed string) {
	grown := len(e.Text) - len(old)
	from, to = e.Cursor-max(grown, 0), e.Cursor+max(-grown, 0)
	end := e.Cursor
	if grown > 0 {
		to = from
	}
	if from >= 0 && to <= len(old) && old[:from] == e.Text[:from] && old[to:] == e.Text[end:] {
		return from, to, e.Text[from:end]
	}
	from, to, end = 0, len(old), len(e.Text)
	for from < min(to, end) && old[from] == e.Text[from] {
		from++
	}
	for to > from && end > from && old[to-1] == e.Text[end-1] {
		to, end = to-1, end-1
	}
	return from, to, e.Text[from:end]
}

// before is the length of the placeholder that ends at the cursor, 0 for none.
func (p pastes) before(e Snapshot) int {
	text := clipTail(e.Text[:e.Cursor], nameBytes)
	at := strings.LastIndex(text, mark)
	if at < 0 || p.find(text[at:]) < 0 {
		return 0
	}
	return len(text) - at
}

// restore brings pasted texts back whose names may have been given away since.
func (p pastes) restore(used []paste, shown, editor string) (pastes, string) {
	now := map[string]string{}
	for _, u := range used {
		next, name, ok := p.add(u.text, editor+shown)
		if ok {
			p, now[u.name] = next, name
		} else {
			now[u.name] = u.text
		}
	}
	return p, replaceNames(shown, func(name string) (string, bool) {
		text, ok := now[name]
		return text, ok
	})
}

// span is where a placeholder stands.
type span struct{ start, end int }

// spans are the placeholders of a text, in order.
func (p pastes) spans(text string) []span {
	var list []span
	eachName(text, func(at span) bool {
		if p.find(text[at.start:at.end]) < 0 {
			return false
		}
		list = append(list, at)
		return true
	})
	return list
}

// eachName finds what looks like a placeholder. take reports whether it is
// one; the search goes on behind it then.
func eachName(text string, take func(span) bool) {
	for at := 0; ; {
		i := strings.Index(text[at:], mark)
		if i < 0 {
			return
		}
		at += i
		end := at + strings.IndexByte(text[at:min(len(text), at+nameBytes)], ']') + 1
		if end > at && take(span{at, end}) {
			at = end
		} else {
			at += len(mark)
		}
	}
}

// replaceNames gives the name of each thing that looks like a placeholder to
// with, and puts what that returns in its place.
func replaceNames(text string, with func(name string) (string, bool)) string {
	var b strings.Builder
	done := 0
	eachName(text, func(at span) bool {
		by, ok := with(text[at.start:at.end])
		if ok {
			b.WriteString(text[done:at.start])
			b.WriteString(by)
			done = at.end
		}
		return ok
	})
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// extent says how long a text is.
func extent(text string) string {
	if n := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1; n > 1 {
		return fmt.Sprintf("%d lines", n)
	}
	return size(len(text))
}

// size is a number of bytes for people.
func size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 10<<10:
		return fmt.Sprintf("%d KB", n>>10)
	default:
		return fmt.Sprintf("%d bytes", n)
	}
}

// collapse is a long prompt as the scrollback shows it.
func collapse(text string) string {
	const lines, bytes = 40, 8 << 10
	kept := clipHead(text, bytes)
	for n, at := 0, 0; ; n++ {
		if n == lines {
			kept = kept[:at]
			break
		}
		i := strings.IndexByte(kept[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	if len(kept) == len(text) {
		return text
	}
	return strings.TrimRight(kept, "\n") + "\n[" + extent(text[len(kept):]) + " more]"
}
