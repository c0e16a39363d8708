package edit

import "strings"

// pass is a tier of line matching in patches. Each is tried over the whole
// rest of the file before the next.
type pass int

const (
	passExact pass = iota
	passTrailing
	passIndentation
	passUnicode
)

func (p pass) String() string {
	switch p {
	case passExact:
		return Exact
	case passTrailing:
		return TrailingBlanks
	case passIndentation:
		return Indentation
	default:
		return Unicode
	}
}

// view is a line as a pass sees it. Line ends are never compared.
func (a *applier) view(p pass, line string) string {
	switch p {
	case passExact:
		return strings.TrimSuffix(line, "\r")
	case passTrailing:
		return strings.TrimRight(line, " \t\r")
	case passIndentation:
		return strings.TrimSpace(line)
	default:
		return strings.TrimSpace(fold(line, unicodeForms, a.normal, false).text)
	}
}

// seen is the file as a pass sees it.
func (a *applier) seen(p pass) []string {
	if v, ok := a.views[p]; ok {
		return v
	}
	v := make([]string, len(a.texts))
	for i, t := range a.texts {
		v[i] = a.view(p, t)
	}
	a.views[p] = v
	return v
}

// find gives the places at or after from where lines stand, by the first pass
// that knows any; with atEnd only the last lines of the file.
func (a *applier) find(old []string, from int, atEnd bool) ([]int, pass) {
	for p := passExact; p <= passUnicode; p++ {
		lines, want := a.seen(p), make([]string, len(old))
		for i, l := range old {
			want[i] = a.view(p, l)
		}
		if p >= passTrailing && strings.Join(want, "") == "" {
			break // blanks alone are too little to be tolerant about
		}
		start := from
		if atEnd {
			start = max(from, len(lines)-len(want))
		}
		var found []int
		for at := start; at+len(want) <= len(lines); at++ {
			if equal(lines[at:at+len(want)], want) {
				found = append(found, at)
			}
		}
		if found != nil {
			return found, p
		}
	}
	return nil, passExact
}

func equal(a, b []string) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// anchor finds the lines at or after from that an "@@" head names: whole lines
// by the passes, else the only line that contains it.
func (a *applier) anchor(text string, from int) []int {
	if found, _ := a.find([]string{text}, from, false); found != nil {
		return found
	}
	part := a.view(passUnicode, text)
	var found []int
	for i, line := range a.seen(passUnicode) {
		if i >= from && part != "" && strings.Contains(line, part) {
			if found != nil {
				return nil
			}
			found = []int{i}
		}
	}
	return found
}
