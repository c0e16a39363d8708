package app

import (
	"strings"
	"testing"
)

// FuzzLines: what is taken for lines of a file is a range that counts up and
// that a tool can be asked for.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"a.go:10-40", "a.go:1", "a:0", "a:5-2", "a:-1", ":", "C:/x", "a:1-9223372036854775807", "a:+1-+2", "a:1-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		path, lines, ok := cutLast(name, ":")
		if !ok {
			return
		}
		if path+":"+lines != name || strings.Contains(lines, ":") {
			t.Fatalf("%q is %q and %q", name, path, lines)
		}
		if from, to, ok := lineRange(lines); ok && (from < 1 || to < from || to-from+1 < 1) {
			t.Fatalf("%q is %d to %d", name, from, to)
		}
	})
}
