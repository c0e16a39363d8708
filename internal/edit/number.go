package edit

import (
	"strconv"
	"strings"
)

// Separator stands between a line's number and its text in the read view. It
// is no blank and no tab, so that leading blanks of a line are seen as they
// are.
const Separator = "→"

// Number numbers the lines of a text from first on.
func Number(text string, first int) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strconv.Itoa(first))
		b.WriteString(Separator)
		b.WriteString(line)
		first++
	}
	return b.String()
}

// Unnumber takes the numbers of the read view off a text. It reports false
// when not every line has one, or when they do not count up by one.
func Unnumber(text string) (string, bool) {
	var b strings.Builder
	last := -1
	for line := range strings.Lines(text) {
		n, rest, ok := numbered(line)
		if !ok || last >= 0 && n != last+1 {
			return "", false
		}
		last = n
		b.WriteString(rest)
	}
	return b.String(), last >= 0
}

// numbered splits a line of the read view.
func numbered(line string) (n int, rest string, ok bool) {
	digits, rest, ok := strings.Cut(line, Separator)
	if !ok {
		return 0, "", false
	}
	n, err := strconv.Atoi(strings.TrimLeft(digits, " "))
	return n, rest, err == nil && n > 0
}

// carriesNumbers reports whether any line looks like one of the read view.
func carriesNumbers(text string) bool {
	for line := range strings.Lines(text) {
		if _, _, ok := numbered(line); ok {
			return true
		}
	}
	return false
}
