package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts walks a list; sc.dirs is left where the list may end.
func (r *reader) stmts(list []*syntax.Stmt, sc *scope) outcome {
	end := stays(sc.dirs)
	for _, s := range list {
		if !r.step() {
			return end
		}
		end = r.stmtIn(s, sc)
		if next := end.any(); !next.never() {
			sc.dirs = next
		}
	}
	return end
}

// stmt walks a statement in a scope of its own.
func (r *reader) stmt(s *syntax.Stmt, sc scope) outcome { return r.stmtIn(s, &sc) }

// stmtIn walks one statement.
func (r *reader) stmtIn(s *syntax.Stmt, sc *scope) outcome {
	in := sc.dirs
	inner := *sc
	call, simple := s.Cmd.(*syntax.CallExpr)
	index := -1
	if simple && len(call.Args) > 0 {
		index = r.reserve()
	}
	inner.owner = index
	from, reopened := len(r.out.Commands), r.reopened
	if index >= 0 {
		from = index
	}
	files := len(r.out.Files)
	plain, into := parted(s.Redirs)
	r.redirects(plain, &inner, index)
	inner.background = inner.background || s.Background
	var end outcome
	switch {
	case simple:
		end = r.call(call, &inner, index, len(s.Redirs) > 0)
		if index >= 0 {
			r.wrote(s.Redirs, &inner, index)
			r.poured(index, files, &inner)
			r.copied(s.Redirs, index)
			r.execs(s, &inner, sc)
		}
	case s.Cmd == nil:
		if len(s.Redirs) > 0 {
			r.fill(r.reserve(), nil, nil, &inner)
		}
		end = stays(in)
	default:
		end = r.compound(s.Cmd, &inner)
	}
	r.sent(s, into, &inner, index, from)
	if !simple && len(s.Redirs) == 0 && r.reopened != reopened {
		sc.stdin = inner.stdin // as exec left it
	}
	sc.stack = inner.stack
	if s.Background || s.Coprocess || s.Disown {
		return stays(in)
	}
	if s.Negated {
		end.ok, end.fail = end.fail, end.ok
	}
	return end
}

// compound walks everything that is not a simple command.
func (r *reader) compound(cmd syntax.Command, sc *scope) outcome {
	in := sc.dirs
	switch c := cmd.(type) {
	case *syntax.BinaryCmd:
		return r.binary(c, sc)
	case *syntax.Block:
		return r.stmts(c.Stmts, sc)
	case *syntax.Subshell:
		inner := *sc
		r.stmts(c.Stmts, &inner)
	case *syntax.IfClause:
		return r.ifClause(c, sc)
	case *syntax.WhileClause:
		return r.loop(sc, append(append([]*syntax.Stmt{}, c.Cond...), c.Do...))
	case *syntax.ForClause:
		r.forLoop(c.Loop, sc)
		return r.loop(sc, c.Do)
	case *syntax.CaseClause:
		return r.caseClause(c, sc)
	case *syntax.FuncDecl:
		r.function(c, sc)
	case *syntax.ArithmCmd:
		r.arithmetic(c.X, sc)
	case *syntax.LetClause:
		r.let(c, sc)
	case *syntax.TestClause:
		r.test(c.X, sc)
	case *syntax.DeclClause:
		r.declare(c, sc)
	case *syntax.TimeClause:
		return r.timed(c, sc)
	case *syntax.CoprocClause:
		index := r.reserve()
		r.fill(index, shownWords("coproc "+r.text(c.Stmt)), nil, sc)
		inner := *sc
		inner.wrapper, inner.background = "coproc", true
		r.listens = true
		from := len(r.out.Commands)
		r.stmtIn(c.Stmt, &inner)
		name := "COPROC"
		if c.Name != nil {
			name = staticText(c.Name)
		}
		r.open["{"+name+"}"] = stdin{some: true, from: indexes(from, len(r.out.Commands))}
	default:
		r.unknown(r.text(cmd), "it is written in a form that is not known", sc)
	}
	return stays(in)
}

// shownWords splits a source text that is shown but not evaluated.
func shownWords(text string) []Word {
	var out []Word
	for i, f := range strings.Fields(text) {
		out = append(out, Word{Text: f, Shown: f, Static: i == 0})
	}
	return out
}

func (r *reader) binary(c *syntax.BinaryCmd, sc *scope) outcome {
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		in := sc.dirs
		from := len(r.out.Commands)
		left, touched := *sc, r.touched
		r.stmtIn(c.X, &left)
		right := *sc
		right.stdin = r.output(from, piped(c.X))
		right.stdin.shut = r.shut(from, len(r.out.Commands), touched)
		r.stmtIn(c.Y, &right)
		// The last part of a pipeline runs in the shell itself in some shells.
		return stays(in)
	}
	left := r.stmtIn(c.X, sc)
	right := *sc
	if right.dirs = left.ok; c.Op == syntax.OrStmt {
		right.dirs = left.fail
	}
	if right.dirs.never() {
		right.dirs = sc.dirs
	}
	end := r.stmtIn(c.Y, &right)
	sc.stack = right.stack
	if c.Op == syntax.OrStmt {
		return outcome{ok: left.ok.with(end.ok), fail: end.fail}
	}
	return outcome{ok: end.ok, fail: left.fail.with(end.fail)}
}

