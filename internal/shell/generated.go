package shell

import (
	"slices"
	"strings"
)

// mostLines bounds the lines that are taken from one program.
const mostLines = 16

// generated lists what the lines would run that the programs before a shell
// make for it: the texts that they print, put before or behind whatever they
// read, and the texts that they are given to change.
func (c *call) generated(from []int) {
	for _, i := range from {
		if i < 0 || i >= len(c.r.out.Commands) || !c.r.step() {
			continue
		}
		p := c.r.out.Commands[i] // a copy: what is found is added to the list
		for n, line := range p.lines() {
			if n == mostLines {
				break
			}
			if strings.ContainsAny(strings.TrimSpace(line), " \t") {
				c.suspect(line)
			}
		}
	}
}

// lines are the texts that a program may print as lines.
func (c *Command) lines() []string {
	if len(c.Words) == 0 || !c.Words[0].Static {
		return nil
	}
	name := Program(c.Words[0].Text)
	var out []string
	if _, known := textual[name]; c.Stdin != "" && (known || name == "envsubst" || name == "xargs") {
		out = append(out, c.Stdin)
	}
	var args []string
	for _, w := range c.Words[1:] {
		args = append(args, w.Text)
	}
	switch {
	case name == "echo" || name == "printf":
		out = append(out, unformatted(strings.Join(args, " ")))
	case name == "sed" || name == "gsed":
		for _, a := range args {
			out = append(out, replacements(a)...)
		}
	case strings.HasSuffix(name, "awk") || name == "jq" || name == "yq" || interpreters[versionless(name)].code != "":
		for _, a := range append(args, c.Stdin) {
			for _, text := range spoken(a) {
				out = append(out, unformatted(text))
			}
		}
	}
	return out
}

// unformatted puts a word where a format takes an argument.
func unformatted(text string) string {
	return strings.NewReplacer("%s", "x", "%q", "x", "%b", "x", "%d", "1", `\n`, "\n", `\t`, " ").Replace(text)
}

// replacements are the texts that the substitutions of a sed script put into
// its lines, with a word for what was matched.
func replacements(script string) []string {
	var out []string
	for i := 0; i+1 < len(script); i++ {
		begins := i == 0 || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", rune(script[i-1]))
		if script[i] != 's' || !begins || strings.IndexByte(" \n\\;abcdefghijklmnopqrstuvwxyz0123456789", script[i+1]) >= 0 {
			continue
		}
		_, rest, ok := cutDelimited(script[i+2:], script[i+1])
		with, after, ok2 := cutDelimited(rest, script[i+1])
		if !ok || !ok2 {
			continue
		}
		out = append(out, strings.NewReplacer("&", "x", `\1`, "x", `\2`, "x", `\3`, "x", `\n`, "\n", `\/`, "/").Replace(with)+" x")
		if i = len(script) - len(after) - 1; len(out) == mostLines {
			break
		}
	}
	return slices.Clip(out)
}

// cutDelimited is what stands before the next delimiter that no backslash hides.
func cutDelimited(s string, by byte) (text, rest string, ok bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case by:
			return s[:i], s[i+1:], true
		}
	}
	return "", "", false
}
