package shell

import "strings"

// narrowed is what the options of a search say of the names of files.
type narrowed struct {
	only, except, types []string
	// blind says that some pattern cannot be read here, odd that some type
	// cannot.
	blind, odd bool
}

// plainGlob are the characters of patterns that mean the same everywhere.
const plainGlob = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-*?"

// glob takes one pattern, or one with "!" in front. A pattern with folders
// counts by its last part, which can only widen it.
func (n *narrowed) glob(o option, negates bool) {
	text, out := o.val.Text, false
	if negates {
		text, out = strings.CutPrefix(text, "!")
	}
	name := text[strings.LastIndexByte(text, '/')+1:]
	switch plain := name != "" && strings.Trim(name, plainGlob) == "" && o.name != "--iglob"; {
	case out && plain && name == text:
		n.except = append(n.except, name)
	case out: // what it leaves out is not known: nothing
	case plain:
		n.only = append(n.only, name)
	default:
		n.blind = true
	}
}

// into narrows a tree. A pattern that names files brings back what another
// leaves out, so the two together leave out nothing.
func (n *narrowed) into(f *File) {
	switch {
	case n.blind:
		return
	case len(n.only) == 0:
		f.Except = append(f.Except, n.except...)
	}
	f.Only = append(f.Only, n.only...)
	if len(n.only) == 0 && !n.odd {
		f.Only = append(f.Only, n.types...)
	}
}
