package floors_test

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "fill in the packages of docs/testing.md")

// faultRow is a row of the tables of faults: id, fault, where or why not.
var faultRow = regexp.MustCompile(`(?m)^\| ([A-Z]+-\d\d) \| (.+) \| (.*) \|$`)

// faultID is a row's id where a test names it.
var faultID = regexp.MustCompile(`\b(?:PERM|DEST|EDIT|SHEL|SRCH|CTX|PROV|SESS|TUI|MCP|HOOK|SUB|HEAD|ASK|SEC|CONF|COST|ACP)-\d\d\b`)

// named is which packages' tests name which fault; a package's testdata counts
// as its own.
func named(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string]map[string]bool{}
	for _, top := range []string{"../../internal", "../../cmd"} {
		err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
			data := strings.Contains(filepath.ToSlash(p), "/testdata/")
			if err != nil || d.IsDir() || !data && !strings.HasSuffix(p, "_test.go") || !data && strings.Contains(filepath.ToSlash(p), "internal/floors/") {
				return err
			}
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			pkg, _, _ := strings.Cut(path.Dir(strings.TrimPrefix(filepath.ToSlash(p), "../../")), "/testdata")
			for _, id := range faultID.FindAllString(string(text), -1) {
				if found[id] == nil {
					found[id] = map[string]bool{}
				}
				found[id][pkg] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	list := map[string][]string{}
	for id, pkgs := range found {
		list[id] = slices.Sorted(maps.Keys(pkgs))
	}
	return list
}

// Every row of the page is named by a test of the packages that it lists, or
// says why not; and a test names only rows of the page.
func TestEveryFaultHasItsTestOrItsReason(t *testing.T) {
	t.Parallel()
	const file = "../../docs/testing.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tests := named(t)
	rows := map[string]bool{}
	filled := faultRow.ReplaceAllStringFunc(string(text), func(line string) string {
		m := faultRow.FindStringSubmatch(line)
		id, where := m[1], m[3]
		if rows[id] {
			t.Errorf("%s stands twice in %s", id, file)
		}
		rows[id] = true
		if len(tests[id]) > 0 {
			if !lists(where, tests[id]) && !*update {
				t.Errorf("%s is named by tests of %q; %s says %q: run with -update", id, tests[id], file, where)
			}
			where = "`" + strings.Join(tests[id], "` `") + "`"
		} else if strings.TrimSpace(where) == "" || strings.HasPrefix(where, "`internal/") || strings.HasPrefix(where, "`cmd/") {
			t.Errorf("%s is named by no test: write it, or say in %s why there is none", id, file)
		}
		return "| " + id + " | " + m[2] + " | " + where + " |"
	})
	for id := range tests {
		if !rows[id] {
			t.Errorf("%s is named by tests of %q and is no row of %s", id, tests[id], file)
		}
	}
	if len(rows) < 150 {
		t.Errorf("%s holds only %d rows", file, len(rows))
	}
	if *update {
		if err := os.WriteFile(file, []byte(filled), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// lists reports whether a row names at least one of the packages and no other.
// That a fault is answered in one place more needs no change of the page.
func lists(where string, pkgs []string) bool {
	said := strings.Fields(strings.ReplaceAll(where, "`", ""))
	return len(said) > 0 && !slices.ContainsFunc(said, func(p string) bool { return !slices.Contains(pkgs, p) })
}
