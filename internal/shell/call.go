package shell

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// mostForms bounds how many forms of one command are followed when variables
// have several values.
const mostForms = 16

// reserve makes the place of a command, so that it stands before what its
// words run.
func (r *reader) reserve() int {
	r.out.Commands = append(r.out.Commands, Command{})
	return len(r.out.Commands) - 1
}

// fill puts a command into its place without looking at what it does.
func (r *reader) fill(index int, words []Word, assigns []Assign, sc *scope) *Command {
	c := &r.out.Commands[index]
	c.Words, c.Assigns = words, assigns
	c.Wrapper, c.Function, c.Remote, c.Background = sc.wrapper, sc.function, sc.remote, sc.background
	c.PipedFrom, c.Stdin, c.HasStdin = sc.stdin.from, sc.stdin.text, sc.stdin.known
	c.placed(sc.dirs)
	c.Text = r.commandText(words, assigns)
	return c
}

// commandText joins what a rule is matched against.
func (r *reader) commandText(words []Word, assigns []Assign) string {
	n := 0
	for i := range words {
		n += len(words[i].Shown) + 1
	}
	var b strings.Builder
	b.Grow(n)
	for _, a := range assigns {
		if r.harmless(a.Name) || quieting(a) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.Name + "=" + a.Value)
	}
	for i := range words {
		if i > 0 || b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[i].Shown)
	}
	return b.String()
}

func assignText(list []Assign) string {
	texts := make([]string, len(list))
	for i, a := range list {
		texts[i] = a.Name + "=" + a.Value
	}
	return strings.Join(texts, " ")
}

// unknown lists something that runs and cannot be read.
func (r *reader) unknown(text, why string, sc *scope) {
	c := r.fill(r.reserve(), []Word{{Text: text, Shown: text}}, nil, sc)
	c.Unknown = why
}

// call walks a simple command that stands in the tree.
func (r *reader) call(c *syntax.CallExpr, sc *scope, index int, redirected bool) outcome {
	assigns := r.assigns(c.Assigns, sc)
	words := make([]Word, 0, len(c.Args))
	fields := make([][]part, 0, len(c.Args))
	for _, w := range c.Args {
		if text, ok := plain(w); ok {
			words, fields = append(words, Word{Text: text, Shown: text, Static: true, quoted: true}), append(fields, nil)
			continue
		}
		for _, f := range r.words(w, sc) {
			words, fields = append(words, build(f)), append(fields, f)
		}
	}
	if len(words) == 0 {
		r.alone(assigns, sc, redirected)
		if index >= 0 { // all words are empty
			r.fill(index, nil, assigns, sc)
		}
		return stays(sc.dirs)
	}
	return r.run(words, fields, assigns, sc, index)
}

// plain is the text of a word that is nothing but letters, the usual case.
func plain(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	l, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.ContainsAny(l.Value, "\\~{*?[") {
		return "", false
	}
	return l.Value, true
}

// run lists a command in its own form and in the forms that the values of its
// variables give it.
// A word without fields is static.
func (r *reader) run(words []Word, fields [][]part, assigns []Assign, sc *scope, index int) outcome {
	variable := false
	for _, f := range fields {
		for _, p := range f {
			variable = variable || len(p.vals) > 0
		}
	}
	if !variable {
		return r.command(words, assigns, sc, index)
	}
	for i, f := range fields {
		if f == nil {
			w := &words[i]
			fields[i] = []part{{text: w.Text, shown: w.Shown, static: true, quoted: true}}
		}
	}
	forms := r.forms(fields, mostForms)
	if forms == nil {
		for i := range words {
			words[i].Made = words[i].Made || !words[i].Static
		}
	}
	end := r.command(words, assigns, sc, index)
	if forms == nil {
		return end
	}
	var all outcome
	for _, form := range forms {
		if !r.step() {
			break
		}
		if len(form) == 0 { // all of it is empty: nothing runs
			all = outcome{ok: all.ok.with(sc.dirs), fail: all.fail}
			continue
		}
		at := r.reserve()
		inner := *sc
		out := r.command(form, assigns, &inner, at)
		r.out.Commands[at].Expansion = true
		all = outcome{ok: all.ok.with(out.ok), fail: all.fail.with(out.fail)}
	}
	if !end.ok.unknown || open(words) || all.ok.never() {
		return outcome{ok: end.ok.with(all.ok), fail: end.fail.with(all.fail)}
	}
	return all
}

