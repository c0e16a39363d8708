package shell

import (
	"slices"
	"strings"
)

// mostSaid bounds what a command is computed from and what it prints, in bytes.
const mostSaid = defaultLength

// said is what a command prints, as far as the reader may go on.
func (r *reader) said(c *Command) (string, bool) {
	text, ok := said(c)
	return text, r.work(1+(len(c.Stdin)+len(text))/50) && ok
}

// said is what a command prints, when that is known: a program of texts on
// static words and literal input. It may hold NUL.
func said(c *Command) (string, bool) {
	if len(c.Words) == 0 || c.Unknown != "" || len(c.Stdin) > mostSaid {
		return "", false
	}
	prints := filterOf(c.Words[0].Text)
	if prints == nil {
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
	text, ok := prints(c.Stdin, words, c.HasStdin)
	return text, ok && len(text) <= mostSaid
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
	if text, ok := r.said(&c); ok {
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
			text, ok := r.said(e)
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
		if text, ok := r.said(c); ok && len(out) < mostValues {
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
