package md

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"assent/internal/tui/ink"
)

// maxProse is the widest that prose is set: longer lines are hard to read.
// Code and tables take what there is.
const maxProse = 100

// minText is the narrowest column that text is set in; where nesting leaves
// less, text runs into the margin instead.
const minText = 4

// Render draws a Markdown text as lines for the terminal, each on its own and
// no wider than st.Cols.
func Render(src string, st Style) []string {
	return ink.EncodeAll(Lines(src, st), st)
}

// Lines is Render before the lines are encoded, for who puts something before
// them. A long text is drawn piece by piece, as it would be while it streams.
func Lines(src string, st Style) []ink.Line {
	src = ink.Clean(src)
	var lines []ink.Line
	joined := true
	add := func(text string) {
		part := whole(text, st, 0)
		if len(part) == 0 {
			return
		}
		if !joined {
			lines = append(lines, nil)
		}
		lines = append(lines, part...)
	}
	for {
		n, reopen, more := 0, "", false
		if len(src) > window {
			n, reopen, more = Cut(src)
		}
		if n == 0 {
			add(src)
			return lines
		}
		add(src[:n])
		joined = more || len(lines) == 0
		src = reopen + src[n:]
	}
}

// Tail draws the end of a text that is still being written: its last rows
// lines. Of a long block no more than that is highlighted.
func Tail(src string, st Style, rows int) []ink.Line {
	if rows <= 0 {
		return nil
	}
	for len(src) > maxWindow {
		n, reopen, _ := Cut(src)
		if n == 0 {
			break
		}
		src = reopen + src[n:]
	}
	lines := whole(ink.Clean(src), st, rows)
	return lines[max(0, len(lines)-rows):]
}

// whole draws a clean text in one go. rows, when not 0, is how many lines at
// the end matter.
func whole(src string, st Style, rows int) []ink.Line {
	if strings.TrimSpace(src) == "" {
		return nil
	}
	r := renderer{src: []byte(src), st: st, rows: rows}
	lines := r.blocks(parse(r.src), st.Cols(), 0)
	if r.tight {
		return ink.Bound(lines, st.Cols())
	}
	return lines
}

type renderer struct {
	src  []byte
	st   Style
	rows int
	// tight says that something was drawn wider than there is room.
	tight bool
}

// maxDepth bounds how deep lists and quotes are drawn in each other; what is
// deeper is drawn as text.
const maxDepth = 24

// blocks draws the blocks in a node, parted as they are in the source; on the
// top level a blank line parts them always.
func (r *renderer) blocks(n ast.Node, w, depth int) []ink.Line {
	var out []ink.Line
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		lines := r.block(c, w, depth)
		if len(lines) == 0 {
			continue
		}
		if len(out) > 0 && (depth == 0 || blankBefore(r.src, c.Pos())) {
			out = append(out, nil)
		}
		out = append(out, lines...)
	}
	return out
}

func (r *renderer) block(n ast.Node, w, depth int) []ink.Line {
	if w < minText {
		w, r.tight = minText, true
	}
	if depth > maxDepth {
		return ink.Wrap([]ink.Span{{Text: segmentsBelow(n, r.src)}}, w)
	}
	switch n := n.(type) {
	case *ast.Heading:
		return r.heading(n, w)
	case *ast.Paragraph, *ast.TextBlock:
		return ink.Wrap(r.text(n, ink.Look{}), min(w, maxProse))
	case *ast.ThematicBreak:
		return []ink.Line{{ink.S(strings.Repeat(r.st.Pick("─", "-"), min(8, w)), ink.Dim)}}
	case *ast.FencedCodeBlock:
		return r.code(string(n.Language(r.src)), n, w)
	case *ast.CodeBlock:
		return r.code("", n, w)
	case *ast.HTMLBlock:
		text := segments(n, r.src)
		if n.HasClosure() {
			text += string(n.ClosureLine.Value(r.src))
		}
		return ink.Chop([]ink.Span{ink.S(strings.TrimRight(text, "\n"), ink.Dim)}, w)
	case *ast.Blockquote:
		bar := ink.Line{ink.S(r.st.Pick("│ ", "> "), ink.Dim)}
		return ink.Hang(r.blocks(n, w-2, depth+1), bar, bar)
	case *ast.List:
		return r.list(n, w, depth)
	case *extast.Table:
		return r.table(n, w)
	case *ast.LinkReferenceDefinition:
		text := "[" + ink.OneLine(string(n.Label)) + "]: " + ink.OneLine(unescape(string(n.Destination)))
		return ink.Wrap([]ink.Span{ink.S(text, ink.Dim)}, w)
	}
	return ink.Wrap(r.text(n, ink.Look{}), w)
}

