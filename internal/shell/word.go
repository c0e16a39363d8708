package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// part is a piece of a word after quote removal.
type part struct {
	text, shown string
	static      bool
	quoted      bool
	glob        bool
	// raw is the text as a pattern, where a backslash hides some characters of
	// one, else nil.
	raw *string
	// made, subst and lists are as in Word; vals are the values that the
	// script gives to the variable that the part stands for.
	made bool
	proc bool // a process substitution
	shut bool // as in Word
	// outer says that some value is not told by the script alone: it comes from
	// the environment, from the state of the shell, or stands for such a one
	// ("~" for the home folder). It may be used as it is, but what an operator
	// makes of it is not known.
	outer bool
	vals  []value
	subst []int
	lists []File
}

// value is a possible value of a variable. A glob value came from a pattern.
type value struct {
	text string
	glob bool
	// list are the words that it becomes when it stands for a whole list, or
	// the one word, not static, that an argument is.
	list []Word
}

// listValue is a value that stands for words.
func listValue(list []Word) value {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = w.Text
	}
	return value{text: strings.Join(texts, " "), list: list}
}

// part is what a part becomes that takes the value.
func (v value) part(p part) part {
	out := part{text: v.text, shown: v.text, static: true, quoted: p.quoted, glob: v.glob || !p.quoted && hasGlob(v.text), subst: p.subst, vals: p.vals}
	for _, w := range v.list {
		if !w.Static {
			return part{shown: p.shown, quoted: p.quoted, made: true, lists: w.Lists, subst: append(w.Subst[:len(w.Subst):len(w.Subst)], p.subst...)}
		}
	}
	return out
}

// literal makes a static word, for words that do not come from a tree.
func literal(text string) Word { return Word{Text: text, Shown: text, Static: true} }

// dynamic makes a word that may be anything.
func dynamic(shown string) Word { return Word{Shown: shown, Made: true} }

// build joins parts to a word, leaving out what is not static.
func build(parts []part) Word {
	if len(parts) == 1 && parts[0].static {
		p := parts[0]
		return Word{Text: p.text, Shown: p.shown, Static: true, Glob: p.glob, quoted: p.quoted}
	}
	w := Word{Static: true, shut: true}
	var text, shown strings.Builder
	for i, p := range parts {
		shown.WriteString(p.shown)
		if p.static {
			if i == 0 {
				w.quoted = p.quoted
			}
			text.WriteString(p.text)
			w.Glob = w.Glob || p.glob
			if !w.Static {
				w.Tail += p.text
			}
			continue
		}
		if w.Static {
			w.Static, w.Head = false, text.String()
		}
		w.Tail = ""
		w.shut = w.shut && p.decided()
		w.Made = w.Made || p.made
		w.open = w.open || len(p.vals) == 0
		w.Subst = append(w.Subst, p.subst...)
		w.Lists = append(w.Lists, p.lists...)
	}
	w.shut = w.shut && !w.Static
	w.Text, w.Shown = text.String(), shown.String()
	w.listing = len(parts) == 1 && len(parts[0].lists) > 0
	w.proc = len(parts) == 1 && parts[0].proc
	return w
}

// words evaluates a word into the fields that brace expansion makes of it. An
// element that is empty and in no quotes is no field, as in the shell.
func (r *reader) words(w *syntax.Word, sc *scope) [][]part {
	if !hasBrace(w) {
		return [][]part{r.parts(w.Parts, sc)}
	}
	shown, from := r.text(w), len(r.out.Commands)
	if braces(w) > mostBraces {
		r.parts(w.Parts, sc)
		return [][]part{{{shown: shown, made: true, subst: indexes(from, len(r.out.Commands))}}}
	}
	word := *w // the tree stays as it is, for whoever walks it again
	syntax.SplitBraces(&word)
	if out := r.braces(word.Parts, sc); out != nil {
		out = slices.DeleteFunc(out, func(f []part) bool { return len(f) == 0 })
		if joins(word.Parts, 0) || doubtful(word.Parts) {
			for i, f := range out {
				out[i] = append(f[:len(f):len(f)], part{made: true})
			}
		}
		return out
	}
	return [][]part{{{shown: shown, made: true, subst: indexes(from, len(r.out.Commands))}}}
}

