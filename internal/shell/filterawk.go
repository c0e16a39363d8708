package shell

import (
	"strconv"
	"strings"
)

// awkPrinted is awk with one block of prints, of every line or of BEGIN.
func awkPrinted(in string, words []string, has bool) (string, bool) {
	sep, vars := "", map[string]string{}
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		w := words[0]
		if len(w) < 2 || strings.IndexByte("Fv", w[1]) < 0 {
			return "", false
		}
		value := w[2:]
		if words = words[1:]; value == "" {
			if len(words) == 0 {
				return "", false
			}
			value, words = words[0], words[1:]
		}
		name, text, assigned := strings.Cut(value, "=")
		switch {
		case w[1] == 'F' && len(value) == 1 && value != "t" && value != `\`:
			sep = value
		case w[1] == 'v' && assigned && !strings.Contains(text, `\`):
			vars[name] = text
		default:
			return "", false
		}
	}
	if len(words) != 1 || !ascii(in) {
		return "", false
	}
	program := strings.TrimSpace(words[0])
	body, begin := strings.CutPrefix(program, "BEGIN")
	body = strings.TrimSpace(body)
	if program == "1" {
		body = "{print}"
	}
	if !strings.HasPrefix(body, "{") || !strings.HasSuffix(body, "}") || !begin && !has {
		return "", false
	}
	lines := []string{""}
	if !begin {
		lines = linesOf(in)
	}
	var b strings.Builder
	for _, l := range lines {
		a := awkLine{vars: vars, src: body[1 : len(body)-1], whole: l}
		if sep == "" || sep == " " {
			a.fields = strings.Fields(l)
		} else {
			a.fields = strings.Split(l, sep)
		}
		for a.skip(" \t;\n"); a.src != ""; a.skip(" \t;\n") {
			text, ok := a.statement()
			if !ok {
				return "", false
			}
			b.WriteString(text)
		}
	}
	return b.String(), true
}

// awkLine is the state of a block that runs for a line.
type awkLine struct {
	vars   map[string]string
	src    string
	whole  string
	fields []string
}

func (a *awkLine) skip(set string) { a.src = strings.TrimLeft(a.src, set) }

// took says whether the rest begins with a text, and goes behind it.
func (a *awkLine) took(text string) bool {
	rest, ok := strings.CutPrefix(a.src, text)
	if ok {
		a.src = rest
	}
	return ok
}

// statement is print or printf.
func (a *awkLine) statement() (string, bool) {
	formats := a.took("printf")
	if !formats && !a.took("print") || a.src != "" && strings.IndexByte(` $";(,`, a.src[0]) < 0 && a.src[0] != '\t' {
		return "", false
	}
	list, ok := a.list()
	switch {
	case !ok:
		return "", false
	case formats && len(list) > 0:
		if strings.Contains(list[0], `\`) || strings.Count(strings.ReplaceAll(list[0], "%%", ""), "%") != len(list)-1 {
			return "", false
		}
		return printed(list)
	case len(list) == 0:
		return a.whole + "\n", !formats
	}
	return strings.Join(list, " ") + "\n", true
}

// list reads expressions up to the end of the statement.
func (a *awkLine) list() ([]string, bool) {
	var out []string
	for a.skip(" \t"); a.src != "" && strings.IndexByte(";\n", a.src[0]) < 0; a.skip(" \t") {
		if len(out) > 0 && !a.took(",") {
			return nil, false
		}
		text, ok := a.joined()
		if !ok {
			return nil, false
		}
		out = append(out, text)
	}
	return out, true
}

// joined reads values that stand beside each other.
func (a *awkLine) joined() (string, bool) {
	var b strings.Builder
	for n := 0; ; n++ {
		a.skip(" \t")
		if a.src == "" || strings.IndexByte(",;\n)", a.src[0]) >= 0 {
			return b.String(), n > 0
		}
		text, ok := a.value()
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
}

// value reads a literal, a field, a variable or a call of a function of texts.
func (a *awkLine) value() (string, bool) {
	switch {
	case a.took("$NF"):
		if n := len(a.fields); n > 0 && (a.src == "" || strings.IndexByte(` ,;)"$`, a.src[0]) >= 0) {
			return a.fields[n-1], true
		}
		return "", false
	case a.took("$"):
		digits := len(a.src) - len(strings.TrimLeft(a.src, "0123456789"))
		n, err := strconv.Atoi(a.src[:digits])
		if a.src = a.src[digits:]; err != nil {
			return "", false
		}
		switch {
		case n == 0:
			return a.whole, true
		case n > len(a.fields):
			return "", true
		}
		return a.fields[n-1], true
	case strings.HasPrefix(a.src, `"`):
		end := strings.IndexByte(a.src[1:], '"')
		if end < 0 || strings.Contains(a.src[1:1+end], `\`) {
			return a.escapedLiteral()
		}
		text := a.src[1 : 1+end]
		a.src = a.src[end+2:]
		return text, true
	}
	for _, name := range []string{"tolower", "toupper", "substr"} {
		if a.took(name + "(") {
			return a.function(name)
		}
	}
	for name, text := range a.vars {
		if rest, ok := strings.CutPrefix(a.src, name); ok && (rest == "" || strings.IndexByte(` ,;)"$`, rest[0]) >= 0) {
			a.src = rest
			return text, true
		}
	}
	return "", false
}

// escapedLiteral reads a literal with the escapes that all readers know alike.
func (a *awkLine) escapedLiteral() (string, bool) {
	for i := 1; i < len(a.src); i++ {
		switch a.src[i] {
		case '\\':
			if i++; i < len(a.src) && strings.IndexByte(`nt\"/01234567`, a.src[i]) < 0 {
				return "", false
			}
		case '"':
			text, _ := escaped(strings.ReplaceAll(a.src[1:i], `\/`, "/"), false)
			a.src = a.src[i+1:]
			return text, true
		}
	}
	return "", false
}

// function reads the arguments of a function of texts and gives its value.
func (a *awkLine) function(name string) (string, bool) {
	text, ok := a.joined()
	if !ok {
		return "", false
	}
	var numbers []int
	for a.took(",") {
		a.skip(" ")
		digits := len(a.src) - len(strings.TrimLeft(a.src, "0123456789"))
		n, err := strconv.Atoi(a.src[:digits])
		if a.src = a.src[digits:]; err != nil || n < 1 {
			return "", false
		}
		numbers = append(numbers, n)
		a.skip(" ")
	}
	if !a.took(")") {
		return "", false
	}
	switch {
	case name == "tolower" && len(numbers) == 0:
		return strings.ToLower(text), true
	case name == "toupper" && len(numbers) == 0:
		return strings.ToUpper(text), true
	case name == "substr" && len(numbers) > 0 && len(numbers) < 3:
		from := min(numbers[0]-1, len(text))
		to := len(text)
		if len(numbers) == 2 {
			to = from + min(numbers[1], to-from)
		}
		return text[from:to], true
	}
	return "", false
}