// open says whether a word may have a value that the forms do not show.
func open(words []Word) bool {
	for _, w := range words {
		if w.Made || w.open {
			return true
		}
	}
	return false
}

// command lists one form of a command and looks at what it does.
func (r *reader) command(words []Word, assigns []Assign, sc *scope, index int) outcome {
	r.fill(index, words, assigns, sc)
	if !r.step() {
		return stays(sc.dirs)
	}
	r.lines(assigns, sc, index)
	w := words[0]
	switch {
	case !w.Static:
		if w.Made && w.shut && (w.Head == "" || strings.HasPrefix(w.Head, "/")) || r.indexed(w) {
			r.out.Commands[index].Veiled = true
		}
		r.setUnknown(index, fmt.Sprintf("the command word %s cannot be known before it runs", w.Shown))
		return outcome{ok: sc.dirs, fail: sc.dirs}
	case w.Glob:
		r.setUnknown(index, fmt.Sprintf("the command word %s is a pattern", w.Shown))
		r.matched(words, assigns, sc)
		return stays(sc.dirs)
	case strings.ContainsAny(w.Text, " \t\n"):
		r.setUnknown(index, "the command word holds a blank, so that its text looks like another command")
		return stays(sc.dirs)
	case w.Text == "" || strings.HasPrefix(w.Text, "=") || strings.HasPrefix(w.Text, "%"):
		r.setUnknown(index, "the command word is not the name of a program")
		if name := strings.TrimPrefix(w.Text, "="); name != "" && name != w.Text { // to zsh, where the program lies
			at := r.reserve()
			r.command(append([]Word{literal(name)}, words[1:]...), assigns, sc, at)
			r.out.Commands[at].Expansion = true
		}
		return stays(sc.dirs)
	}
	name := Program(w.Text)
	if r.names[w.Text] {
		r.setUnknown(index, fmt.Sprintf("%s is a function or an alias of the script", w.Text))
		r.instead(words, assigns, sc)
		if r.wanders {
			return stays(dirs{unknown: true})
		}
		return stays(sc.dirs)
	}
	r.pipes = r.pipes || name == "mkfifo" || name == "mknod"
	end := r.look(&call{r: r, sc: sc, index: index, name: name, args: words[1:]})
	r.renamed(words, assigns, sc, name)
	return end
}

// lineNames end the names of variables whose value is a command line.
var lineNames = []string{"PAGER", "EDITOR", "VISUAL", "COMMAND", "BROWSER", "ASKPASS", "OPEN", "CLOSE", "_RSH", "RSH", "_SSH", "_DIFF", "_ENV", "CMD"}

// lines looks at the values of variables that are command lines.
func (r *reader) lines(assigns []Assign, sc *scope, index int) {
	for _, a := range assigns {
		value := strings.TrimLeft(a.Value, "!|")
		line := strings.HasPrefix(a.Name, "GIT_CONFIG_VALUE") || slices.ContainsFunc(lineNames, func(n string) bool { return strings.HasSuffix(a.Name, n) })
		if line && commanding(a.Name) && strings.ContainsAny(value, " \t\n") {
			(&call{r: r, sc: sc, index: index, name: a.Name}).suspect(value)
		}
		switch a.Name {
		case "PS0", "PS1", "PS2", "PS4":
			r.within(a.Value, sc)
		case "ENV", "BASH_ENV":
			if text, ok := r.printed(a.Subst); ok {
				(&call{r: r, sc: sc, index: index, name: a.Name}).suspect(text)
			} else if text, ok := r.kept(a.Value, sc); ok {
				(&call{r: r, sc: sc, index: index, name: a.Name}).suspect(text)
			}
		}
	}
}

func (r *reader) setUnknown(index int, why string) {
	if c := &r.out.Commands[index]; c.Unknown == "" {
		c.Unknown = why
	}
}

// assigns evaluates the assignments before a command.
func (r *reader) assigns(list []*syntax.Assign, sc *scope) []Assign {
	if len(list) == 0 {
		return nil
	}
	out := make([]Assign, 0, len(list))
	for _, a := range list {
		out = append(out, r.assignment(a, sc))
	}
	return out
}

