package config

import (
	"fmt"
	"strings"

	"assent/internal/policy"
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

// Unknown says that a word is not valid, names the nearest and lists all.
func Unknown(what, word string, valid []string) string {
	s := fmt.Sprintf("unknown %s %q", what, word)
	if near := policy.Nearest(word, valid); near != "" {
		s += fmt.Sprintf(", did you mean %q?", near)
	}
	return s + " (valid: " + strings.Join(valid, ", ") + ")"
}
