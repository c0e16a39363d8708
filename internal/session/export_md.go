package session

import (
	"encoding/json"
	"io"
	"strings"
	"time"
)

// exportMarkdown writes a page as Markdown that reads well as plain text too.
func exportMarkdown(w io.Writer, p *page) error {
	t := &text{w: w}
	t.add("# ", inlineText(p.Title), "\n\n")
	for _, row := range [][2]string{{"session", p.ID}, {"folder", p.CWD}, {"begun", stampOf(p.Created)}, {"model", p.Model}} {
		if row[1] != "" {
			t.add("- ", row[0], ": ", codeSpanOf(row[1]), "\n")
		}
	}
	for _, row := range p.totals() {
		t.add("- ", row[0], ": ", row[1], "\n")
	}
	if p.Damage != "" {
		t.add("\n> ", p.Damage, "\n")
	}
	for _, b := range p.Blocks {
		t.add("\n")
		switch {
		case b.Prompt != nil:
			mdPrompt(t, b.Prompt)
		case b.Answer != nil:
			t.add(strings.TrimSpace(b.Answer.Text), "\n")
			if b.Answer.Cut != "" {
				t.add("\n*(", b.Answer.Cut, ")*\n")
			}
		case b.Call != nil:
			mdCall(t, b.Call)
		case b.Aside != nil:
			t.add("*", inlineText(b.Aside.Head), "*\n")
			if b.Aside.Text != "" {
				t.add("\n", quote(b.Aside.Text), "\n")
			}
		}
	}
	return t.err
}

func mdPrompt(t *text, p *promptBlock) {
	head := "## Prompt"
	if p.Number == 0 {
		head = "### While it worked"
	}
	t.add(head, "\n\n", quote(p.Text), "\n")
	for _, im := range p.Images {
		t.add("\n*(image ", inlineText(im.Name), ")*\n")
	}
}

func mdCall(t *text, c *callBlock) {
	t.add("**", mark(c.Status), " ", codeSpanOf(c.Name), "**")
	if c.Title != "" {
		t.add(" ", codeSpanOf(c.Title))
	}
	for _, s := range []string{string(c.Status), c.Decision, took(c.Took)} {
		if s != "" {
			t.add(" · ", inlineText(s))
		}
	}
	lang := ""
	if json.Valid([]byte(c.Input)) {
		lang = "json"
	}
	t.add("\n\n", fenced(lang, c.Input))
	switch {
	case c.Diff != "":
		t.add("\n", fenced("diff", c.Diff))
	case c.Output != "":
		t.add("\n", fenced("", c.Output))
	}
	if c.Artifact != "" {
		t.add("\nThe whole output is kept as ", codeSpanOf(c.Artifact), ".\n")
	}
	for _, im := range c.Images {
		t.add("\n*(image ", inlineText(im.Name), ")*\n")
	}
}

// quote makes a block quote, so that a prompt stays apart from the answer
// whatever it holds.
func quote(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight("> "+l, " ")
	}
	return strings.Join(lines, "\n")
}

// fenced puts a text into a fence that is longer than any run of backquotes in
// it.
func fenced(lang, s string) string {
	fence := strings.Repeat("`", max(3, longestRun(s)+1))
	return fence + lang + "\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}

func codeSpanOf(s string) string {
	s = firstLine(s)
	n := longestRun(s)
	if n == 0 {
		return "`" + s + "`"
	}
	tick := strings.Repeat("`", n+1)
	return tick + " " + s + " " + tick
}

func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// inlineText takes the meaning from the signs of Markdown.
func inlineText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]<>#|", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
