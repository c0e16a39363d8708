package shell

import (
	"regexp"
	"slices"
	"strings"
)

// posix makes an expression of a basic or an extended one of POSIX; nil where
// the two languages differ in more than what is turned here.
func posix(pattern string, extended, fold bool) *regexp.Regexp {
	var b strings.Builder
	if fold {
		b.WriteString("(?i)")
	}
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			switch e := pattern[i]; {
			case strings.IndexByte("(){}|+?", e) >= 0 && !extended:
				b.WriteByte(e)
			case strings.IndexByte(`.[]*^$/\(){}|+?-`, e) >= 0:
				b.WriteString(regexp.QuoteMeta(string(e)))
			case strings.IndexByte("wWsS", e) >= 0:
				b.WriteString(`\` + string(e))
			default:
				return nil
			}
		case c == '[':
			end := strings.IndexByte(pattern[min(i+2, len(pattern)):], ']')
			if end < 0 {
				return nil
			}
			set := pattern[i : i+2+end+1]
			if strings.Contains(set, "[.") || strings.Contains(set, "[=") || strings.Contains(set, `\`) {
				return nil
			}
			if strings.Contains(set, "[:") { // its own bracket ends first
				last := strings.Index(pattern[i:], ":]]")
				if last < 0 {
					return nil
				}
				set = pattern[i : i+last+3]
			}
			b.WriteString(set)
			i += len(set) - 1
		case !extended && strings.IndexByte("(){}|+?", c) >= 0:
			b.WriteString(regexp.QuoteMeta(string(c)))
		case !extended && c == '*' && (i == 0 || pattern[i-1] == '(' || pattern[i-1] == '^'):
			return nil
		case c == '^' && i > 0 && pattern[i-1] != '(' && pattern[i-1] != '|', c == '$' && i+1 < len(pattern) && strings.IndexByte(`)|\`, pattern[i+1]) < 0:
			return nil // some take it for itself there
		default:
			b.WriteByte(c)
		}
	}
	rx, err := regexp.Compile(b.String())
	if err != nil {
		return nil
	}
	rx.Longest()
	return rx
}

// replaced replaces the first match, or all.
func replaced(rx *regexp.Regexp, s, with string, all bool) (string, bool) {
	if !rx.MatchString(s) {
		return s, false
	}
	if all {
		return rx.ReplaceAllString(s, with), true
	}
	at := rx.FindStringSubmatchIndex(s)
	return s[:at[0]] + string(rx.ExpandString(nil, with, s, at)) + s[at[1]:], true
}

// repeatsGroup says whether a group of an expression is repeated.
func repeatsGroup(rx *regexp.Regexp) bool {
	return slices.ContainsFunc([]string{")*", ")+", "){", ")?"}, func(t string) bool { return strings.Contains(rx.String(), t) })
}
