package md

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// The bounds of what stays unfinished.
const (
	// window is how much of a text is looked at, in bytes; a list or a quote
	// that is longer may take up to maxWindow.
	window, maxWindow = 8 << 10, 32 << 10
	// maxOpen bounds an open paragraph, table or quote in bytes.
	maxOpen = 4 << 10
	// A fence of calmLines is cut where the code is calm, one of maxLines
	// anywhere; the last keepLines stay.
	calmLines, maxLines, keepLines = 10, 24, 2
)

// Cut finds what is finished at the head of an answer that is being written:
// the first n bytes of tail, none when n is 0. What is left is reopen and
// tail[n:]: when a block had to be cut, such as a fence that does not close,
// reopen opens it again. More says that the rest goes on in the block that was
// cut, so no blank line parts the two.
//
// It is cheap: it looks at a bounded part of the tail. Call it until n is 0.
func Cut(tail string) (n int, reopen string, more bool) {
	end := strings.LastIndexByte(tail, '\n') + 1
	if end == 0 && len(tail) < maxOpen {
		return 0, "", false
	}
	if len(tail)-end >= maxOpen {
		end = len(tail) // a line that long is cut before it ends
	}
	for size := window; ; size = maxWindow {
		head := tail[:end]
		if len(tail) > size {
			head = tail[:cutLine(tail, size)]
		}
		n, reopen, more = cutHead(tail, head)
		switch {
		case n > 0:
			return n, reopen, more
		case len(head) < end && size < maxWindow:
			continue
		case len(tail) >= maxWindow:
			return cutAnywhere(tail)
		}
		return 0, "", false
	}
}

// cutHead cuts what head, the beginning of tail, lets see.
func cutHead(tail, head string) (n int, reopen string, more bool) {
	src := []byte(head)
	last := parse(src).LastChild()
	if last == nil {
		return 0, "", false
	}
	if at := lineStart(src, last.Pos()); strings.TrimSpace(head[:at]) != "" {
		return at, "", false
	}
	return cutBlock(tail, head, last)
}

// cutLine is the largest line end within size, or a character boundary when
// the line is longer.
func cutLine(s string, size int) int {
	if n := strings.LastIndexByte(s[:size], '\n'); n > 0 {
		return n + 1
	}
	return runeStart(s, size)
}

func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// cutBlock cuts within the only block of head, which tail begins with.
func cutBlock(tail, head string, block ast.Node) (n int, reopen string, more bool) {
	switch b := block.(type) {
	case *ast.FencedCodeBlock:
		return cutFence(tail, head, b)
	case *ast.List:
		return cutList(head, b)
	case *extast.Table:
		return cutTable(head, b)
	case *ast.Blockquote:
		if len(head) < maxOpen {
			return 0, "", false
		}
		if last := b.LastChild(); last != nil && last != b.FirstChild() {
			at := lineStart([]byte(head), last.Pos())
			return at, "", false
		}
	case *ast.CodeBlock, *ast.HTMLBlock:
		if len(head) < maxOpen {
			return 0, "", false
		}
		if at := lineStart([]byte(head), len(head)-1); at > 0 {
			return at, "", true
		}
		return cutAnywhere(tail)
	default:
		if len(tail) >= maxOpen {
			return cutAnywhere(tail)
		}
	}
	return 0, "", false
}

// cutAnywhere cuts a paragraph that grows too long: at the last line end or
// blank behind which a word begins, so that nothing after it can be taken for
// a mark.
func cutAnywhere(tail string) (n int, reopen string, more bool) {
	head := tail[:runeStart(tail, min(len(tail), maxOpen))]
	for _, blanks := range []string{"\n", " \t"} {
		for i := len(head) - 1; i > maxOpen/2; i-- {
			if strings.IndexByte(blanks, head[i]) < 0 || i+1 == len(head) {
				continue
			}
			if r, _ := utf8.DecodeRuneInString(head[i+1:]); unicode.IsLetter(r) {
				return i + 1, "", true
			}
		}
	}
	return len(head), "", true
}

// cutFence prints the lines of a long open fence that are finished. The rest
// opens it again.
func cutFence(tail, head string, b *ast.FencedCodeBlock) (n int, reopen string, more bool) {
	src := []byte(head)
	open := lineStart(src, b.Pos())
	first := lineEnd(src, open)
	opener := head[open:first]
	if !strings.HasSuffix(opener, "\n") {
		if len(tail) < maxOpen {
			return 0, "", false
		}
		return cutAnywhere(tail) // a line of backquotes without end
	}
	content := segments(b, src)
	if end := contentEnd(b, first); end < len(head) {
		at := lineEnd(src, end) // it is closed
		return at, "", false
	}
	starts := lineStarts(head, first)
	if len(starts) <= calmLines && len(head) < maxOpen {
		return 0, "", false
	}
	if len(starts) <= keepLines {
		at := runeStart(tail, min(len(tail), maxOpen))
		if at <= first {
			return 0, "", false
		}
		return at, opener, true
	}
	at := calm(b, src, starts, content)
	if at == 0 && (len(starts) > maxLines || len(head) >= maxOpen) {
		at = starts[len(starts)-keepLines]
	}
	if at == 0 {
		return 0, "", false
	}
	return at, opener, true
}

// contentEnd is the offset behind the content of a fence that begins at first.
func contentEnd(n ast.Node, first int) int {
	if k := n.Lines().Len(); k > 0 {
		return n.Lines().At(k - 1).Stop
	}
	return first
}

// lineStarts lists where lines begin, from first on.
func lineStarts(s string, first int) []int {
	var starts []int
	for at := first; at < len(s); {
		starts = append(starts, at)
		n := strings.IndexByte(s[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return starts
}

// calm finds the last line of a fence at which its highlighting may begin
// anew: it is not indented, follows an empty line and is in no comment or
// string. It returns 0 when there is none.
func calm(b *ast.FencedCodeBlock, src []byte, starts []int, content string) int {
	first, last := starts[0], 0
	quiet := quietEnds(string(b.Language(src)), content)
	for i := len(starts) - 1; i > keepLines && last == 0; i-- {
		at := starts[i]
		switch c := src[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '}' || c == ')':
		case blankBefore(src, at) && quiet(at-first):
			last = at
		}
	}
	return last
}

// cutList prints the items of a list that are finished, all but the last.
func cutList(head string, b *ast.List) (n int, reopen string, more bool) {
	last := b.LastChild()
	if last == nil || last == b.FirstChild() {
		return 0, "", false
	}
	src := []byte(head)
	at := lineStart(src, last.Pos())
	if at == 0 {
		return 0, "", false
	}
	if b.IsOrdered() {
		// An item that does not carry its own number would lose it.
		digits := strings.TrimLeft(head[at:], " >")
		end := strings.IndexFunc(digits, func(r rune) bool { return !unicode.IsDigit(r) })
		if end < 0 || digits[:end] != strconv.Itoa(b.Start+b.ChildCount()-1) {
			return 0, "", false
		}
	}
	return at, "", !blankBefore(src, at)
}

// cutTable prints the rows of a long table. The rest repeats its head.
func cutTable(head string, b *extast.Table) (n int, reopen string, more bool) {
	last := b.LastChild()
	src := []byte(head)
	start := lineStart(src, b.Pos())
	rows := lineEnd(src, lineEnd(src, start))
	at := 0
	if last != nil {
		at = lineStart(src, last.Pos())
	}
	if len(head)-start < maxOpen || at <= rows {
		return 0, "", false
	}
	return at, head[start:rows], false
}
