package tui_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assent/internal/tui/screen"
)

const docs = "../../docs"

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(docs, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The guide and the help tell the same keys: no more and no fewer.
func TestGuideTellsEveryKey(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(page(t, "guide/keys.md"), "|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var rows strings.Builder
	for _, k := range screen.Keys() {
		fmt.Fprintf(&rows, "| `%s` | %s |\n", k.Keys, k.Does)
	}
	if got := table + "\n"; got != rows.String() {
		t.Errorf("the table of docs/guide/keys.md:\n%s\nthe table of /help:\n%s", got, rows.String())
	}
}

// A key has one spelling wherever it is named: that of the guide.
func TestKeysHaveOneSpelling(t *testing.T) {
	t.Parallel()
	other := regexp.MustCompile(`(?i)\b(ctrl|control|alt|shift)-[a-z]\b|\bcontrol\+[a-z]\b`)
	for _, root := range []string{"..", "../../cmd", docs, "../../README.md", "../../CHANGELOG.md"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if ext := filepath.Ext(path); ext != ".md" && ext != ".svg" && ext != ".go" || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, key := range other.FindAllString(string(text), -1) {
				t.Errorf("%s writes %s", path, key)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What the guides say of commands is in the table of commands.
func TestGuidesNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range screen.Commands() {
		known[c.Name] = true
	}
	for _, name := range []string{"guide/start.md", "guide/keys.md", "../README.md"} {
		for _, m := range regexp.MustCompile("`/([a-z]+)[^`/]*`").FindAllStringSubmatch(page(t, name), -1) {
			if !known[m[1]] {
				t.Errorf("%s names /%s", name, m[1])
			}
		}
	}
}

// The index of the documents names every one, and every link leads somewhere.
func TestTheIndexIsComplete(t *testing.T) {
	t.Parallel()
	index := page(t, "README.md")
	err := filepath.WalkDir(docs, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(docs, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if rel != "README.md" && !strings.HasPrefix(rel, "decisions/") && !strings.Contains(index, "]("+rel+")") {
			t.Errorf("docs/README.md lacks %s", rel)
		}
		if filepath.Ext(path) == ".md" {
			links(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	links(t, filepath.Join(docs, "..", "README.md"))
	links(t, filepath.Join(docs, "..", "CONTRIBUTING.md"))
}

func links(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m[1]))); err != nil {
			t.Errorf("%s: the link to %s leads nowhere", path, m[1])
		}
	}
}
