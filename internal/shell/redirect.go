package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects looks at the redirections of a statement; index is its command, -1
// for a compound one. What feeds standard input is noted in the scope.
func (r *reader) redirects(list []*syntax.Redirect, sc *scope, index int) {
	for _, d := range list {
		before := sc.stdin
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			r.hereDoc(d, sc)
			sc.opened(d, before)
		case syntax.WordHdoc:
			parts := r.parts(d.Word.Parts, sc)
			w := build(parts)
			sc.stdin = stdin{some: true, text: w.Text + "\n", known: w.Static, from: w.Subst, shut: w.shut}
			if text, ok := single(parts); ok {
				sc.stdin.text, sc.stdin.known = text+"\n", true
			}
			sc.opened(d, before)
		default:
			for _, parts := range r.words(d.Word, sc) {
				r.redirect(d, parts, sc, index)
			}
		}
	}
}

// single is the one value of parts whose variables have one value each, where
// nothing is split.
func single(parts []part) (string, bool) {
	if w := build(parts); w.Made || w.open {
		return "", false
	}
	whole := slices.Clone(parts)
	for i := range whole {
		whole[i].quoted = true
	}
	forms := expand([][]part{whole}, 1, blanks)
	if len(forms) != 1 || len(forms[0]) != 1 || !forms[0][0].Static {
		return "", false
	}
	return forms[0][0].Text, true
}

// hereDoc makes a here-document the standard input, and walks what is expanded in it.
func (r *reader) hereDoc(d *syntax.Redirect, sc *scope) {
	sc.stdin = stdin{some: true}
	if d.Hdoc == nil {
		sc.stdin.known = true
		return
	}
	if literalDelimiter(d.Word) {
		var b strings.Builder
		for _, p := range d.Hdoc.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				b.WriteString(l.Value)
			}
		}
		sc.stdin.text, sc.stdin.known = b.String(), true
		return
	}
	var parts []part
	for _, p := range d.Hdoc.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			text := unquote(l.Value, "$`\\")
			parts = append(parts, part{text: text, shown: text, static: true, quoted: true})
			continue
		}
		inQuotes := r.inQuotes
		r.inQuotes = true
		q := r.dynamicPart(p, sc)
		r.inQuotes = inQuotes
		q.quoted = true
		parts = append(parts, q)
	}
	w := build(parts)
	sc.stdin.text, sc.stdin.known, sc.stdin.from, sc.stdin.shut = w.Text, w.Static, w.Subst, w.shut
	if text, ok := single(parts); ok {
		sc.stdin.text, sc.stdin.known = text, true
	}
}

// literalDelimiter says whether a here-document's text is taken as it stands:
// any quoting in its delimiter makes it so.
func literalDelimiter(w *syntax.Word) bool {
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.IndexByte(p.Value, '\\') >= 0 {
				return true
			}
		}
	}
	return false
}

// redirect notes what one redirection opens.
func (r *reader) redirect(d *syntax.Redirect, parts []part, sc *scope, index int) {
	w := build(parts)
	reads, writes := false, false
	switch d.Op {
	case syntax.RdrIn:
		reads = true
	case syntax.RdrInOut:
		reads, writes = true, true
	case syntax.DplIn, syntax.DplOut:
		if in, ok := r.descriptor(w, sc); ok && d.Op == syntax.DplIn {
			before := sc.stdin
			sc.stdin = in
			sc.opened(d, before)
		}
		if descriptor(w) {
			return
		}
		reads, writes = d.Op == syntax.DplIn, d.Op == syntax.DplOut
	default:
		writes = true
	}
	if reads {
		before := sc.stdin
		sc.stdin = stdin{some: true, from: w.Subst, shut: w.shut && w.proc}
		if w.proc {
			sc.stdin.text, sc.stdin.known = r.printed(w.Subst)
		} else if text, ok := r.kept(w.Shown, sc); ok {
			sc.stdin.text = text // perhaps: others may have written to it
		} else if in, ok := r.descriptor(w, sc); ok {
			sc.stdin = in
		}
		sc.opened(d, before)
	}
	if d.N != nil && strings.HasPrefix(d.N.Value, "{") {
		r.dangerous(strings.Trim(d.N.Value, "{}"), d.N.Value, sc)
	}
	if w.proc {
		return
	}
	for _, form := range forms(parts, w) {
		if device(form, writes) {
			continue
		}
		if strings.HasPrefix(form.Text, "/dev/tcp/") || strings.HasPrefix(form.Text, "/dev/udp/") {
			r.unknown(form.Shown, "it opens a network connection", sc)
			r.place(File{Path: form.Text, Command: index}, sc) // for who looks at what is run
			continue
		}
		if writes {
			r.touch(File{Write: true, Redirect: true, Command: index}, form, sc)
		}
		if reads {
			r.touch(File{Command: index}, form, sc)
		}
	}
}

