package shell

import (
	"regexp"
	"slices"
	"strings"
)

// posix makes an expression of a basic or an extended one of POSIX; nil where
// the two languages differ in more than what is turned here.
func posix(pattern string, extended, fold bool) *regexp.Regexp {
	p := posixReader{rest: pattern, extended: extended}
	if fold {
		p.out.WriteString("(?i)")
	}
	for p.rest != "" {
		if !p.next() {
			return nil
		}
	}
	rx, err := regexp.Compile(p.out.String())
	if err != nil {
		return nil
	}
	rx.Longest()
	return rx
}

// posixReader turns an expression step by step.
type posixReader struct {
	rest     string
	extended bool
	out      strings.Builder
	begun    bool // something stands before, and it opens no group or alternative
	operand  bool // what stands before can be repeated
}

// next turns the next element; false where the languages differ.
func (p *posixReader) next() bool {
	c := p.rest[0]
	p.rest = p.rest[1:]
	switch {
	case c == '\\' && p.rest != "":
		return p.escape()
	case c == '[':
		return p.set()
	case strings.IndexByte("(){}|+?", c) >= 0 && !p.extended:
		return p.literal(regexp.QuoteMeta(string(c)))
	case strings.IndexByte("(){}|+?*", c) >= 0:
		return p.operator(c)
	case c == '^' && p.begun, c == '$' && !p.ends():
		return false // some take it for itself there
	case c == '^', c == '$':
		p.out.WriteByte(c)
		p.begun, p.operand = true, false
		return true
	}
	return p.literal(string(c))
}

// ends says whether an alternative, a group or all ends here.
func (p *posixReader) ends() bool {
	rest, bare := p.rest, p.extended
	if !p.extended {
		rest, bare = strings.CutPrefix(rest, `\`)
	}
	return p.rest == "" || bare && rest != "" && strings.IndexByte(")|", rest[0]) >= 0
}

// literal writes what stands for one character.
func (p *posixReader) literal(text string) bool {
	p.out.WriteString(text)
	p.begun, p.operand = true, true
	return true
}

// operator writes a group, an alternative or a repetition. Readers differ in what
// is repeated when nothing stands before it, or an anchor, or a repetition.
func (p *posixReader) operator(c byte) bool {
	repeats := strings.IndexByte("{+?*", c) >= 0
	if repeats && !p.operand {
		return false
	}
	p.out.WriteByte(c)
	p.begun, p.operand = c != '(' && c != '|', c == ')'
	return true
}

// escape turns what a backslash stands before.
func (p *posixReader) escape() bool {
	e := p.rest[0]
	p.rest = p.rest[1:]
	switch {
	case strings.IndexByte("(){}|+?", e) >= 0 && !p.extended:
		return p.operator(e)
	case strings.IndexByte(`.[]*^$/\(){}|+?-`, e) >= 0:
		return p.literal(regexp.QuoteMeta(string(e)))
	case strings.IndexByte("wWsS", e) >= 0:
		return p.literal(`\` + string(e))
	}
	return false
}

// set writes a set in brackets, which has begun. The bracket of a class in it
// ends first.
func (p *posixReader) set() bool {
	first := 1 // which is one of the set, also if it is a bracket
	if strings.HasPrefix(p.rest, "^") {
		first = 2
	}
	end := strings.IndexByte(p.rest[min(first, len(p.rest)):], ']')
	if end < 0 {
		return false
	}
	set := p.rest[:first+end+1]
	if strings.Contains(set, "[.") || strings.Contains(set, "[=") || strings.Contains(set, `\`) {
		return false
	}
	if strings.Contains("["+set, "[:") {
		last := strings.Index(p.rest, ":]]")
		if last < 0 {
			return false
		}
		set = p.rest[:last+3]
	}
	p.rest = p.rest[len(set):]
	return p.literal("[" + set)
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
