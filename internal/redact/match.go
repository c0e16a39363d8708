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
	key := s[len(f.prefix):]
	if n := run(key, f.set, f.min+1); f.exact && n > f.min {
		if in.word[key[f.min]] {
			return hit{}, no
		}
		key, final = key[:f.min], true
	}
	n, ended, a := tail(key, f.set, final)
	if a != yes {
		return hit{}, a
	}
	if n < f.min || f.mixed && !random(key[:n]) {
		return hit{}, no
	}
	h := hit{kind: f.kind, keep: len(f.prefix), size: len(f.prefix) + n, mask: masked}
	if !f.exact && !ended {
		h.rest = f.set
	}
	return h, yes
}

// clip returns how much of a key stands before a private key block that
// follows it without a gap, and whether one does. Of what may be the beginning
// of one nothing is taken.
func clip(key string) (n int, ended bool) {
	marker := strings.TrimSpace(blockBegin)
	if i := strings.Index(key, marker); i >= 0 {
		return i, true
	}
	for n := min(len(marker)-1, len(key)); n > 0; n-- {
		if strings.HasSuffix(key, marker[:n]) {
			return len(key) - n, false
		}
	}
	return len(key), false
}

// run counts the bytes of a set that s begins with, up to a limit.
func run(s string, of *set, limit int) int {
	n := 0
	for n < len(s) && n < limit && of[s[n]] {
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
	at := 0
	for range 2 {
		if a := begins(s[at:], open, final); a != yes {
			return hit{}, a
		}
		n := run(s[at:], in.dashed, longest)
		switch {
		case at+n == len(s) && !final && n < longest:
			return hit{}, later
		case n < 8 || n == longest || at+n == len(s) || s[at+n] != '.':
			return hit{}, no
		}
		at += n + 1
	}
	n, ended, a := tail(s[at:], in.dashed, final)
	switch {
	case a != yes:
		return hit{}, a
	case n < 8:
		return hit{}, no
	}
	h := hit{kind: "JSON web token", keep: len(open), size: at + n, mask: masked}
	if !ended {
		h.rest = in.dashed
	}
	return h, yes
}

// tail reads the last part of a credential, as much as is needed to be sure;
// ended says that no more can follow.
func tail(s string, of *set, final bool) (n int, ended bool, a answer) {
	n = run(s, of, sure)
	open := !final && n == len(s) && n < sure
	n, ended = clip(s[:n])
	if open && !ended {
		return 0, false, later
	}
	return n, ended, yes
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
