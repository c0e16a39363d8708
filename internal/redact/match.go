package redact

import "strings"

// answer is what a matcher says about a position.
type answer int

const (
	no    answer = iota // not here, whatever follows
	yes                 // here, whatever follows
	later               // what follows decides
)

// hit is a credential at a position.
type hit struct {
	kind string
	// keep is how many bytes at the position stay, size how many are of the
	// credential with those.
	keep, size int
	// mask stands for the rest.
	mask string
	// rest, if any, is what still belongs to the credential after size.
	rest *set
	// nested says that the part that is kept may hold credentials itself.
	nested bool
}

const masked = "[redacted]"

// sure is how many bytes of a key are looked at to decide; what follows in
// its alphabet belongs to it however long it is.
const sure = 256

// match tries a shape at the beginning of s. final says that nothing follows.
func (f *shape) match(s string, final bool) (hit, answer) {
	if len(s) < len(f.prefix) {
		if !final && strings.HasPrefix(f.prefix, s) {
			return hit{}, later
		}
		return hit{}, no
	}
	if !strings.HasPrefix(s, f.prefix) {
		return hit{}, no
	}
	n := run(s[len(f.prefix):], f.set, sure)
	open := !final && len(f.prefix)+n == len(s) && n < sure
	switch {
	case f.exact && n > f.min:
		return hit{}, no
	case open:
		return hit{}, later
	case n < f.min || f.mixed && !random(s[len(f.prefix):len(f.prefix)+n]):
		return hit{}, no
	}
	return hit{kind: f.kind, keep: len(f.prefix), size: len(f.prefix) + n, mask: masked, rest: f.set}, yes
}

// run counts the bytes of a set that s begins with, up to a limit.
func run(s string, in *set, limit int) int {
	n := 0
	for n < len(s) && n < limit && in[s[n]] {
		n++
	}
	return n
}

// random reports whether text looks like a key rather than like words joined
// by hyphens: one unbroken piece is long, and has a digit unless it is very
// long.
func random(s string) bool {
	for piece := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if len(piece) >= 32 || len(piece) >= 16 && strings.ContainsAny(piece, "0123456789") {
			return true
		}
	}
	return false
}

// jwt matches a signed JSON web token: three parts, of which the first two
// are JSON objects in base64url.
func jwt(s string, final bool) (hit, answer) {
	const open = "eyJ"
	const longest = 8 << 10
	limit := [3]int{longest, longest, sure}
	at := 0
	for part := range 3 {
		if part < 2 {
			if a := begins(s[at:], open, final); a != yes {
				return hit{}, a
			}
		}
		n := run(s[at:], dashed, limit[part])
		switch {
		case part == 2 && n >= sure: // sure enough, the rest follows
		case at+n == len(s) && !final && n < longest:
			return hit{}, later
		case n < 8 || n == longest:
			return hit{}, no
		}
		at += n
		if part < 2 {
			if at >= len(s) || s[at] != '.' {
				return hit{}, no
			}
			at++
		}
	}
	return hit{kind: "JSON web token", keep: len(open), size: at, mask: masked, rest: dashed}, yes
}

// begins reports whether s begins with a text.
func begins(s, text string, final bool) answer {
	switch {
	case strings.HasPrefix(s, text):
		return yes
	case !final && strings.HasPrefix(text, s):
		return later
	}
	return no
}
