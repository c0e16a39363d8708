package shell

import (
	"slices"
	"strings"
)

// trClasses are the classes of letters that are known, as ranges.
var trClasses = strings.NewReplacer("[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9")

// translated is what tr prints of a text, with sets of letters and ranges.
func translated(text string, words []string, has bool) (string, bool) {
	if !has || len(words) != 2 || strings.HasPrefix(words[1], "-") {
		return "", false
	}
	first, known := letters(words[0])
	second, read := letters(words[1])
	if !read {
		return "", false
	}
	switch words[0] {
	case "-d":
		return remaining(text, func(r, _ rune) bool { return slices.Contains(second, r) }), true
	case "-dc", "-cd":
		return remaining(text, func(r, _ rune) bool { return !slices.Contains(second, r) }), true
	case "-s":
		return remaining(text, func(r, before rune) bool { return r == before && slices.Contains(second, r) }), true
	}
	if strings.HasPrefix(words[0], "-") || !known || len(second) == 0 || !trPair(words[0], words[1]) {
		return "", false
	}
	return strings.Map(func(r rune) rune {
		for i := len(first) - 1; i >= 0; i-- {
			if first[i] == r { // the last of the set stands for those that are missing
				return second[min(i, len(second)-1)]
			}
		}
		return r
	}, text), true
}

// trPair says whether a set may stand for another: a class only for its
// counterpart.
func trPair(from, to string) bool {
	return !strings.Contains(to, "[:") || from == "[:lower:]" && to == "[:upper:]" || from == "[:upper:]" && to == "[:lower:]"
}

// remaining leaves out the letters of which gone says so, which is told what
// stands before each as well.
func remaining(text string, gone func(r, before rune) bool) string {
	before := rune(-1)
	return strings.Map(func(r rune) rune {
		if gone(r, before) {
			return -1
		}
		before = r
		return r
	}, text)
}

// letters are those of a set of tr; ok is false for one that is not understood.
func letters(set string) (out []rune, ok bool) {
	set = trClasses.Replace(set)
	if strings.ContainsAny(set, `[\`) {
		return nil, false
	}
	in := []rune(set)
	for i := 0; i < len(in); i++ {
		if i+2 >= len(in) || in[i+1] != '-' {
			out = append(out, in[i])
			continue
		}
		if in[i+2] < in[i] || in[i+2]-in[i] >= 256 {
			return nil, false
		}
		for c := in[i]; c <= in[i+2]; c++ {
			out = append(out, c)
		}
		i += 2
	}
	return out, true
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
