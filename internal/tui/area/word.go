package area

import (
	"unicode"
	"unicode/utf8"
)

// wordStart is where the word before an offset begins.
func wordStart(text string, at int) int {
	at = backward(text, at, func(r rune) bool { return !isWord(r) })
	return backward(text, at, isWord)
}

// wordEnd is where the word after an offset ends.
func wordEnd(text string, at int) int {
	at = forward(text, at, func(r rune) bool { return !isWord(r) })
	return forward(text, at, isWord)
}

// isWord reports whether a character is part of a word; marks belong to the
// letter before them.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' || r > 0xffff
}

func backward(text string, at int, while func(rune) bool) int {
	for at > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:at])
		if !while(r) {
			break
		}
		at -= n
	}
	return at
}

func forward(text string, at int, while func(rune) bool) int {
	for at < len(text) {
		r, n := utf8.DecodeRuneInString(text[at:])
		if !while(r) {
			break
		}
		at += n
	}
	return at
}
