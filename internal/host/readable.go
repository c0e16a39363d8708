package host

import (
	"fmt"
	"strings"

	"assent/internal/amount"
)

// Bounds of a change that is put before the user, far above what anybody reads
// in a question. A replacement of every "a" in a large file is twice that file.
const (
	mostLines = 4000
	mostBytes = 512 << 10
)

// readable is a diff at a length that can be drawn, and how much is left out, in
// words that end in a verb; empty when nothing is. It is said in the diff too, as
// the lines of a diff that are about it and not of it. A command is never
// shortened: what it does may be decided by its last word.
func readable(diff string) (shown, left string) {
	if len(diff) <= mostBytes && strings.Count(diff, "\n") <= mostLines {
		return diff, ""
	}
	end := 0
	for range mostLines {
		n := strings.IndexByte(diff[end:], '\n') + 1
		if n == 0 || end+n > mostBytes {
			break
		}
		end += n
	}
	rest := diff[end:]
	lines := strings.Count(strings.TrimSuffix(rest, "\n"), "\n") + 1
	left = fmt.Sprintf("%s (%d KB) %s", amount.Of(lines, "more line"), (len(rest)+1023)>>10, amount.Word(lines, "is", "are"))
	return diff[:end] + "\\ " + left + " not shown here\n", left
}
