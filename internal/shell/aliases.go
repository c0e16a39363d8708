package shell

import (
	"maps"
	"path"
	"slices"
	"strings"
)

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
	if sc.wrapper == "alias" && r.depth >= mostDepth {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	for _, text := range r.stands[words[0].Text] {
		if !r.step() || len(strings.Fields(text)) == 0 {
			return
		}
		inner := *sc
		inner.wrapper = "alias"
		at := r.reserve()
		full := append(items(strings.Fields(text)), words[1:]...)
		if full[0].Text == words[0].Text { // no alias is expanded within itself
			continue
		}
		r.command(full, assigns, &inner, at)
		r.out.Commands[at].Expansion = true
	}
}
