package session

import (
	"bytes"
	"html/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// markdown renders a model's Markdown as HTML that cannot do anything: raw
// HTML is shown as text, an image is shown as a link to where it lies, so that
// nothing is fetched, and a link of a dangerous kind leads nowhere.
type markdown struct{ md goldmark.Markdown }

func newMarkdown() markdown {
	return markdown{goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(inert{}, 100))),
	)}
}

// render gives the HTML of a text. Should the renderer fail, the text itself
// is shown.
func (m markdown) render(text string) template.HTML {
	var b bytes.Buffer
	if err := m.md.Convert([]byte(text), &b); err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(text) + "</pre>")
	}
	return template.HTML(b.String())
}

// inert renders what could act or fetch.
type inert struct{}

// RegisterFuncs takes over raw HTML and images.
func (r inert) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHTMLBlock, r.block)
	reg.Register(ast.KindRawHTML, r.inline)
	reg.Register(ast.KindImage, r.image)
}

func (inert) block(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.HTMLBlock)
	_, _ = w.WriteString("<pre class=\"raw\">")
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		_, _ = w.Write(util.EscapeHTML(line.Value(source)))
	}
	if n.HasClosure() {
		_, _ = w.Write(util.EscapeHTML(n.ClosureLine.Value(source)))
	}
	_, _ = w.WriteString("</pre>\n")
	return ast.WalkSkipChildren, nil
}

func (inert) inline(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.RawHTML)
	_, _ = w.WriteString("<code>")
	for i := range n.Segments.Len() {
		s := n.Segments.At(i)
		_, _ = w.Write(util.EscapeHTML(s.Value(source)))
	}
	_, _ = w.WriteString("</code>")
	return ast.WalkSkipChildren, nil
}

func (inert) image(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Image)
	if !entering {
		_, _ = w.WriteString("</a>")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<a class=\"image\" rel=\"noreferrer\" href=\"")
	if !html.IsDangerousURL(n.Destination) {
		_, _ = w.Write(util.EscapeHTML(util.URLEscape(n.Destination, true)))
	}
	_, _ = w.WriteString("\">🖼 ")
	return ast.WalkContinue, nil
}
