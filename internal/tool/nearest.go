package tool

import (
	"slices"
	"strings"
	"unicode"

	"assent/internal/near"
)

// Nearest returns up to three names of the set that a model may have meant by
// an unknown name, the likeliest first; none when nothing comes near.
func (s Set) Nearest(name string) []string {
	type candidate struct {
		name string
		far  int
	}
	var found []candidate
	want := words(name)
	for _, t := range s {
		have := words(t.Name())
		far := near.Distance(strings.Join(want, ""), strings.Join(have, ""))
		for _, w := range want {
			if slices.Contains(have, w) {
				far -= len(w) + 2
			}
		}
		if far <= max(2, len(name)/3) {
			found = append(found, candidate{t.Name(), far})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.far - b.far })
	var names []string
	for _, c := range found[:min(3, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// words splits a name at punctuation and capitals: "ReadFile" is read, file.
func words(name string) []string {
	var b strings.Builder
	var last rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(last):
			b.WriteByte(' ')
			fallthrough
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		last = r
	}
	return strings.Fields(b.String())
}
