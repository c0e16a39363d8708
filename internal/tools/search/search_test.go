package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/gate/gatetest"
	"assent/internal/policy"
	"assent/internal/tools/search"
)

func TestGrep(t *testing.T) {
	t.Parallel()
	r := newRoom(t, map[string]string{
		".git/config": "needle", "a.go": "one\nneedle two\nthree\n", "b/c.go": "x Needle\n", "b/d.txt": "needle\r\nlast needle",
		"ig/x.go": "needle", ".gitignore": "ig/\n", "bin": "needle\x00", "wide": "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00\n\x00",
		".env": "needle=1", "deep/.env.local": "needle", "deep/.env.example": "needle", "secret/k": "needle",
	}, policy.Rule{Tool: "read_file", Pattern: "secret/*", Verdict: policy.Deny, Layer: policy.LayerUser})
	notes := lines("[1 path is hidden by the ignore rules; include_ignored shows what is in them]",
		"[2 files may hold secrets, skipped]", "[1 path is denied by the rules, skipped]")
	fewer := lines("[1 path is hidden by the ignore rules; include_ignored shows what is in them]", "[1 path is denied by the rules, skipped]")
	for _, c := range []struct {
		name string
		in   args
		want string
	}{
		{"plain", args{"pattern": "needle"}, lines("a.go:2: needle two", "b/d.txt:1: needle", "b/d.txt:2: last needle", "deep/.env.example:1: needle", "wide:1: needle", "[1 binary file matches not shown]", notes)},
		{"folder", args{"pattern": "needle", "path": "b"}, lines("b/d.txt:1: needle", "b/d.txt:2: last needle")},
		{"file", args{"pattern": "needle", "path": "b/d.txt"}, lines("b/d.txt:1: needle", "b/d.txt:2: last needle")},
		{"case", args{"pattern": "NEEDLE", "path": "b", "ignore_case": true}, lines("b/c.go:1: x Needle", "b/d.txt:1: needle", "b/d.txt:2: last needle")},
		{"end of line before a carriage return", args{"pattern": "^needle$", "path": "b"}, "b/d.txt:1: needle"},
		{"include by name", args{"pattern": "(?i)needle", "include": "*.go"}, lines("a.go:2: needle two", "b/c.go:1: x Needle", fewer)},
		{"include by path", args{"pattern": "(?i)needle", "include": "b/*.{go,txt}"}, lines("b/c.go:1: x Needle", "b/d.txt:1: needle", "b/d.txt:2: last needle", fewer)},
		{"include nothing", args{"pattern": "needle", "path": "b", "include": "*.rs"}, lines("no matches", "[no file is like *.rs]")},
		{"context", args{"pattern": "two", "path": "a.go", "context": 1}, lines("a.go-1- one", "a.go:2: needle two", "a.go-3- three")},
		// SRCH-01: what is named explicitly is searched though git ignores it.
		{"ignored folder by name", args{"pattern": "needle", "path": "ig"}, "ig/x.go:1: needle"},
		{"ignored file by name", args{"pattern": "needle", "path": "ig/x.go"}, "ig/x.go:1: needle"},
		{"none", args{"pattern": "nothing like it", "path": "b"}, "no matches"},
		{"alternatives", args{"pattern": "two|last|zzz", "path": "."}, lines("a.go:2: needle two", "b/d.txt:2: last needle", notes)},
		{"every line", args{"pattern": "^", "path": "a.go"}, lines("a.go:1: one", "a.go:2: needle two", "a.go:3: three")},
	} {
		if got := r.run("grep", c.in); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
	if got := r.run("grep", args{"pattern": "needle", "include_ignored": true}); !strings.Contains(got, "ig/x.go:1: needle") || strings.Contains(got, ".env:") || strings.Contains(got, ".git/") {
		t.Errorf("include_ignored:\n%s", got)
	}
}

func TestGrepContextGroups(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := 1; i <= 20; i++ {
		fmt.Fprintf(&text, "line %d%s\n", i, map[bool]string{true: " hit"}[i == 3 || i == 5 || i == 15])
	}
	r := newRoom(t, map[string]string{"f": text.String(), "g": "hit"})
	want := lines("f-2- line 2", "f:3: line 3 hit", "f-4- line 4", "f:5: line 5 hit", "f-6- line 6", "--", "f-14- line 14", "f:15: line 15 hit", "f-16- line 16", "--", "g:1: hit")
	if got := r.run("grep", args{"pattern": "hit", "context": 1}); got != want {
		t.Errorf("\n%s", got)
	}
	want = lines("f-1- line 1", "f-2- line 2", "f:3: line 3 hit", "f-4- line 4", "f:5: line 5 hit", "f-6- line 6", "f-7- line 7", "f-8- line 8", "--", "f-12- line 12", "f-13- line 13", "f-14- line 14", "f:15: line 15 hit", "f-16- line 16", "f-17- line 17", "f-18- line 18", "--", "g:1: hit")
	if got := r.run("grep", args{"pattern": "hit", "context": 3}); got != want {
		t.Errorf("\n%s", got)
	}
}

func TestGrepLimits(t *testing.T) {
	t.Parallel()
	files := map[string]string{"long": strings.Repeat("x", 5000) + "needle" + strings.Repeat("y", 5000) + "\n"}
	for i := range 100 {
		files[fmt.Sprintf("d%02d/f", i)] = "hit\nhit\nhit\n"
	}
	r := newRoom(t, files)
	for range 5 { // whatever order the files come in
		got := strings.Split(r.run("grep", args{"pattern": "hit"}), "\n")
		if len(got) != 201 || got[0] != "d00/f:1: hit" || got[199] != "d66/f:2: hit" || !strings.Contains(got[200], "only the first 200") {
			t.Fatalf("%d lines, %q … %q", len(got), got[0], got[len(got)-2:])
		}
	}
	delete(files, "long")
	r = newRoom(t, map[string]string{"f": strings.Repeat("hit\n", 200)})
	if got := strings.Split(r.run("grep", args{"pattern": "hit"}), "\n"); len(got) != 200 {
		t.Errorf("exactly 200 hits give %d lines: %q", len(got), got[len(got)-1])
	}
	r = newRoom(t, map[string]string{"long": strings.Repeat("é", 5000) + "needle" + strings.Repeat("ü", 5000) + "\n"})
	if got := r.run("grep", args{"pattern": "needle"}); len(got) > 1000 || !strings.Contains(got, "needle") || !strings.HasPrefix(got, "long:1: … é") || !strings.HasSuffix(got, " …") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

func TestInvalidPatternsAreErrors(t *testing.T) {
	t.Parallel()
	r := newRoom(t, map[string]string{"f": "x"})
	for _, c := range []struct {
		tool string
		in   args
		want string
	}{
		{"grep", args{"pattern": "foo("}, "missing closing )"},
		{"grep", args{"pattern": "[z-a]"}, "invalid character class range"},
		{"grep", args{"pattern": "(?=x)"}, "escape"},
		{"grep", args{"pattern": "a\nb"}, "line"},
		{"grep", args{"pattern": ""}, "pattern"},
		{"grep", args{"pattern": "x", "include": "{a"}, "brace"},
		{"grep", args{"pattern": "x", "path": "none"}, "no such file"},
		{"grep", args{"pattern": "x", "context": 99}, "context"},
		{"glob", args{"pattern": "[a"}, "bracket"},
		{"glob", args{"pattern": "*", "path": "none"}, "no such file"},
	} {
		if res, err := r.try(r.set, c.tool, c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %q, %v", c.tool, c.in, res.Output, err)
		}
	}
}

func TestGlob(t *testing.T) {
	t.Parallel()
	r := newRoom(t, map[string]string{
		"a.go": "", "src/b.go": "", "src/deep/c.go": "", "src/d.ts": "", "node_modules/x/package.json": "", "node_modules/x/y.go": "",
		".gitignore": "node_modules\nbuilt.go\n", "built.go": "", ".env": "", ".git/x.go": "",
	})
	for i, name := range []string{"a.go", "src/b.go", "src/deep/c.go", "src/d.ts"} { // the later the newer
		at := time.Unix(1_700_000_000+int64(i)*100, 0)
		if err := os.Chtimes(filepath.Join(r.dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	const hidden = "[2 paths are hidden by the ignore rules; include_ignored shows what is in them]"
	const secret = "[1 file may hold secrets, skipped]"
	for _, c := range []struct {
		name string
		in   args
		want string
	}{
		{"newest first", args{"pattern": "**/*.go"}, lines("src/deep/c.go", "src/b.go", "a.go", hidden)},
		{"a name at any depth", args{"pattern": "*.go"}, lines("src/deep/c.go", "src/b.go", "a.go", hidden)},
		{"one folder", args{"pattern": "src/*.go"}, "src/b.go"},
		{"a secret file", args{"pattern": "*.env"}, lines("no files", hidden, secret)},
		{"braces", args{"pattern": "src/**/*.{go,ts}"}, lines("src/d.ts", "src/deep/c.go", "src/b.go")},
		{"path", args{"pattern": "*.go", "path": "src"}, lines("src/deep/c.go", "src/b.go")},
		{"path and folders", args{"pattern": "deep/*", "path": "src"}, "src/deep/c.go"},
		{"limit", args{"pattern": "src/**", "limit": 2}, lines("src/d.ts", "src/deep/c.go", "[the newest 2 of 3 files are shown]")},
		// SRCH-01: what is named explicitly is found though git ignores it.
		{"ignored file by name", args{"pattern": "node_modules/x/package.json"}, "node_modules/x/package.json"},
		{"ignored folder by name", args{"pattern": "node_modules/x/*"}, "?node_modules/x/y.go"},
		{"ignored folder as path", args{"pattern": "*.json", "path": "node_modules"}, "node_modules/x/package.json"},
		{"none", args{"pattern": "src/*.rs"}, "no files"},
		{"no such folder", args{"pattern": "lib/**/*.go"}, lines("no files", "[there is no folder lib]")},
		{"absolute", args{"pattern": r.dir + "/src/*.ts"}, "src/d.ts"},
	} {
		got := r.run("glob", c.in)
		if want, ok := strings.CutPrefix(c.want, "?"); ok {
			if !strings.Contains(got, want) {
				t.Errorf("%s:\n%s", c.name, got)
			}
		} else if got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
	if got := r.run("glob", args{"pattern": "**/*.go", "include_ignored": true}); !strings.Contains(got, "node_modules/x/y.go") || !strings.Contains(got, "built.go") || strings.Contains(got, ".git/") {
		t.Errorf("include_ignored:\n%s", got)
	}
}

// TestOwnIgnoreFile covers SRCH-03 and SRCH-04: both tools show and hide the
// same, and .assentignore brings back what git ignores.
func TestOwnIgnoreFile(t *testing.T) {
	t.Parallel()
	r := newRoom(t, map[string]string{".gitignore": "gen/\nout/", "gen/a.go": "needle", "out/keep/b.go": "needle", "out/c.go": "needle", "data/d.csv": "needle", ".assentignore": "!gen/\n!out/keep/\ndata/"})
	if got := r.run("grep", args{"pattern": "needle"}); !strings.HasPrefix(got, lines("gen/a.go:1: needle", "out/keep/b.go:1: needle", "[")) {
		t.Errorf("\n%s", got)
	}
	got := r.run("glob", args{"pattern": "**/*.{go,csv}"})
	if !strings.Contains(got, "gen/a.go") || !strings.Contains(got, "out/keep/b.go") || strings.Contains(got, "c.go") || strings.Contains(got, "d.csv") {
		t.Errorf("\n%s", got)
	}
}

// TestLinksAreNotFollowed covers SRCH-08.
func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	r := newRoom(t, map[string]string{"a/f": "needle"})
	if err := os.WriteFile(filepath.Join(outside, "s"), []byte("needle"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"a/loop": "..", "out": outside, "file": filepath.Join(outside, "s")} {
		if err := os.Symlink(to, filepath.Join(r.dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if got := r.run("grep", args{"pattern": "needle"}); got != "a/f:1: needle" {
		t.Errorf("\n%s", got)
	}
}

// TestLimitsGivePartialResults covers SRCH-08 and SRCH-12: a search of too much
// ends, says so and shows what it has.
func TestLimitsGivePartialResults(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 5000 {
		files[fmt.Sprintf("d%d/f%d", i%50, i)] = "hit"
	}
	r := newRoom(t, files)
	for _, c := range []struct {
		o    search.Options
		want string
	}{{search.Options{Files: 40}, "stopped after 40 files"}, {search.Options{Time: 1}, "stopped after 1ns"}} {
		for name, pattern := range map[string]string{"grep": "hit", "glob": "**/f*"} {
			res, err := r.try(search.Tools(c.o), name, args{"pattern": pattern})
			if err != nil || !strings.Contains(res.Output, c.want) || c.o.Files > 0 && !strings.HasPrefix(res.Output, "d") {
				t.Errorf("%s %+v: %v\n%s", name, c.o, err, head(res.Output))
			}
		}
	}
	if got := r.run("glob", args{"pattern": "*", "limit": 7}); !strings.HasSuffix(got, "[the newest 7 of 5000 files are shown]") || strings.Count(got, "\n") != 7 {
		t.Errorf("\n%s", got)
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	r := newRoom(t, map[string]string{"f": "x"})
	for _, name := range []string{"grep", "glob"} {
		g, _ := r.set.Find(name)
		p, err := g.Prepare("c", []byte(`{"pattern":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		grant := gatetest.From(t, r.gate, p.Request())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Run(ctx, grant); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
