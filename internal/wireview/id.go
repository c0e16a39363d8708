package wireview

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// SafeID returns a call id for a wire that allows only letters, digits, "_"
// and "-", and at most limit of them (at least 16). An id that fits is kept;
// any other is replaced by a stable one, so that a call and its result, made
// from the same id, still match.
func SafeID(id string, limit int) string {
	clean := safeWord(id)
	if clean == id && id != "" && len(id) <= limit {
		return id
	}
	sum := ShortID(id, 11)
	return clean[:min(len(clean), limit-len(sum)-1)] + "_" + sum
}

// ShortID returns n (1 to 12) letters and digits that stand for the id, for
// wires that want a fixed length.
func ShortID(id string, n int) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // never fails
	s := strconv.FormatUint(h.Sum64(), 36)
	return (strings.Repeat("0", 13-len(s)) + s)[13-n:]
}

// safeWord replaces every byte that is no letter, digit, "_" or "-" by "_".
func safeWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, s)
}

// fresh returns id or, when taken, the first free of id_2, id_3, ...
func fresh(id string, taken func(string) bool) string {
	if id == "" {
		id = "call"
	}
	next := id
	for n := 2; taken(next); n++ {
		next = id + "_" + strconv.Itoa(n)
	}
	return next
}