// assignment walks what stands before a command or alone.
func (r *reader) assignment(a *syntax.Assign, sc *scope) Assign {
	out := Assign{Static: true}
	if a.Name != nil {
		out.Name = a.Name.Value
	}
	r.arithmetic(a.Index, sc)
	if a.Value != nil {
		w := build(r.parts(a.Value.Parts, sc))
		out.Value, out.Static, out.Subst = w.Shown, w.Static, w.Subst
	}
	if a.Array != nil {
		out.Value, out.Static = r.text(a.Array), false
		for _, e := range a.Array.Elems {
			r.arithmetic(e.Index, sc)
			if e.Value != nil {
				for _, f := range r.words(e.Value, sc) {
					out.Subst = append(out.Subst, build(f).Subst...)
				}
			}
		}
	}
	if len(out.Subst) > 0 {
		r.held[out.Name] = out.Subst
	}
	return out
}

// alone handles assignments without a command: they matter when the variable
// changes what later commands run.
func (r *reader) alone(assigns []Assign, sc *scope, redirected bool) {
	listed := false
	for _, a := range assigns {
		if !quieting(a) && r.dangerous(a.Name, assignText(assigns), sc) {
			listed = true
			break
		}
	}
	r.lines(assigns, sc, len(r.out.Commands))
	if redirected && !listed {
		r.fill(r.reserve(), nil, assigns, sc)
	}
	r.loose = append(r.loose, assigns...)
}

// dangerous lists an unknown command when a variable of that name changes what
// other commands run.
func (r *reader) dangerous(name, text string, sc *scope) bool {
	if !r.changing(name, sc) {
		return false
	}
	r.unknown(text, fmt.Sprintf("%s changes what later commands run", name), sc)
	return true
}

// declare walks export, declare, local, readonly, typeset.
func (r *reader) declare(c *syntax.DeclClause, sc *scope) {
	index := r.reserve()
	words := []Word{literal(c.Variant.Value)}
	why := ""
	for _, a := range c.Args {
		if a.Naked && a.Name == nil && a.Value != nil {
			for _, f := range r.words(a.Value, sc) {
				w := build(f)
				words = append(words, w)
				name, _, _ := strings.Cut(w.Text, "=")
				switch {
				case !w.Static && w.Head == "":
					why = "what it declares cannot be known before it runs"
				case r.changing(name, sc):
					why = name + " changes what later commands run"
				}
				r.sniffIndex(w, &why)
				r.within(w.Text, sc)
			}
			continue
		}
		as := r.assignment(a, sc)
		w := Word{Text: as.Name, Shown: as.Name, Static: as.Static, Subst: as.Subst}
		if !a.Naked {
			w.Text += "=" + as.Value
			w.Shown = w.Text
			if !as.Static {
				w.Head = as.Name + "="
			}
		}
		r.sniffAttribute(words[1:], as, &why)
		if len(words) > 1 && strings.ContainsAny(words[1].Text, "in") {
			r.evaluates([]part{{text: as.Value, shown: as.Value, static: true}}, sc)
		}
		r.lines([]Assign{as}, sc, index)
		if r.changing(as.Name, sc) && (!a.Naked || c.Variant.Value == "export") {
			why = as.Name + " changes what later commands run"
		}
		words = append(words, w)
	}
	r.fill(index, words, nil, sc)
	if why != "" {
		r.setUnknown(index, why)
	}
}

// sniffIndex notes a quoted name whose index would run a command.
func (r *reader) sniffIndex(w Word, why *string) {
	if strings.IndexByte(w.Text, '[') >= 0 && (strings.Contains(w.Text, "$(") || strings.IndexByte(w.Text, '`') >= 0) {
		*why = "an index in it runs a command"
	}
}

// sniffAttribute notes declarations that give a value another meaning: an
// integer's is taken for arithmetic, a reference's for a name with an index.
func (r *reader) sniffAttribute(options []Word, a Assign, why *string) {
	for _, w := range options {
		if !strings.HasPrefix(w.Text, "-") {
			continue
		}
		if strings.IndexByte(w.Text, 'n') >= 0 {
			*why = "it makes a name stand for another, which can hold an index that runs a command"
		}
		if strings.IndexByte(w.Text, 'i') < 0 {
			continue
		}
		_, made, _ := r.resolve(a.Name)
		if syntax.ValidName(a.Value) {
			_, far, _ := r.resolve(a.Value)
			made = made || far
		}
		if r.bomb || made || !a.Static || strings.Contains(a.Value, "$(") || strings.IndexByte(a.Value, '`') >= 0 {
			*why = "its value is taken for arithmetic, which could run a command"
		}
	}
}
