package redact

import "strings"

// longestBlock bounds a private key block, and with it what a stream holds
// back.
const longestBlock = 16 << 10

const (
	blockBegin = "-----BEGIN "
	blockEnd   = "-----END "
	dashes     = "-----"
)

// block matches a private key block, also one in which the line ends are
// written as \n, and one whose end is missing. It is a key only when it holds
// a long piece of base64, so that the bare markers in code are left alone.
func block(s string, final bool) (hit, answer) {
	if a := begins(s, blockBegin, final); a != yes {
		return hit{}, a
	}
	const longestName = 48
	n := run(s[len(blockBegin):], in.blockName, longestName)
	at := len(blockBegin) + n
	if a := begins(s[at:], dashes, final); a == later && n < longestName || a == no {
		return hit{}, a
	}
	if !strings.Contains(s[len(blockBegin):at], "PRIVATE KEY") || n == longestName {
		return hit{}, no
	}
	at += len(dashes)
	whole := final || len(s) >= longestBlock
	body := s[at:min(len(s), longestBlock)]
	size := 0
	if end := strings.Index(body, blockEnd); end >= 0 {
		if rest := strings.Index(body[end+len(blockEnd):], dashes); rest >= 0 {
			size = end + len(blockEnd) + rest + len(dashes)
		}
	}
	if size == 0 {
		if !whole {
			return hit{}, later
		}
		size = unended(body)
	}
	if size == 0 || !holdsKey(body[:size]) {
		return hit{}, no
	}
	return hit{kind: "private key", size: at + size, mask: "[redacted private key]"}, yes
}

// keyLine is the least length of the base64 in a line of a key.
const keyLine = 32

// holdsKey reports whether text has a line of base64.
func holdsKey(s string) bool {
	n := 0
	for i := range len(s) {
		if !in.base64[s[i]] {
			n = 0
		} else if n++; n == keyLine {
			return true
		}
	}
	return false
}

// unended returns how much of what follows a begin marker without an end is
// key: lines of base64, whatever short words such as line numbers stand
// before them, and the last, short line.
func unended(s string) int {
	size, long := 0, false
	for i := 0; i < len(s); {
		n := run(s[i:], in.base64, len(s))
		switch {
		case n >= keyLine:
			size, long = i+n, true
		case long && n > 0:
			if size == lineStart(s, i) {
				size = i + n
			}
			long = false
		case n > 0 && !digits(s[i:i+n]) && s[i:i+n] != "n" && (s[i:i+n] != "r" || i == 0 || s[i-1] != '\\'):
			return size
		}
		i += max(n, 1)
	}
	return size
}

// lineStart returns where the white space before a position begins.
func lineStart(s string, at int) int {
	return len(strings.TrimRight(s[:at], " \t\r\n"))
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }
