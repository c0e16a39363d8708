package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// filter is what a program prints of a known input: ok is false where that is
// not certain. has says that the input is known.
type filter func(in string, words []string, has bool) (out string, ok bool)

// filterOf is the filter of a program of texts whose output is computed, nil for
// every other. A filter knows the common ways to write its program; the rest is
// left to veiled.
func filterOf(name string) filter {
	switch name {
	case "echo":
		return func(_ string, words []string, _ bool) (string, bool) { return echoed(words) }
	case "printf":
		return func(_ string, words []string, _ bool) (string, bool) { return printed(words) }
	case "basename", "dirname":
		return func(_ string, words []string, _ bool) (string, bool) { return nameParts(name, words) }
	case "seq":
		return counted
	case "expr":
		return exprPrinted
	case "cat":
		return func(in string, words []string, has bool) (string, bool) { return in, has && len(words) == 0 }
	case "tee":
		return func(in string, _ []string, has bool) (string, bool) { return in, has }
	case "sort":
		return func(in string, words []string, has bool) (string, bool) {
			return oneLine(in, words, has, "-n", "-r", "-u")
		}
	case "uniq":
		return func(in string, words []string, has bool) (string, bool) { return oneLine(in, words, has, "-u") }
	case "head", "tail":
		return func(in string, words []string, has bool) (string, bool) {
			return ended(in, words, has, name == "tail")
		}
	case "tac":
		return func(in string, words []string, has bool) (string, bool) {
			lines := linesOf(in)
			slices.Reverse(lines)
			return joinLines(lines), has && len(words) == 0 && strings.HasSuffix(in, "\n")
		}
	case "rev":
		return func(in string, words []string, has bool) (string, bool) { return turned(in), has && len(words) == 0 }
	case "cut":
		return cutOut
	case "fold":
		return folded
	case "paste":
		return pasted
	case "tr":
		return translated
	case "grep", "egrep", "fgrep":
		return func(in string, words []string, has bool) (string, bool) {
			return grepped(name, in, words, has)
		}
	case "sed", "gsed":
		return sedPrinted
	case "awk", "gawk", "mawk", "nawk":
		return awkPrinted
	case "base64", "base32", "xxd", "openssl":
		return func(in string, words []string, has bool) (string, bool) {
			return decoded(name, in, words, has)
		}
	}
	return nil
}

// oneLine is what passes through a program that changes no single line, with
// these options or none.
func oneLine(in string, words []string, has bool, options ...string) (string, bool) {
	plain := !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(options, w) })
	return in, has && plain && strings.Count(in, "\n") == 1 && strings.HasSuffix(in, "\n")
}

// linesOf and joinLines part a text into lines and put it together again.
func linesOf(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// ended is the beginning or the end of a text, in lines or bytes.
func ended(in string, words []string, has, tail bool) (string, bool) {
	unit, number := "n", "10"
	switch {
	case len(words) == 0:
	case len(words) == 2 && (words[0] == "-n" || words[0] == "-c"):
		unit, number = words[0][1:], words[1]
	case len(words) == 1 && len(words[0]) > 2 && (strings.HasPrefix(words[0], "-n") || strings.HasPrefix(words[0], "-c")):
		unit, number = words[0][1:2], words[0][2:]
	case len(words) == 1 && strings.HasPrefix(words[0], "--bytes="):
		unit, number = "c", words[0][len("--bytes="):]
	case len(words) == 1 && strings.HasPrefix(words[0], "--lines="):
		number = words[0][len("--lines="):]
	case len(words) == 1 && strings.HasPrefix(words[0], "-"):
		number = words[0][1:]
	default:
		return "", false
	}
	from := strings.HasPrefix(number, "+") && tail
	n, err := strconv.Atoi(strings.TrimPrefix(number, "+"))
	if err != nil || n < 0 || !has || strings.HasPrefix(number, "-") {
		return "", false
	}
	all := strings.SplitAfter(in, "\n")
	if unit == "c" {
		all = strings.Split(in, "")
		if !ascii(in) {
			return "", false
		}
	}
	if l := len(all); l > 0 && all[l-1] == "" {
		all = all[:l-1]
	}
	switch {
	case from:
		all = all[min(max(n-1, 0), len(all)):]
	case tail:
		all = all[max(len(all)-n, 0):]
	default:
		all = all[:min(n, len(all))]
	}
	return strings.Join(all, ""), true
}

// picks reads a list of places as cut takes it: 2, 1-3, 2-, -3, 1,3.
func picks(list string) func(int) bool {
	type span struct{ from, to int }
	var spans []span
	for _, item := range strings.Split(list, ",") {
		low, high, ranged := strings.Cut(item, "-")
		s := span{1, 1 << 30}
		var err error
		if low != "" {
			if s.from, err = strconv.Atoi(low); err != nil || s.from < 1 {
				return nil
			}
		}
		switch {
		case !ranged:
			s.to = s.from
		case high != "":
			if s.to, err = strconv.Atoi(high); err != nil || s.to < s.from {
				return nil
			}
		case low == "":
			return nil
		}
		spans = append(spans, s)
	}
	return func(n int) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return n >= s.from && n <= s.to })
	}
}

