package session

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed assets/page.html
var pageHTML string

//go:embed assets/page.css
var pageCSS string

// exportHTML writes a page as one self-contained document: styles inside, no
// scripts, nothing fetched. What came from a model, a tool or a user passes
// the escaping of the template or of the Markdown renderer.
func exportHTML(w io.Writer, p *page) error {
	md := newMarkdown()
	t, err := template.New("page").Funcs(template.FuncMap{
		"markdown": md.render,
		"mark":     mark,
		"spans":    codeSpans,
		"open":     func(diff string) bool { return diff != "" && strings.Count(diff, "\n") <= openDiff },
		"stamp":    stampOf,
		"diff":     diffLines,
		"picture":  pictureURL,
		"short":    func(s string) string { return shorten(firstLine(s), 90) },
		"trim":     func(s string) string { return strings.TrimRight(s, "\n") },
	}).Parse(pageHTML)
	if err != nil {
		return err
	}
	return t.Execute(w, struct {
		*page
		CSS     template.CSS
		Totals  [][2]string
		Prompts []*promptBlock
	}{p, template.CSS(pageCSS), p.totals(), p.prompts()})
}

// openDiff is how many lines a diff may have to be shown at once.
const openDiff = 40

// codeSpans shows what stands between two backquotes of a line as code, and
// everything else as it is.
func codeSpans(s string) template.HTML {
	var b strings.Builder
	for line := range strings.Lines(s) {
		parts := strings.Split(line, "`")
		if len(parts)%2 == 0 || strings.Contains(line, "``") {
			parts = []string{line}
		}
		for i, part := range parts {
			part = template.HTMLEscapeString(part)
			if i%2 == 1 {
				part = "<code>" + part + "</code>"
			}
			b.WriteString(part)
		}
	}
	return template.HTML(b.String())
}

// prompts are the entries of the table of contents.
func (p *page) prompts() []*promptBlock {
	var list []*promptBlock
	for _, b := range p.Blocks {
		if b.Prompt != nil && b.Prompt.Number > 0 {
			list = append(list, b.Prompt)
		}
	}
	return list
}

// diffLine is a line of a unified diff with its class.
type diffLine struct{ Class, Text string }

func diffLines(diff string) []diffLine {
	var out []diffLine
	for line := range strings.SplitSeq(strings.TrimRight(diff, "\n"), "\n") {
		class := "same"
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "):
			class = "file"
		case strings.HasPrefix(line, "@@"):
			class = "hunk"
		case strings.HasPrefix(line, "+"):
			class = "add"
		case strings.HasPrefix(line, "-"):
			class = "del"
		}
		out = append(out, diffLine{class, line})
	}
	return out
}

// pictureURL gives an image as a data URL; only the types that models see are
// let through.
func pictureURL(p picture) template.URL {
	if p.Err != nil || imageExt(p.MIME) == ".bin" {
		return ""
	}
	return template.URL(fmt.Sprintf("data:%s;base64,%s", p.MIME, base64.StdEncoding.EncodeToString(p.Data)))
}

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}
