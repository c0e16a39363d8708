package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// param evaluates $name and ${…}.
func (r *reader) param(p *syntax.ParamExp, sc *scope) part {
	var out part
	if p.Param == nil {
		return part{made: true}
	}
	r.arithmetic(p.Index, sc)
	if p.Slice != nil {
		r.arithmetic(p.Slice.Offset, sc)
		r.arithmetic(p.Slice.Length, sc)
	}
	var other *Word
	switch {
	case p.Exp != nil && p.Exp.Word != nil:
		w := build(r.parts(p.Exp.Word.Parts, sc))
		other = &w
	case p.Repl != nil:
		for _, w := range []*syntax.Word{p.Repl.Orig, p.Repl.With} {
			if w != nil {
				r.parts(w.Parts, sc)
			}
		}
	}
	name := p.Param.Value
	if p.Exp != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) {
		r.dangerous(name, r.text(p), sc)
	}
	if p.Length || countable(name) {
		return out
	}
	if p.Exp != nil && p.Exp.Op == syntax.OtherParamOps {
		if other != nil && strings.HasPrefix(other.Text, "P") {
			r.unknown(r.text(p), "its value is expanded like a prompt, which runs the commands in it", sc)
		}
		out.made = true
		return out
	}
	if positional(name) {
		out.made, out.vals = r.positional, r.positionals(name)
		out.subst = r.held[name]
	} else {
		out.vals, out.made, out.lists = r.resolve(name)
		out.subst = r.held[name]
		if v := r.vars[name]; v != nil && whole(p.Index) && len(v.arrays) > 0 {
			if out.made = out.made || v.loose; !v.loose {
				out.vals = nil
			}
			for _, list := range v.arrays[:min(len(v.arrays), mostValues)] {
				out.vals = append(out.vals[:len(out.vals):len(out.vals)], value{text: strings.Join(list, " "), list: list})
			}
		}
	}
	return r.operate(p, out, other)
}

// operate applies the operator of ${name…} to what is known of the name.
func (r *reader) operate(p *syntax.ParamExp, out part, other *Word) part {
	switch {
	case p.Excl || p.Names != 0 || p.NestedParam != nil || len(p.Modifiers) > 0 || p.Flags != nil:
		return part{made: true}
	case p.Slice != nil || p.Repl != nil:
		return part{made: true}
	case p.Exp == nil:
		return out
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull,
		syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if other == nil {
			return out
		}
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
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if other != nil && other.Static && !out.made && len(out.vals) > 0 && len(out.lists) == 0 {
			return trimmed(out, p.Exp.Op, other.Text)
		}
	}
	return part{made: true}
}

// trimmed applies ${x%pattern} and its like to known values; a value or a
// pattern with wildcards in it makes the result unknown.
func trimmed(out part, op syntax.ParExpOperator, pattern string) part {
	vals := make([]value, 0, len(out.vals))
	for _, v := range out.vals {
		star := strings.IndexByte(pattern, '*')
		if v.glob || strings.ContainsAny(pattern, "?[\\") || star != strings.LastIndexByte(pattern, '*') {
			return part{made: true}
		}
		text, ok := cutAffix(v.text, op, pattern, star)
		if !ok {
			return part{made: true}
		}
		vals = append(vals, value{text: text})
	}
	out.vals = vals
	return out
}

// cutAffix removes a prefix or suffix pattern of at most one star at its
// outer end (".*" as a suffix, "*/" as a prefix).
func cutAffix(text string, op syntax.ParExpOperator, pattern string, star int) (string, bool) {
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	if star < 0 {
		if suffix {
			return strings.TrimSuffix(text, pattern), true
		}
		return strings.TrimPrefix(text, pattern), true
	}
	if suffix && star == len(pattern)-1 {
		at := strings.LastIndex(text, pattern[:star])
		if op == syntax.RemLargeSuffix {
			at = strings.Index(text, pattern[:star])
		}
		if at < 0 {
			return text, true
		}
		return text[:at], true
	}
	if !suffix && star == 0 {
		at := strings.Index(text, pattern[1:])
		if op == syntax.RemLargePrefix {
			at = strings.LastIndex(text, pattern[1:])
		}
		if at < 0 {
			return text, true
		}
		return text[at+len(pattern)-1:], true
	}
	return "", false
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

// expand gives the forms of a command when each variable in it takes each of
// its values; nil when there are too many. Unquoted values are split at
// blanks, as the shell does.
func expand(fields [][]part, most int) [][]Word {
	total := 1
	for _, f := range fields {
		for _, p := range f {
			if len(p.vals) > 0 {
				if total *= len(p.vals); total > most {
					return nil
				}
			}
		}
	}
	out := make([][]Word, 0, total)
	for n := 0; n < total; n++ {
		left := n
		var form []Word
		for _, f := range fields {
			var chosen []part
			var list []string
			for _, p := range f {
				if len(p.vals) > 0 {
					v := p.vals[left%len(p.vals)]
					left /= len(p.vals)
					list = v.list
					p = part{text: v.text, shown: v.text, static: true, quoted: p.quoted, glob: v.glob || !p.quoted && hasGlob(v.text), subst: p.subst, vals: p.vals}
				}
				chosen = append(chosen, p)
			}
			if len(f) == 1 && len(list) > 0 {
				for _, text := range list {
					form = append(form, literal(text))
				}
				continue
			}
			form = append(form, split(chosen)...)
		}
		out = append(out, form)
	}
	return out
}

// split cuts a word at the blanks of the unquoted values in it.
func split(parts []part) []Word {
	cut := false
	for _, p := range parts {
		cut = cut || len(p.vals) > 0 && !p.quoted && (strings.ContainsAny(p.text, " \t\n") || p.text == "")
	}
	if !cut {
		return []Word{built(parts)}
	}
	var out []Word
	var now []part
	flush := func() {
		if len(now) > 0 {
			out = append(out, built(now))
		}
		now = nil
	}
	for _, p := range parts {
		if len(p.vals) == 0 || p.quoted {
			now = append(now, p)
			continue
		}
		fields := strings.Fields(p.text)
		if p.text != "" && strings.ContainsRune(" \t\n", rune(p.text[0])) {
			flush()
		}
		for i, f := range fields {
			if i > 0 {
				flush()
			}
			q := p
			q.text, q.shown = f, f
			now = append(now, q)
		}
		if n := len(p.text); n > 0 && strings.ContainsRune(" \t\n", rune(p.text[n-1])) {
			flush()
		}
	}
	flush()
	return out
}

// built joins the parts of a form, keeping which commands its values are of.
func built(parts []part) Word {
	w := build(parts)
	if w.Static {
		for _, p := range parts {
			w.Subst = append(w.Subst, p.subst...)
		}
	}
	if len(parts) > 0 && len(parts[0].vals) > 0 {
		// HOME is followed as "~", which means the home folder there.
		w.quoted = w.quoted && !strings.HasPrefix(parts[0].text, "~")
	}
	return w
}
