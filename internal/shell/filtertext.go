package shell

import (
	"regexp"
	"slices"
	"strconv"
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

// sedStep is one command of a sed script: the text that a line becomes, and
// whether a print was asked for.
type sedStep func(line string, number int) (out string, prints, deletes bool)

// sedPrinted is sed with substitutions, y, p and d of single lines.
func sedPrinted(in string, words []string, has bool) (string, bool) {
	quiet, extended := false, false
	var scripts, rest []string
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-e" && i+1 < len(words):
			i++
			scripts = append(scripts, words[i])
		case len(w) > 1 && w[0] == '-' && strings.Trim(w[1:], "nEru") == "":
			quiet, extended = quiet || strings.Contains(w, "n"), extended || strings.ContainsAny(w, "Er")
		case strings.HasPrefix(w, "-"):
			return "", false
		default:
			rest = append(rest, w)
		}
	}
	if len(scripts) == 0 && len(rest) > 0 {
		scripts, rest = rest[:1], rest[1:]
	}
	if !has || len(scripts) == 0 || len(rest) > 0 || !ascii(in) || strings.IndexByte(in, 0) >= 0 {
		return "", false
	}
	var steps []sedStep
	for rest := strings.Join(scripts, "\n"); ; {
		if rest = strings.TrimLeft(rest, " ;\n"); rest == "" {
			break
		}
		step, after, ok := sedCommand(rest, extended)
		if !ok {
			return "", false
		}
		steps, rest = append(steps, step), after
	}
	var b strings.Builder
	for i, l := range linesOf(in) {
		gone := false
		for _, step := range steps {
			text, prints, deletes := step(l, i+1)
			if gone = deletes; gone {
				break
			}
			if l = text; prints {
				b.WriteString(l + "\n")
			}
		}
		if !quiet && !gone {
			b.WriteString(l + "\n")
		}
	}
	out := b.String()
	if !strings.HasSuffix(in, "\n") {
		out = strings.TrimSuffix(out, "\n")
	}
	return out, true
}

// sedCommand reads the first command of a script.
func sedCommand(s string, extended bool) (step sedStep, rest string, ok bool) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	at, _ := strconv.Atoi(s[:digits])
	s = s[digits:]
	if s == "" {
		return nil, "", false
	}
	here := func(n int) bool { return at == 0 || n == at }
	switch s[0] {
	case 'p', 'd':
		if rest = s[1:]; rest != "" && strings.IndexByte(" ;\n", rest[0]) < 0 {
			return nil, "", false
		}
		return func(l string, n int) (string, bool, bool) {
			return l, s[0] == 'p' && here(n), s[0] == 'd' && here(n)
		}, rest, true
	case 's', 'y':
	default:
		return nil, "", false
	}
	if len(s) < 4 {
		return nil, "", false
	}
	first, after, ok1 := sedDelimited(s[2:], s[1])
	second, after, ok2 := sedDelimited(after, s[1])
	flags := len(after) - len(strings.TrimLeft(after, "gpI"))
	rest = after[flags:]
	if !ok1 || !ok2 || rest != "" && strings.IndexByte(" ;\n", rest[0]) < 0 {
		return nil, "", false
	}
	if s[0] == 'y' {
		if len(first) != len(second) || flags > 0 || strings.ContainsAny(first+second, `\`) || !ascii(first+second) {
			return nil, "", false
		}
		return func(l string, n int) (string, bool, bool) {
			if !here(n) {
				return l, false, false
			}
			return strings.Map(func(c rune) rune {
				if i := strings.IndexRune(first, c); i >= 0 {
					return rune(second[i])
				}
				return c
			}, l), false, false
		}, rest, true
	}
	rx, with := posix(first, extended, strings.Contains(after[:flags], "I")), sedReplacement(second)
	if rx == nil || with == nil || first == "" {
		return nil, "", false
	}
	for n := rx.NumSubexp() + 1; n <= 9; n++ {
		if strings.Contains(*with, "${"+strconv.Itoa(n)+"}") {
			return nil, "", false // it fails
		}
	}
	if strings.Contains(strings.ReplaceAll(*with, "${0}", ""), "${") && repeatsGroup(rx) || strings.Contains(after[:flags], "g") && rx.MatchString("") {
		return nil, "", false // readers differ in what the group holds, or where an empty match follows another
	}
	return func(l string, n int) (string, bool, bool) {
		if !here(n) {
			return l, false, false
		}
		out, hit := replaced(rx, l, *with, strings.Contains(after[:flags], "g"))
		return out, hit && strings.Contains(after[:flags], "p"), false
	}, rest, true
}

// sedDelimited is what stands before the next delimiter.
func sedDelimited(s string, by byte) (text, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			if i++; s[i] != by {
				b.WriteByte('\\')
			} else if strings.IndexByte(`.*[]^$+?(){}|`, by) >= 0 {
				return "", "", false // readers differ in whether it is special then
			}
			b.WriteByte(s[i])
		case s[i] == by:
			return b.String(), s[i+1:], true
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// sedReplacement turns & and \1 to what Go writes for them; nil for others.
func sedReplacement(s string) *string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '&':
			b.WriteString("${0}")
		case c == '$':
			b.WriteString("$$")
		case c == '\\' && i+1 < len(s):
			i++
			switch e := s[i]; {
			case e >= '0' && e <= '9':
				b.WriteString("${" + string(e) + "}")
			case e == 'n':
				b.WriteByte('\n')
			case strings.IndexByte(`\/&.|,# `, e) >= 0:
				b.WriteByte(e)
			default:
				return nil
			}
		default:
			b.WriteByte(c)
		}
	}
	out := b.String()
	return &out
}

// replaced replaces the first match, or all.
func replaced(rx *regexp.Regexp, s, with string, all bool) (string, bool) {
	if !rx.MatchString(s) {
		return s, false
	}
	if all {
		return rx.ReplaceAllString(s, with), true
	}
	at := rx.FindStringSubmatchIndex(s)
	return s[:at[0]] + string(rx.ExpandString(nil, with, s, at)) + s[at[1]:], true
}

// repeatsGroup says whether a group of an expression is repeated.
func repeatsGroup(rx *regexp.Regexp) bool {
	return slices.ContainsFunc([]string{")*", ")+", "){", ")?"}, func(t string) bool { return strings.Contains(rx.String(), t) })
}
