package shell

import (
	"strings"

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

// whole says whether an index stands for all elements of an array.
func whole(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// indexed says whether a word is what zsh reads as one element of a list of the
// script ($x[1]), which other shells read as a pattern behind a value.
func (r *reader) indexed(w Word) bool {
	name, index, ok := strings.Cut(strings.TrimPrefix(w.Shown, "$"), "[")
	v := r.vars[name]
	return ok && strings.HasPrefix(w.Shown, "$") && strings.HasSuffix(index, "]") && v != nil && len(v.arrays) > 0
}