// heading is bold; the first levels stand out more. Without attributes the
// marks of the source stay.
func (r *renderer) heading(n *ast.Heading, w int) []ink.Line {
	look := ink.Look{Role: ink.Accent, Attr: ink.Bold}
	switch {
	case n.Level == 1:
		look.Attr |= ink.Underline
	case n.Level > 2:
		look.Role = ink.Text
	}
	spans := r.text(n, look)
	if r.st.Color == ink.Plain {
		spans = append([]ink.Span{{Text: strings.Repeat("#", n.Level) + " "}}, spans...)
	}
	return ink.Wrap(spans, min(w, maxProse))
}

// code is a block of code, set in by two. While it is being written only its
// end is highlighted.
func (r *renderer) code(language string, n ast.Node, w int) []ink.Line {
	text := strings.TrimRight(segments(n, r.src), "\n")
	if r.rows > 0 {
		text = lastLines(text, r.rows+r.rows/2)
	}
	if strings.ContainsAny(language, "{,") {
		language = language[:strings.IndexAny(language, "{,")]
	}
	indent := ink.Line{{Text: "  "}}
	var out []ink.Line
	for _, l := range Code(language, text) {
		out = append(out, ink.Hang(ink.Chop(l, w-2), indent, indent)...)
	}
	return out
}

// lastLines is the last n lines of a text.
func lastLines(s string, n int) string {
	at := len(s)
	for ; n > 0; n-- {
		i := strings.LastIndexByte(s[:at], '\n')
		if i < 0 {
			return s
		}
		at = i
	}
	return s[at+1:]
}

// list draws items behind their marks. Items stand close unless the source
// parts them.
func (r *renderer) list(n *ast.List, w, depth int) []ink.Line {
	bullets := [...]string{"•", "◦", "▪"}
	bullet := r.st.Pick(bullets[listDepth(n)%len(bullets)], "-")
	number := n.Start
	var out []ink.Line
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		mark := ink.S(bullet+" ", ink.Accent)
		if n.IsOrdered() {
			mark.Text = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		}
		if box := checkBox(c); box != nil {
			mark = r.box(box.IsChecked)
		}
		indent := ink.Width(mark.Text)
		if len(out) > 0 && blankBefore(r.src, c.Pos()) {
			out = append(out, nil)
		}
		lines := r.blocks(c, w-indent, depth+1)
		if len(lines) == 0 {
			lines = []ink.Line{nil}
		}
		out = append(out, ink.Hang(lines, ink.Line{mark}, ink.Line{{Text: strings.Repeat(" ", indent)}})...)
	}
	return out
}

// listDepth counts the lists around a list.
func listDepth(n ast.Node) int {
	d := 0
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindList {
			d++
		}
	}
	return d
}

// checkBox is the box of a task, nil when the item is none.
func checkBox(item ast.Node) *extast.TaskCheckBox {
	text := item.FirstChild()
	if text == nil {
		return nil
	}
	box, _ := text.FirstChild().(*extast.TaskCheckBox)
	return box
}

func (r *renderer) box(checked bool) ink.Span {
	if checked {
		return ink.S(r.st.Pick("✓ ", "[x] "), ink.Good)
	}
	return ink.S(r.st.Pick("☐ ", "[ ] "), ink.Dim)
}

// segmentsBelow is the source of all that is in a node.
func segmentsBelow(n ast.Node, src []byte) string {
	var b strings.Builder
	for c := n; c != nil; c = c.FirstChild() {
		if c.Type() == ast.TypeBlock && c.Lines().Len() > 0 {
			b.WriteString(segments(c, src))
			break
		}
	}
	return b.String()
}
