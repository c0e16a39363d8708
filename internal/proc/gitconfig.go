package proc

import (
	"path/filepath"
	"strings"
)

// includes are the files that a configuration of git takes in.
func includes(text []byte, file, home string) (list []string) {
	inside := false
	for rest := string(text); rest != ""; {
		var name, value string
		name, value, rest = setting(rest)
		if strings.HasPrefix(name, "[") {
			inside = strings.HasPrefix(strings.ToLower(name), "[include")
			continue
		}
		if !inside || !strings.EqualFold(name, "path") {
			continue
		}
		if below, ok := strings.CutPrefix(value, "~/"); ok {
			value = filepath.Join(home, below)
		}
		if value != "" {
			list = append(list, beside(filepath.Dir(file), value))
		}
	}
	return list
}

// setting takes the next section ("[section") or variable off a configuration.
// A variable may stand on the line of its section.
func setting(text string) (name, value, rest string) {
	text = strings.TrimLeft(text, " \t\r\n")
	if strings.HasPrefix(text, "[") {
		end, quoted := 1, false
		for ; end < len(text) && text[end] != '\n' && (quoted || text[end] != ']'); end++ {
			switch {
			case text[end] == '"':
				quoted = !quoted
			case text[end] == '\\' && quoted && end+1 < len(text) && text[end+1] != '\n':
				end++
			}
		}
		return text[:end], "", strings.TrimPrefix(text[end:], "]")
	}
	end := strings.IndexAny(text, "=#;\n")
	switch {
	case end < 0:
		return strings.TrimSpace(text), "", ""
	case text[end] == '=':
		value, rest = configured(text[end+1:])
		return strings.TrimSpace(text[:end]), value, rest
	}
	_, rest, _ = strings.Cut(text[end:], "\n")
	return strings.TrimSpace(text[:end]), "", rest
}

// configured takes a value off a configuration, up to the end of its last line:
// a backslash in front of a line end goes on, one in front of a sign quotes it,
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
