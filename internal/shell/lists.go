package shell

import (
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// listOf are the static words; nil when one of them is not static.
func listOf(words []*syntax.Word) []Word {
	out := make([]Word, 0, len(words))
	for _, w := range words {
		text, ok := static(w)
		if !ok || hasBrace(w) {
			return nil
		}
		one := literal(text)
		for i, p := range w.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				first := lit(l.Value, i == 0)
				one.Glob, one.quoted = one.Glob || first.glob, first.quoted
			}
		}
		out = append(out, one)
	}
	return out
}

// array notes the elements that an array is given as a whole.
func (v *variable) array(a *syntax.Assign) {
	words := make([]*syntax.Word, 0, len(a.Array.Elems))
	for _, e := range a.Array.Elems {
		if e.Value != nil {
			words = append(words, e.Value)
		}
	}
	list := listOf(words)
	if list == nil {
		v.loose = true
		return
	}
	if n := len(v.arrays); a.Append && n > 0 {
		list = append(v.arrays[n-1][:len(v.arrays[n-1]):len(v.arrays[n-1])], list...)
	}
	v.arrays = append(v.arrays, list)
}

// called is a call of what may be a function of the script.
type called struct {
	name string
	args []Word
}

// arguments notes the words that set or a function of the script is given.
func (r *reader) arguments(name string, rest []*syntax.Word) {
	if name == "set" && len(rest) > 0 && staticText(rest[0]) == "--" {
		rest = rest[1:]
	}
	if list := listOf(rest); list != nil && name != "" && len(r.calls) < mostCommands {
		r.calls = append(r.calls, called{name, list})
	}
}

// positionals are the values that $1, $@ and the like may have.
func (r *reader) positionals(name string) []value {
	var out []value
	for _, c := range r.calls {
		if c.name != "set" && !r.names[c.name] || len(out) >= mostValues || slices.ContainsFunc(out, func(v value) bool { return slices.EqualFunc(v.list, c.args, same) }) {
			continue
		}
		switch n := len(name); {
		case name == "@" || name == "*":
			if len(c.args) > 0 {
				out = append(out, listValue(c.args))
			}
		case n == 1 && int(name[0]-'1') < len(c.args):
			w := c.args[name[0]-'1']
			v := value{text: w.Text}
			if !w.Static {
				v.list = []Word{w}
			}
			out = append(out, v)
		}
	}
	return out
}

func same(a, b Word) bool { return a.Static && b.Static && a.Text == b.Text }

// whole says whether an index stands for all elements of an array.
func whole(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// given notes the arguments of a script that is given to a shell; the first is
// its name.
func (r *reader) given(rest []Word) {
	for i, w := range rest {
		if len(w.Subst) > 0 {
			r.held[strconv.Itoa(i)] = w.Subst
			r.held["@"] = append(r.held["@"], w.Subst...)
		}
	}
	if len(rest) == 0 {
		return
	}
	name := value{text: rest[0].Text}
	if !rest[0].Static {
		name.list = rest[:1]
	}
	v := r.variable("0")
	v.plain = append(v.plain, name)
	if len(rest) > 1 {
		r.calls = append(r.calls, called{"set", rest[1:]})
	}
}
