package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// within lists what the substitutions in a text run. It is for texts that the
// shell expands by itself, in whatever quotes they were given: the index of an
// array, a prompt, a list of completions.
func (r *reader) within(text string, sc *scope) {
	if !strings.Contains(text, "$(") && strings.IndexByte(text, '`') < 0 && !strings.Contains(text, "${") || r.depth >= mostDepth || len(text) > mostLength || nested(text) > mostNested || !r.step() {
		return
	}
	doc, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Document(strings.NewReader(text))
	if err != nil {
		return
	}
	at := len(r.out.Commands)
	inner := *sc
	old := r.src
	r.src = text
	r.depth++
	r.parts(doc.Parts, &inner)
	r.depth--
	r.src = old
	for i := at; i < len(r.out.Commands); i++ {
		r.out.Commands[i].Expansion = true
	}
}
