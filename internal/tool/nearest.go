package tool

import (
	"slices"
	"strings"
	"unicode"
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
		far := distance(strings.Join(want, ""), strings.Join(have, ""))
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

// distance counts the edits between two words.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		corner := row[0]
		row[0] = i + 1
		for j := range y {
			cost := corner
			if x[i] != y[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
