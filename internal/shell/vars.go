package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// mostValues bounds how many values of a variable are followed.
const mostValues = 8

// variable is what the script gives to a name, anywhere in it: the order of
// assignments does not count, so that no path through the script is missed.
type variable struct {
	words []*syntax.Word
	plain []value
	// made says that some value comes to be while the script runs.
	made bool
	// loop says that the words are the items of a for loop, which are expanded
	// like arguments; lists are the files of a listing that it reads.
	loop  bool
	lists []*syntax.Stmt
	// reads counts the builtins that read a value into it.
	reads int

	// arrays are what it is given as a whole list; loose says that there are
	// lists that are not known.
	arrays [][]string
	loose  bool

	busy, done bool
	vals       []value
	files      []File
}

// collect is the first pass over a tree: variables, functions, aliases.
func (r *reader) collect(root syntax.Node) {
	syntax.Walk(root, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			for _, a := range n.Assigns {
				r.assign(a)
			}
			if len(n.Args) > 0 {
				r.assignByCommand(n.Args)
				r.arguments(staticText(n.Args[0]), n.Args[1:])
			}
		case *syntax.DeclClause:
			for _, a := range n.Args {
				if a.Name != nil && !a.Naked {
					r.assign(a)
				}
				if a.Naked && a.Value != nil {
					if name, text, ok := strings.Cut(staticText(a.Value), "="); ok {
						r.give(name, text)
					}
				}
			}
		case *syntax.ForClause:
			if it, ok := n.Loop.(*syntax.WordIter); ok {
				v := r.variable(it.Name.Value)
				v.loop = true
				v.words = append(v.words, it.Items...)
				v.made = v.made || !it.InPos.IsValid() && r.positional
			}
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) && n.Param != nil && n.Exp.Word != nil {
				r.variable(n.Param.Value).words = append(r.variable(n.Param.Value).words, n.Exp.Word)
			}
		case *syntax.FuncDecl:
			if n.Name != nil {
				r.name(n.Name.Value)
			}
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				r.readsFrom(n.Y, n.X)
			}
		}
		return true
	})
	r.sourced()
}

func (r *reader) variable(name string) *variable {
	v := r.vars[name]
	if v == nil {
		v = &variable{}
		r.vars[name] = v
	}
	v.done = false
	return v
}

func (r *reader) give(name, text string) {
	v := r.variable(name)
	v.plain = append(v.plain, value{text: text})
}

// name notes the name of a function or an alias.
func (r *reader) name(name string) {
	if !r.names[name] {
		r.names[name] = true
		r.out.Functions = append(r.out.Functions, name)
	}
}

func (r *reader) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	v := r.variable(a.Name.Value)
	if a.Value != nil {
		r.sniff(staticText(a.Value))
	}
	if a.Append {
		v.made = v.made || a.Array == nil
	}
	if a.Value != nil {
		v.words = append(v.words, a.Value)
	} else if a.Array == nil && !a.Naked {
		v.plain = append(v.plain, value{})
	}
	if a.Array != nil {
		v.array(a)
		v.loop = true
		for _, e := range a.Array.Elems {
			if e.Value != nil {
				v.words = append(v.words, e.Value)
			}
		}
	}
}

// assignByCommand notes the variables that builtins set: read, mapfile,
// printf -v, getopts, set --, alias.
func (r *reader) assignByCommand(args []*syntax.Word) {
	name := staticText(args[0])
	rest := args[1:]
	for (name == "builtin" || name == "command") && len(rest) > 0 {
		name, rest = staticText(rest[0]), rest[1:]
	}
	switch name {
	case "read", "mapfile", "readarray", "getopts", "select", "wait":
		for _, w := range rest {
			if t := staticText(w); syntax.ValidName(t) {
				r.variable(t).made = true
				r.variable(t).reads++
			}
		}
		for _, t := range []string{"REPLY", "MAPFILE", "OPTARG"} {
			r.variable(t).made = true
		}
	case "printf":
		for i, w := range rest {
			if t := staticText(w); strings.HasPrefix(t, "-v") {
				target := t[2:]
				if target == "" && i+1 < len(rest) {
					target = staticText(rest[i+1])
				}
				r.variable(target).made = true
				r.variable(target).reads++
			}
		}
	case "export", "declare", "local", "readonly", "typeset", "eval", "env":
		for _, w := range rest {
			if t, text, ok := strings.Cut(staticText(w), "="); ok && syntax.ValidName(t) {
				r.give(t, text)
			} else if len(w.Parts) > 1 {
				r.assignDynamic(w)
			}
		}
	case "set", "shift":
		r.positional = r.positional || len(rest) > 0
	case "alias":
		for _, w := range rest {
			if t, _, ok := strings.Cut(staticText(w), "="); ok {
				r.name(t)
			}
		}
	case "shopt", "setopt", "unsetopt":
		for _, w := range rest {
			if t := strings.ToLower(strings.ReplaceAll(staticText(w), "_", "")); strings.Contains(t, "glob") || t == "" {
				r.globs = true
			}
		}
	case "hash":
		if len(rest) > 1 && strings.HasPrefix(staticText(rest[0]), "-") {
			r.name(staticText(rest[len(rest)-1]))
		}
	}
}

