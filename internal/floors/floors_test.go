// Package floors_test holds the laws of the house as tests: who may import
// whom, who may touch the outside, how long a file may be, and that every
// package says what it owns. The tables are in table_test.go.
package floors_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "assent/"

// maxLines is the size law for a file of code.
const maxLines = 400

type source struct {
	pkg, name string // folder relative to the module, file name
	lines     int
	set       *token.FileSet
	file      *ast.File
	test      bool
}

// sources parses every Go file of the module.
func sources(t *testing.T) []source {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var all []source
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); p != root && (n == "testdata" || n == "tools" && filepath.Dir(p) == root || strings.HasPrefix(n, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, p, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		pkg, name := path.Split(filepath.ToSlash(rel))
		all = append(all, source{
			strings.TrimSuffix(pkg, "/"), name, strings.Count(string(text), "\n"), set, file,
			strings.HasSuffix(name, "_test.go"),
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// under reports whether a package is one of the list; x/... covers what is
// below x.
func under(pkg string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		below, ok := strings.CutSuffix(p, "/...")
		return pkg == p || ok && (pkg == below || strings.HasPrefix(pkg, below+"/"))
	})
}

// fake reports whether a package exists for tests only.
func fake(pkg string) bool {
	return strings.HasSuffix(pkg, "test") || strings.Contains(pkg, "test/")
}

// place returns the floor of a package, the nearest entry above it.
func place(pkg string) (float64, bool) {
	if f, ok := floor[pkg]; ok {
		return f, true
	}
	for p := pkg; p != "."; p = path.Dir(p) {
		if f, ok := floor[p+"/..."]; ok {
			return f, true
		}
	}
	return 0, false
}

func imports(s source) []string {
	var list []string
	for _, i := range s.file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err == nil {
			list = append(list, p)
		}
	}
	return list
}

func TestImportsRunDownTheFloors(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || fake(s.pkg) || s.pkg == "internal/floors" {
			continue
		}
		own, ok := place(s.pkg)
		if !ok {
			t.Errorf("%s has no floor: give it one in table_test.go", s.pkg)
			continue
		}
		for _, p := range imports(s) {
			other, ours := strings.CutPrefix(p, module)
			if !ours {
				continue
			}
			below, ok := place(other)
			switch {
			case fake(other):
				t.Errorf("%s/%s imports %s, which is for tests", s.pkg, s.name, other)
			case !ok:
				t.Errorf("%s/%s imports %s, which has no floor", s.pkg, s.name, other)
			case below >= own:
				t.Errorf("%s/%s (floor %.1f) imports %s (floor %.1f): imports run down only", s.pkg, s.name, own, other, below)
			}
			if under(s.pkg, fronts) && !under(other, frontsMay) {
				t.Errorf("%s/%s imports %s: a front sees the host and the words only", s.pkg, s.name, other)
			}
			if other == "internal/config" && s.pkg != "internal/app" && !strings.HasPrefix(s.pkg, "cmd/") {
				t.Errorf("%s/%s imports config: only app and cmd know the shape of the config file", s.pkg, s.name)
			}
		}
	}
}

func TestOnlyTheNamedReachTheOutside(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, s := range sources(t) {
		if s.test || fake(s.pkg) {
			continue
		}
		for _, p := range imports(s) {
			if (under(s.pkg, pure) || under(s.pkg, []string{"internal/tools/..."}) && p != "context" && p != "sync") && slices.Contains(impure, p) {
				t.Errorf("%s/%s imports %s: it is pure, or gets its hands with the grant", s.pkg, s.name, p)
			}
			for what, who := range holders {
				if !covers(what, p) {
					continue
				}
				used[what] = true
				if !under(s.pkg, who) {
					t.Errorf("%s/%s imports %s: only %s may", s.pkg, s.name, p, cmp.Or(strings.Join(who, ", "), "test files"))
				}
			}
		}
	}
	for what, who := range holders {
		if len(who) > 0 && !used[what] {
			t.Errorf("nothing imports %s any more: take its row off holders", what)
		}
	}
}

// covers reports whether a key of holders is about an import.
func covers(key, path string) bool {
	exact, only := strings.CutPrefix(key, "=")
	return path == exact || !only && strings.HasPrefix(path, key+"/")
}

// reaches says who may import a package, and whether anybody is named.
func reaches(path string) (who []string, held bool) {
	for key, list := range holders {
		if covers(key, path) {
			who, held = append(who, list...), true
		}
	}
	return who, held
}

