package shell

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// InputName says whether a word names the standard input or an open
// descriptor rather than a file.
func InputName(text string) bool {
	if text == "-" {
		return true
	}
	if !strings.HasPrefix(text, "/") {
		return false
	}
	name := path.Clean(text)
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"} {
		if n, ok := strings.CutPrefix(name, dir); ok {
			return n != "" && strings.Trim(n, "0123456789") == ""
		}
	}
	return name == "/dev/stdin"
}

// mostWritten bounds how much of what a script writes is kept.
const mostWritten = 32

// wrote keeps the text that a simple command writes to files when it is known,
// so that a script which is written and then run is seen.
func (r *reader) wrote(list []*syntax.Redirect, sc *scope, index int) {
	r.carried(&r.out.Commands[index], sc)
	for _, d := range list {
		if name, ok := r.outs[staticText(d.Word)]; ok && d.Op == syntax.DplOut {
			if texts, _ := r.says(index, len(r.out.Commands), false); len(texts) > 0 {
				r.keep(name, sc, texts[0], true)
			}
			continue
		}
		if d.Op != syntax.RdrOut && d.Op != syntax.AppOut && d.Op != syntax.RdrClob || d.N != nil && d.N.Value != "1" {
			continue
		}
		if texts, _ := r.says(index, len(r.out.Commands), false); len(texts) > 0 {
			r.keep(r.fileName(d.Word), sc, texts[0], d.Op == syntax.AppOut)
		}
	}
}

// fileName is the name of a file or, where it is not known, how it is written.
func (r *reader) fileName(w *syntax.Word) string {
	parts := r.trial(w)
	if text, ok := single(parts); ok {
		return text
	}
	return build(parts).Shown
}

func (r *reader) keep(name string, sc *scope, text string, more bool) {
	key, _ := placed(name, sc)
	if name == "" || len(r.written) >= mostWritten {
		return
	}
	if more {
		text = r.written[key] + text
	}
	r.written[key] = text
}

// placed is a name as seen from the start folder; sure is false when the
// folder is not known for certain.
func placed(name string, sc *scope) (at string, sure bool) {
	switch {
	case path.IsAbs(name):
		return path.Clean(name), true
	case sc.dirs.unknown || len(sc.dirs.list) != 1:
		return path.Clean(name), false
	}
	return path.Join(sc.dirs.list[0], name), true
}

// content is what the script wrote to the file that a word names; where folders
// are not certain, to any file of that name.
func (c *call) content(w Word) (string, bool) {
	if w.proc {
		return c.r.printed(w.Subst)
	}
	return c.r.kept(w.Shown, c.sc)
}

// kept is what the script wrote to a file of that name.
func (r *reader) kept(name string, sc *scope) (string, bool) {
	if name == "" || len(r.written) == 0 {
		return "", false
	}
	at, sure := placed(name, sc)
	if text, ok := r.written[at]; ok || sure {
		return text, ok
	}
	for _, name := range slices.Sorted(maps.Keys(r.written)) {
		if path.Base(name) == path.Base(at) {
			return r.written[name], true
		}
	}
	return "", false
}

// carried keeps what the script wrote under the name that a command gives it.
func (r *reader) carried(c *Command, sc *scope) {
	if len(r.written) == 0 || len(c.Words) < 3 || !slices.Contains([]string{"mv", "cp", "ln", "install"}, Program(c.Words[0].Text)) {
		return
	}
	var names []string
	for _, w := range c.Words[1:] {
		if !strings.HasPrefix(w.Text, "-") {
			names = append(names, w.Shown)
		}
	}
	if len(names) != 2 {
		return
	}
	if text, ok := r.kept(names[0], sc); ok {
		r.keep(names[1], sc, text, false)
		r.keep(path.Join(names[1], path.Base(names[0])), sc, text, false)
	}
}

