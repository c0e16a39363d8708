package shell

import "testing"

func TestPosix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern  string
		extended bool
		in, want string // what matches first
	}{
		{`a+`, false, "aa+", "a+"},
		{`a+`, true, "aa+", "aa"},
		{`a\+`, false, "aa+", "aa"},
		{`a\+`, true, "aa+", "a+"},
		{`\(a\|ab\)`, false, "ab", "ab"},
		{`(a|ab)(c|bcd)`, true, "abcd", "abcd"},
		{`a\{2\}`, false, "aaa", "aa"},
		{`[^](]x`, false, "(x]xax", "ax"},
		{`[]]`, true, "a]", "]"},
		{`[a[:digit:]]*`, false, "1a2b", "1a2"},
		{`[.*]`, true, "a*", "*"},
		{`^a$`, true, "a", "a"},
		{`\(^a\|b$\)`, false, "cb", "b"},
		{`\.\$`, true, "a.$", ".$"},
	} {
		rx := posix(c.pattern, c.extended, false)
		if rx == nil {
			t.Errorf("%s: not read", c.pattern)
		} else if got := rx.FindString(c.in); got != c.want {
			t.Errorf("%s matches %q of %q", c.pattern, got, c.in)
		}
	}
}

// Readers of POSIX differ in these among themselves, or from the expressions
// that are compared with.
func TestPosixIsCertain(t *testing.T) {
	t.Parallel()
	for pattern, extended := range map[string]bool{
		`*a`: false, `^*`: false, `\(*a\)`: false, `a\|*b`: false, `$\+`: false, `a^b`: false, `a$b`: false, `a$)`: false, `a$\(b\)`: false,
		`^+b`: true, `^?b`: true, `^{2}`: true, `(+a)`: true, `a|+b`: true, `a+?`: true, `a{2}?`: true, `(^*a)`: true,
		`[[.a.]]`: true, `[[=a=]]`: true, `[\d]`: true, `[a`: true, `[[:alpha:]`: true, `\d`: true, `\b`: true, `(a`: true, `\(a\)\1`: false, `a\`: true,
	} {
		if rx := posix(pattern, extended, false); rx != nil {
			t.Errorf("%s is read as %s", pattern, rx)
		}
	}
}
