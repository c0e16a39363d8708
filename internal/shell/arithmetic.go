package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arithmetic walks an expression for substitutions. The values of names in it
// are expressions again, and may hold a substitution too.
func (r *reader) arithmetic(x syntax.ArithmExpr, sc *scope) {
	if x == nil {
		return
	}
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		if x == nil {
			return
		}
		r.assigned(x.X, x.Op == syntax.Assgn || x.Op >= syntax.AddAssgn && x.Op <= syntax.ShrAssgn, sc)
		r.arithmetic(x.X, sc)
		r.arithmetic(x.Y, sc)
	case *syntax.UnaryArithm:
		r.assigned(x.X, x.Op == syntax.Inc || x.Op == syntax.Dec, sc)
		r.arithmetic(x.X, sc)
	case *syntax.ParenArithm:
		r.arithmetic(x.X, sc)
	case *syntax.FlagsArithm:
		r.arithmetic(x.X, sc)
	case *syntax.Word:
		r.evaluates(r.parts(x.Parts, sc), sc)
	}
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

// operand looks at a word that is taken for arithmetic.
func (r *reader) operand(x syntax.TestExpr, sc *scope) {
	if w, ok := x.(*syntax.Word); ok {
		shadow := r.shadow()
		trial := *sc
		r.evaluates(shadow.parts(w.Parts, &trial), sc)
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
