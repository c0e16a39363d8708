package shell

import "strings"

// option is one option of a command as it was given.
type option struct {
	// name is "-x" or "--long"; a long name may be cut short by the user.
	name string
	val  Word
	has  bool
	// exact says that a long name is the name of an option as it stands.
	exact bool
}

// is says whether the option is a letter ("c") or a long name, which may be
// abbreviated as getopt allows.
func (o option) is(names ...string) bool {
	for _, n := range names {
		if len(n) == 1 {
			if o.name == "-"+n {
				return true
			}
			continue
		}
		if o.name == "--"+n || !o.exact && len(o.name) > 2 && strings.HasPrefix("--"+n, o.name) {
			return true
		}
	}
	return false
}

// parsed are the options and operands of a command.
type parsed struct {
	opts []option
	rest []Word
	// loose says that a word whose beginning the script makes stands where an
	// option may stand, odd that an option is none of those that are listed.
	loose, odd bool
}

func (p parsed) get(names ...string) (option, bool) {
	for _, o := range p.opts {
		if o.is(names...) {
			return o, true
		}
	}
	return option{}, false
}

func (p parsed) has(names ...string) bool {
	_, ok := p.get(names...)
	return ok
}

// grammar says which options of a command take a value. Letters stand in
// short, names in long, parted by blanks; flags and longFlags are the known
// ones without a value ("*" for any).
type grammar struct {
	short, long      string
	flags, longFlags string
	// first ends the options at the first operand.
	first bool
}

// parse reads arguments by a grammar.
func (g grammar) parse(args []Word) parsed {
	var p parsed
	for i := 0; i < len(args); i++ {
		w := args[i]
		text := w.Text
		if !w.Static {
			text = w.Head
		}
		switch {
		case !w.Static && w.Head == "" && w.Made && !w.listing:
			p.loose = true
			p.rest = append(p.rest, w)
		case text == "--" && w.Static:
			p.rest = append(p.rest, args[i+1:]...)
			return p
		case len(text) < 2 || text[0] != '-':
			p.rest = append(p.rest, w)
		case strings.HasPrefix(text, "--"):
			i += g.longOption(&p, w, args[i+1:])
			continue
		default:
			i += g.cluster(&p, w, text, args[i+1:])
			continue
		}
		if g.first {
			p.rest = append(p.rest, args[i+1:]...)
			return p
		}
	}
	return p
}

// longOption reads --name, --name=value or --name value and returns how many
// further arguments it took.
func (g grammar) longOption(p *parsed, w Word, next []Word) int {
	text := w.Text
	if !w.Static {
		text = w.Head
	}
	name, _, eq := strings.Cut(text, "=")
	o := option{name: name, exact: named(g.long, name[2:]) || named(g.longFlags, name[2:])}
	took := 0
	switch {
	case eq:
		o.val, o.has = w.after(len(name)+1), true
	case !w.Static:
		p.loose = p.loose || w.Made
	case listed(g.long, name[2:]) && len(next) > 0:
		o.val, o.has, took = next[0], true, 1
	}
	if !eq && !o.has && !listed(g.longFlags, name[2:]) && g.longFlags != "*" {
		p.odd = true
	}
	p.opts = append(p.opts, o)
	return took
}

// cluster reads -abc, where a letter that takes a value takes the rest or the
// next argument.
func (g grammar) cluster(p *parsed, w Word, text string, next []Word) int {
	for i := 1; i < len(text); i++ {
		o := option{name: "-" + text[i:i+1]}
		if strings.IndexByte(g.short, text[i]) >= 0 {
			took := 0
			switch {
			case i+1 < len(w.Text) || !w.Static:
				o.val, o.has = w.after(i+1), true
			case len(next) > 0:
				o.val, o.has, took = next[0], true, 1
			}
			p.opts = append(p.opts, o)
			return took
		}
		if g.flags != "*" && strings.IndexByte(g.flags, text[i]) < 0 {
			p.odd = true
		}
		p.opts = append(p.opts, o)
	}
	if !w.Static {
		p.loose = p.loose || w.Made
	}
	return 0
}

// named says whether a name is one of a list.
func named(list, name string) bool {
	for len(list) > 0 {
		one, rest, _ := strings.Cut(list, " ")
		if one == name {
			return true
		}
		list = rest
	}
	return false
}

// listed says whether a long name, perhaps cut short, is one of a list.
func listed(list, name string) bool {
	if list == "" || name == "" {
		return false
	}
	for len(list) > 0 {
		one, rest, _ := strings.Cut(list, " ")
		if strings.HasPrefix(one, name) {
			return true
		}
		list = rest
	}
	return false
}

// after is the word without its first n bytes, which are static.
func (w Word) after(n int) Word {
	cut := func(s string) string { return s[min(n, len(s)):] }
	w.Text, w.Shown = cut(w.Text), cut(w.Shown)
	if !w.Static {
		w.Head = cut(w.Head)
	}
	w.quoted = true
	return w
}
