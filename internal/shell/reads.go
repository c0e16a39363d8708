package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// source is what a variable is read from: what a statement prints, or a word. at is the variable's place among those that are read, of which last
// takes the rest of a line; array says that it takes the fields as a list.
type source struct {
	stmt        *syntax.Stmt
	word        *syntax.Word
	at          int
	last, array bool
	lines       bool
}

// readsFrom notes which command each read in a pipeline's right side reads
// from. The innermost pipe counts; a redirection of input takes the side out.
func (r *reader) readsFrom(to, from *syntax.Stmt) {
	var calls []*syntax.CallExpr
	plain := true
	syntax.Walk(to, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			plain = false
		case *syntax.Redirect:
			plain = plain && n.Op != syntax.RdrIn && n.Op != syntax.Hdoc && n.Op != syntax.DashHdoc &&
				n.Op != syntax.WordHdoc && n.Op != syntax.DplIn && n.Op != syntax.RdrInOut
		case *syntax.CallExpr:
			if len(n.Args) > 0 && staticText(n.Args[0]) == "read" {
				calls = append(calls, n)
			}
		}
		return true
	})
	for _, c := range calls {
		if !plain {
			from = nil
		}
		r.sources[c] = from
	}
}

// sourced gives the variables of reads what they read from.
func (r *reader) sourced() {
	for c, from := range r.sources {
		for name, s := range targets(c) {
			if from == nil {
				continue
			}
			s.stmt = from
			v := r.variable(name)
			v.lists = append(v.lists, s)
		}
	}
	clear(r.sources)
}

// targets are the variables that read or mapfile fills.
func targets(c *syntax.CallExpr) map[string]source {
	out := map[string]source{}
	builtin := staticText(c.Args[0])
	lines := builtin != "read"
	at := 0
	for i, w := range c.Args[1:] {
		t := staticText(w)
		if strings.HasPrefix(t, "-") || !syntax.ValidName(t) {
			continue
		}
		before := staticText(c.Args[i])
		if named(valued[builtin], before) {
			continue
		}
		out[t] = source{at: at, last: i == len(c.Args)-2, array: lines || before == "-a" || strings.HasPrefix(before, "-") && strings.HasSuffix(before, "a"), lines: lines}
		at++
	}
	return out
}

// readsText notes what the builtins in a statement read from a here-document
// or here-string, or from a process.
func (r *reader) readsText(s *syntax.Stmt) {
	for _, d := range s.Redirs {
		w := d.Hdoc
		if d.Op == syntax.WordHdoc || d.Op == syntax.RdrIn {
			w = d.Word
		}
		if w == nil {
			continue
		}
		from := printer(d)
		if from != nil {
			w = nil
		} else if d.Op == syntax.RdrIn {
			continue
		}
		syntax.Walk(s, func(n syntax.Node) bool {
			c, ok := n.(*syntax.CallExpr)
			if !ok || len(c.Args) < 2 || !slices.Contains([]string{"read", "mapfile", "readarray"}, staticText(c.Args[0])) {
				return true
			}
			for name, src := range targets(c) {
				src.stmt, src.word = from, w
				v := r.variable(name)
				v.lists = append(v.lists, src)
			}
			return true
		})
	}
}

// printer is the statement whose output a redirection reads: < <(…).
func printer(d *syntax.Redirect) *syntax.Stmt {
	if d.Op != syntax.RdrIn || d.Word == nil || len(d.Word.Parts) != 1 {
		return nil
	}
	p, ok := d.Word.Parts[0].(*syntax.ProcSubst)
	if !ok || p.Op != syntax.CmdIn || len(p.Stmts) != 1 {
		return nil
	}
	return p.Stmts[0]
}

// give adds what a variable may be when it is read from a text.
func (s source) give(r *reader, v *variable, text string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if s.lines {
		v.read = append(v.read, items(lines))
	}
	for _, line := range lines {
		for _, ifs := range r.separators() {
			fields := fieldsOf(strings.Trim(line, " \t"), ifs)
			switch {
			case s.array && !s.lines:
				v.read = append(v.read, items(fields))
			case s.array, s.at >= len(fields):
				continue
			case s.last && s.at == 0:
				v.vals = append(v.vals, value{text: strings.Trim(line, " \t")})
			case s.last:
				v.vals = append(v.vals, value{text: strings.Join(fields[s.at:], ifs[:1])})
			default:
				v.vals = append(v.vals, value{text: fields[s.at]})
			}
		}
	}
}

// printsInto notes the variable of printf -v, with its value where it is known.
func (r *reader) printsInto(args []*syntax.Word) {
	words := make([]Word, len(args))
	for i, w := range args {
		words[i].Text, words[i].Static = static(w)
	}
	name, text, known := printedInto(words)
	switch {
	case name == "":
	case known:
		r.give(name, text)
	default:
		r.variable(name).made = true
		r.variable(name).reads++
	}
}

// refers says whether a declaration makes names of names.
func refers(args []*syntax.Assign) bool {
	return slices.ContainsFunc(args, func(a *syntax.Assign) bool {
		t := ""
		if a.Naked && a.Value != nil {
			t = staticText(a.Value)
		}
		return strings.HasPrefix(t, "-") && strings.IndexByte(t, 'n') > 0
	})
}

// listed takes the files of the listings that a variable is read from; when
// all is known to come from them, it is no longer made.
func (r *reader) listed(v *variable) {
	v.read = nil
	for _, s := range v.lists {
		if s.word != nil {
			if text, ok := single(r.trial(s.word)); ok {
				s.give(r, v, text)
			}
			continue
		}
		c, ok := s.stmt.Cmd.(*syntax.CallExpr)
		if !ok || len(c.Args) == 0 || len(s.stmt.Redirs) > 0 {
			return
		}
		shadow := r.shadow()
		sc := newScope()
		shadow.stmt(s.stmt, sc)
		if in := shadow.output(0, false); in.known {
			s.give(r, v, in.text)
			continue
		}
		if len(shadow.out.Commands) != 1 {
			return
		}
		files, ok := listing(&shadow.out.Commands[0])
		if !ok {
			return
		}
		v.files = append(v.files, files...)
	}
	if len(v.lists) > 0 && len(v.lists) == v.reads && len(v.words) == 0 && len(v.plain) == 0 && len(v.vals) == 0 {
		v.made = false
	}
}
