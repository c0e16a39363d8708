package shell

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// mostComputed bounds the texts that operators are applied to.
const mostComputed = 200

// transform is what an operator of ${name…} makes of a text; ok is false where
// that is not certain.
type transform func(text string) (out string, ok bool)

// computed applies an operator to the known values of a parameter. What is not
// certain is left to whoever makes it while the script runs.
func (r *reader) computed(p *syntax.ParamExp, out part, arg operands) part {
	f := transformOf(p, arg)
	vals := make([]value, 0, len(out.vals))
	for _, v := range out.vals {
		if p.Slice != nil && v.list != nil {
			v, ok := arg.slice(p, v)
			if ok {
				vals = append(vals, v)
			}
			out.made = out.made || !ok
			continue
		}
		certain := !out.outer && !r.shifts && ascii(v.text)
		v, ok := v.changed(f)
		if ok {
			vals = append(vals, v)
		}
		out.made = out.made || !ok || !certain
	}
	if len(vals) == 0 || len(out.lists) > 0 {
		return part{made: true, subst: out.subst}
	}
	out.vals = vals
	return out
}

// ascii says whether a text is of letters that take one byte. Where others end
// depends on the language that the shell runs in.
func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// changed applies a transform to a value, to each word of a list.
func (v value) changed(f transform) (value, bool) {
	if f == nil || v.glob {
		return v, false
	}
	if v.list == nil {
		text, ok := f(v.text)
		return value{text: text}, ok && len(v.text) <= mostComputed
	}
	list := make([]Word, 0, len(v.list))
	for _, w := range v.list {
		text, ok := f(w.Text)
		if !ok || !w.Static || len(w.Text) > mostComputed {
			return v, false
		}
		list = append(list, literal(text))
	}
	return listValue(list), true
}

// operands are what stands behind the operator of ${name…}, evaluated. That is
// done once: who did it again for each use of it would do it twice as often with
// each level of operators in operators.
type operands struct {
	word, orig, with []part
	offset, length   number
}

// transformOf is the operator of a parameter expansion, nil for one whose result
// cannot be told.
func transformOf(p *syntax.ParamExp, arg operands) transform {
	switch {
	case p.Slice != nil:
		return func(s string) (string, bool) {
			letters := []rune(s)
			from, to, ok := arg.span(p.Slice, len(letters))
			if !ok {
				return "", false
			}
			return string(letters[from:to]), true
		}
	case p.Repl != nil:
		return arg.replacement(p.Repl)
	case p.Exp == nil:
		return nil
	}
	switch p.Exp.Op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix:
		if rx := compile(arg.word, pattern.EntireString); rx != nil {
			return func(s string) (string, bool) { return without(s, rx, p.Exp.Op), true }
		}
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		if len(arg.word) == 0 {
			return cased(p.Exp.Op == syntax.UpperFirst || p.Exp.Op == syntax.UpperAll, p.Exp.Op == syntax.UpperFirst || p.Exp.Op == syntax.LowerFirst)
		}
	case syntax.OtherParamOps:
		switch text, _ := one(arg.word); text {
		case "E":
			return func(s string) (string, bool) { return unescape(s), true }
		case "U", "L", "u":
			return cased(text != "L", text == "u")
		}
	}
	return nil
}

// cased changes the case of plain letters: that of others depends on where the
// shell runs.
func cased(upper, first bool) transform {
	return func(s string) (string, bool) {
		n := len(s)
		if first {
			n = min(n, 1)
		}
		for i := range len(s) {
			if s[i] >= 0x80 {
				return "", false
			}
		}
		if upper {
			return strings.ToUpper(s[:n]) + s[n:], true
		}
		return strings.ToLower(s[:n]) + s[n:], true
	}
}

// without removes what matches a pattern from an end of a text.
func without(s string, rx *regexp.Regexp, op syntax.ParExpOperator) string {
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	large := op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix
	for i := 0; i <= len(s); i++ {
		at := i // the place where the text is cut, the smallest removal first
		if suffix != large {
			at = len(s) - i
		}
		switch {
		case suffix && rx.MatchString(s[at:]):
			return s[:at]
		case !suffix && rx.MatchString(s[:at]):
			return s[at:]
		}
	}
	return s
}

