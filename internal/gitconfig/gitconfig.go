// Package gitconfig reads the words of a configuration file of git: sections,
// variables and their values, as git reads them.
//
// It must never know where such files lie, which of them count, or what a
// variable means. Its law: any text has variables, in the order in which they
// stand, up to the first thing that git would refuse the file for and beyond.
package gitconfig

import (
	"iter"
	"strings"
)

// Variable is a value with its name.
type Variable struct {
	// Section is the name of the section in small letters, Sub that of the
	// subsection, empty without one.
	Section, Sub string
	// Name is in small letters.
	Name string
	// Value is without quotes, escapes, remarks and blanks around it.
	Value string
	// Bare says that no "=" follows the name, which is true to git.
	Bare bool
}

// Parse gives the variables of a file.
func Parse(text []byte) iter.Seq[Variable] {
	return func(yield func(Variable) bool) {
		var at Variable
		for rest := strings.TrimPrefix(string(text), "\xef\xbb\xbf"); rest != ""; {
			rest = strings.TrimLeft(rest, " \t\r\n")
			if strings.HasPrefix(rest, "[") {
				at.Section, at.Sub, rest = section(rest[1:])
				continue
			}
			v := at
			v.Name, v.Value, v.Bare, rest = variable(rest)
			if v.Name != "" && !yield(v) {
				return
			}
		}
	}
}

// Last is the last value that a text has for a variable of a section without
// subsection; ok is false for none. One that is bare has the value "true".
func Last(text []byte, section, name string) (value string, ok bool) {
	for v := range Parse(text) {
		if v.Section == section && v.Sub == "" && v.Name == name {
			value, ok = v.Value, true
			if v.Bare {
				value = "true"
			}
		}
	}
	return value, ok
}

// section takes the head of a section off a text behind its "[".
func section(text string) (name, sub, rest string) {
	end := strings.IndexAny(text, "]\" \t\n")
	if end < 0 {
		return strings.ToLower(text), "", ""
	}
	name, rest = strings.ToLower(text[:end]), strings.TrimLeft(text[end:], " \t")
	name, sub, _ = strings.Cut(name, ".") // an old form, without capitals
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		sub, rest = subsection(quoted)
	}
	line, _, _ := strings.Cut(rest, "\n")
	if i := strings.IndexByte(line, ']'); i >= 0 {
		return name, sub, rest[i+1:]
	}
	return name, sub, rest[len(line):]
}

// subsection takes a name in quotes off a text behind the first one. A
// backslash stands before a sign that is meant as it is.
func subsection(text string) (name, rest string) {
	var b strings.Builder
	for i := 0; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == '"':
			return b.String(), text[i+1:]
		case text[i] == '\\' && i+1 < len(text) && text[i+1] != '\n':
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), text[min(len(text), strings.IndexByte(text+"\n", '\n')):]
}

// variable takes a variable off a text, up to the end of its last line.
func variable(text string) (name, value string, bare bool, rest string) {
	end := strings.IndexAny(text, "=#;\n")
	if end < 0 {
		return strings.ToLower(strings.TrimSpace(text)), "", true, ""
	}
	name = strings.ToLower(strings.TrimSpace(text[:end]))
	if text[end] == '=' {
		value, rest = configured(text[end+1:])
		return name, value, false, rest
	}
	_, rest, _ = strings.Cut(text[end:], "\n")
	return name, "", true, rest
}

// configured takes a value off a text, up to the end of its last line: a
// backslash in front of a line end goes on, one in front of a sign quotes it,
// and a remark ends it, except in double quotes.
func configured(text string) (value, rest string) {
	var b strings.Builder
	quoted, kept := false, 0 // up to here blanks at the end count
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n', !quoted && (c == '#' || c == ';'):
			_, rest, _ = strings.Cut(text[i:], "\n")
			return b.String()[:kept], rest
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			if text[i] == '\n' {
				continue
			}
			b.WriteByte(unescaped(text[i]))
			kept = b.Len()
		case !quoted && (c == ' ' || c == '\t' || c == '\r'):
			if b.Len() > 0 {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
			kept = b.Len()
		}
	}
	return b.String()[:kept], ""
}

// unescaped is the sign that git reads behind a backslash.
func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	}
	return c
}
