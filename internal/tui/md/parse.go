package md

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"assent/internal/tui/ink"
)

// Style is the terminal to draw for.
type Style = ink.Style

// gfm reads GitHub's Markdown. It keeps nothing between two texts, and to make
// it costs more than most texts.
var gfm = sync.OnceValue(func() parser.Parser { //nolint:gochecknoglobals // never changed
	return goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
})

func parse(src []byte) ast.Node { return gfm().Parse(text.NewReader(src)) }

// lineStart is the offset at which the line of pos begins.
func lineStart(src []byte, pos int) int {
	pos = min(max(pos, 0), len(src))
	for pos > 0 && src[pos-1] != '\n' {
		pos--
	}
	return pos
}

// lineEnd is the offset behind the line end of the line of pos.
func lineEnd(src []byte, pos int) int {
	for i := pos; i < len(src); i++ {
		if src[i] == '\n' {
			return i + 1
		}
	}
	return len(src)
}

// blankBefore reports whether the line before the one at pos is empty but for
// the marks of quotes.
func blankBefore(src []byte, pos int) bool {
	start := lineStart(src, pos)
	if start == 0 {
		return false
	}
	before := string(src[lineStart(src, start-1) : start-1])
	return strings.Trim(before, "> \t") == ""
}

// segments joins the lines of a block.
func segments(n ast.Node, src []byte) string {
	lines := n.Lines()
	var b strings.Builder
	for i := range lines.Len() {
		s := lines.At(i)
		b.Write(s.Value(src))
	}
	return b.String()
}
