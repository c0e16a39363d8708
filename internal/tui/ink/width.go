package ink

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// tabStop is the distance of tab stops in cells.
const tabStop = 4

// Width is the number of cells that clean text takes on a row.
func Width(s string) int {
	if ascii(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Width is the number of cells that the line takes.
func (l Line) Width() int {
	n := 0
	for _, s := range l {
		n += Width(s.Text)
	}
	return n
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x7f || s[i] < ' ' {
			return false
		}
	}
	return true
}

// cluster is the first grapheme of s and its width.
func cluster(s string) (string, int) {
	if s[0] < 0x7f && (len(s) == 1 || s[1] < 0x80) {
		return s[:1], 1
	}
	return ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
}

// fit is the length in bytes of the longest beginning of s that is at most w
// cells wide, and its width. It looks no further than that.
func fit(s string, w int) (n, cells int) {
	for n < len(s) {
		g, gw := cluster(s[n:])
		if cells+gw > w {
			break
		}
		n += len(g)
		cells += gw
	}
	return n, cells
}

// Trunc cuts a line to w cells; a cut one ends in an ellipsis.
func Trunc(l Line, w int) Line {
	total := 0
	for i, s := range l {
		cells, whole := measure(s.Text, w-total)
		if !whole {
			return cutLine(l[:i:i], s, w)
		}
		total += cells
	}
	return l
}

// measure is the width of s when that is at most w; it stops counting there.
func measure(s string, w int) (cells int, whole bool) {
	n, cells := fit(s, w)
	return cells, n == len(s)
}

// cutLine is the line up to and with a part of s, cut so that an ellipsis
// ends it at w cells.
func cutLine(before Line, s Span, w int) Line {
	if w < 1 {
		return nil
	}
	whole := append(before, s)
	out := make(Line, 0, len(whole)+1)
	left := w - 1
	for _, p := range whole {
		n, cells := fit(p.Text, left)
		left -= cells
		cut := n < len(p.Text)
		p.Text = p.Text[:n]
		if p.Text != "" {
			out = append(out, p)
		}
		if cut {
			break
		}
	}
	last := Look{Role: Dim}
	if len(out) > 0 {
		last = out[len(out)-1].Look
		out[len(out)-1].Text = strings.TrimRight(out[len(out)-1].Text, " ")
	}
	return append(out, Span{Text: "…", Look: last})
}

// Pad adds blanks up to w cells.
func Pad(l Line, w int) Line {
	if n := w - l.Width(); n > 0 {
		return append(l[:len(l):len(l)], Span{Text: strings.Repeat(" ", n)})
	}
	return l
}

// Expand replaces tabs by blanks up to the next tab stop, at being the column
// where s begins.
func Expand(s string, at int) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\t')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		at += Width(s[:i])
		n := tabStop - at%tabStop
		b.WriteString("    "[:n])
		at, s = at+n, s[i+1:]
	}
	if b.Len() == 0 {
		return s
	}
	b.WriteString(s)
	return b.String()
}

// Fit is the length in bytes of the longest beginning of s that is at most w
// cells wide.
func Fit(s string, w int) int {
	n, _ := fit(s, w)
	return n
}

// First is the length in bytes of the first grapheme of s.
func First(s string) int {
	if s == "" {
		return 0
	}
	g, _ := cluster(s)
	return len(g)
}
