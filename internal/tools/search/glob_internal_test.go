package search

import (
	"strings"
	"testing"
)

// FuzzGlob: any pattern is an error or takes a name or not; what its folder and
// its rest name together is what was asked for.
func FuzzGlob(f *testing.F) {
	for _, s := range []string{"**/*.go", "src/{a,b}/*.ts", "./a", "/abs/*.x", "~/x", "[a-", "{a,{b,c}}d", `\*`, "a/**/b/**/c", "{,}{,}"} {
		f.Add(s, "src/a/x.ts", "")
	}
	f.Add("*", "", "sub/dir")
	f.Fuzz(func(t *testing.T, pattern, name, dir string) {
		folder, rest := globInput{Pattern: pattern, Path: dir}.place()
		if folder == "" || !strings.HasSuffix(pattern, rest) && rest != "." {
			t.Fatalf("%q in %q is %q and %q", pattern, dir, folder, rest)
		}
		only, err := filterOf(rest)
		if err != nil {
			return
		}
		only.matches(name)
	})
}

// What braces stand for is bounded: the patterns here would be tried for years.
func TestBracesAreBounded(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]int{
		"a": 1, "{a,b}": 2, "{a,{b,c}}{d,e}": 6, `\{a,b}`: 1, "[{,]{a,b}": 2, "{a}": 1, "{,}": 2, "{a,b},c": 2,
		strings.Repeat("{a,b}", 9): 512,
	} {
		if got := spellings(pattern); got != want {
			t.Errorf("%q stands for %d, want %d", pattern, got, want)
		}
	}
	for _, pattern := range []string{strings.Repeat("{a,a}", 60) + "b", strings.Repeat("{a,", 60) + "a" + strings.Repeat("}{a,a}", 60) + "b"} {
		only, err := filterOf(pattern)
		if err == nil {
			t.Errorf("%q is taken: %v", pattern, only.matches(strings.Repeat("a", 61)))
		}
	}
}
