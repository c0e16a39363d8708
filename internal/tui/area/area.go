package area

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Area is a text with a cursor. It is a value: each method returns a new one.
type Area struct {
	text   string
	cursor int // byte offset
	cols   int
	// goal is the column that up and down aim at while they follow each other,
	// -1 when none is set.
	goal   int
	undo   history
	killed string
}

// New is an empty area of a width in cells.
func New(cols int) Area { return Area{cols: max(cols, 1), goal: -1} }

// Text is what was written.
func (a Area) Text() string { return a.text }

// Cursor is the byte offset of the cursor in Text.
func (a Area) Cursor() int { return a.cursor }

// Resize changes the width in cells.
func (a Area) Resize(cols int) Area {
	a.cols, a.goal = max(cols, 1), -1
	return a
}

// Set replaces the text; Undo brings back what was there.
func (a Area) Set(text string, cursor int) Area {
	if text == a.text {
		return a.at(cursor)
	}
	return a.change(replaced, text, cursor)
}

// Insert puts a text at the cursor.
func (a Area) Insert(text string) Area { return a.insert(pasted, text) }

func (a Area) insert(k kind, text string) Area {
	return a.change(k, a.text[:a.cursor]+text+a.text[a.cursor:], a.cursor+len(text))
}

// at moves the cursor to the nearest character boundary at or before an offset.
func (a Area) at(cursor int) Area {
	a.goal = -1
	a.cursor = boundary(a.text, min(max(cursor, 0), len(a.text)))
	return a
}

// change is every edit: it keeps the old text for Undo.
func (a Area) change(k kind, text string, cursor int) Area {
	if text == a.text {
		return a.at(cursor)
	}
	a.undo = a.undo.keep(k, version{a.text, a.cursor})
	a.text = text
	return a.at(cursor)
}

// Press edits the text as a key says. Name is the key as "ctrl+a" or "left",
// typed what it types.
func (a Area) Press(name, typed string) Area {
	switch name {
	case "left", "ctrl+b":
		return a.at(a.cursor - lastCluster(a.text[:a.cursor]))
	case "right", "ctrl+f":
		return a.at(a.cursor + firstCluster(a.text[a.cursor:]))
	case "home", "ctrl+a":
		return a.at(a.lineStart())
	case "end", "ctrl+e":
		return a.at(a.lineEnd())
	case "ctrl+home", "alt+<":
		return a.at(0)
	case "ctrl+end", "alt+>":
		return a.at(len(a.text))
	case "alt+b", "alt+left", "ctrl+left":
		return a.at(wordStart(a.text, a.cursor))
	case "alt+f", "alt+right", "ctrl+right":
		return a.at(wordEnd(a.text, a.cursor))
	case "up", "ctrl+p":
		return a.vertical(-1)
	case "down", "ctrl+n":
		return a.vertical(1)
	case "pgup":
		return a.vertical(-page)
	case "pgdown":
		return a.vertical(page)
	case "shift+enter", "alt+enter", "ctrl+j":
		return a.insert(typedBlank, "\n")
	case "ctrl+_", "ctrl+/", "ctrl+shift+-":
		return a.back()
	}
	if b, ok := a.remove(name); ok {
		return b
	}
	if typed == "" {
		return a
	}
	k := typedText
	if strings.TrimSpace(typed) == "" {
		k = typedBlank
	}
	return a.insert(k, typed)
}

// page is how many rows page up and page down go.
const page = 8

// remove carries out the keys that take something away.
func (a Area) remove(name string) (Area, bool) {
	from, to, kill := a.cursor, a.cursor, true
	switch name {
	case "backspace", "ctrl+h", "shift+backspace":
		from, kill = a.cursor-lastCluster(a.text[:a.cursor]), false
	case "delete", "ctrl+d":
		to, kill = a.cursor+firstCluster(a.text[a.cursor:]), false
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		from = wordStart(a.text, a.cursor)
	case "alt+d", "alt+delete", "ctrl+delete":
		to = wordEnd(a.text, a.cursor)
	case "ctrl+u":
		// At the start of a line it joins with the line before, as ctrl+k does
		// with the line after.
		if from = a.lineStart(); from == to && from > 0 {
			from--
		}
	case "ctrl+k":
		if to = a.lineEnd(); from == to && to < len(a.text) {
			to++
		}
	case "ctrl+y":
		return a.insert(pasted, a.killed), true
	default:
		return a, false
	}
	if from == to {
		return a, true
	}
	k := erased
	if kill {
		a.killed, k = a.text[from:to], replaced
	}
	return a.change(k, a.text[:from]+a.text[to:], from), true
}

// back takes the last edit back.
func (a Area) back() Area {
	undo, v, ok := a.undo.pop()
	if !ok {
		return a
	}
	a.undo, a.text = undo, v.text
	return a.at(v.cursor)
}

func (a Area) lineStart() int { return strings.LastIndexByte(a.text[:a.cursor], '\n') + 1 }

func (a Area) lineEnd() int {
	if i := strings.IndexByte(a.text[a.cursor:], '\n'); i >= 0 {
		return a.cursor + i
	}
	return len(a.text)
}

// far is how far back a character is searched for: none that a reader sees is
// longer, and a long text costs no more than a short one.
const far = 256

// boundary is the start of the character that an offset stands in.
func boundary(text string, at int) int {
	if at <= 0 || at >= len(text) {
		return min(max(at, 0), len(text))
	}
	// Line ends always end a character, so the search begins behind the last.
	from := strings.LastIndexByte(text[:at], '\n') + 1
	if at-from > far {
		from = at - far
		for from < at && !utf8.RuneStart(text[from]) {
			from++
		}
	}
	state := -1
	for from < at {
		c, _, _, next := uniseg.FirstGraphemeClusterInString(text[from:], state)
		if from+len(c) > at {
			return from
		}
		from, state = from+len(c), next
	}
	return at
}

// firstCluster is the length of the first character of s.
func firstCluster(s string) int {
	c, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return len(c)
}

// lastCluster is the length of the last character of s.
func lastCluster(s string) int {
	if s == "" {
		return 0
	}
	_, n := utf8.DecodeLastRuneInString(s)
	return len(s) - boundary(s+" ", len(s)-n)
}
