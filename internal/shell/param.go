package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// param evaluates $name and ${…}.
func (r *reader) param(p *syntax.ParamExp, sc *scope) part {
	var out part
	if p.Param == nil {
		return part{made: true}
	}
	r.arithmetic(p.Index, sc)
	arg := r.operands(p, sc)
	name := p.Param.Value
	if p.Exp != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) {
		r.dangerous(name, r.text(p), sc)
	}
	if p.Length && p.Index == nil && !positional(name) && !countable(name) {
		return r.lengths(name)
	}
	if p.Length || countable(name) {
		out.outer = true
		if p.Length || p.Exp == nil && p.Slice == nil && p.Repl == nil {
			return out
		}
		return r.operate(p, out, arg)
	}
	if text, _ := one(arg.word); p.Exp != nil && p.Exp.Op == syntax.OtherParamOps && strings.HasPrefix(text, "P") {
		r.unknown(r.text(p), "its value is expanded like a prompt, which runs the commands in it", sc)
		vals, _, _ := r.resolve(name)
		prompt := part{made: true}
		for _, v := range vals {
			r.within(v.text, sc)
			prompt.vals = append(prompt.vals, value{text: unescape(v.text)}) // perhaps
		}
		return prompt
	}
	if positional(name) {
		out.made, out.vals = r.positional, r.positionals(name)
		out.subst = r.held[name]
	} else {
		out = r.named(p, name)
	}
	if p.Excl && p.Names == 0 && !whole(p.Index) {
		r.subscripts(p, out, sc)
	}
	return r.operate(p, out, arg)
}

// operands walks what stands behind the operator.
func (r *reader) operands(p *syntax.ParamExp, sc *scope) operands {
	var out operands
	if p.Slice != nil {
		out.offset, out.length = r.arithmetic(p.Slice.Offset, sc), r.arithmetic(p.Slice.Length, sc)
	}
	switch {
	case p.Exp != nil && p.Exp.Word != nil:
		r.apostrophes(p, sc)
		out.word = r.parts(p.Exp.Word.Parts, sc)
	case p.Repl != nil:
		if p.Repl.Orig != nil {
			out.orig = r.parts(p.Repl.Orig.Parts, sc)
		}
		if p.Repl.With != nil {
			out.with = r.parts(p.Repl.With.Parts, sc)
		}
	}
	return out
}

// named is what is known of a variable.
func (r *reader) named(p *syntax.ParamExp, name string) part {
	var out part
	out.vals, out.made, out.lists = r.resolve(name)
	out.outer = r.outer(name)
	out.subst = r.held[name]
	if v := r.vars[name]; v != nil && v.done {
		out.shut = !v.unsure && !v.counted && !v.names && !v.single && !v.args && len(v.arrays) == 0 && !v.loose && v.reads == 0 && len(v.more)+len(v.lists) == 0
	}
	v := r.vars[name]
	switch {
	case v == nil || len(v.arrays)+len(v.read) == 0:
	case p.Index == nil: // to zsh the name alone is all of it
		for _, list := range v.arrays {
			if len(list) > 1 && len(out.vals) <= mostValues {
				out.vals = append(out.vals[:len(out.vals):len(out.vals)], listValue(list))
			}
		}
	case whole(p.Index):
		if out.made = out.made || v.loose || v.single; !v.loose && !v.single {
			out.vals = nil
		}
		for _, list := range slices.Concat(v.arrays, v.read) {
			if len(list) > 0 && len(out.vals) <= mostValues {
				out.vals = append(out.vals[:len(out.vals):len(out.vals)], listValue(list))
			}
		}
	}
	return out
}

// apostrophes notes single quotes in the word of a ${name:-word} in double
// quotes. There they are characters like others, so that what stands between
// them runs; and where they end is read in different ways.
func (r *reader) apostrophes(p *syntax.ParamExp, sc *scope) {
	switch p.Exp.Op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return
	}
	for _, x := range p.Exp.Word.Parts {
		if q, ok := x.(*syntax.SglQuoted); ok && r.inQuotes {
			r.unknown(r.text(p), "it holds single quotes in double quotes, which do not hide what stands in them", sc)
			r.within(q.Value, sc)
		}
	}
}

// lengths is ${#name}.
func (r *reader) lengths(name string) part {
	vals, made, _ := r.resolve(name)
	if made || r.outer(name) || slices.ContainsFunc(vals, func(v value) bool { return !ascii(v.text) }) {
		return part{outer: true}
	}
	var out part
	for _, v := range vals {
		out.vals = append(out.vals, value{text: strconv.Itoa(utf8.RuneCountInString(v.text))})
	}
	return out
}

// subscripts notes that ${!name} takes the value for a name with an index,
// which is arithmetic and may hold a substitution.
func (r *reader) subscripts(p *syntax.ParamExp, out part, sc *scope) {
	for _, v := range out.vals {
		r.within(v.text, sc)
	}
	if out.made {
		r.unknown(r.text(p), "it takes a value for a name, and one that comes to be while the script runs could hold a command", sc)
	}
}

// indirect is ${!name}: the values of what the values name.
func (r *reader) indirect(out part) part {
	names := out.vals
	out.vals, out.made = nil, true
	for _, n := range names {
		if syntax.ValidName(n.text) && len(out.vals) <= mostValues {
			vals, _, files := r.resolve(n.text)
			out.vals = append(out.vals[:len(out.vals):len(out.vals)], vals...)
			out.lists = append(out.lists[:len(out.lists):len(out.lists)], files...)
		}
	}
	return out
}

// operate applies the operator of ${name…} to what is known of the name.
func (r *reader) operate(p *syntax.ParamExp, out part, arg operands) part {
	if p.Names != 0 || p.NestedParam != nil || len(p.Modifiers) > 0 || p.Flags != nil || p.Excl && p.Index != nil {
		return part{made: true}
	}
	if p.Excl {
		out = r.indirect(out)
	}
	switch {
	case p.Slice != nil || p.Repl != nil:
		return r.computed(p, out, arg)
	case p.Exp == nil:
		return out
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull,
		syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		other := build(arg.word) // an empty one when there is no word
		if !other.Static {
			out.made = out.made || other.Made
			out.subst = append(out.subst, other.Subst...)
			out.lists = append(out.lists, other.Lists...)
		}
		if other.Static || !other.Made {
			out.vals = append(out.vals[:len(out.vals):len(out.vals)], value{text: other.Text, glob: other.Glob})
		}
		return out
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return out
	}
	return r.computed(p, out, arg)
}

// countable are parameters whose value is a number or flags of the shell.
func countable(name string) bool {
	switch name {
	case "?", "#", "$", "!", "-", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID", "SRANDOM", "EPOCHSECONDS":
		return true
	}
	return false
}

func positional(name string) bool {
	return name == "@" || name == "*" || name != "" && name != "0" && strings.Trim(name, "0123456789") == ""
}
