package floors_test

import (
	"go/ast"
	"slices"
	"testing"
)

// starters may start goroutines by themselves, each for a reason for which no
// panic there can leave the terminal raw: there is none that is raw, or what
// they do is so little that nothing in it can break down. Everything else
// starts them through crew, which hands a panic to their owner.
var starters = map[string]string{
	"internal/crew/crew.go":         "the start",
	"internal/host/host.go":         "a turn that breaks down ends with an error, and the rest keeps a list",
	"internal/proc/table.go":        "waits for the end of a command",
	"internal/proc/output.go":       "moves bytes; what they are told to catches its own",
	"internal/proc/handle.go":       "moves bytes and waits",
	"internal/walk/walk.go":         "notes that a walk is to end",
	"internal/provider/endpoint.go": "cancels a request that is late",
	"internal/provider/stream.go":   "cancels a response that is late",
	"internal/tui/interrupt.go":     "cancels a context",
	"internal/headless/run.go":      "no terminal is raw",
	"internal/app/run.go":           "no terminal is raw yet",
	"internal/app/interactive.go":   "waits; the terminal is given back already",
	"internal/bench/terminal.go":    "measures from outside",
	"cmd/assent/signals.go":         "cancels a context",
}

// TestGoroutinesHaveAnOwnerForTheirPanics holds the rule that a panic anywhere
// ends with the terminal as it was.
func TestGoroutinesHaveAnOwnerForTheirPanics(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, s := range sources(t) {
		if s.test || fake(s.pkg) {
			continue
		}
		crewed := slices.Contains(imports(s), module+"internal/crew")
		name := s.pkg + "/" + s.name
		ast.Inspect(s.file, func(n ast.Node) bool {
			what := ""
			switch n := n.(type) {
			case *ast.GoStmt:
				what = "go"
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Go" && !crewed || f.Sel.Name == "AfterFunc") {
					what = f.Sel.Name
				}
			}
			if what == "" {
				return true
			}
			if used[name] = true; starters[name] == "" {
				t.Errorf("%s starts a goroutine with %s, and a panic in it would leave the terminal raw: start it through crew", name, what)
			}
			return true
		})
	}
	for name := range starters {
		if !used[name] {
			t.Errorf("%s starts no goroutine any more: take its row off starters", name)
		}
	}
}