// cutOut is cut -c, -b and -f.
func cutOut(in string, words []string, has bool) (string, bool) {
	by, list, sep, only := "", "", "\t", false
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "-s" {
			only = true
			continue
		}
		if len(w) < 2 || w[0] != '-' || strings.IndexByte("cbfd", w[1]) < 0 {
			return "", false
		}
		value := w[2:]
		if value == "" {
			if i++; i == len(words) {
				return "", false
			}
			value = words[i]
		}
		if w[1] == 'd' {
			sep = value
		} else {
			by, list = w[1:2], value
		}
	}
	take := picks(list)
	if !has || by == "" || take == nil || len(sep) != 1 || !ascii(in) {
		return "", false
	}
	lines := linesOf(in)
	out := lines[:0:0]
	for _, l := range lines {
		cells := strings.Split(l, sep)
		if by != "f" {
			sep, cells = "", strings.Split(l, "")
		} else if len(cells) == 1 {
			if !only {
				out = append(out, l)
			}
			continue
		}
		var kept []string
		for i, c := range cells {
			if take(i + 1) {
				kept = append(kept, c)
			}
		}
		out = append(out, strings.Join(kept, sep))
	}
	return joinLines(out), true
}

// folded is fold -w.
func folded(in string, words []string, has bool) (string, bool) {
	width := strings.TrimPrefix(strings.Join(words, ""), "-w")
	n, err := strconv.Atoi(width)
	if err != nil || n < 1 || len(words) > 2 || !has || !ascii(in) || strings.ContainsAny(in, "\t\b\r") {
		return "", false
	}
	var b strings.Builder
	for _, l := range strings.SplitAfter(in, "\n") {
		for len(strings.TrimSuffix(l, "\n")) > n {
			b.WriteString(l[:n] + "\n")
			l = l[n:]
		}
		b.WriteString(l)
	}
	return b.String(), true
}

// nameParts is basename and dirname of one path.
func nameParts(name string, words []string) (string, bool) {
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 2 || strings.HasPrefix(words[0], "-") || name == "dirname" && len(words) > 1 || words[0] == "" {
		return "", false
	}
	if name == "dirname" {
		trimmed := strings.TrimRight(words[0], "/")
		if trimmed == "" {
			return "/\n", true
		}
		dir, _ := path.Split(trimmed)
		if dir = strings.TrimRight(dir, "/"); dir == "" {
			dir = "."
			if strings.HasPrefix(trimmed, "/") {
				dir = "/"
			}
		}
		return dir + "\n", true
	}
	if strings.Trim(words[0], "/") == "" {
		return "/\n", true
	}
	base := path.Base(strings.TrimRight(words[0], "/"))
	if len(words) == 2 && base != words[1] {
		base = strings.TrimSuffix(base, words[1])
	}
	return base + "\n", true
}

// counted is seq of one or two numbers.
func counted(_ string, words []string, _ bool) (string, bool) {
	from, to := 1, 0
	var err error
	switch len(words) {
	case 1:
		to, err = strconv.Atoi(words[0])
	case 2:
		if from, err = strconv.Atoi(words[0]); err == nil {
			to, err = strconv.Atoi(words[1])
		}
	default:
		return "", false
	}
	if err != nil || from < 0 || max(from, to) > mostNumber || to-from > 100 || strings.HasPrefix(words[0], "0") && len(words[0]) > 1 {
		return "", false
	}
	var b strings.Builder
	for i := from; i <= to; i++ {
		b.WriteString(strconv.Itoa(i) + "\n")
	}
	return b.String(), true
}

// pasted is paste -s of the input, with one separator or none.
func pasted(in string, words []string, has bool) (string, bool) {
	sep, serial := "\t", false
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-s":
			serial = true
		case strings.HasPrefix(w, "-sd"), strings.HasPrefix(w, "-d"):
			serial = serial || w[1] == 's'
			if sep = w[strings.IndexByte(w, 'd')+1:]; sep == "" {
				if i++; i == len(words) {
					return "", false
				}
				sep = words[i]
			}
		case w != "-":
			return "", false
		}
	}
	if !has || !serial || len(sep) > 1 {
		return "", false
	}
	return strings.Join(linesOf(in), sep) + "\n", true
}

// exprPrinted is expr substr and expr with a pattern.
func exprPrinted(_ string, words []string, _ bool) (string, bool) {
	switch {
	case len(words) == 4 && words[0] == "substr" && ascii(words[1]):
		from, err1 := strconv.Atoi(words[2])
		n, err2 := strconv.Atoi(words[3])
		if err1 != nil || err2 != nil || from < 1 || n < 1 || from > len(words[1]) {
			return "", false
		}
		return words[1][from-1:from-1+min(n, len(words[1])-from+1)] + "\n", true
	case len(words) == 3 && words[1] == ":":
		rx := posix("^("+words[2]+")", false, false)
		if rx == nil || strings.Count(words[2], `\(`) != 1 {
			return "", false
		}
		if rx = posix("^"+words[2], false, false); rx == nil || repeatsGroup(rx) {
			return "", false
		}
		if m := rx.FindStringSubmatch(words[0]); len(m) == 2 {
			return m[1] + "\n", true
		}
	}
	return "", false
}