// catted is what cat prints of files that the script wrote.
func (r *reader) catted(c *Command) (string, bool) {
	if len(r.written) == 0 || len(c.Words) < 2 || Program(c.Words[0].Text) != "cat" || c.Unknown != "" {
		return "", false
	}
	var b strings.Builder
	found := false
	for _, w := range c.Words[1:] {
		text, ok := r.keptAt(c, w.Shown)
		b.WriteString(text)
		found = found || ok
	}
	return b.String(), found
}

// readsKept is what $(< file) is of a file that the script wrote.
func (r *reader) readsKept(s *syntax.Stmt, sc *scope) (string, bool) {
	if s.Cmd != nil || len(s.Redirs) != 1 || s.Redirs[0].Op != syntax.RdrIn {
		return "", false
	}
	return r.kept(r.fileName(s.Redirs[0].Word), sc)
}

// printed is what a process substitution of one command prints.
func (r *reader) printed(list []int) (string, bool) {
	if len(list) == 0 || list[len(list)-1] >= len(r.out.Commands) {
		return "", false
	}
	texts, _ := r.says(list[0], list[len(list)-1]+1, false)
	if len(texts) != 1 {
		return "", false
	}
	return texts[0], true
}

// runs walks a file's text that is run by its path.
func (c *call) runs(text string) outcome {
	first, _, _ := strings.Cut(text, "\n")
	if name, ok := strings.CutPrefix(first, "#!"); ok && !shells[path.Base(ranBy(name))] {
		c.code(Word{Text: text, Static: true})
		return c.stays()
	}
	c.r.given(c.command().Words)
	c.script(literal(text), c.command().Words[0].Text)
	return c.stays()
}

// ranBy is the program that a first line names, also behind env.
func ranBy(line string) string {
	for _, f := range strings.Fields(line) {
		if base := path.Base(f); base != "env" && !strings.HasPrefix(f, "-") {
			return f
		}
	}
	return ""
}

// filtered is what a program of texts prints of a file that the script wrote,
// or of an input that it may have.
func (r *reader) filtered(c *Command) (string, bool) {
	if len(c.Words) == 0 || c.HasStdin || !textual[c.Words[0].Text] {
		return "", false
	}
	fed := *c
	if fed.Unknown, fed.HasStdin = "", true; c.Stdin != "" {
		return r.said(&fed)
	}
	last := len(c.Words) - 1
	text, ok := r.keptAt(c, c.Words[last].Shown)
	if !ok || last == 0 {
		return "", false
	}
	fed.Stdin, fed.Words = text, c.Words[:last]
	return r.said(&fed)
}

// keptAt is what the script wrote to a file, as a command names it.
func (r *reader) keptAt(c *Command, name string) (string, bool) {
	if len(r.written) == 0 {
		return "", false
	}
	sc := newScope()
	if sc.dirs.unknown = c.DirUnknown; c.Dir != "" {
		sc.dirs.list = []string{c.Dir}
	}
	return r.kept(name, &sc)
}

// poured keeps the text of a command's input under the names of the files that
// the command itself writes: dd, sed w, cp from the input. What sed changes in
// place is kept changed.
func (r *reader) poured(index, files int, sc *scope) {
	c := &r.out.Commands[index]
	if len(c.Words) == 0 {
		return
	}
	if name := Program(c.Words[0].Text); name == "sed" || name == "gsed" {
		if i := slices.IndexFunc(c.Words, func(w Word) bool { return strings.HasPrefix(w.Text, "-i") || strings.HasPrefix(w.Text, "--in-place") }); i > 0 {
			plain := *c
			plain.Unknown, plain.HasStdin = "", false
			plain.Words = slices.Delete(slices.Clone(c.Words), i, i+1)
			if text, ok := r.filtered(&plain); ok {
				r.keep(c.Words[len(c.Words)-1].Shown, sc, text, false)
			}
		}
	}
	if c.Stdin == "" {
		return
	}
	for _, f := range r.out.Files[files:] {
		if f.Write && !f.Redirect && f.Unknown == "" && !f.Glob && f.Command == index {
			r.keep(f.Path, sc, c.Stdin, false)
		}
	}
}
