package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// lineLimit is the longest text of a one-line field in bytes.
const lineLimit = 64 << 10

// Line is a one-line field of a panel with its cursor, a byte offset.
type Line struct {
	Text   string
	Cursor int
}

// NewLine is a field that holds a text, the cursor at its end.
func NewLine(text string) Line { return Line{}.Type(text) }

// Press edits the field. Keys that edit nothing leave it as it is.
func (l Line) Press(k Key) Line {
	before, after := l.Text[:l.Cursor], l.Text[l.Cursor:]
	switch k.Name {
	case "left", "ctrl+b":
		l.Cursor -= lastCluster(before)
	case "right", "ctrl+f":
		l.Cursor += firstCluster(after)
	case "home", "ctrl+a":
		l.Cursor = 0
	case "end", "ctrl+e":
		l.Cursor = len(l.Text)
	case "alt+b", "ctrl+left", "alt+left":
		l.Cursor = wordStart(before)
	case "alt+f", "ctrl+right", "alt+right":
		l.Cursor += wordEnd(after)
	case "backspace", "ctrl+h":
		return Line{before[:len(before)-lastCluster(before)] + after, l.Cursor - lastCluster(before)}
	case "delete", "ctrl+d":
		l.Text = before + after[firstCluster(after):]
	case "ctrl+u":
		return Line{after, 0}
	case "ctrl+k":
		l.Text = before
	case "ctrl+w", "alt+backspace":
		at := wordStart(before)
		return Line{before[:at] + after, at}
	default:
		if k.Text != "" {
			return l.Type(k.Text)
		}
	}
	return l
}

// Type inserts a text at the cursor; line ends become blanks. What does not
// fit is left out.
func (l Line) Type(text string) Line {
	text = strings.TrimRight(clipHead(text, lineLimit), "\r\n")
	text = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(clean(text))
	text = clipHead(text, max(lineLimit-len(l.Text), 0))
	return Line{l.Text[:l.Cursor] + text + l.Text[l.Cursor:], l.Cursor + len(text)}
}

// firstCluster is the length of the first grapheme cluster.
func firstCluster(s string) int {
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return len(cluster)
}

// lastCluster is the length of the last grapheme cluster. It looks at the end
// of a long text only.
func lastCluster(s string) int {
	const far = 256
	if len(s) > far {
		s = clipTail(s, far)
	}
	n, state := 0, -1
	for s != "" {
		var cluster string
		cluster, s, _, state = uniseg.FirstGraphemeClusterInString(s, state)
		n = len(cluster)
	}
	return n
}

// wordStart is the offset at which the last word begins.
func wordStart(s string) int {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	at := strings.LastIndexFunc(s, unicode.IsSpace)
	if at < 0 {
		return 0
	}
	_, n := utf8.DecodeRuneInString(s[at:])
	return at + n
}

// wordEnd is the offset at which the first word ends.
func wordEnd(s string) int {
	trimmed := strings.TrimLeftFunc(s, unicode.IsSpace)
	at := strings.IndexFunc(trimmed, unicode.IsSpace)
	if at < 0 {
		return len(s)
	}
	return len(s) - len(trimmed) + at
}