// mostBraces bounds what is split: the time and memory that splitting takes
// grow with the square of the braces that stay open.
const mostBraces = 100

// braces counts what may open a brace expansion.
func braces(w *syntax.Word) int {
	n := 0
	for _, p := range w.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			n += strings.Count(l.Value, "{")
		}
	}
	return n
}

func hasBrace(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		switch p := p.(type) {
		case *syntax.Lit:
			return strings.IndexByte(p.Value, '{') >= 0
		case *syntax.BraceExp:
			return true
		}
		return false
	})
}

// parts evaluates the pieces of a word; substitutions in it are walked.
func (r *reader) parts(list []syntax.WordPart, sc *scope) []part {
	if len(list) > 0 && !r.work(len(list)) {
		return []part{{made: true}}
	}
	out := make([]part, 0, len(list))
	for i, p := range list {
		switch p := p.(type) {
		case *syntax.Lit:
			if p.Value != "" { // an element of a brace expansion may be empty
				out = append(out, lit(p.Value, i == 0))
			}
		case *syntax.SglQuoted:
			text := p.Value
			if p.Dollar {
				text = unescape(text)
			}
			out = append(out, part{text: text, shown: text, static: true, quoted: true})
		case *syntax.DblQuoted:
			out = append(out, r.quoted(p, sc)...)
		default:
			out = append(out, r.dynamicPart(p, sc))
		}
	}
	return out
}

// quoted are the parts of a text in double quotes.
func (r *reader) quoted(q *syntax.DblQuoted, sc *scope) []part {
	if len(q.Parts) == 0 {
		return []part{{static: true, quoted: true}}
	}
	out := make([]part, 0, len(q.Parts))
	for _, p := range q.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			text := unquote(l.Value, "$`\"\\")
			out = append(out, part{text: text, shown: text, static: true, quoted: true})
			continue
		}
		inQuotes := r.inQuotes
		r.inQuotes = true
		d := r.dynamicPart(p, sc)
		r.inQuotes = inQuotes
		d.quoted = true
		out = append(out, d)
	}
	return out
}

// bare leaves the quotes for what is read as if it stood alone, until the
// function that it returns is called.
func (r *reader) bare() func() {
	inQuotes, matching := r.inQuotes, r.matching
	r.inQuotes, r.matching = false, false
	return func() { r.inQuotes, r.matching = inQuotes, matching }
}

// lit reads an unquoted literal; first says that it begins the word, where a
// tilde stands for a folder.
func lit(raw string, first bool) part {
	text := raw
	if strings.IndexByte(raw, '\\') >= 0 {
		text = unquote(raw, "")
	}
	glob := hasGlob(raw)
	var pattern *string
	if glob && text != raw {
		written := raw // a copy, so that raw itself stays on the stack
		pattern = &written
	}
	return part{
		text: text, shown: text, static: true, glob: glob, raw: pattern,
		quoted: !first || !strings.HasPrefix(raw, "~"),
	}
}

// unquote removes backslashes: before any character, or before those of only.
func unquote(s, only string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == '\n' {
				i++
				continue
			}
			if only == "" || strings.IndexByte(only, s[i+1]) >= 0 {
				i++
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// hasGlob says whether a raw literal holds a pattern character that no
// backslash hides.
func hasGlob(raw string) bool {
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '*', '?':
			return true
		case '[':
			if strings.IndexByte(raw[i:], ']') > 0 {
				return true
			}
		}
	}
	return false
}

