package shell

import (
	"slices"
	"strings"
)

// expand gives the forms of a command when each variable in it takes each of
// its values; nil when there are too many. Unquoted values are split at
// the characters of ifs, as the shell does.
func expand(fields [][]part, most int, ifs string) [][]Word {
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
			var list []Word
			for _, p := range f {
				if len(p.vals) > 0 {
					v := p.vals[left%len(p.vals)]
					left /= len(p.vals)
					list = v.list
					p = v.part(p)
				}
				chosen = append(chosen, p)
			}
			if len(f) == 1 && len(list) > 0 {
				form = append(form, list...)
				continue
			}
			form = append(form, split(chosen, ifs)...)
		}
		out = append(out, form)
	}
	return out
}

// split cuts a word at the separators in the unquoted values in it.
func split(parts []part, ifs string) []Word {
	cut := false
	for _, p := range parts {
		cut = cut || len(p.vals) > 0 && !p.quoted && (strings.ContainsAny(p.text, ifs) || p.text == "")
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
		for i, f := range pieces(p.text, ifs) {
			if i > 0 {
				flush()
			}
			if f.empty && len(now) == 0 {
				now = append(now, part{static: true, quoted: true})
			}
			if f.text != "" {
				q := p
				q.text, q.shown = f.text, f.text
				now = append(now, q)
			}
		}
	}
	flush()
	return out
}

// piece is what stands between separators; empty says that it counts as a word
// though nothing stands there.
type piece struct {
	text  string
	empty bool
}

// pieces cuts a text at its separators: blanks among them count together, each
// of the others ends a piece of its own. A separator at the end ends the last
// piece, and blanks at the start end what stands before the text.
func pieces(s, ifs string) []piece {
	blank := func(c byte) bool { return strings.IndexByte(" \t\n", c) >= 0 && strings.IndexByte(ifs, c) >= 0 }
	var out []piece
	from, i := 0, 0
	for i < len(s) {
		if strings.IndexByte(ifs, s[i]) < 0 {
			i++
			continue
		}
		p := piece{text: s[from:i]}
		hard := false
		for i < len(s) && (blank(s[i]) || !hard && strings.IndexByte(ifs, s[i]) >= 0) {
			hard = hard || !blank(s[i])
			i++
		}
		p.empty = hard && p.text == ""
		out = append(out, p)
		from = i
	}
	return append(out, piece{text: s[from:]})
}

// fieldsOf are the words that a text is split into.
func fieldsOf(s, ifs string) []string {
	var out []string
	for _, p := range pieces(s, ifs) {
		if p.text != "" || p.empty {
			out = append(out, p.text)
		}
	}
	return out
}

// blanks are the separators that the shell begins with.
const blanks = " \t\n"

// separators are what the values of variables are split at: blanks, and what
// the script gives to IFS.
func (r *reader) separators() []string {
	out := []string{blanks}
	if r.vars["IFS"] == nil {
		return out
	}
	vals, _, _ := r.resolve("IFS")
	for _, v := range vals {
		if strings.Trim(v.text, blanks) != "" && !slices.Contains(out, v.text) && len(out) < 3 {
			out = append(out, v.text)
		}
	}
	return out
}

// forms are the forms of fields, with each of the separators.
func (r *reader) forms(fields [][]part, most int) [][]Word {
	var out [][]Word
	for _, ifs := range r.separators() {
		out = append(out, expand(fields, most, ifs)...)
	}
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
