package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// echoed is what echo prints.
func echoed(words []string) (string, bool) {
	end, decode := "\n", false
	for len(words) > 0 && len(words[0]) > 1 && words[0][0] == '-' && strings.Trim(words[0][1:], "neE") == "" {
		if strings.Contains(words[0], "n") {
			end = ""
		}
		decode = strings.LastIndexByte(words[0], 'e') > strings.LastIndexByte(words[0], 'E')
		words = words[1:]
	}
	text := strings.Join(words, " ")
	switch {
	case decode:
		out, more := escaped(text, true)
		if !more {
			end = ""
		}
		return out + end, true
	case strings.IndexByte(text, '\\') >= 0:
		return "", false // shells differ in what they print
	}
	return text + end, true
}

// sized gives a text the width and the greatest length of a format: -8.3.
func sized(text, size string) (string, bool) {
	width, most, cuts := strings.Cut(size, ".")
	if cuts {
		n, err := strconv.Atoi("0" + most)
		if err != nil || strings.ContainsAny(most, "-.") {
			return "", false
		}
		text = text[:min(n, len(text))]
	}
	if width == "" {
		return text, true
	}
	n, err := strconv.Atoi(width)
	if err != nil || max(n, -n) > mostComputed || strings.HasPrefix(strings.TrimPrefix(width, "-"), "0") {
		return "", false
	}
	fill := strings.Repeat(" ", max(max(n, -n)-len(text), 0))
	if n < 0 {
		return text + fill, true
	}
	return fill + text, true
}

// printed knows the formats %s, %b, %c, %d, %q and %%.
func printed(words []string) (string, bool) {
	if len(words) > 1 && words[0] == "--" {
		words = words[1:]
	} else if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return "", false
	}
	format, args := words[0], words[1:]
	var b strings.Builder
	for first := true; first || len(args) > 0; first = false {
		before := len(args)
		for i := 0; i < len(format); i++ {
			n := strings.IndexByte(format[i:], '%')
			if n < 0 {
				n = len(format) - i
			}
			text, _ := escaped(format[i:i+n], false)
			b.WriteString(text)
			if i += n; i >= len(format) {
				break
			}
			if i++; i == len(format) {
				return "", false
			}
			spec := len(format[i:]) - len(strings.TrimLeft(format[i:], "-0123456789."))
			size := format[i : i+spec]
			if i += spec; i == len(format) {
				return "", false
			}
			arg := ""
			if len(args) > 0 && format[i] != '%' {
				arg, args = args[0], args[1:]
			}
			text, more, ok := converted(format[i], size, arg)
			if !ok {
				return "", false
			}
			b.WriteString(text)
			if !more {
				return b.String(), true
			}
		}
		if len(args) == before {
			break
		}
	}
	return b.String(), true
}

// converted is what one conversion of a format prints of an argument; more is
// false when it ends all output.
func converted(verb byte, size, arg string) (text string, more, ok bool) {
	if size != "" && (verb != 's' || !ascii(arg)) {
		return "", false, false
	}
	switch verb {
	case '%':
		return "%", true, true
	case 's':
		text, ok = sized(arg, size)
		return text, true, ok
	case 'c':
		if !ascii(arg) || arg == "" {
			return "", false, false
		}
		return arg[:1], true, true
	case 'd', 'i':
		n, err := strconv.Atoi(arg)
		return arg, true, err == nil && arg == strconv.Itoa(n)
	case 'q':
		return arg, true, onlyOf(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")
	case 'b':
		text, more = escaped(arg, true)
		return text, more, true
	}
	return "", false, false
}

// printedInto is the variable that printf -v is given, and its value where that
// is known.
func printedInto(args []Word) (name, text string, known bool) {
	if len(args) == 0 || !args[0].Static || !strings.HasPrefix(args[0].Text, "-v") {
		return "", "", false
	}
	name, args = args[0].Text[len("-v"):], args[1:]
	if name == "" && len(args) > 0 {
		name, args = args[0].Text, args[1:]
	}
	name, _, _ = strings.Cut(name, "[")
	words := make([]string, 0, len(args))
	for _, w := range args {
		if !w.Static || w.Glob {
			return name, "", false
		}
		words = append(words, w.Text)
	}
	text, ok := printed(words)
	return name, text, ok && syntax.ValidName(name) && strings.IndexByte(text, 0) < 0
}

// escaped decodes the escapes of echo -e and of printf's %b, or of printf's
// format. Unlike in $'…', NUL stays. more is false after \c, which ends all
// output.
func escaped(s string, zero bool) (text string, more bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		switch c := s[i+1]; {
		case zero && c == 'c':
			return b.String(), false
		case zero && c == '0':
			n, code := digits(s[i+2:], 8, 3)
			b.WriteByte(byte(code))
			i += 1 + n
		case c >= '0' && c <= '7':
			n, code := digits(s[i+1:], 8, 3)
			b.WriteByte(byte(code))
			i += n
		case c == 'x':
			n, code := digits(s[i+2:], 16, 2)
			if n == 0 {
				b.WriteString("\\x")
			} else {
				b.WriteByte(byte(code))
			}
			i += 1 + n
		default:
			b.WriteString(unescape(s[i : i+2+longer(s[i+1:])]))
			i += 1 + longer(s[i+1:])
		}
	}
	return b.String(), true
}

// longer is how many digits belong to an escape that names a character.
func longer(s string) int {
	n := 0
	switch s[0] {
	case 'u':
		n, _ = digits(s[1:], 16, 4)
	case 'U':
		n, _ = digits(s[1:], 16, 8)
	}
	return n
}
