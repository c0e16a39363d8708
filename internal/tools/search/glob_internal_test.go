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
