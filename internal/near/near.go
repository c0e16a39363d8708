// Package near owns how alike two words are: what "did you mean" is measured
// by, wherever a user, a file or a model writes a word that there is not.
//
// It knows nothing of what the words mean, and of whether a caller shows the
// nearest. Its laws, for valid text: the measure is the same both ways, 0 for
// one word and itself only, and never costs more than two words of 64 letters.
package near

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// longest is the most letters of a word that is compared.
const longest = 64

// Word returns the valid word that is most like a word, whatever its capitals,
// and the first of those that are as near; empty when none differs in less than
// a third of the word, or in two letters of more.
func Word(word string, valid []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, v := range valid {
		d := Distance(strings.ToLower(word), strings.ToLower(v))
		if d < least && d < max(utf8.RuneCountInString(word), utf8.RuneCountInString(v)) {
			best, least = v, d
		}
	}
	return best
}

// Aside names the valid word that is meant, to be put behind a word that is
// not: " (did you mean ...?)", empty when none comes near.
func Aside(word string, valid []string) string {
	if n := Word(word, valid); n != "" {
		return fmt.Sprintf(" (did you mean %q?)", n)
	}
	return ""
}

// Distance counts the edits (insert, delete, replace, swap of neighbours) that
// make one word of another; words that are too long differ in every letter.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if a == b {
		return 0
	}
	if len(x) > longest || len(y) > longest {
		return max(len(x), len(y))
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
