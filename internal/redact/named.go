package redact

import "strings"

// named is a credential that is known by the name before it, in any case: a
// header, or an assignment.
type named struct {
	kind, name string
	// between may stand between name and value.
	between *set
	// schemes says that one of the authorization schemes stands before the
	// value.
	schemes bool
	set     *set
	min     int
	exact   bool
}

var nameds = []named{
	{kind: "authorization header", name: "authorization", between: in.separators, schemes: true, set: in.bearer, min: 8},
	{kind: "bearer token", name: "bearer", between: in.blank, set: in.bearer, min: 16},
	{kind: "key header", name: "x-api-key", between: in.separators, set: in.bearer, min: 16},
	{kind: "key header", name: "x-goog-api-key", between: in.separators, set: in.bearer, min: 16},
	{kind: "key header", name: "api-key", between: in.separators, set: in.bearer, min: 24},
	{kind: "AWS secret key", name: "aws_secret_access_key", between: in.separators, set: in.base64, min: 40, exact: true},
	{kind: "AWS secret key", name: "secretaccesskey", between: in.separators, set: in.base64, min: 40, exact: true},
}

// widest bounds what stands between a name and its value.
const widest = 8

// match looks for a value with this name where a text begins; final says that no
// more of it follows.
func (f *named) match(s string, final bool) (hit, answer) {
	at, a := f.head(s, final)
	if a != yes {
		return hit{}, a
	}
	if n := run(s[at:], f.set, f.min+1); f.exact && n > f.min {
		return hit{}, no
	}
	n, ended, a := tail(s[at:], f.set, final)
	switch {
	case a != yes:
		return hit{}, a
	case n < f.min || !looksLikeValue(s[at:at+n]):
		return hit{}, no
	}
	h := hit{kind: f.kind, keep: at, size: at + n, mask: masked}
	if !ended {
		h.rest = f.set
	}
	return h, yes
}

// head reads the name and what stands before the value.
func (f *named) head(s string, final bool) (int, answer) {
	if n := min(len(s), len(f.name)); !strings.EqualFold(s[:n], f.name[:n]) || n < len(f.name) && final {
		return 0, no
	} else if n < len(f.name) {
		return 0, later
	}
	at := len(f.name)
	n, a := gap(s[at:], f.between, final)
	if at += n; a != yes || !f.schemes {
		return at, a
	}
	for _, scheme := range []string{"basic", "bearer", "token", "apikey"} {
		k := min(len(s)-at, len(scheme))
		if !strings.EqualFold(s[at:at+k], scheme[:k]) {
			continue
		}
		if k < len(scheme) {
			if final {
				return 0, no
			}
			return 0, later
		}
		n, a := gap(s[at+k:], in.blank, final)
		return at + k + n, a
	}
	return 0, no
}

// gap reads at least one byte of a set, and few.
func gap(s string, of *set, final bool) (int, answer) {
	n := run(s, of, widest)
	switch {
	case n == len(s) && !final && n < widest:
		return 0, later
	case n == 0 || n == widest:
		return 0, no
	}
	return n, yes
}

// looksLikeValue tells a credential from a word of prose after its name.
func looksLikeValue(s string) bool {
	if len(s) >= 32 || strings.ContainsAny(s, "0123456789") {
		return true
	}
	return len(s)%4 == 0 && strings.ToLower(s) != s && strings.ToUpper(s[1:]) != s[1:] && s[1:] != strings.ToLower(s[1:])
}

// address matches a password in an address, "://user:password@". A short one,
// or one without a digit and a letter, is taken for an example.
func address(s string, final bool) (hit, answer) {
	if a := begins(s, "://", final); a != yes {
		return hit{}, a
	}
	at := 3
	// What follows a part decides, also behind one of the greatest length.
	if at += run(s[at:], in.user, 64); at == len(s) && !final {
		return hit{}, later
	}
	if at == len(s) || s[at] != ':' {
		return hit{}, no
	}
	at++
	n := run(s[at:], in.password, sure)
	end := at + n
	switch {
	case end == len(s) && !final:
		return hit{}, later
	case end == len(s) || s[end] != '@' || n < 12:
		return hit{}, no
	}
	value := s[at:end]
	if !strings.ContainsAny(value, "0123456789") || !strings.ContainsAny(strings.ToLower(value), "abcdefghijklmnopqrstuvwxyz") {
		return hit{}, no
	}
	return hit{kind: "password in an address", keep: at, size: end, mask: masked, nested: true}, yes
}