// replacement is ${name/pattern/text} in its forms.
func (a operands) replacement(p *syntax.Replace) transform {
	with, ok := one(a.with)
	if p.Orig == nil || !ok || len(with) > mostComputed || strings.ContainsAny(with, `&\`) {
		return nil // versions of the shell differ in what & stands for
	}
	orig := slices.Clone(a.orig)
	anchor := byte(0)
	if l, ok := p.Orig.Parts[0].(*syntax.Lit); ok && l.Value != "" && (l.Value[0] == '#' || l.Value[0] == '%') {
		if anchor = l.Value[0]; p.All {
			return nil
		}
		orig[0].text = orig[0].text[1:]
		if p := orig[0].raw; p != nil {
			rest := (*p)[1:]
			orig[0].raw = &rest
		}
	}
	mode := pattern.Mode(0)
	if anchor != 0 {
		mode = pattern.EntireString
	}
	rx := compile(orig, mode)
	if rx == nil || anchor == 0 && rx.MatchString("") {
		return nil
	}
	rx.Longest()
	return func(s string) (string, bool) {
		switch {
		case anchor == '#':
			if rest := without(s, rx, syntax.RemLargePrefix); rest != s || rx.MatchString("") {
				return with + rest, true
			}
			return s, true
		case anchor == '%':
			if rest := without(s, rx, syntax.RemLargeSuffix); rest != s || rx.MatchString("") {
				return rest + with, true
			}
			return s, true
		case p.All:
			return rx.ReplaceAllLiteralString(s, with), true
		}
		if at := rx.FindStringIndex(s); at != nil {
			return s[:at[0]] + with + s[at[1]:], true
		}
		return s, true
	}
}

// trial evaluates a word without listing what runs in it.
func (r *reader) trial(w *syntax.Word) []part {
	sc := newScope()
	return r.shadow().parts(w.Parts, &sc)
}

// one is the only text that parts can have.
func one(parts []part) (string, bool) {
	var b strings.Builder
	for _, p := range parts {
		if !p.static && (len(p.vals) != 1 || p.made || p.outer || p.vals[0].list != nil || len(p.lists) > 0) {
			return "", false
		}
		if b.WriteString(p.text); !p.static {
			b.WriteString(p.vals[0].text)
		}
	}
	return b.String(), true
}

// compile makes an expression of a pattern of the shell; nil where readers of
// patterns differ.
func compile(parts []part, mode pattern.Mode) *regexp.Regexp {
	var b strings.Builder
	for i, p := range parts {
		text, ok := one(parts[i : i+1])
		glob := p.glob || !p.static && !p.quoted && hasGlob(text)
		switch {
		case !ok, glob && strings.ContainsAny(text, "()|"), !p.quoted && (!p.static || glob && p.raw == nil) && strings.Contains(text, `\`), i == 0 && !p.quoted && strings.HasPrefix(text, "~"):
			return nil
		case glob && p.raw != nil:
			b.WriteString(*p.raw)
		case glob:
			b.WriteString(text)
		default:
			b.WriteString(pattern.QuoteMeta(text, 0))
		}
	}
	expr, err := pattern.Regexp(b.String(), mode)
	if err != nil {
		return nil
	}
	rx, err := regexp.Compile(expr)
	if err != nil {
		return nil
	}
	return rx
}

// span is the part of total that a slice takes.
func (a operands) span(s *syntax.Slice, total int) (from, to int, ok bool) {
	if s.Offset != nil {
		if from = a.offset.n; !a.offset.known {
			return 0, 0, false
		}
	}
	if from < 0 {
		from += total
	}
	if from < 0 || from > total {
		return 0, 0, true // nothing is taken
	}
	to = total
	if s.Length != nil {
		switch n := a.length.n; {
		case !a.length.known:
			return 0, 0, false
		case n < 0:
			to = total + n
		default:
			to = min(total, from+n)
		}
	}
	return from, to, to >= from
}

// slice takes elements of a list.
func (a operands) slice(p *syntax.ParamExp, v value) (value, bool) {
	list := v.list
	if positional(p.Param.Value) { // $0 stands before them
		list = append([]Word{dynamic("$0")}, list...)
	}
	if p.Slice.Length != nil && (!a.length.known || a.length.n < 0) {
		return value{}, false
	}
	from, to, ok := a.span(p.Slice, len(list))
	if !ok || from == to {
		return value{}, false
	}
	return listValue(list[from:to]), true
}