// dynamicPart evaluates what is not a literal.
func (r *reader) dynamicPart(p syntax.WordPart, sc *scope) part {
	shown := r.text(p)
	switch p := p.(type) {
	case *syntax.ParamExp:
		out := r.param(p, sc)
		out.shown = shown
		return out
	case *syntax.CmdSubst:
		defer r.bare()()
		return r.substitution(p, shown, sc)
	case *syntax.ProcSubst:
		defer r.bare()()
		from := len(r.out.Commands)
		inner := *sc
		inner.stdin = stdin{}
		if p.Op == syntax.CmdOut {
			inner.stdin.some = true
			if sc.owner >= 0 {
				inner.stdin.from = []int{sc.owner}
			}
			if inner.stdin.text, inner.stdin.known = sc.printed.text, sc.printed.known; !sc.printed.some {
				inner.stdin.text = sc.stdin.text // perhaps, as of tee
			}
		}
		touched := r.touched
		r.stmts(p.Stmts, &inner)
		return part{shown: shown, proc: true, subst: indexes(from, len(r.out.Commands)), shut: p.Op == syntax.CmdIn && r.shut(from, len(r.out.Commands), touched)}
	case *syntax.ArithmExp:
		inQuotes := r.inQuotes
		r.inQuotes = true // an expression is read as if it stood in quotes
		n := r.arithmetic(p.X, sc)
		if r.inQuotes = inQuotes; n.known {
			return part{shown: shown, vals: []value{{text: strconv.Itoa(n.n)}}}
		}
		return part{shown: shown, outer: true}
	case *syntax.ExtGlob:
		if !r.matching {
			r.unknown(shown, "it is a pattern that zsh reads in another way, in which it may hold a command", sc)
		}
		return part{text: shown, shown: shown, static: true, glob: true}
	case *syntax.DblQuoted:
		w := build(r.quoted(p, sc))
		return part{text: w.Text, shown: w.Shown, static: w.Static, quoted: true, made: w.Made, subst: w.Subst, shut: w.shut}
	}
	return part{shown: shown, made: true}
}

// substitution walks $(…). Its value is known when all it does is to echo
// static words, and harmless when its command cannot say what the script
// wants (tame).
func (r *reader) substitution(p *syntax.CmdSubst, shown string, sc *scope) part {
	from := len(r.out.Commands)
	inner := *sc
	files, touched := len(r.out.Files), r.touched
	inner.stdin.shut = false
	r.stmts(p.Stmts, &inner)
	out := part{shown: shown, made: true, subst: indexes(from, len(r.out.Commands)), shut: r.shut(from, len(r.out.Commands), touched)}
	if len(p.Stmts) == 1 {
		if text, ok := r.readsKept(p.Stmts[0], sc); ok {
			out.vals = append(out.vals, printedValue(text))
			return out
		}
	}
	if len(p.Stmts) == 0 || len(r.out.Files) > files && from == len(r.out.Commands) {
		return out
	}
	if from == len(r.out.Commands) {
		return out
	}
	if s := p.Stmts[0]; len(p.Stmts) == 1 && (isCall(s) || piped(s)) {
		texts, certain := r.says(from, len(r.out.Commands), piped(s))
		for _, text := range texts {
			out.vals = append(out.vals, printedValue(text))
		}
		if out.made = !certain; certain {
			return out
		}
		if lists, ok := listing(&r.out.Commands[from]); ok && isCall(s) {
			out.lists = lists
		}
	}
	if len(out.vals) == 0 {
		out.vals = r.prints(from)
	}
	if r.tame(p.Stmts) {
		out.made = false
	}
	return out
}

// isCall says whether a statement is a simple command whose output goes
// nowhere else.
func isCall(s *syntax.Stmt) bool {
	_, ok := s.Cmd.(*syntax.CallExpr)
	return ok && !slices.ContainsFunc(s.Redirs, func(d *syntax.Redirect) bool {
		return d.Op != syntax.Hdoc && d.Op != syntax.DashHdoc && d.Op != syntax.WordHdoc
	})
}

func indexes(from, to int) []int {
	if from == to {
		return nil
	}
	out := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// text is the source of a node. Nodes of another text than the one that is
// being read (values of variables) have none.
func (r *reader) text(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(r.src) || from > to {
		return ""
	}
	return r.src[from:to]
}