// forms are the values of one word: itself and what its variables make of it.
func forms(parts []part, w Word) []Word {
	if w.Static {
		return []Word{w}
	}
	var out []Word
	if w.Made || w.open {
		out = append(out, w)
	}
	variable := false
	for _, p := range parts {
		variable = variable || len(p.vals) > 0
	}
	if !variable {
		return out
	}
	list := expand([][]part{parts}, mostForms, blanks)
	if list == nil {
		w.Made = true
		return []Word{w}
	}
	for _, f := range list {
		if len(f) == 1 {
			out = append(out, f[0])
		}
	}
	return out
}

// descriptor says whether the target of >& or <& is a file descriptor.
func descriptor(w Word) bool {
	if !w.Static {
		return strings.Trim(w.Shown, "${}!0123456789-") == "" // $! or ${1}: a number or nothing
	}
	return w.Text == "-" || w.Text != "" && strings.Trim(strings.TrimSuffix(w.Text, "-"), "0123456789") == ""
}

// device says whether a path is a device that keeps nothing.
func device(w Word, write bool) bool {
	if !w.Static || !strings.HasPrefix(w.Text, "/") {
		return false
	}
	name := path.Clean(w.Text)
	switch name {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty":
		return true
	case "/dev/zero", "/dev/urandom", "/dev/random", "/dev/full":
		return !write
	}
	n, ok := strings.CutPrefix(name, "/dev/fd/")
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}

// touch notes a file once for each folder that the command may run in.
func (r *reader) touch(f File, w Word, sc *scope) {
	if !f.Mention {
		r.touched++
	}
	if r.quiet || sc.remote {
		return
	}
	f.Glob = w.Glob
	switch {
	case w.Static && w.Glob && r.globs:
		f.Path, f.Unknown, f.Glob = "*", "the script changes what patterns such as "+w.Shown+" match", false
	case w.Static:
		f.Path = w.Text
		if w.quoted && strings.HasPrefix(f.Path, "~") {
			f.Path = "./" + f.Path
		}
		if f.Path == "" {
			return
		}
	case w.listing && !f.Redirect:
		for _, l := range w.Lists {
			l.Command, l.Mention, l.Write, l.Tree = f.Command, f.Mention, f.Write, l.Tree || f.Tree
			r.place(l, sc)
		}
		return
	case w.Made || f.Redirect:
		f.Path, f.Unknown, f.Glob = "*"+w.Tail, "the path "+w.Shown+" cannot be known before it runs", false
	default:
		// The environment's values are not the script's to choose: what is
		// certain is judged.
		if f.Path = strings.TrimLeft(w.Text, "/"); f.Path == "" {
			return
		}
	}
	r.place(f, sc)
}

// place lists a file once for each folder that the command may run in.
func (r *reader) place(f File, sc *scope) {
	f.DirUnknown = sc.dirs.unknown
	if len(sc.dirs.list) == 0 || path.IsAbs(f.Path) {
		f.Dir = ""
		r.out.Files = append(r.out.Files, f)
		return
	}
	for _, d := range sc.dirs.list {
		f.Dir = d
		r.out.Files = append(r.out.Files, f)
	}
}
