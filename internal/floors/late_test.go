package floors_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestLatePatternsCompile: a pattern that is compiled when it is first used
// must not be found wrong only then.
func TestLatePatternsCompile(t *testing.T) {
	t.Parallel()
	found := 0
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Regexp" || !isNamed(f.X, "late") {
				return true
			}
			found++
			expr, ok := literal(call.Args[0])
			if !ok {
				t.Errorf("%s/%s: the pattern of late.Regexp is no literal, so nothing compiles it before its use", s.pkg, s.name)
				return true
			}
			if _, err := regexp.Compile(expr); err != nil {
				t.Errorf("%s/%s: %v", s.pkg, s.name, err)
			}
			return true
		})
	}
	if found < 20 {
		t.Errorf("only %d patterns were found", found)
	}
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// literal is the text of string literals that are joined with +.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.ParenExpr:
		return literal(e.X)
	case *ast.BinaryExpr:
		a, ok := literal(e.X)
		b, too := literal(e.Y)
		return a + b, ok && too && e.Op == token.ADD
	}
	return "", false
}

// TestDecisionsHaveTheirOwnNumbers: a decision is cited by its number.
func TestDecisionsHaveTheirOwnNumbers(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(filepath.Join("..", "..", "docs", "decisions"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, f := range files {
		number, _, _ := strings.Cut(f.Name(), "-")
		if was, taken := seen[number]; taken {
			t.Errorf("%s and %s share a number", was, f.Name())
		}
		seen[number] = f.Name()
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "decisions", f.Name()))
		if _, err2 := strconv.Atoi(number); err2 == nil && (err != nil || !strings.HasPrefix(string(text), "# "+number+" ")) {
			t.Errorf("%s does not begin with its number (%v)", f.Name(), err)
		}
	}
}
