// Package late owns patterns that are compiled when they are first used. Every
// run of the program would pay for a pattern that is compiled in a package's
// variable, whether it is matched or not: a hundred microseconds each, and up
// to a millisecond for a long one.
//
// It knows nothing of what the patterns mean. Its law: a pattern is compiled
// once, by whoever comes first, and is the same for all.
package late

import (
	"regexp"
	"sync"
)

// Regexp gives the pattern of an expression of package regexp, and panics on
// first use when it is none. It may be called from many goroutines.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
