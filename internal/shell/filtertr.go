package shell

import (
	"slices"
	"strings"
)

// translated is what tr prints of a text, with sets of letters and ranges.
func translated(text string, words []string, has bool) (string, bool) {
	for i, w := range words {
		words[i] = strings.NewReplacer("[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9").Replace(w)
	}
	if len(words) == 2 && (words[0] == "-dc" || words[0] == "-cd") && has && !strings.ContainsAny(words[1], `[\`) {
		kept := letters(words[1])
		return strings.Map(func(r rune) rune {
			if slices.Contains(kept, r) {
				return r
			}
			return -1
		}, text), true
	}
	if len(words) == 2 && words[0] == "-s" && has && !strings.ContainsAny(words[1], `[\`) {
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
	if !has || len(words) != 2 || !remove && strings.HasPrefix(words[0], "-") || strings.HasPrefix(words[1], "-") || strings.ContainsAny(words[0]+words[1], `[\`) {
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

// turned is what rev prints of a text.
func turned(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		r := []rune(l)
		slices.Reverse(r)
		lines[i] = string(r)
	}
	return strings.Join(lines, "\n")
}
