// Package amount owns how a number of things is said. It knows nothing of what
// the things are. Its law: 1 is said of one, and every other number of many.
package amount

import "strconv"

// Of is a number of things: "1 file", "3 files". Many is their word where it is
// not one with an s.
func Of(n int, one string, many ...string) string {
	return strconv.Itoa(n) + " " + Word(n, one, append(many, one+"s")[0])
}

// Word is the word for a number of things.
func Word(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
