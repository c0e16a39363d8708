package shell

import (
	"strings"
	"unicode/utf8"
)

// simpleEscapes are the escapes of one letter in $'…' and in the formats of
// printf and echo -e.
var simpleEscapes = map[byte]byte{
	'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'n': 10, 'r': 13, 't': 9, 'v': 11,
	'\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// unescape decodes the inside of $'…' as the shell does; a NUL ends it.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		if plain, ok := simpleEscapes[c]; ok {
			b.WriteByte(plain)
			continue
		}
		n, code := 0, 0
		switch {
		case c >= '0' && c <= '7':
			n, code = digits(s[i:], 8, 3)
			n--
			code &= 0xFF
		case c == 'x':
			n, code = digits(s[i+1:], 16, 2)
		case c == 'u':
			n, code = digits(s[i+1:], 16, 4)
		case c == 'U':
			n, code = digits(s[i+1:], 16, 8)
		case c == 'c' && i+1 < len(s):
			n, code = 1, int(s[i+1])&0x1F
		default:
			n = -1
		}
		if n < 0 || n == 0 && (c == 'x' || c == 'u' || c == 'U' || c == 'c') {
			b.WriteByte('\\')
			b.WriteByte(c)
			continue
		}
		i += n
		if code == 0 {
			return b.String()
		}
		if (c == 'u' || c == 'U') && code > 0x7F {
			b.Write(utf8.AppendRune(nil, rune(code)))
		} else {
			b.WriteByte(byte(code))
		}
	}
	return b.String()
}

// digits reads up to most digits of a base and returns how many there were.
func digits(s string, base, most int) (n, code int) {
	for n < len(s) && n < most {
		d := strings.IndexByte("0123456789abcdef", s[n])
		if s[n] >= 'A' && s[n] <= 'F' {
			d = int(s[n]-'A') + 10
		}
		if d < 0 || d >= base {
			break
		}
		code = code*base + d
		n++
	}
	return n, code
}
