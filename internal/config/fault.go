package config

import (
	"fmt"
	"strings"

	"assent/internal/near"
)

// Fault is one thing that is wrong with a configuration.
type Fault struct {
	// File is the path, a variable or a flag, "" for what was just typed; Line
	// counts from 1, 0 where there is none.
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
	var parts []string
	for _, p := range []string{place, f.Field, f.Message} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ": ")
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

// syntax says what is wrong with the text of a file, without the library's name
// and its way to the place.
func syntax(err error) string {
	text := strings.TrimPrefix(err.Error(), "hujson: ")
	for {
		lead, rest, more := strings.Cut(text, ": ")
		if !more || !strings.HasPrefix(lead, "line ") && !strings.HasPrefix(lead, "parsing ") {
			break
		}
		text = rest
	}
	return strings.ReplaceAll(text, "unexpected EOF", "it ends too early; is a bracket or a quote not closed?")
}

// Unknown says that a word is not valid, names the nearest and lists all.
func Unknown(what, word string, valid []string) string {
	s := fmt.Sprintf("unknown %s %q", what, word)
	if meant := near.Word(word, valid); meant != "" {
		s += fmt.Sprintf(", did you mean %q?", meant)
	}
	return s + " (valid: " + strings.Join(valid, ", ") + ")"
}
