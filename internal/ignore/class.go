package ignore

import "strings"

// class reads the bracket expression that p begins with: its size, and whether
// a byte is in it. It is not ok when it does not end or names an unknown class.
func (g *glob) class(p string, t byte) (size int, in, ok bool) {
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var before byte // the last single byte, where a range may begin
	for first := true; first || i < len(p) && p[i] != ']'; first = false {
		if i >= len(p) {
			return 0, false, false
		}
		switch c := p[i]; {
		case c == '\\':
			if i++; i >= len(p) {
				return 0, false, false
			}
			in = in || p[i] == t
			before = p[i]
		case c == '-' && before != 0 && i+1 < len(p) && p[i+1] != ']':
			if i++; p[i] == '\\' {
				if i++; i >= len(p) {
					return 0, false, false
				}
			}
			in = in || before <= t && t <= p[i] || g.fold && 'a' <= t && t <= 'z' && before <= t-'a'+'A' && t-'a'+'A' <= p[i]
			before = 0
		case c == '[' && i+1 < len(p) && p[i+1] == ':':
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return 0, false, false
			}
			name, named := strings.CutSuffix(p[i+2:i+2+end], ":")
			if !named { // no ":]": an ordinary bracket
				in = in || t == '['
				before = '['
				break
			}
			of, known := classes[name]
			if !known {
				return 0, false, false
			}
			in = in || of(t) || g.fold && name == "upper" && isLower(t)
			i += 2 + end
			before = 0
		default:
			in = in || c == t
			before = c
		}
		i++
	}
	if i >= len(p) {
		return 0, false, false
	}
	return i + 1, in != negated, true
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }
func isAlpha(b byte) bool { return isLower(b) || isUpper(b) }
func isDigit(b byte) bool { return '0' <= b && b <= '9' }
func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
func isPrint(b byte) bool { return ' ' <= b && b <= '~' }

// classes are the named classes of bracket expressions, for ASCII only.
var classes = map[string]func(byte) bool{
	"alnum":  func(b byte) bool { return isAlpha(b) || isDigit(b) },
	"alpha":  isAlpha,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
	"digit":  isDigit,
	"graph":  func(b byte) bool { return '!' <= b && b <= '~' },
	"lower":  isLower,
	"print":  isPrint,
	"punct":  func(b byte) bool { return '!' <= b && b <= '~' && !isAlpha(b) && !isDigit(b) },
	"space":  isSpace,
	"upper":  isUpper,
	"xdigit": func(b byte) bool { return isDigit(b) || 'a' <= lower(b) && lower(b) <= 'f' },
}
