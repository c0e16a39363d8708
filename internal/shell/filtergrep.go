package shell

import (
	"regexp"
	"strings"
)

// grepped is grep of the input with one pattern, and with -o what it matches.
func grepped(name, in string, words []string, has bool) (string, bool) {
	only, extended, fixed, fold, invert, perl := false, name == "egrep", name == "fgrep", false, false, false
	pattern, given := "", false
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--" && i+2 == len(words) && !given:
			pattern, given = words[i+1], true
			i++
		case w == "-e" && i+1 < len(words) && !given:
			i++
			pattern, given = words[i], true
		case len(w) > 1 && w[0] == '-' && strings.Trim(w[1:], "oEPFivh") == "":
			only = only || strings.Contains(w, "o")
			extended = extended || strings.ContainsAny(w, "EP")
			perl = perl || strings.Contains(w, "P")
			fixed = fixed || strings.Contains(w, "F")
			fold = fold || strings.Contains(w, "i")
			invert = invert || strings.Contains(w, "v")
		case strings.HasPrefix(w, "-") || given:
			return "", false
		default:
			pattern, given = w, true
		}
	}
	if perl && strings.ContainsAny(pattern, "|?{(") {
		return "", false // where it ends is told in another way there
	}
	rx := posix(pattern, extended, fold)
	if fixed {
		rx = regexp.MustCompile(regexp.QuoteMeta(pattern))
		if fold {
			return "", false
		}
	}
	if !has || !given || rx == nil || !ascii(in) || only && invert {
		return "", false
	}
	var b strings.Builder
	for _, l := range linesOf(in) {
		switch found := rx.FindAllString(l, -1); {
		case only:
			for _, f := range found {
				if f != "" {
					b.WriteString(f + "\n")
				}
			}
		case len(found) > 0 != invert:
			b.WriteString(l + "\n")
		}
	}
	return b.String(), true
}
