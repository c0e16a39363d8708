package md_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assent/internal/tui/ink"
	"assent/internal/tui/md"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// views are the terminals that each golden shows a text on. Escapes are
// written as ␛ in the files.
var views = []struct {
	name  string
	style md.Style
}{
	{"plain 40", md.Style{Width: 40}},
	{"mono 80", md.Style{Width: 80, Color: ink.Mono}},
	{"mono 120", md.Style{Width: 120, Color: ink.Mono}},
	{"dark 80", md.Style{Width: 80, Color: ink.ANSI256}},
	{"light 80 with links", md.Style{Width: 80, Color: ink.TrueColor, Theme: ink.Light, Links: true}},
}

// golden compares what draw gives for the archive's first file in each view
// with the archive's other files.
func golden(t *testing.T, path string, draw func(src string, st md.Style) []string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	src := string(archive.Files[0].Data)
	want := map[string]string{}
	for _, f := range archive.Files[1:] {
		want[f.Name] = string(f.Data)
	}
	archive.Files = archive.Files[:1]
	for _, v := range views {
		lines := draw(src, v.style)
		for _, l := range lines {
			check(t, l, v.style)
		}
		got := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "\x1b", "␛")
		archive.Files = append(archive.Files, txtar.File{Name: v.name, Data: []byte(got)})
		if !*update && got != want[v.name] {
			t.Errorf("%s, %s: got\n%s\nwant\n%s", filepath.Base(path), v.name, got, want[v.name])
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			draw := md.Render
			if strings.HasPrefix(filepath.Base(path), "diff") {
				draw = func(src string, st md.Style) []string { return ink.EncodeAll(md.Diff(src, st), st) }
			}
			golden(t, path, draw)
		})
	}
}
