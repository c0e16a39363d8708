package ignore

import "strings"

// Verdict is what rules say about a path.
type Verdict int

// Verdicts.
const (
	Silent  Verdict = iota // no rule matches
	Ignore                 // the last rule that matches ignores
	Include                // the last rule that matches re-includes
)

// Rules are the lines of one ignore file. They are never changed; nil is an
// empty file.
type Rules struct{ list []rule }

// rule is one line.
type rule struct {
	glob string
	// plain is how many bytes of the glob are without special meaning.
	plain int
	// suffix says that the glob is a star and a plain text.
	suffix bool
	// base says that only the last part of a path is matched, folder that only
	// folders are, include that the line re-includes.
	base, folder, include, fold bool
}

// Parse reads an ignore file. Fold says that letter case does not count, as
// core.ignorecase does.
func Parse(text []byte, fold bool) *Rules {
	s := strings.TrimPrefix(string(text), "\ufeff")
	r := &Rules{}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimSuffix(line, "\r")
		line, _, _ = strings.Cut(line, "\x00") // git reads it so
		if line = trim(line); line != "" {
			r.list = append(r.list, parseLine(line, fold))
		}
	}
	if len(r.list) == 0 {
		return nil
	}
	return r
}

// trim removes blanks at the end, unless a backslash stands before them.
func trim(line string) string {
	end := -1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if end < 0 {
				end = i
			}
			continue
		case '\\':
			if i++; i == len(line) {
				return line
			}
		}
		end = -1
	}
	if end < 0 {
		return line
	}
	return line[:end]
}

const special = `*?[\`

func parseLine(line string, fold bool) rule {
	r := rule{fold: fold}
	line, r.include = strings.CutPrefix(line, "!")
	r.suffix = strings.HasPrefix(line, "*") && !strings.ContainsAny(line[1:], special)
	line, r.folder = strings.CutSuffix(line, "/")
	r.base = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	r.glob = line
	if r.plain = strings.IndexAny(line, special); r.plain < 0 {
		r.plain = len(line)
	}
	return r
}

// Match says what the rules say about a path relative to their own folder.
func (r *Rules) Match(rel string, dir bool) Verdict {
	if r == nil {
		return Silent
	}
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	for i := len(r.list) - 1; i >= 0; i-- {
		f := &r.list[i]
		if f.folder && !dir {
			continue
		}
		if f.base && f.matchBase(base) || !f.base && f.matchPath(rel) {
			if f.include {
				return Include
			}
			return Ignore
		}
	}
	return Silent
}

func (f *rule) matchBase(name string) bool {
	switch {
	case f.plain == len(f.glob):
		return f.same(f.glob, name)
	case f.suffix:
		tail := f.glob[1:]
		return len(tail) <= len(name) && f.same(tail, name[len(name)-len(tail):])
	}
	return wild(f.glob, name, false, f.fold)
}

// matchPath compares the plain beginning as text and matches the rest from
// there on, so that a double star right after it counts as standing at the
// beginning: "a**/b" matches a/x/b. Git does the same.
func (f *rule) matchPath(rel string) bool {
	if f.plain > len(rel) || !f.same(f.glob[:f.plain], rel[:f.plain]) {
		return false
	}
	glob, rest := f.glob[f.plain:], rel[f.plain:]
	if glob == "" {
		return rest == ""
	}
	return wild(glob, rest, true, f.fold)
}

func (f *rule) same(a, b string) bool {
	if !f.fold {
		return a == b
	}
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// leads reports whether a rule may re-include something below a folder, given
// by its path relative to the rules' own folder.
func (r *Rules) leads(dir string) bool {
	if r == nil {
		return false
	}
	for i := range r.list {
		if f := &r.list[i]; f.include && !f.base && f.leads(dir) {
			return true
		}
	}
	return false
}

func (f *rule) leads(dir string) bool {
	parts := strings.Split(f.glob, "/")
	for name := range strings.SplitSeq(dir, "/") {
		if len(parts) < 2 {
			return false
		}
		if strings.Contains(parts[0], "**") {
			return true
		}
		if !wild(parts[0], name, true, f.fold) {
			return false
		}
		parts = parts[1:]
	}
	return len(parts) > 0
}
