package shell

import (
	"slices"
	"strings"
	"unicode"
)

// findNames are patterns of names of which every file that a find acts on has
// one; ok is false when the tests before its first action do not say so.
func findNames(tests []Word) (names []string, ok bool) {
	end := slices.IndexFunc(tests, func(w Word) bool { return findActs[w.Text] })
	if end < 0 {
		end = len(tests)
	}
	for _, w := range tests[end:] {
		if w.Text == "-o" || w.Text == "-or" || w.Text == "," {
			return nil, false // an action that other tests lead to
		}
	}
	x := &findTests{words: tests[:end]}
	names, ok = x.or()
	return names, ok && !x.odd && len(x.words) == 0
}

// findActs are the actions of find.
var findActs = map[string]bool{
	"-exec": true, "-execdir": true, "-ok": true, "-okdir": true, "-print": true, "-print0": true, "-printf": true, "-ls": true,
	"-fprint": true, "-fprint0": true, "-fprintf": true, "-fls": true, "-delete": true, "-quit": true,
}

// findPlain are tests without a value, findValued those with one.
var (
	findPlain = map[string]bool{
		"-empty": true, "-readable": true, "-writable": true, "-executable": true, "-true": true, "-daystart": true, "-depth": true,
		"-mount": true, "-xdev": true, "-follow": true, "-prune": true, "-nouser": true, "-nogroup": true, "-noleaf": true,
	}
	findValued = map[string]bool{
		"-type": true, "-maxdepth": true, "-mindepth": true, "-size": true, "-mtime": true, "-mmin": true, "-atime": true, "-amin": true,
		"-ctime": true, "-cmin": true, "-newer": true, "-newermt": true, "-path": true, "-ipath": true, "-wholename": true, "-perm": true,
		"-user": true, "-group": true, "-links": true, "-regex": true, "-iregex": true, "-regextype": true, "-samefile": true, "-lname": true,
	}
)

// findTests reads an expression of find: for each part, the patterns of which
// every file that passes it has one, and whether there are such.
type findTests struct {
	words []Word
	odd   bool
}

func (x *findTests) next() string {
	if len(x.words) == 0 {
		return ""
	}
	return x.words[0].Text
}

// or reads tests of which one must hold, as far as the end or a bracket: the
// names that they let by, and whether nothing else gets by.
func (x *findTests) or() (names []string, bound bool) {
	names, bound = x.and()
	for x.next() == "-o" || x.next() == "-or" {
		x.words = x.words[1:]
		more, also := x.and()
		names, bound = append(names, more...), bound && also
	}
	return names, bound
}

// and reads tests that must hold together; one of them is enough to bind the names.
func (x *findTests) and() (names []string, bound bool) {
	for {
		switch x.next() {
		case "", "-o", "-or", ")":
			return names, bound
		case "-a", "-and":
			x.words = x.words[1:]
			continue
		}
		if list, ok := x.one(); ok && !bound {
			names, bound = list, true
		}
		if x.odd {
			return nil, false
		}
	}
}

// one reads one test, a group of them, or the contrary of one.
func (x *findTests) one() (names []string, bound bool) {
	t := x.next()
	x.words = x.words[1:]
	switch {
	case t == "(":
		names, bound = x.or()
		if x.odd = x.odd || x.next() != ")"; !x.odd {
			x.words = x.words[1:]
		}
		return names, bound
	case t == "!" || t == "-not":
		if x.next() == "" {
			x.odd = true
			return nil, false
		}
		x.one()
		return nil, false
	case findPlain[t]:
		return nil, false
	case (t == "-name" || t == "-iname" || findValued[t]) && len(x.words) > 0:
		value := x.words[0]
		x.words = x.words[1:]
		if findValued[t] || !value.Static || strings.Trim(value.Text, plainGlob) != "" {
			return nil, false
		}
		if t == "-iname" {
			return []string{anyCase(value.Text)}, true
		}
		return []string{value.Text}, true
	}
	x.odd = true
	return nil, false
}

// anyCase widens a pattern to one that matches in any case: a letter is any
// character.
func anyCase(pattern string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return '?'
		}
		return r
	}, pattern)
}
