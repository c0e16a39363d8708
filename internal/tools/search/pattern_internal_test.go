package search

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// naive matches line by line with the expression as it was written.
func naive(t interface{ Fatalf(string, ...any) }, text, pattern string, fold bool) []string {
	if fold {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var list []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSuffix(l, "\n"); re.MatchString(l) {
			list = append(list, l)
		}
	}
	return list
}

func found(p *pattern, text string) []string {
	var list []string
	p.each([]byte(text), func(h hit) bool {
		if h.at < h.start || h.at > h.end {
			list = append(list, "match outside its line")
		}
		list = append(list, text[h.start:h.end])
		return true
	})
	return list
}

// TestFastSearchIsTheSlowOne: needles, cursors and the rewritten expression
// find the lines that the plain expression finds.
func TestFastSearchIsTheSlowOne(t *testing.T) {
	t.Parallel()
	atoms := []string{"a", "b", "ab", "Foo", "foo", "bar", "1", `\d`, `\w`, ".", "[a-f]", "[^a]", "é", `\s`, "x*", "(?:ab)+", "(foo|bar)", "(?i:FoO)", "b{2,3}", `\b`, "o?", "|", "|", "^", "$", "_", `\.`, "(?:)"}
	bits := []string{"a", "b", "ab", "Foo", "FOO", "foo", "bar", "BAR", "1", " ", "\n", "\n", "é", "É", ".", "_", "x", "\xff", "o", "A", "\t"}
	rapid.Check(t, func(t *rapid.T) {
		expr := strings.Join(rapid.SliceOfN(rapid.SampledFrom(atoms), 1, 6).Draw(t, "pattern"), "")
		if _, err := regexp.Compile(expr); err != nil || expr == "" {
			t.Skip()
		}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(bits), 0, 60).Draw(t, "text"), "")
		fold := rapid.Bool().Draw(t, "fold")
		p, err := compile(expr, fold)
		if err != nil {
			t.Fatalf("compile %q: %v", expr, err)
		}
		want, got := naive(t, text, expr, fold), found(p, text)
		if strings.Join(got, "\n") != strings.Join(want, "\n") || len(got) != len(want) {
			t.Fatalf("%q (fold %v, needles %v) in %q:\n%q, want\n%q", expr, fold, p.needles, text, got, want)
		}
	})
}

func TestNeedles(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"func": "func", `func \w+\(`: "func ", "foo|barbaz": "foo barbaz", "(?i)FooBar": "foobar~", `\d+`: "", "a?bc": "bc", "(abc)+d": "abc",
		"(?i)straße": "stra~", "x|": "", `[a-z]+Handler`: "Handler",
	} {
		p, err := compile(pattern, false)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		var got []string
		for _, n := range p.needles {
			s := n.text
			if n.fold {
				s += "~"
			}
			got = append(got, strings.TrimSpace(s))
		}
		if strings.Join(got, " ") != strings.TrimSpace(want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

func FuzzCompile(f *testing.F) {
	f.Add("a(b|c)*[^d]$", "abc\nd\r\n\xff", true)
	f.Add(`\b(?i:x)\x{FFFD}{2}`, "x\n\n", false)
	f.Fuzz(func(t *testing.T, expr, text string, fold bool) {
		p, err := compile(expr, fold)
		if err != nil {
			return
		}
		last := -1
		p.each([]byte(text), func(h hit) bool {
			if h.start <= last || h.end < h.start || h.end > len(text) || strings.Contains(text[h.start:h.end], "\n") {
				t.Fatalf("%q in %q: %+v", expr, text, h)
			}
			last = h.end
			return true
		})
	})
}
