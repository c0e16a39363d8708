package shell

import "strings"

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
