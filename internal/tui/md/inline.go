package md

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"assent/internal/tui/ink"
)

// inline collects the spans of a block's text.
type inline struct {
	src   []byte
	st    Style
	spans []ink.Span
}

// text is the spans of what stands in a block; look is that of the block.
func (r *renderer) text(n ast.Node, look ink.Look) []ink.Span {
	in := inline{src: r.src, st: r.st}
	in.children(n, look, "")
	return in.spans
}

func (in *inline) children(n ast.Node, look ink.Look, link string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		in.node(c, look, link)
	}
}

func (in *inline) put(text string, look ink.Look, link string) {
	if text != "" {
		in.spans = append(in.spans, ink.Span{Text: text, Look: look, Link: link})
	}
}

func (in *inline) node(n ast.Node, look ink.Look, link string) {
	switch n := n.(type) {
	case *ast.Text:
		in.put(unescape(string(n.Segment.Value(in.src))), look, link)
		switch {
		case n.HardLineBreak():
			in.put("\n", look, link)
		case n.SoftLineBreak():
			in.put(" ", look, link)
		}
	case *ast.String:
		in.put(ink.Clean(string(n.Value)), look, link)
	case *ast.CodeSpan:
		in.code(n, look, link)
	case *ast.Emphasis:
		attr := ink.Italic
		if n.Level > 1 {
			attr = ink.Bold
		}
		in.children(n, look.With(attr), link)
	case *extast.Strikethrough:
		in.children(n, look.With(ink.Strike), link)
	case *ast.Link:
		in.link(n, string(n.Destination), look, link)
	case *ast.Image:
		in.put("image: ", ink.Look{Role: ink.Dim, Attr: look.Attr}, link)
		in.link(n, string(n.Destination), look, link)
	case *ast.AutoLink:
		in.put(string(n.Label(in.src)), ink.Look{Role: ink.Link, Attr: look.Attr}, ink.URL(string(n.URL(in.src))))
	case *ast.RawHTML:
		in.html(n, look, link)
	case *extast.TaskCheckBox: // the list draws it
	default:
		in.children(n, look, link)
	}
}

// code is inline code. Without colours it is bold; where there is not even that
// its backquotes stay, unless it is all that a cell of a table holds.
func (in *inline) code(n *ast.CodeSpan, look ink.Look, link string) {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(in.src))
		}
	}
	text := strings.ReplaceAll(b.String(), "\n", " ")
	own := ink.Look{Role: ink.Code, Attr: look.Attr}
	switch in.st.Color {
	case ink.Mono:
		own = own.With(ink.Bold)
	case ink.Plain:
		if _, cell := n.Parent().(*extast.TableCell); !cell || n.PreviousSibling() != nil || n.NextSibling() != nil {
			text = "`" + text + "`"
		}
	default:
	}
	in.put(text, own, link)
}

// link is a text that opens an address. Where the terminal cannot open it the
// address follows, unless it is the text.
func (in *inline) link(n ast.Node, address string, look ink.Look, outer string) {
	url := ink.URL(unescape(address))
	from := len(in.spans)
	if outer != "" {
		url = outer
	}
	in.children(n, ink.Look{Role: ink.Link, Attr: look.Attr}, url)
	text := ink.Line(in.spans[from:]).String()
	if text == "" {
		text = ink.OneLine(unescape(address))
		in.put(text, ink.Look{Role: ink.Link, Attr: look.Attr}, url)
	}
	if in.st.Links && url != "" {
		return
	}
	if shown := ink.OneLine(unescape(address)); shown != "" && shown != text && shown != "mailto:"+text {
		in.put(" ("+shown+")", ink.Look{Role: ink.Dim}, url)
	}
}

// html is a tag within text: a line break breaks the line, any other tag is
// shown as it is.
func (in *inline) html(n *ast.RawHTML, look ink.Look, link string) {
	var b strings.Builder
	for i := range n.Segments.Len() {
		s := n.Segments.At(i)
		b.Write(s.Value(in.src))
	}
	tag := strings.ReplaceAll(b.String(), "\n", " ")
	switch strings.ToLower(strings.ReplaceAll(tag, " ", "")) {
	case "<br>", "<br/>", "</br>":
		in.put("\n", look, link)
	default:
		in.put(tag, ink.Look{Role: ink.Dim, Attr: look.Attr}, link)
	}
}

// unescape resolves backslashes and character references. What comes out may
// be anything, so it is cleaned again.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && punctuation(s[i+1]):
			i++
			b.WriteByte(s[i])
		case c == '&':
			end := strings.IndexByte(s[i:min(len(s), i+40)], ';')
			if end < 0 {
				b.WriteByte(c)
				continue
			}
			b.WriteString(html.UnescapeString(s[i : i+end+1]))
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return ink.Clean(b.String())
}

func punctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}
