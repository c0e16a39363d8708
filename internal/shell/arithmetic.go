package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// number is what an expression comes to, where that is known.
type number struct {
	n     int
	known bool
}

// mostNumber bounds the numbers that are followed, in which all machines agree.
const mostNumber = 1 << 30

// bounded says whether a number is one that is followed.
func (n number) bounded() number {
	n.known = n.known && n.n < mostNumber && n.n > -mostNumber
	return n
}

// arithmetic walks an expression for substitutions and gives its number. The
// values of names in it are expressions again, and may hold a substitution too.
func (r *reader) arithmetic(x syntax.ArithmExpr, sc *scope) number {
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		if x == nil {
			return number{}
		}
		r.assigned(x.X, x.Op == syntax.Assgn || x.Op >= syntax.AddAssgn && x.Op <= syntax.ShrAssgn, sc)
		return operated(x.Op, r.arithmetic(x.X, sc), r.arithmetic(x.Y, sc))
	case *syntax.UnaryArithm:
		r.assigned(x.X, x.Op == syntax.Inc || x.Op == syntax.Dec, sc)
		n := r.arithmetic(x.X, sc)
		if n.known = n.known && !x.Post && (x.Op == syntax.Minus || x.Op == syntax.Plus); x.Op == syntax.Minus {
			n.n = -n.n
		}
		return n
	case *syntax.ParenArithm:
		return r.arithmetic(x.X, sc)
	case *syntax.FlagsArithm:
		r.arithmetic(x.X, sc)
	case *syntax.Word:
		parts := r.parts(x.Parts, sc)
		r.evaluates(parts, sc)
		return r.numbered(parts)
	}
	return number{}
}

// operated is what an operator makes of two numbers.
func operated(op syntax.BinAritOperator, a, b number) number {
	out := number{known: a.known && b.known}
	switch op {
	case syntax.Add:
		out.n = a.n + b.n
	case syntax.Sub:
		out.n = a.n - b.n
	case syntax.Mul:
		const most = 1 << 15
		out.n, out.known = a.n*b.n, out.known && max(a.n, b.n) < most && min(a.n, b.n) > -most
	default:
		return number{}
	}
	return out.bounded()
}

// numbered is the number that a word stands for: a plain one, or a name that
// has one.
func (r *reader) numbered(parts []part) number {
	text, ok := one(parts)
	if ok && syntax.ValidName(text) {
		vals, made, files := r.resolve(text)
		text, ok = one([]part{{vals: vals, made: made, outer: r.outer(text), lists: files}})
	}
	n, err := strconv.Atoi(text)
	return number{n, ok && err == nil && strconv.Itoa(n) == text}.bounded()
}

// assigned looks at the name that an expression assigns to.
func (r *reader) assigned(x syntax.ArithmExpr, on bool, sc *scope) {
	if w, ok := x.(*syntax.Word); ok && on {
		r.dangerous(staticText(w), r.text(x), sc)
	}
}

// evaluates looks at the value of a word that the shell takes for arithmetic.
// A name in it stands for its value, which is taken for arithmetic again, and
// an index in that may hold a substitution: who makes the value runs commands.
func (r *reader) evaluates(parts []part, sc *scope) {
	for _, p := range parts {
		for _, v := range p.vals {
			r.within(v.text, sc)
		}
	}
	w := build(parts)
	if w.Static && strings.Trim(w.Text, "0123456789") == "" {
		return
	}
	r.sniff(w.Text)
	r.within(w.Text, sc)
	made := w.Made
	if w.Static && syntax.ValidName(w.Text) {
		var vals []value
		vals, made, _ = r.resolve(w.Text)
		for _, v := range vals {
			r.within(v.text, sc)
		}
	}
	if made || r.bomb {
		r.unknown(w.Shown, "it is taken for arithmetic, and a value that comes to be while the script runs could hold a command", sc)
	}
}

// sniff notes a static text that would run a command if it were taken for
// arithmetic.
func (r *reader) sniff(text string) {
	if strings.Contains(text, "$(") || strings.IndexByte(text, '`') >= 0 || strings.Contains(text, "${") {
		r.bomb = true
	}
}

// let walks the expressions of let. To the shell they are words like those of
// any command, so that an operator of its own ends them.
func (r *reader) let(c *syntax.LetClause, sc *scope) {
	text := r.text(c)
	index := r.reserve()
	for _, x := range c.Exprs {
		r.arithmetic(x, sc)
	}
	r.fill(index, shownWords(text), nil, sc)
	if rest, ok := strings.CutPrefix(text, "let"); ok && strings.ContainsAny(text, "|&;<>()") {
		inner := *sc
		if r.script(`\let`+rest, &inner) != nil {
			r.setUnknown(index, "it holds operators of the shell, and cannot be read as a command")
		}
	}
}
