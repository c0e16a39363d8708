package tool_test

import (
	"strings"
	"testing"
	"time"

	"assent/internal/tool"
	"assent/internal/tools/bash"
	"assent/internal/tools/files"
	"assent/internal/tools/git"
	"assent/internal/tools/notes"
	"assent/internal/tools/search"
)

// Bounds in bytes of what tools add to every request: names, descriptions and
// schemas. With the system text the default set has to stay below 14 KB, core
// alone below 6 KB.
const (
	mostDefault = 10_000
	mostCore    = 4_200
	// perTool is what a wire puts around each tool.
	perTool = 60
)

// TestSchemasAreSmall bounds and prints what tools cost.
func TestSchemasAreSmall(t *testing.T) {
	t.Parallel()
	var set tool.Set
	set = append(set, files.Tools()...)
	set = append(set, search.Tools(search.Options{})...)
	set = append(set, bash.Tools(bash.Options{})...)
	set = append(set, git.Tools(git.Options{})...)
	set = append(set, notes.TodoWrite(nil), notes.ReadOutput(nil), notes.CurrentTime(time.Now))
	all, core := 0, 0
	seen := map[string]bool{}
	for _, tl := range set {
		if err := tl.Check(); err != nil {
			t.Error(err)
		}
		if seen[tl.Name()] {
			t.Errorf("%s is there twice", tl.Name())
		}
		seen[tl.Name()] = true
		s := tl.Spec()
		n := len(s.Name) + len(s.Description) + len(s.Schema) + perTool
		t.Logf("%-16s %-9s %5d", s.Name, tl.Set(), n)
		if all += n; tl.Set() == tool.Core {
			core += n
		}
		for _, part := range []string{`["null"`, `,"null"]`, "$ref", "anyOf"} {
			if strings.Contains(string(s.Schema), part) {
				t.Errorf("%s has %s in its schema, which not every provider takes: %s", s.Name, part, s.Schema)
			}
		}
	}
	t.Logf("%d bytes in all, %d in core", all, core)
	if all > mostDefault || core > mostCore {
		t.Errorf("%d bytes in all, %d in core: too much of every request", all, core)
	}
}

// BenchmarkSpecs is the cost of the first request's schemas.
func BenchmarkSpecs(b *testing.B) {
	for b.Loop() {
		_ = append(files.Tools(), bash.Tools(bash.Options{})...).Specs()
	}
}
