package screen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assent/internal/redact"
)

// shortKey is the least length of a word that may be a key where names and
// addresses are typed.
const shortKey = 16

// keyNote answers a key that came before its field.
const keyNote = "that looks like a key: choose its provider first, then paste it where it is not shown"

// Covered is a field as it may be shown: what has the shape of a key is dots,
// wherever it was typed.
func (l Line) Covered() Line {
	if _, n := redact.String(l.Text); n == 0 {
		return l
	}
	return l.dots()
}

func (l Line) dots() Line {
	return NewLine(strings.Repeat("•", min(utf8.RuneCountInString(l.Text), shortKey)))
}

// Covered is a field of the step as it may be shown. Where a name or an address
// is asked for, also what is neither but long and of letters and digits may be a
// key.
func (p Setup) Covered(l Line) Line {
	if p.stray(l.Text) {
		return l.dots()
	}
	return l.Covered()
}

// Stray is stray for a text that was not typed yet.
func (p Setup) Stray(text string) bool {
	p.Items = nil
	return p.stray(text)
}

// stray reports whether a text may be a key that was typed into another field.
func (p Setup) stray(text string) bool {
	text = strings.TrimSpace(text)
	if _, n := redact.String(text); n > 0 {
		return true
	}
	switch {
	case len(text) < shortKey, !strings.ContainsAny(text, "0123456789"), strings.IndexFunc(text, unicode.IsLetter) < 0, strings.ContainsAny(text, " ./:"):
		return false
	case p.Step == SetupProvider:
		return len(p.Items) == 0
	}
	return p.Step == SetupURL
}
