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

// readable is a diff at a length that can be drawn, with a word on what is left
// out, as the lines of a diff that are about it and not of it. A command is never
// shortened: what it does may be decided by its last word.
func readable(diff string) string {
	if len(diff) <= mostBytes && strings.Count(diff, "\n") <= mostLines {
		return diff
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
	left := strings.Count(strings.TrimSuffix(rest, "\n"), "\n") + 1
	kb := (len(rest) + 1023) >> 10
	return diff[:end] + fmt.Sprintf("\\ %s (%d KB) %s not shown here; a smaller change can be judged whole\n", amount.Of(left, "more line"), kb, amount.Word(left, "is", "are"))
}
