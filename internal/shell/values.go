package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// resolve gives the values of a variable and whether it may have others that
// the script makes. A variable that the script does not set has none: it is
// the environment's.
func (r *reader) resolve(name string) (vals []value, made bool, files []File) {
	v := r.vars[name]
	if v == nil {
		switch name {
		case "HOME":
			return []value{{text: "~"}}, false, nil
		case "PWD":
			return []value{{text: "."}}, false, nil
		case "IFS":
			return []value{{text: blanks}}, false, nil
		case "OLDPWD", "_", "BASH_REMATCH", "BASH_EXECUTION_STRING", "BASH_COMMAND", "BASH_ARGV", "BASH_ALIASES", "BASH_CMDS", "DIRSTACK", "FUNCNAME", "match", "MATCH":
			return nil, true, nil // made of what stands in the script
		}
		return nil, false, nil
	}
	if v.done {
		return v.vals, v.made, v.files
	}
	if v.busy {
		return v.vals, true, nil // made of itself: of what it was before
	}
	v.busy = true
	v.vals, v.outer = append(v.vals[:0:0], v.plain...), v.counted
	for _, w := range v.ordered() {
		before := v.vals
		if r.valuesOf(v, w); v.more[w] {
			v.vals = added(before, v.vals[len(before):])
		}
		if len(v.vals) > mostValues {
			break
		}
	}
	if v.names {
		for _, n := range v.vals {
			more, _, files := r.resolve(n.text)
			v.vals, v.files, v.made = append(v.vals, more...), append(v.files, files...), true
		}
	}
	if v.args {
		for _, list := range r.positionals("@") {
			v.items(list.list)
		}
	}
	r.listed(v)
	r.turnedTo(name, v)
	if len(v.vals) > mostValues {
		v.vals, v.made = v.vals[:mostValues], true
	}
	v.busy, v.done = false, true
	for _, x := range v.vals {
		r.sniff(x.text)
	}
	return v.vals, v.made, v.files
}

// ordered are the words of a variable, those first that run nothing, and last
// those that add to others: what runs in a word may use the variable itself, as
// it was before.
func (v *variable) ordered() []*syntax.Word {
	rank := func(w *syntax.Word) int {
		switch {
		case v.more[w]:
			return 2
		case runsSome(w):
			return 1
		}
		return 0
	}
	if !slices.ContainsFunc(v.words, func(w *syntax.Word) bool { return rank(w) > 0 }) {
		return v.words
	}
	out := slices.Clone(v.words)
	slices.SortStableFunc(out, func(a, b *syntax.Word) int { return rank(a) - rank(b) })
	return out
}

// runsSome says whether a word holds a substitution, which may use any variable.
func runsSome(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		}
		return !found
	})
	return found
}

// outer says whether a variable may have a value that is not told by the
// script alone.
func (r *reader) outer(name string) bool {
	v := r.vars[name]
	return v == nil || v.outer || v.busy
}

// valuesOf adds the values that a word gives to a variable. The word is
// evaluated in a throw-away copy: the walk lists its commands where it stands.
func (r *reader) valuesOf(v *variable, w *syntax.Word) {
	shadow := r.shadow()
	sc := newScope()
	fields := [][]part{shadow.parts(w.Parts, &sc)}
	if v.loop && hasBrace(w) {
		fields = shadow.words(w, &sc)
	}
	for _, f := range fields {
		main := build(f)
		v.unsure = v.unsure || !main.Static && !main.shut
		v.outer = v.outer || main.open || slices.ContainsFunc(f, func(p part) bool { return p.outer })
		if strings.HasPrefix(main.Text+main.Head, "~") && !main.quoted {
			v.outer = true
		}
		if main.Static {
			v.vals = append(v.vals, value{text: main.Text, glob: main.Glob && v.loop})
			continue
		}
		if len(main.Lists) > 0 {
			v.files = append(v.files, main.Lists...)
			continue
		}
		if main.Made || !main.open {
			v.made = v.made || main.Made
		}
		for _, words := range expand([][]part{f}, mostValues, blanks) {
			if v.loop {
				v.items(words)
				continue
			}
			var texts []string
			for _, x := range words {
				texts = append(texts, x.Text)
				v.files = append(v.files, x.Lists...)
			}
			text := strings.Join(texts, " ")
			if len(text) > defaultLength {
				v.made = true
				continue
			}
			v.vals = append(v.vals, value{text: text})
		}
	}
}

// added are the values that += makes of those before.
func added(before, more []value) []value {
	if len(before) == 0 {
		return more
	}
	out := before
	for _, b := range before {
		for _, m := range more {
			if len(b.text)+len(m.text) <= mostComputed {
				out = append(out[:len(out):len(out)], value{text: b.text + m.text})
			}
		}
	}
	return out
}

// items adds words that are values each.
func (v *variable) items(words []Word) {
	for _, w := range words {
		if !w.Static {
			v.files, v.made = append(v.files, w.Lists...), v.made || w.Made && len(w.Lists) == 0
			continue
		}
		v.vals = append(v.vals, value{text: w.Text, glob: w.Glob})
	}
}

// shadow is a reader that sees the same names and writes to nowhere.
func (r *reader) shadow() *reader {
	s := *r
	s.out = &Script{}
	s.depth++
	s.quiet = true
	return &s
}

// matchedGroups gives BASH_REMATCH what a known text holds of a known pattern.
func (r *reader) matchedGroups(text, expr []part) {
	in, ok1 := one(text)
	rx, ok2 := one(expr)
	if !ok1 || !ok2 || !ascii(in) {
		return
	}
	if rx := posix(rx, true, false); rx != nil {
		v := r.variable("BASH_REMATCH")
		v.made = true // others may match later
		for _, group := range rx.FindStringSubmatch(in) {
			r.give("BASH_REMATCH", group)
		}
	}
}
