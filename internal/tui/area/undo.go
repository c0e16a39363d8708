package area

import "slices"

// kind says what an edit was, so that edits of one kind in a row are taken
// back together.
type kind int

const (
	none       kind = iota
	typedText       // letters: a word is one edit
	typedBlank      // blanks and line ends
	erased          // characters, one after the other
	pasted
	replaced
)

// Bounds of what can be taken back.
const (
	mostVersions = 200
	mostBytes    = 8 << 20
)

type version struct {
	text   string
	cursor int
}

// history is the earlier texts, oldest first.
type history struct {
	list  []version
	bytes int
	last  kind
}

// keep remembers a text before an edit of a kind.
func (h history) keep(k kind, v version) history {
	joins := k == h.last && (k == typedText || k == erased)
	h.last = k
	if joins {
		return h
	}
	h.list = append(slices.Clip(h.list), v)
	h.bytes += len(v.text)
	for len(h.list) > mostVersions || h.bytes > mostBytes && len(h.list) > 1 {
		h.bytes -= len(h.list[0].text)
		h.list = h.list[1:]
	}
	return h
}

// pop gives the newest text.
func (h history) pop() (history, version, bool) {
	if len(h.list) == 0 {
		return h, version{}, false
	}
	v := h.list[len(h.list)-1]
	h.list, h.bytes, h.last = h.list[:len(h.list)-1], h.bytes-len(v.text), none
	return h, v, true
}
