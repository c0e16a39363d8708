package shell

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// said is what a command prints, when that is known: an echo or a printf of
// static words, literal input that is passed on or decoded. It may hold NUL.
func said(c *Command) (string, bool) {
	if len(c.Words) == 0 || c.Unknown != "" {
		return "", false
	}
	for _, w := range c.Words {
		if !w.Static || w.Glob {
			return "", false
		}
	}
	words := make([]string, 0, len(c.Words))
	for _, w := range c.Words[1:] {
		words = append(words, w.Text)
	}
	switch c.Words[0].Text {
	case "cat":
		return c.Stdin, c.HasStdin && len(words) == 0
	case "tee":
		return c.Stdin, c.HasStdin
	case "sort", "uniq": // one line passes through
		plain := !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains([]string{"-n", "-r", "-u"}, w) })
		return c.Stdin, c.HasStdin && plain && strings.Count(c.Stdin, "\n") == 1 && strings.HasSuffix(c.Stdin, "\n")
	case "echo":
		return echoed(words)
	case "printf":
		return printed(words)
	case "rev":
		return turned(c.Stdin), c.HasStdin && len(words) == 0
	case "base64":
		if !c.HasStdin || len(words) != 1 || !slices.Contains([]string{"-d", "-D", "--decode", "-di"}, words[0]) {
			return "", false
		}
		text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(strings.Join(strings.Fields(c.Stdin), ""), "="))
		return string(text), err == nil
	case "xxd":
		if !c.HasStdin || !slices.Contains([]string{"-r -p", "-p -r", "-rp", "-pr", "-ps -r", "-r -ps"}, strings.Join(words, " ")) {
			return "", false
		}
		text, err := hex.DecodeString(strings.Join(strings.Fields(c.Stdin), ""))
		return string(text), err == nil
	case "tr":
		return translated(c.Stdin, words, c.HasStdin)
	case "openssl":
		if line := strings.Join(words, " "); !c.HasStdin || line != "base64 -d" && line != "base64 -d -A" && line != "enc -base64 -d" && line != "enc -d -base64" {
			return "", false
		}
		text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(c.Stdin), ""))
		return string(text), err == nil
	}
	if f := filterOf(c.Words[0].Text); f != nil {
		return f(c.Stdin, words, c.HasStdin)
	}
	return "", false
}

// says is what the commands from one place to another print, as far as it is known; of
// several, the last one when last says so. It is certain when nothing else
// could be printed.
func (r *reader) says(from, to int, last bool) (texts []string, certain bool) {
	top := -1
	for i := from; i < to; i++ {
		if r.out.Commands[i].Expansion {
			continue
		}
		if top >= 0 && !last {
			return nil, false
		}
		top = i
		i = r.out.Commands[i].lastWithin(i)
	}
	if top < 0 {
		return nil, false
	}
	c := r.out.Commands[top]
	if text, ok := said(&c); ok {
		return []string{text}, true
	}
	if text, ok := r.catted(&c); ok {
		return []string{text}, false
	}
	if text, ok := r.filtered(&c); ok {
		return []string{text}, false
	}
	if len(c.Words) == 0 {
		return nil, false
	}
	certain = c.Unknown == "" && !open(c.Words)
	for i := c.lastWithin(top) + 1; i < to; i++ {
		if e := &r.out.Commands[i]; e.Expansion && len(e.Words) > 0 && e.Words[0].Text == c.Words[0].Text {
			text, ok := said(e)
			if certain = certain && ok; ok && len(texts) < mostValues {
				texts = append(texts, text)
			}
		}
	}
	return texts, certain && len(texts) > 0
}

// prints are texts that some command of many prints to where all their output
// goes; of a function, what the commands in it print.
func (r *reader) prints(from int) []value {
	var out []value
	var all strings.Builder
	add := func(c *Command) {
		if text, ok := said(c); ok && len(out) < mostValues {
			out = append(out, printedValue(text))
			all.WriteString(text)
		}
	}
	piped := make([]bool, len(r.out.Commands))
	looked := 0
	for i := from; i < len(r.out.Commands); i++ {
		for _, p := range r.out.Commands[i].PipedFrom {
			if p < len(piped) { // what a copy is given by the original is not of it
				piped[p] = true
			}
		}
		looked += 1 + len(r.out.Commands[i].PipedFrom)
	}
	for i := from; i < len(r.out.Commands) && len(out) < mostValues; i++ {
		c := &r.out.Commands[i]
		if !r.work(looked / 10) {
			return nil
		}
		if looked = 0; piped[i] || len(c.Words) == 0 {
			continue
		}
		add(c)
		name := c.Words[0].Text
		out = append(out, namesIn(c)...)
		if r.names[name] {
			looked += len(r.out.Commands)
			for j := range r.out.Commands {
				if r.out.Commands[j].Function == name {
					add(&r.out.Commands[j])
				}
			}
		}
	}
	if len(out) > 1 && all.Len() <= mostComputed {
		out = append(out, printedValue(all.String()))
	}
	return out
}

