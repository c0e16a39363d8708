package shell

import (
	"maps"
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// mostTurns bounds the turns of a loop that are followed one by one.
const mostTurns = 64

// turning is a loop over texts that stand in the script, with the assignments
// in its body: what they add up to is computed turn by turn.
type turning struct {
	name  string
	words []*syntax.Word
	// args says that it goes over the arguments.
	args  bool
	items []Word
	steps []*syntax.Assign
}

// turns notes a loop of which each turn is known.
func (r *reader) turns(c *syntax.ForClause) {
	var loop turning
	switch it := c.Loop.(type) {
	case *syntax.WordIter:
		loop = turning{name: it.Name.Value, words: it.Items, args: !it.InPos.IsValid()}
	case *syntax.CStyleLoop:
		loop = counting(it)
	}
	if loop.name == "" || len(loop.words) > mostTurns || len(r.loops) >= mostTurns {
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

// counting is a loop from one number to another, by one.
func counting(c *syntax.CStyleLoop) turning {
	from, ok1 := c.Init.(*syntax.BinaryArithm)
	to, ok2 := c.Cond.(*syntax.BinaryArithm)
	post, ok3 := c.Post.(*syntax.UnaryArithm)
	if !ok1 || !ok2 || !ok3 || from.Op != syntax.Assgn || to.Op != syntax.Lss && to.Op != syntax.Leq || post.Op != syntax.Inc {
		return turning{}
	}
	first, err1 := strconv.Atoi(arithmText(from.Y))
	last, err2 := strconv.Atoi(arithmText(to.Y))
	if to.Op == syntax.Lss {
		last--
	}
	name := arithmText(from.X)
	if err1 != nil || err2 != nil || max(first, -first, last, -last) > mostNumber || last-first >= mostTurns || arithmText(to.X) != name || arithmText(post.X) != name || !syntax.ValidName(name) {
		return turning{}
	}
	loop := turning{name: name}
	for i := first; i <= last; i++ {
		loop.items = append(loop.items, literal(strconv.Itoa(i)))
	}
	return loop
}

func arithmText(x syntax.ArithmExpr) string {
	w, ok := x.(*syntax.Word)
	if !ok {
		return ""
	}
	return staticText(w)
}

// itemsOf are what a loop goes over; nil when that is not known.
func (r *reader) itemsOf(loop *turning) []Word {
	if len(loop.items) > 0 {
		return loop.items
	}
	if loop.args {
		if lists := r.positionals("@"); len(lists) == 1 {
			return lists[0].list
		}
		return nil
	}
	shadow := r.shadow()
	sc := newScope()
	var out []Word
	for _, w := range loop.words {
		for _, f := range shadow.words(w, &sc) {
			forms := expand([][]part{f}, 1, blanks)
			if len(forms) != 1 || len(out)+len(forms[0]) > mostTurns {
				return nil
			}
			out = append(out, forms[0]...)
		}
	}
	if slices.ContainsFunc(out, func(w Word) bool { return !w.Static || w.Glob }) {
		return nil
	}
	return out
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
		if !slices.ContainsFunc(loop.steps, func(a *syntax.Assign) bool { return a.Name.Value == name }) {
			continue
		}
		items := r.itemsOf(loop)
		if len(items) == 0 || !r.work(len(items)*(len(loop.steps)+len(r.vars)/10)) {
			continue
		}
		base := ""
		for _, w := range v.words {
			if text, ok := static(w); ok && !v.more[w] && !slices.ContainsFunc(loop.steps, func(a *syntax.Assign) bool { return a.Value == w }) {
				base = text
			}
		}
		text, list, ok := r.turn(loop, items, name, base, v)
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
func (r *reader) turn(loop *turning, items []Word, name, base string, v *variable) (text string, list []Word, ok bool) {
	shadow := r.shadow()
	shadow.loops = nil
	shadow.vars = maps.Clone(r.vars)
	set := func(name, text string) { shadow.vars[name] = &variable{plain: []value{{text: text}}} }
	now := map[string]string{name: base}
	set(name, base)
	for _, l := range v.arrays {
		list = append(list[:0:0], l...)
	}
	for _, item := range items {
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
