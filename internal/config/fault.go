package config

import (
	"fmt"
	"strings"
)

// Fault is one thing that is wrong with a configuration.
type Fault struct {
	// File is the path, a variable or a flag; Line counts from 1, 0 where
	// there is none.
	File string
	Line int
	// Field is the path of the field, as in permission.bash.
	Field string
	// Message says what is wrong and what would be right.
	Message string
}

// String is the fault in one line.
func (f Fault) String() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if f.Field == "" {
		return place + ": " + f.Message
	}
	return place + ": " + f.Field + ": " + f.Message
}

// Faults is every fault that was found, as one error.
type Faults []Fault

// Error lists the faults, one a line.
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, one := range f {
		lines[i] = one.String()
	}
	return strings.Join(lines, "\n")
}

// unknown says that a word is not valid, names the nearest and lists all.
func unknown(what, word string, valid []string) string {
	s := fmt.Sprintf("unknown %s %q", what, word)
	if near := nearest(word, valid); near != "" {
		s += fmt.Sprintf(", did you mean %q?", near)
	}
	return s + " (valid: " + strings.Join(valid, ", ") + ")"
}

// nearest returns the valid word that is closest by edit distance, or "" when
// none is close.
func nearest(word string, valid []string) string {
	best, at := "", len(word)/2+1
	for _, v := range valid {
		if d := distance(strings.ToLower(word), strings.ToLower(v)); d < at {
			best, at = v, d
		}
	}
	return best
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
