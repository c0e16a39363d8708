package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMap holds the map of the package to its files, both ways.
func TestMap(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, w := range strings.FieldsFunc(string(data), func(r rune) bool { return strings.ContainsRune(" \t\n,;:()", r) }) {
		if strings.HasSuffix(w, ".go") {
			named[w] = true
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") && f != "doc.go" && !named[f] {
			t.Errorf("doc.go does not say what %s answers", f)
		}
		delete(named, f)
	}
	for f := range named {
		t.Errorf("doc.go names %s, which is not there", f)
	}
}
