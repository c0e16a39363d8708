package shell

import "strings"

// awkArgv notes a program that changes the list of files which awk reads.
func (c *call) awkArgv(text string) {
	for rest, at := "", strings.Index(text, "ARGV"); at >= 0; at = strings.Index(rest, "ARGV") {
		before := strings.TrimRight(text[:at], " \t")
		rest = strings.TrimLeft(text[at+len("ARGV"):], " \t")
		text = rest
		sets := strings.HasSuffix(before, ",") // split(x, ARGV)
		if i := strings.IndexByte(rest, ']'); i >= 0 && strings.HasPrefix(rest, "[") {
			after := strings.TrimLeft(rest[i+1:], " \t")
			sets = strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==")
		}
		if sets {
			c.file(File{}, dynamic("that the program of "+c.name+" adds to its arguments"))
			return
		}
	}
}

// awkTwofold says whether a slash in a program could be read both as the
// beginning of a pattern and as a division, so that a quote or a comment sign
// behind it may or may not be one. Neither patterns nor strings span lines.
func awkTwofold(s string) bool {
	for line := range strings.SplitSeq(s, "\n") {
		last := strings.LastIndexByte(line, '/')
		inside := false
		for i := 0; i < last; i++ {
			switch {
			case line[i] == '\\':
				i++
			case line[i] == '"':
				inside = !inside
			case line[i] == '/' && !inside && strings.ContainsAny(line[i:last], `"#`):
				return true
			}
		}
	}
	return false
}

// awkWord looks at -W, which stands before a long option of gawk and before a
// word of mawk.
func (c *call) awkWord(w Word) {
	name, _, _ := strings.Cut(w.Text, "=")
	for _, plain := range []string{"version", "copyright", "help", "usage", "posix", "interactive", "random", "sprintf", "lint", "re-interval", "traditional"} {
		if w.Static && name != "" && strings.HasPrefix(plain, name) {
			return
		}
	}
	c.unknown(c.word("-W "+w.Shown) + " can run a program from a file, or write one")
}