// printedValue is what a substitution makes of an output.
func printedValue(text string) value {
	return value{text: strings.TrimRight(strings.ReplaceAll(text, "\x00", ""), "\n")}
}

// lastWithin is the last of the commands in a command's own words, the command
// itself when there are none.
func (c *Command) lastWithin(index int) int {
	for _, w := range c.Words {
		if n := len(w.Subst); n > 0 {
			index = max(index, w.Subst[n-1])
		}
	}
	for _, a := range c.Assigns {
		if n := len(a.Subst); n > 0 {
			index = max(index, a.Subst[n-1])
		}
	}
	return index
}

// translated is what tr prints of a text, with sets of letters and ranges.
func translated(text string, words []string, ok bool) (string, bool) {
	for i, w := range words {
		words[i] = strings.NewReplacer("[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9").Replace(w)
	}
	if len(words) == 2 && (words[0] == "-dc" || words[0] == "-cd") && ok && !strings.ContainsAny(words[1], `[\`) {
		kept := letters(words[1])
		return strings.Map(func(r rune) rune {
			if slices.Contains(kept, r) {
				return r
			}
			return -1
		}, text), true
	}
	if len(words) == 2 && words[0] == "-s" && ok && !strings.ContainsAny(words[1], `[\`) {
		squeezed, last := letters(words[1]), rune(-1)
		return strings.Map(func(r rune) rune {
			if r == last && slices.Contains(squeezed, r) {
				return -1
			}
			last = r
			return r
		}, text), true
	}
	remove := len(words) == 2 && words[0] == "-d"
	if !ok || len(words) != 2 || !remove && strings.HasPrefix(words[0], "-") || strings.HasPrefix(words[1], "-") || strings.ContainsAny(words[0]+words[1], `[\`) {
		return "", false
	}
	from, to := letters(words[0]), letters(words[1])
	if remove {
		return strings.Map(func(r rune) rune {
			if slices.Contains(to, r) {
				return -1
			}
			return r
		}, text), true
	}
	if len(to) == 0 {
		return "", false
	}
	return strings.Map(func(r rune) rune {
		for i := len(from) - 1; i >= 0; i-- {
			if from[i] == r { // the last of the set stands for those that are missing
				return to[min(i, len(to)-1)]
			}
		}
		return r
	}, text), true
}

// letters are those of a set of tr.
func letters(set string) []rune {
	var out []rune
	in := []rune(set)
	for i := 0; i < len(in); i++ {
		if i+2 < len(in) && in[i+1] == '-' && in[i+2] >= in[i] && in[i+2]-in[i] < 256 {
			for c := in[i]; c <= in[i+2]; c++ {
				out = append(out, c)
			}
			i += 2
			continue
		}
		out = append(out, in[i])
	}
	return out
}

func turned(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		r := []rune(l)
		slices.Reverse(r)
		lines[i] = string(r)
	}
	return strings.Join(lines, "\n")
}

// printedNames are programs that print a name which they are given, or a text.
var printedNames = []string{"which", "command", "type", "whence", "realpath", "readlink", "ls", "compgen", "find", "stat", "date", "echo", "printf"}

// namesIn are names that a command may print which stand among its words: the
// place of a program, or what a pattern stands for.
func namesIn(c *Command) []value {
	var out []value
	for i, w := range c.Words {
		switch name := c.Words[0].Text; {
		case i == 0 || !w.Static || !slices.Contains(printedNames, name) || len(out) >= mostValues || strings.HasPrefix(w.Text, "-"):
		case name == "echo" || name == "printf":
			if w.Glob {
				out = append(out, value{text: w.Text, glob: true})
			}
		case name == "date":
			if text, ok := strings.CutPrefix(w.Text, "+"); ok && !strings.Contains(text, "%") {
				out = append(out, value{text: text})
			}
		default:
			out = append(out, value{text: w.Text})
		}
	}
	return out
}
