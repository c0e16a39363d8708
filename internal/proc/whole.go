package proc

import (
	"bytes"
	"unicode/utf8"
)

// longestHeld bounds what is held back of an escape sequence that has not
// ended yet.
const longestHeld = 256

// whole returns how much of live output can be told without tearing a
// character or an escape sequence whose rest comes with the next chunk.
func whole(b []byte) int {
	n := len(b)
	if i := bytes.LastIndexByte(b, 0x1b); i >= 0 && n-i <= longestHeld && torn(b[i:]) {
		return i
	}
	for back := 1; back < utf8.UTFMax && back <= n; back++ {
		if c := b[n-back]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[n-back:]) {
				return n - back
			}
			break
		}
	}
	return n
}

// torn reports whether an escape sequence has not ended.
func torn(seq []byte) bool {
	if len(seq) < 2 {
		return true
	}
	if seq[1] >= ' ' && seq[1] <= '/' { // intermediates, then one final
		return len(bytes.TrimLeft(seq[1:], " !\"#$%&'()*+,-./")) == 0
	}
	switch rest := seq[2:]; seq[1] {
	case '[':
		for _, c := range rest {
			if c >= '@' && c <= '~' || c < ' ' {
				return false
			}
		}
		return true
	case ']', 'P', 'X', '^', '_':
		return !bytes.ContainsAny(rest, "\a\n") // an ESC \ would have been the last ESC
	}
	return false
}
