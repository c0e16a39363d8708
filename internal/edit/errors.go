package edit

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of an edit that is none.
var (
	// ErrEmpty says that there is no text to look for.
	ErrEmpty = errors.New("the text to replace is empty")
	// ErrSame says that the edit would change nothing.
	ErrSame = errors.New("the text to replace and the new text are the same")
)

// NotFoundError says that the text does not occur, and what is nearest to it.
type NotFoundError struct {
	// Line is where the nearest text begins, from 1; 0 when nothing is near.
	Line int
	// Text is the nearest text as it stands in the content.
	Text string
	// Indentation says that the nearest text differs in leading blanks only.
	Indentation bool
	// Numbered says that the text carries line numbers of the read view.
	Numbered bool
}

func (e *NotFoundError) Error() string {
	var b strings.Builder
	b.WriteString("not found")
	switch {
	case e.Line > 0 && e.Indentation:
		fmt.Fprintf(&b, "; text that differs in indentation only is at line %d (tabs and spaces as they are):\n%s", e.Line, shown(e.Text, e.Line))
	case e.Line > 0:
		fmt.Fprintf(&b, "; the nearest text is at line %d:\n%s", e.Line, shown(e.Text, e.Line))
	default:
		b.WriteString("; nothing in the file is near to it")
	}
	if e.Numbered {
		b.WriteString("\nThe text carries the line numbers of the read view; send it without them.")
	}
	return b.String()
}

// shown numbers lines for a message, long ones cut.
func shown(text string, first int) string {
	const most = 400
	var b strings.Builder
	for line := range strings.Lines(text) {
		if len(line) > most {
			line = strings.ToValidUTF8(line[:most], "") + "…\n"
		}
		b.WriteString(line)
	}
	return strings.TrimSuffix(Number(b.String(), first), "\n")
}

// AmbiguousError says that the text occurs more than once.
type AmbiguousError struct {
	// Lines are where it begins, from 1.
	Lines []int
	// Tier is the tier at which it occurs.
	Tier string
}

func (e *AmbiguousError) Error() string {
	return "appears " + e.places()
}

// places says how often and where, behind whichever verb.
func (e *AmbiguousError) places() string {
	return fmt.Sprintf("%d times (%s)", len(e.Lines), Lines(e.Lines))
}

// Lines shows line numbers: "line 4", "lines 4, 18, 40", a long list cut.
func Lines(lines []int) string {
	const most = 20
	if len(lines) == 1 {
		return fmt.Sprintf("line %d", lines[0])
	}
	shown := make([]string, 0, most)
	for _, l := range lines[:min(len(lines), most)] {
		shown = append(shown, fmt.Sprint(l))
	}
	s := "lines " + strings.Join(shown, ", ")
	if len(lines) > most {
		s += fmt.Sprintf(" and %d more", len(lines)-most)
	}
	return s
}
