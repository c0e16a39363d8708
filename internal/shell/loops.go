package shell

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// mostTurns bounds the turns of a loop that are followed one by one.
const mostTurns = 64

// turning is a loop over texts that stand in the script, with the assignments
// in its body: what they add up to is computed turn by turn.
type turning struct {
	name  string
	items []Word
	steps []*syntax.Assign
}

// turns notes a loop of which each turn is known.
func (r *reader) turns(c *syntax.ForClause) {
	it, ok := c.Loop.(*syntax.WordIter)
	if !ok || len(it.Items) == 0 || len(it.Items) > mostTurns || len(r.loops) >= mostTurns {
		return
	}
	loop := turning{name: it.Name.Value, items: listOf(it.Items)}
	if loop.items == nil || slices.ContainsFunc(loop.items, func(w Word) bool { return w.Glob }) {
		return
	}
	adds := false
	for _, s := range c.Do {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.Subshell, *syntax.FuncDecl:
				return false
			case *syntax.Assign:
				if n.Name != nil && len(loop.steps) < mostTurns {
					loop.steps = append(loop.steps, n)
					adds = adds || n.Append || n.Index != nil || n.Value != nil && !plainWord(n.Value)
				}
			}
			return true
		})
	}
	if adds {
		r.loops = append(r.loops, loop)
	}
}

func plainWord(w *syntax.Word) bool {
	_, ok := static(w)
	return ok
}

// turnedTo gives a variable what loops over known texts make of it. It can only
// add values: the loop may be left before its end.
func (r *reader) turnedTo(name string, v *variable) {
	for i := range r.loops {
		loop := &r.loops[i]
		if !slices.ContainsFunc(loop.steps, func(a *syntax.Assign) bool { return a.Name.Value == name }) || !r.work(len(loop.items)*(len(loop.steps)+len(r.vars)/10)) {
			continue
		}
		base := ""
		for _, w := range v.words {
			if text, ok := static(w); ok && !v.more[w] && !slices.ContainsFunc(loop.steps, func(a *syntax.Assign) bool { return a.Value == w }) {
				base = text
			}
		}
		text, list, ok := r.turn(loop, name, base, v)
		switch {
		case !ok || len(v.vals) > mostValues:
		case len(list) > 0:
			v.read = append(v.read, list)
		case len(text) <= defaultLength:
			v.vals = append(v.vals, value{text: text})
		}
	}
}

// turn goes through the turns of a loop; a name that gets a value which is not
// certain has none from there on.
func (r *reader) turn(loop *turning, name, base string, v *variable) (text string, list []Word, ok bool) {
	shadow := r.shadow()
	shadow.loops = nil
	shadow.vars = maps.Clone(r.vars)
	set := func(name, text string) { shadow.vars[name] = &variable{plain: []value{{text: text}}} }
	now := map[string]string{name: base}
	set(name, base)
	for _, l := range v.arrays {
		list = append(list[:0:0], l...)
	}
	for _, item := range loop.items {
		set(loop.name, item.Text)
		for _, a := range loop.steps {
			if a.Array != nil {
				for _, e := range a.Array.Elems {
					if text, ok := shadow.certain(e.Value); ok && a.Name.Value == name {
						list = append(list, literal(text))
					}
				}
				continue
			}
			text, ok := shadow.certain(a.Value)
			switch {
			case !ok:
				if delete(now, a.Name.Value); a.Name.Value == name {
					return "", nil, false
				}
				continue
			case a.Index != nil:
				if a.Name.Value == name {
					list = append(list, literal(text))
				}
				continue
			case a.Append:
				text = now[a.Name.Value] + text
			}
			if len(text) > defaultLength || !r.work(1+len(text)/100) {
				return "", nil, false
			}
			now[a.Name.Value] = text
			set(a.Name.Value, text)
		}
	}
	text, ok = now[name]
	return text, list, ok
}

// certain is the only value of a word.
func (r *reader) certain(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", false
	}
	if text, ok := static(w); ok {
		return text, true
	}
	return single(r.trial(w))
}
