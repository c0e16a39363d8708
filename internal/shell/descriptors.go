package shell

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// opened notes what an input redirection opens: the standard input by itself,
// another descriptor by its number or by the variable that holds it. before is
// the standard input as it was.
func (sc *scope) opened(d *syntax.Redirect, before stdin) {
	if d.N == nil || d.N.Value == "0" {
		return
	}
	sc.open = maps.Clone(sc.open)
	if sc.open == nil {
		sc.open = map[string]stdin{}
	}
	sc.open[d.N.Value] = sc.stdin
	if before.some { // else it stays, for who reads from it by a name
		sc.stdin = before
	}
}

// descriptorKey is the descriptor that a word after <& or a name such as
// /dev/fd/3 stands for; empty for none and for the standard input.
func descriptorKey(w Word) string {
	text := w.Shown
	if strings.HasPrefix(text, "/") && InputName(text) {
		text = path.Base(text)
	}
	text = strings.TrimSuffix(text, "-")
	if name, _, _ := strings.Cut(strings.Trim(text, "${}"), "["); !w.Static && syntax.ValidName(name) {
		return "{" + name + "}"
	}
	if text == "" || text == "0" || strings.Trim(text, "0123456789") != "" {
		return ""
	}
	return text
}

// descriptor is what an open descriptor gives; ok is false when none is known.
func (r *reader) descriptor(w Word, sc *scope) (stdin, bool) {
	key := descriptorKey(w)
	if in, ok := sc.open[key]; ok {
		return in, true
	}
	in, ok := r.open[key]
	return in, ok
}

// execs keeps for the rest of the script what exec opens when it is given
// redirections alone.
func (r *reader) execs(s *syntax.Stmt, inner, sc *scope) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) != 1 || staticText(c.Args[0]) != "exec" {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(inner.open)) {
		in := inner.open[key]
		if inner.owner >= 0 { // what exec reads, the reader of the descriptor is given
			in.from = append(in.from[:len(in.from):len(in.from)], inner.owner)
		}
		r.open[key] = in
	}
	for _, d := range s.Redirs {
		r.listens = r.listens || intoProcess(d)
		if d.Op == syntax.RdrOut || d.Op == syntax.AppOut || d.Op == syntax.RdrClob {
			switch {
			case d.N == nil || d.N.Value == "1":
				r.spills = r.spills || intoProcess(d)
			case !intoProcess(d):
				r.outs[d.N.Value] = r.fileName(d.Word)
			}
		}
		switch d.Op {
		case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn, syntax.RdrInOut:
			if d.N == nil || d.N.Value == "0" {
				sc.stdin = inner.stdin
				r.reopened++
			}
		}
	}
}

// intoProcess says whether a redirection leads into a process: > >(…). What it
// holds is walked after the command, whose output it is given.
func intoProcess(d *syntax.Redirect) bool {
	return d.Word != nil && slices.ContainsFunc(d.Word.Parts, func(p syntax.WordPart) bool {
		s, ok := p.(*syntax.ProcSubst)
		return ok && s.Op == syntax.CmdOut
	})
}

// parted parts the redirections that lead into processes from the others.
func parted(list []*syntax.Redirect) (plain, into []*syntax.Redirect) {
	if !slices.ContainsFunc(list, intoProcess) {
		return list, nil
	}
	for _, d := range list {
		if intoProcess(d) {
			into = append(into, d)
		} else {
			plain = append(plain, d)
		}
	}
	return plain, into
}

// sent looks at where the output of a statement goes, of which the commands
// begin at from: into a process, or to a descriptor or pipe that a shell may
// read commands from.
func (r *reader) sent(s *syntax.Stmt, into []*syntax.Redirect, sc *scope, index, from int) {
	away := len(into) > 0 || r.spills && index >= 0 || (r.listens || r.pipes) && slices.ContainsFunc(s.Redirs, func(d *syntax.Redirect) bool {
		return d.Op == syntax.DplOut && d.Word != nil && !slices.Contains([]string{"1", "2", "-"}, staticText(d.Word)) || r.pipes && d.Op == syntax.RdrOut
	})
	if !away {
		return
	}
	texts := make([]string, 0, 1)
	for _, v := range r.prints(from) {
		texts = append(texts, v.text)
	}
	text := strings.Join(texts, "\n")
	if len(into) > 0 {
		inner := *sc
		inner.printed = stdin{some: true, text: text}
		if said, certain := r.says(from, len(r.out.Commands), false); index >= 0 && certain && len(said) == 1 {
			inner.printed.text, inner.printed.known = said[0], true
		}
		r.redirects(into, &inner, index)
		return
	}
	if text != "" && from < len(r.out.Commands) {
		inner := *sc
		(&call{r: r, sc: &inner, index: from, name: "a shell that reads from there"}).suspect(text)
	}
}

// renamers are programs that put a single file somewhere, under another name
// perhaps.
var renamers = []string{"cp", "ln", "mv", "install", "link", "rsync", "cat", "dd", "gcp", "gln", "ginstall", "scp", "tee"}

// copied notes the programs that the commands since from give another name.
func (r *reader) copied(list []*syntax.Redirect, from int) {
	for i := from; i < len(r.out.Commands); i++ {
		c := &r.out.Commands[i]
		if len(c.Words) < 2 || !slices.Contains(renamers, Program(c.Words[0].Text)) {
			continue
		}
		var names []Word
		for _, w := range c.Words[1:] {
			if !strings.HasPrefix(w.Text, "-") || !w.Static {
				w.Text = strings.TrimPrefix(strings.TrimPrefix(w.Text, "if="), "of=")
				names = append(names, w)
			}
		}
		for _, d := range list {
			if d.Op == syntax.RdrOut || d.Op == syntax.RdrClob {
				names = append(names, literal(r.fileName(d.Word)))
			}
		}
		if len(names) < 2 {
			continue
		}
		to := Program(names[len(names)-1].Text)
		for _, w := range names[:len(names)-1] {
			base := Program(w.Text)
			dir := path.Base(path.Dir(w.Text))
			if (dir == "bin" || dir == "sbin" || len(w.Subst) > 0) && base != to && find(base) != nil && len(r.copies) < mostWritten {
				r.copies[to] = base
			}
		}
	}
}

// renamed lists what a command is whose program is a copy of another.
func (r *reader) renamed(words []Word, assigns []Assign, sc *scope, name string) {
	program, ok := r.copies[name]
	if !ok || sc.wrapper == renamedWrapper || !r.step() {
		return
	}
	inner := *sc
	inner.wrapper = renamedWrapper
	at := r.reserve()
	r.command(append([]Word{literal(program)}, words[1:]...), assigns, &inner, at)
	for i := at; i < len(r.out.Commands); i++ {
		r.out.Commands[i].Expansion = true
	}
}

const renamedWrapper = "a copy"

// copiedFirst notes a copy of a program before anything is walked, for who uses
// it in a function.
func (r *reader) copiedFirst(args []*syntax.Word) {
	if len(args) != 3 && len(args) != 4 || !slices.Contains(renamers, staticText(args[0])) {
		return
	}
	from, to := staticText(args[len(args)-2]), Program(staticText(args[len(args)-1]))
	dir := path.Base(path.Dir(from))
	if base := path.Base(from); (dir == "bin" || dir == "sbin") && to != "" && base != to && find(base) != nil && len(r.copies) < mostWritten {
		r.copies[to] = base
	}
}
