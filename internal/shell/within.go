package shell

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// within lists what the substitutions in a text run. It is for texts that the
// shell expands by itself, in whatever quotes they were given: the index of an
// array, a prompt, a list of completions.
func (r *reader) within(text string, sc *scope) {
	if !strings.Contains(text, "$(") && strings.IndexByte(text, '`') < 0 && !strings.Contains(text, "${") || r.depth >= mostDepth || !r.step() {
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

// completeCall is complete and compgen, which run a command to find words.
func completeCall(c *call) outcome {
	p := grammar{short: "AGWFCXPSoV", flags: "*"}.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.has && o.is("C"):
			c.unknown(c.name + " -C runs a command")
			c.script(o.val, c.word("-C"))
		case o.has && o.is("W"):
			c.r.within(o.val.Text, c.sc)
		}
	}
	return c.stays()
}

// bindCall is bind, which gives a key a command.
func bindCall(c *call) outcome {
	p := grammar{short: "mqurfx", flags: "*"}.parse(c.args)
	for _, o := range p.opts {
		if o.is("x") {
			c.unknown("bind -x gives a key a command")
			if i := strings.LastIndex(o.val.Text, `":`); i >= 0 {
				c.also(o.val.Text[i+2:])
			} else if _, command, ok := strings.Cut(o.val.Text, ":"); ok {
				c.also(command)
			}
		}
	}
	return c.stays()
}

// setCall is set, which gives the script its arguments.
func setCall(c *call) outcome {
	for i, w := range c.args {
		if w.Static && w.Text == "--" {
			c.r.calls = append(c.r.calls, called{"set", c.args[i+1:]})
			break
		}
	}
	return statics.look(c)
}

// matched lists the programs that are known and that a pattern for a command
// word may stand for.
func (r *reader) matched(words []Word, assigns []Assign, sc *scope) {
	pattern := Program(words[0].Text)
	found := 0
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		if ok, err := path.Match(pattern, name); err != nil || !ok || found >= mostForms || !r.step() {
			continue
		}
		found++
		inner := *sc
		at := r.reserve()
		r.command(append([]Word{literal(name)}, words[1:]...), assigns, &inner, at)
		r.out.Commands[at].Expansion = true
	}
}

// instead lists what runs in the place of a name that the script gave to an
// alias or to another program.
func (r *reader) instead(words []Word, assigns []Assign, sc *scope) {
	if sc.wrapper == "alias" {
		return
	}
	for _, text := range r.stands[words[0].Text] {
		if !r.step() || len(strings.Fields(text)) == 0 {
			return
		}
		inner := *sc
		inner.wrapper = "alias"
		at := r.reserve()
		r.command(append(items(strings.Fields(text)), words[1:]...), assigns, &inner, at)
		r.out.Commands[at].Expansion = true
	}
}
