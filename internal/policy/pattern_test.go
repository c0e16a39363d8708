package policy_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/policy"
)

func TestPattern(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true},
		{"*", "a\nb/c", true},
		{"", "anything", true},
		{"**", "x", true},
		{"git *", "git", true},
		{"git *", "git log", true},
		{"git *", "gitk", false},
		{"git *", "git\tlog", false},
		{"cat *", "cat", true},
		{"cat *", "cats", false},
		{"npm test *", "npm test", true},
		{"npm test *", "npm tests", false},
		{"ls*", "lsof", true},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{"a?c", "aéc", true},
		{"?", "", false},
		{"??", "é", false},
		{"*.go", "a/b.go", true},
		{"*.go", "a.goo", false},
		{"a*b*c", "a1b2c", true},
		{"a*b*c", "acb", false},
		{"*a", "ba", true},
		{"a*a", "a", false},
		{"a*a", "aa", true},
		{"*?b", "ab", true},
		{"*?b", "b", false},
		{"a.c", "abc", false},
		{"[a]", "a", false},
		{"x (y)", "x (y)", true},
		{"git * *", "git", true},
		{"rm -rf *", "rm -rf", true},
		{"*é?", "xéy", true},
		{"a*?c", "abbc", true},
		{"*?\xb0", "丰", false}, // half a character is none
		{"*?\xb0*", "丰", false},
		{"*?\xb0", "丰\xb0", true},
		{"*丰?", "a丰é", true},
	} {
		if got := policy.Compile(c.pattern).Match(c.text); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
	if p := policy.Compile("git *"); p.String() != "git *" || p.Any() || !policy.Compile("**").Any() {
		t.Error("a pattern must tell its text and whether it names anything")
	}
}

// A pattern means what a regular expression of the same meaning matches.
func TestPatternAgainstRegexp(t *testing.T) {
	t.Parallel()
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("ab* ?/é\n")), 0, 8, -1)
	texts := rapid.StringOfN(rapid.RuneFrom([]rune("ab /é\n")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		p, s := letters.Draw(t, "pattern"), texts.Draw(t, "text")
		if got, want := policy.Compile(p).Match(s), reference(p, s); got != want {
			t.Fatalf("%q matches %q: %v, want %v", p, s, got, want)
		}
	})
}

func reference(pattern, text string) bool {
	if pattern == "" {
		return true
	}
	q := regexp.QuoteMeta(pattern)
	q = strings.NewReplacer(`\*`, "(?s:.*)", `\?`, "(?s:.)").Replace(q)
	if regexp.MustCompile("^" + q + "$").MatchString(text) {
		return true
	}
	if short, ok := strings.CutSuffix(pattern, " *"); ok {
		short = strings.TrimRight(short, " ")
		return short == "" && text == "" || short != "" && reference(short, text)
	}
	return false
}

// A matcher that tried every way would not end.
func TestPatternIsBounded(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a", 100_000)
	if policy.Compile(strings.Repeat("*a", 50) + "b").Match(text) {
		t.Error("it matches what does not end in b")
	}
	if !policy.Compile(strings.Repeat("*a", 50)).Match(text) {
		t.Error("it does not match what ends in a")
	}
}

// Two patterns overlap when some text is matched by both.
func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"*", "x", true},
		{"*.env", ".env", true},
		{"*.go", "*.env", false},
		{"*.go", "*.env.*", true},
		{"a*", "*b", true},
		{"a", "b", false},
		{"a?", "ab", true},
		{"", "*", true},
		{"", "a", false},
		{"*a*", "b?", true},
		{"*ab", "*ba", false},
		{"abc", "a*d", false},
	} {
		if policy.Overlap(c.a, c.b) != c.want || policy.Overlap(c.b, c.a) != c.want {
			t.Errorf("overlap of %q and %q: want %v", c.a, c.b, c.want)
		}
	}
	parts := rapid.StringOfN(rapid.RuneFrom([]rune("ab*?")), 0, 5, -1)
	plain := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b, s := parts.Draw(t, "a"), parts.Draw(t, "b"), plain.Draw(t, "text")
		if a != "" && b != "" && policy.Compile(a).Match(s) && policy.Compile(b).Match(s) && !policy.Overlap(a, b) {
			t.Fatalf("%q and %q both match %q and do not overlap", a, b, s)
		}
	})
}

func FuzzPattern(f *testing.F) {
	f.Add("git *", "git log")
	f.Add("*a?*", "xay\xff")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 200 || len(text) > 2000 {
			t.Skip()
		}
		p := policy.Compile(pattern)
		got := p.Match(text)
		if pattern == "*" && !got {
			t.Fatal("* must match everything")
		}
		if !strings.ContainsAny(pattern, "*?") && pattern != "" && got != (pattern == text) {
			t.Fatalf("%q without wildcards matches %q: %v", pattern, text, got)
		}
		if got && !strings.HasSuffix(pattern, " *") && !policy.Compile(pattern+"*").Match(text) {
			t.Fatalf("%q* does not match what %q matches", pattern, pattern)
		}
		policy.Overlap(pattern, text)
	})
}
