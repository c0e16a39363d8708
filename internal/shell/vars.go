package shell

import (
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// mostValues bounds how many values of a variable are followed.
const mostValues = 8

// variable is what the script gives to a name, anywhere in it: the order of
// assignments does not count, so that no path through the script is missed.
type variable struct {
	words []*syntax.Word
	plain []value
	// more says of the words which are added to the value before (+=).
	more map[*syntax.Word]bool
	// names says that the values are names of other variables (declare -n).
	names bool
	// made says that some value comes to be while the script runs.
	made bool
	// loop says that the words are the items of a for loop, which are expanded
	// like arguments; lists are the files of a listing that it reads.
	loop bool
	// args says that it is the variable of a loop over the arguments.
	args  bool
	lists []source
	// reads counts the builtins that read a value into it.
	reads int

	// arrays are what it is given as a whole list; loose says that there are
	// lists that are not known.
	arrays [][]Word
	// read are the lists among its values that it is read into.
	read  [][]Word
	loose bool

	// single says that single elements of a list are set, outer that some value
	// is not told by the script alone.
	single, outer bool
	// unsure says that some word of it is not decided by the script alone.
	unsure bool
	// counted says that arithmetic gives it numbers.
	counted bool

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
				r.copiedFirst(n.Args)
			}
		case *syntax.Stmt:
			r.readsText(n)
		case *syntax.DeclClause:
			r.declares(n)
		case *syntax.ForClause:
			r.turns(n)
			if it, ok := n.Loop.(*syntax.WordIter); ok {
				v := r.variable(it.Name.Value)
				v.loop = true
				v.words = append(v.words, it.Items...)
				v.made = v.made || !it.InPos.IsValid() && r.positional
				v.args = v.args || !it.InPos.IsValid()
			}
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) && n.Param != nil && n.Exp.Word != nil {
				r.variable(n.Param.Value).words = append(r.variable(n.Param.Value).words, n.Exp.Word)
			}
		case *syntax.FuncDecl:
			if n.Name != nil {
				r.name(n.Name.Value)
			}
		case *syntax.BinaryArithm:
			if n != nil && (n.Op == syntax.Assgn || n.Op >= syntax.AddAssgn && n.Op <= syntax.ShrAssgn) {
				r.counts(n.X)
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				r.counts(n.X)
			}
		case *syntax.BinaryTest:
			r.compares(n)
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				r.readsFrom(n.Y, n.X)
			}
		}
		return true
	})
	r.sourced()
}

// declares notes what declare and its kin assign.
func (r *reader) declares(n *syntax.DeclClause) {
	for _, a := range n.Args {
		switch {
		case a.Name != nil && !a.Naked:
			if refers(n.Args) {
				r.variable(a.Name.Value).names = true
			}
			r.assign(a)
		case a.Naked && a.Value != nil:
			if name, text, ok := strings.Cut(staticText(a.Value), "="); ok {
				r.give(name, text)
			}
		}
	}
}

// variable is what is known of a variable, made when it is first met.
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
	if len(v.plain) < mostValues && !slices.ContainsFunc(v.plain, func(p value) bool { return p.list == nil && p.text == text }) {
		v.plain = append(v.plain, value{text: text})
	}
}

// counts notes a name that arithmetic assigns to: its value is a number that
// nobody has counted.
func (r *reader) counts(x syntax.ArithmExpr) {
	if w, ok := x.(*syntax.Word); ok {
		if name := staticText(w); syntax.ValidName(name) {
			v := r.variable(name)
			v.counted = true
		} else {
			for _, p := range w.Parts {
				if e, ok := p.(*syntax.ParamExp); ok && e.Param != nil && syntax.ValidName(e.Param.Value) {
					r.variable(e.Param.Value).counted = true
				}
			}
		}
	}
}

// compares notes names that an operand of -eq and the like may assign to.
func (r *reader) compares(n *syntax.BinaryTest) {
	switch n.Op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		for _, x := range []syntax.TestExpr{n.X, n.Y} {
			if w, ok := x.(*syntax.Word); ok {
				r.assigning(staticText(w))
			}
		}
	}
}

// assigning notes the names in a text that is taken for arithmetic and assigns.
func (r *reader) assigning(text string) {
	if !strings.ContainsAny(text, "=+-") {
		return
	}
	for _, name := range strings.FieldsFunc(text, func(c rune) bool { return !strings.ContainsRune("_", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if syntax.ValidName(name) {
			r.variable(name).counted = true
		}
	}
}

// name notes the name of a function or an alias.
func (r *reader) name(name string) {
	if !r.names[name] {
		r.names[name] = true
		r.out.Functions = append(r.out.Functions, name)
	}
}

// assign notes an assignment of the first pass.
func (r *reader) assign(a *syntax.Assign) {
	if a.Name == nil {
		return
	}
	if a.Name.Value == "BASH_ALIASES" && a.Index != nil && a.Value != nil {
		if w, ok := a.Index.(*syntax.Word); ok {
			r.name(staticText(w))
			r.stands[staticText(w)] = append(r.stands[staticText(w)], staticText(a.Value))
		}
	}
	v := r.variable(a.Name.Value)
	v.single = v.single || a.Index != nil
	if a.Value != nil {
		r.sniff(staticText(a.Value))
	}
	if a.Append && a.Value != nil {
		v.made = true // nobody counts how often
		if v.more == nil {
			v.more = map[*syntax.Word]bool{}
		}
		v.more[a.Value] = true
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
		r.printsInto(rest)
	case "export", "declare", "local", "readonly", "typeset", "eval", "env", "sudo", "doas":
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
			if t, text, ok := strings.Cut(staticText(w), "="); ok {
				r.name(t)
				r.stands[t] = append(r.stands[t], text)
			}
		}
	case "shopt", "setopt", "unsetopt", "emulate":
		r.shifts = true
		for _, w := range rest {
			if t := strings.ToLower(strings.ReplaceAll(staticText(w), "_", "")); strings.Contains(t, "glob") || t == "" {
				r.globs = true
			}
		}
	case "hash":
		if len(rest) > 1 && strings.HasPrefix(staticText(rest[0]), "-") {
			t := staticText(rest[len(rest)-1])
			r.name(t)
			if len(rest) > 2 {
				r.stands[t] = append(r.stands[t], staticText(rest[len(rest)-2]))
			}
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

// staticText is the value of a word that holds no expansion, else empty.
func staticText(w *syntax.Word) string {
	text, _ := static(w)
	return text
}

// static is the value of a word and whether it holds no expansion.
func static(w *syntax.Word) (string, bool) {
	if len(w.Parts) == 1 {
		if p, ok := w.Parts[0].(*syntax.Lit); ok {
			return unquote(p.Value, ""), true
		}
	}
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unquote(p.Value, ""))
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(unescape(p.Value))
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				l, ok := q.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(unquote(l.Value, "$`\"\\"))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}
