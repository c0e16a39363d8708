package floors_test

import (
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// TestNoClockDecides looks for clocks in tests. A duration that was measured
// says how busy the machine was, so only benchmarks measure one, and tests in a
// bubble of time (testing/synctest), where it is exact. A sleep stands in the
// loop that polls for what is waited for, in a bubble, or under a remark that
// says what it plays.
func TestNoClockDecides(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		bubble := slices.ContainsFunc(s.file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` })
		if !s.test || bubble {
			continue
		}
		line := func(p token.Pos) int { return s.set.Position(p).Line }
		remarks := map[int]bool{} // the lines on which one ends
		for _, c := range s.file.Comments {
			remarks[line(c.End())] = true
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || slices.ContainsFunc(f.Type.Params.List, measures) {
				continue
			}
			var loops []ast.Node
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ForStmt, *ast.RangeStmt:
					loops = append(loops, n)
				case *ast.SelectorExpr:
					pkg, ok := n.X.(*ast.Ident)
					if !ok || pkg.Name != "time" {
						break
					}
					at := line(n.Pos())
					polls := slices.ContainsFunc(loops, func(l ast.Node) bool { return l.Pos() <= n.Pos() && n.End() <= l.End() })
					switch {
					case n.Sel.Name == "Since":
						t.Errorf("%s/%s:%d measures time: count the work, or make it a benchmark", s.pkg, s.name, at)
					case n.Sel.Name == "Sleep" && !polls && !remarks[at] && !remarks[at-1]:
						t.Errorf("%s/%s:%d sleeps: wait for what comes", s.pkg, s.name, at)
					}
				}
				return true
			})
		}
	}
}

// measures tells the parameter of a benchmark.
func measures(p *ast.Field) bool {
	star, ok := p.Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "B" && isNamed(sel.X, "testing")
}