// assignDynamic notes NAME=… whose value is not static.
func (r *reader) assignDynamic(w *syntax.Word) {
	l, ok := w.Parts[0].(*syntax.Lit)
	if !ok {
		return
	}
	if name, _, ok := strings.Cut(l.Value, "="); ok && syntax.ValidName(name) {
		r.variable(name).made = true
		r.variable(name).reads++
	}
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

// sourced gives the variables of reads the listings that they read.
func (r *reader) sourced() {
	for c, from := range r.sources {
		for _, w := range c.Args[1:] {
			t := staticText(w)
			if from == nil || !syntax.ValidName(t) {
				continue
			}
			v := r.variable(t)
			v.lists = append(v.lists, from)
		}
	}
	clear(r.sources)
}

// staticText is the value of a word that holds no expansion, else empty.
func staticText(w *syntax.Word) string {
	if len(w.Parts) == 1 {
		switch p := w.Parts[0].(type) {
		case *syntax.Lit:
			return unquote(p.Value, "")
		case *syntax.SglQuoted:
			if !p.Dollar {
				return p.Value
			}
			return unescape(p.Value)
		}
	}
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unquote(p.Value, ""))
		case *syntax.SglQuoted:
			b.WriteString(staticText(&syntax.Word{Parts: []syntax.WordPart{p}}))
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				l, ok := q.(*syntax.Lit)
				if !ok {
					return ""
				}
				b.WriteString(unquote(l.Value, "$`\"\\"))
			}
		default:
			return ""
		}
	}
	return b.String()
}

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
		case "OLDPWD", "_":
			return nil, true, nil
		}
		return nil, false, nil
	}
	if v.done {
		return v.vals, v.made, v.files
	}
	if v.busy {
		return nil, true, nil // made of itself
	}
	v.busy = true
	v.vals = append(v.vals[:0:0], v.plain...)
	for _, w := range v.words {
		r.valuesOf(v, w)
	}
	if len(v.vals) > mostValues {
		v.vals, v.made = v.vals[:mostValues], true
	}
	r.listed(v)
	v.busy, v.done = false, true
	for _, x := range v.vals {
		r.sniff(x.text)
	}
	return v.vals, v.made, v.files
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
		for _, words := range expand([][]part{f}, mostValues) {
			var texts []string
			for _, x := range words {
				texts = append(texts, x.Text)
			}
			v.vals = append(v.vals, value{text: strings.Join(texts, " ")})
		}
	}
}

// listed takes the files of the listings that a variable is read from; when
// all is known to come from them, it is no longer made.
func (r *reader) listed(v *variable) {
	for _, s := range v.lists {
		c, ok := s.Cmd.(*syntax.CallExpr)
		if !ok || len(c.Args) == 0 || len(s.Redirs) > 0 {
			return
		}
		shadow := r.shadow()
		sc := newScope()
		shadow.stmt(s, sc)
		if len(shadow.out.Commands) != 1 {
			return
		}
		files, ok := listing(&shadow.out.Commands[0])
		if !ok {
			return
		}
		v.files = append(v.files, files...)
	}
	if len(v.lists) > 0 && len(v.lists) == v.reads && len(v.words) == 0 && len(v.plain) == 0 {
		v.made = false
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