// TestTheWaysOutAreHeld: each way to the network, to other programs and to the
// disk past os has its few holders.
func TestTheWaysOutAreHeld(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"net", "net/http", "net/http/httputil", "net/rpc", "net/smtp", "crypto/tls", "os/exec", "syscall", "golang.org/x/sys/unix", "golang.org/x/sys/windows"} {
		who, held := reaches(way)
		if !held {
			t.Errorf("anybody may import %s", way)
		}
		for _, pkg := range []string{"internal/session", "internal/tools/files", "internal/engine", "internal/headless"} {
			if under(pkg, who) {
				t.Errorf("%s may import %s", pkg, way)
			}
		}
	}
	for _, free := range []string{"net/url", "net/netip", "os", "context"} {
		if who, held := reaches(free); held {
			t.Errorf("only %v may import %s", who, free)
		}
	}
}

// TestOnlyTheNamedCallTheSystem: who imports the system for its words calls
// none of its functions.
func TestOnlyTheNamedCallTheSystem(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || fake(s.pkg) || under(s.pkg, systems) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && slices.Contains([]string{"syscall", "unix", "windows"}, pkg.Name) {
				t.Errorf("%s/%s calls %s.%s: only the packages in systems may", s.pkg, s.name, pkg.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

// TestRowsAreOfPackagesThatExist: a table says nothing of what is only planned.
func TestRowsAreOfPackagesThatExist(t *testing.T) {
	t.Parallel()
	var there []string
	for _, s := range sources(t) {
		there = append(there, s.pkg, s.pkg+"/"+s.name)
	}
	rows := slices.Concat(slices.Collect(maps.Keys(floor)), pure, fronts, frontsMay, writers, openers, systems)
	for _, who := range holders {
		rows = append(rows, who...)
	}
	for _, row := range rows {
		if !slices.ContainsFunc(there, func(pkg string) bool { return under(pkg, []string{row}) }) {
			t.Errorf("there is no package %s: take its row out", row)
		}
	}
}

// TestNothingIsCompiledAtStart finds patterns that every run would pay for.
func TestNothingIsCompiledAtStart(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || fake(s.pkg) || s.pkg == "internal/bench" {
			continue
		}
		for _, d := range s.file.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			ast.Inspect(vars, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit: // runs when it is called
					return false
				case *ast.SelectorExpr:
					if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "regexp" && strings.HasPrefix(n.Sel.Name, "MustCompile") {
						t.Errorf("%s/%s compiles a pattern at start-up: use late.Regexp", s.pkg, s.name)
					}
				}
				return true
			})
		}
	}
}

// changing are the functions of package os that change the file system.
var changing = []string{
	"Create", "CreateTemp", "WriteFile", "OpenFile", "OpenRoot", "Mkdir", "MkdirAll", "MkdirTemp", "Remove", "RemoveAll",
	"Rename", "Link", "Symlink", "Truncate", "Chmod", "Chown", "Chtimes", "CopyFS", "StartProcess",
}

// TestOnlyTheNamedWrite finds calls of os functions that write, and reads of
// the clock in pure packages.
func TestOnlyTheNamedWrite(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.test || fake(s.pkg) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok {
				return true
			}
			switch {
			case pkg.Name == "os" && sel.Sel.Name == "OpenRoot" && under(s.pkg, openers):
			case pkg.Name == "os" && slices.Contains(changing, sel.Sel.Name) && !under(s.pkg, writers) && !slices.Contains(writers, s.pkg+"/"+s.name):
				t.Errorf("%s/%s calls os.%s: only the packages in writers may", s.pkg, s.name, sel.Sel.Name)
			case pkg.Name == "time" && slices.Contains([]string{"Now", "Since", "After", "Sleep", "NewTimer", "AfterFunc"}, sel.Sel.Name) && under(s.pkg, pure):
				t.Errorf("%s/%s calls time.%s: a pure package is given the time", s.pkg, s.name, sel.Sel.Name)
			case pkg.Name == "workspace" && sel.Sel.Name == "Open" && !under(s.pkg, []string{"internal/app"}):
				t.Errorf("%s/%s calls workspace.Open: only app opens the world", s.pkg, s.name)
			}
			return true
		})
	}
}

func TestFilesKnowTheirOneRoom(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range sources(t) {
		name := s.pkg + "/" + s.name
		if s.lines > maxLines && !s.test && long[name] == "" {
			t.Errorf("%s has %d lines, the law is %d", name, s.lines, maxLines)
		}
		if s.lines > maxLines {
			seen[name] = true
		}
	}
	for name := range long {
		if !seen[name] {
			t.Errorf("%s is short enough now: take it off the list", name)
		}
	}
}

func TestPackagesSayWhatTheyOwn(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, s := range sources(t) {
		if !s.test {
			said[s.pkg] = said[s.pkg] || s.file.Doc != nil
		}
		for _, bad := range []string{"util", "utils", "common", "helpers", "misc"} {
			if path.Base(s.pkg) == bad {
				t.Errorf("package %s: a name says what it owns", s.pkg)
			}
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" && !s.test {
				t.Errorf("%s/%s has an init function", s.pkg, s.name)
			}
		}
	}
	for pkg, ok := range said {
		if !ok {
			t.Errorf("package %s has no comment that says what it owns", pkg)
		}
	}
}
