package shell

import (
	"regexp"
	"strconv"
	"strings"
)

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
	script := strings.Join(scripts, "\n")
	var steps []sedStep
	for rest := script; ; {
		if rest = strings.TrimLeft(rest, " ;\n"); rest == "" {
			break
		}
		step, after, ok := sedFirst(rest, extended)
		if !ok {
			return "", false
		}
		steps, rest = append(steps, step), after
	}
	var b strings.Builder
	for i, l := range linesOf(in) {
		gone := false
		for _, step := range steps {
			// No step makes more of a line than its length times the script's.
			if len(l)*len(script) > mostSaid*100 || b.Len() > mostSaid {
				return "", false
			}
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

// sedFirst reads the first command of a script.
func sedFirst(s string, extended bool) (step sedStep, rest string, ok bool) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	at, _ := strconv.Atoi(s[:digits])
	s = s[digits:]
	if s == "" {
		return nil, "", false
	}
	here := func(n int) bool { return at == 0 || n == at }
	var edit func(line string) (out string, prints bool)
	switch s[0] {
	case 'p', 'd':
		rest = s[1:]
		step = func(l string, n int) (string, bool, bool) {
			return l, s[0] == 'p' && here(n), s[0] == 'd' && here(n)
		}
	case 's', 'y':
		if edit, rest = sedEdit(s, extended); edit == nil {
			return nil, "", false
		}
		step = func(l string, n int) (string, bool, bool) {
			if !here(n) {
				return l, false, false
			}
			out, prints := edit(l)
			return out, prints, false
		}
	default:
		return nil, "", false
	}
	// Blanks end no command: behind them more of it may follow.
	if rest = strings.TrimLeft(rest, " "); rest != "" && strings.IndexByte(";\n", rest[0]) < 0 {
		return nil, "", false
	}
	return step, rest, true
}

// sedEdit reads s/…/…/ or y/…/…/; nil where readers differ in what it does.
func sedEdit(s string, extended bool) (edit func(string) (string, bool), rest string) {
	if len(s) < 4 {
		return nil, ""
	}
	first, after, ok1 := sedDelimited(s[2:], s[1])
	second, after, ok2 := sedDelimited(after, s[1])
	rest = strings.TrimLeft(after, "gpI")
	flags := after[:len(after)-len(rest)]
	if !ok1 || !ok2 || strings.Count(flags, "g") > 1 || strings.Count(flags, "p") > 1 {
		return nil, ""
	}
	if s[0] == 'y' {
		if len(first) != len(second) || flags != "" || strings.ContainsAny(first+second, `\`) || !ascii(first+second) {
			return nil, ""
		}
		return func(l string) (string, bool) { return transliterated(l, first, second), false }, rest
	}
	rx, with := posix(first, extended, strings.Contains(flags, "I")), sedReplacement(second)
	all := strings.Contains(flags, "g")
	if rx == nil || with == nil || first == "" || !sedAgreed(rx, *with, all) {
		return nil, ""
	}
	return func(l string) (string, bool) {
		out, hit := replaced(rx, l, *with, all)
		return out, hit && strings.Contains(flags, "p")
	}, rest
}

// sedAgreed says whether every sed makes the same of a replacement.
func sedAgreed(rx *regexp.Regexp, with string, all bool) bool {
	for n := rx.NumSubexp() + 1; n <= 9; n++ {
		if strings.Contains(with, "${"+strconv.Itoa(n)+"}") {
			return false // it fails
		}
	}
	// They differ in what a group holds that is repeated, and where an empty
	// match follows another.
	groups := strings.Contains(strings.ReplaceAll(with, "${0}", ""), "${")
	return !(groups && repeatsGroup(rx)) && !(all && rx.MatchString(""))
}

// transliterated puts characters in the place of others, one by one.
func transliterated(s, from, to string) string {
	return strings.Map(func(c rune) rune {
		if i := strings.IndexRune(from, c); i >= 0 {
			return rune(to[i])
		}
		return c
	}, s)
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