// piped says whether a statement is a pipeline that ends in a simple command:
// what it prints is what that one prints.
func piped(s *syntax.Stmt) bool {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	return ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) && len(s.Redirs) == 0 && isCall(b.Y)
}

// output is what the commands since from send down a pipe; of several, the
// last one when last says so.
func (r *reader) output(from int, last bool) stdin {
	in := stdin{some: true, from: indexes(from, len(r.out.Commands))}
	texts, certain := r.says(from, len(r.out.Commands), last)
	if len(texts) == 1 {
		in.text, in.known = texts[0], certain
	}
	return in
}

func (r *reader) ifClause(c *syntax.IfClause, sc *scope) outcome {
	var end outcome
	for ; c != nil; c = c.Else {
		if len(c.Cond) == 0 { // else
			last := r.stmts(c.Then, sc)
			return outcome{ok: end.ok.with(last.any()), fail: end.fail.with(last.fail)}
		}
		cond := r.stmts(c.Cond, sc)
		then := *sc
		if then.dirs = cond.ok; then.dirs.never() {
			then.dirs = sc.dirs
		}
		body := r.stmts(c.Then, &then)
		end = outcome{ok: end.ok.with(body.ok), fail: end.fail.with(body.fail)}
		if !cond.fail.never() {
			sc.dirs = cond.fail
		}
	}
	return outcome{ok: end.ok.with(sc.dirs), fail: end.fail}
}

// loop walks the body of a loop. When a turn of it ends in another folder than
// it began in, the next begins there, and so on: then nothing is known.
func (r *reader) loop(sc *scope, body []*syntax.Stmt) outcome {
	in := sc.dirs
	if r.moves(body) {
		probe := r.shadow()
		trial := *sc
		if end := probe.stmts(body, &trial).any(); !end.same(in) && !end.never() {
			sc.dirs = dirs{list: in.list, unknown: true}
		}
	}
	r.stmts(body, sc)
	return stays(in.with(sc.dirs))
}

// moves says whether statements hold a cd at all.
func (r *reader) moves(list []*syntax.Stmt) bool {
	found := false
	for _, s := range list {
		syntax.Walk(s, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				switch staticText(c.Args[0]) {
				case "cd", "pushd", "popd", "eval", "builtin", "command", "source", ".", "":
					found = true
				default:
					found = found || r.wanders && r.names[staticText(c.Args[0])]
				}
			}
			return !found
		})
	}
	return found
}

func (r *reader) forLoop(l syntax.Loop, sc *scope) {
	switch l := l.(type) {
	case *syntax.WordIter:
		for _, w := range l.Items {
			r.words(w, sc)
		}
		r.dangerous(l.Name.Value, "for "+l.Name.Value, sc)
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			r.arithmetic(x, sc)
		}
	}
}

func (r *reader) caseClause(c *syntax.CaseClause, sc *scope) outcome {
	r.parts(c.Word.Parts, sc)
	end := stays(sc.dirs)
	start := *sc
	for _, item := range c.Items {
		matching := r.matching
		r.matching = true
		for _, p := range item.Patterns {
			r.parts(p.Parts, sc)
		}
		r.matching = matching
		inner := start
		inner.dirs = start.dirs.with(end.any())
		out := r.stmts(item.Stmts, &inner)
		end = outcome{ok: end.ok.with(out.ok), fail: end.fail.with(out.fail)}
	}
	return end
}

// function walks a body where it is declared, with whatever arguments.
func (r *reader) function(c *syntax.FuncDecl, sc *scope) {
	inner := *sc
	if c.Name != nil {
		inner.function = c.Name.Value
	}
	old := r.positional
	r.positional = true
	before := inner.dirs
	inner.stdin = stdin{some: true}
	if end := r.stmtIn(c.Body, &inner); !end.any().same(before) {
		r.wanders = true
	}
	r.positional = old
}

func (r *reader) timed(c *syntax.TimeClause, sc *scope) outcome {
	index := r.reserve()
	if c.Stmt == nil {
		r.fill(index, []Word{literal("time")}, nil, sc)
		return stays(sc.dirs)
	}
	r.fill(index, shownWords("time "+r.text(c.Stmt)), nil, sc)
	inner := *sc
	inner.wrapper = "time"
	end := r.stmtIn(c.Stmt, &inner)
	sc.stack, sc.stdin = inner.stack, inner.stdin
	return end
}

// test walks [[ … ]] and gives the parts of what is a word.
func (r *reader) test(x syntax.TestExpr, sc *scope) []part {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		left, right := r.test(x.X, sc), r.test(x.Y, sc)
		switch x.Op {
		case syntax.TsReMatch:
			r.matchedGroups(left, right)
		case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
			r.evaluates(left, sc)
			r.evaluates(right, sc)
		}
	case *syntax.UnaryTest:
		if parts := r.test(x.X, sc); x.Op == syntax.TsVarSet {
			r.evaluates(parts, sc)
		}
	case *syntax.ParenTest:
		r.test(x.X, sc)
	case *syntax.Word:
		matching := r.matching
		r.matching = true
		parts := r.parts(x.Parts, sc)
		r.matching = matching
		r.sniff(build(parts).Text)
		return parts
	}
	return nil
}
