package walk_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/ignore"
	"assent/internal/walk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plant makes files with their texts; a name with a slash at its end is a
// folder.
func plant(tb testing.TB, files map[string]string) (string, *os.Root) {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(full, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(full), 0o755); err == nil {
			err = os.WriteFile(full, []byte(text), 0o644)
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = root.Close() })
	return dir, root
}

// seen collects what a walk shows, sorted.
func seen(tb testing.TB, root *os.Root, o walk.Options) ([]string, walk.Counts) {
	tb.Helper()
	var mu sync.Mutex
	var list []string
	counts, err := walk.Walk(tb.Context(), root, o, func(e walk.Entry) error {
		mu.Lock()
		defer mu.Unlock()
		name := e.Rel
		if e.Type.IsDir() {
			name += "/"
		}
		list = append(list, name)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	slices.Sort(list)
	return list, counts
}

func TestWalkShowsWhatIsNotIgnored(t *testing.T) {
	t.Parallel()
	_, root := plant(t, map[string]string{
		"a.go": "", "a.o": "", "sub/b.go": "", "sub/.gitignore": "!x.o\nlocal", "sub/x.o": "", "sub/local": "", "build/out": "", "build/keep/k": "",
		".gitignore": "*.o\nbuild/", ".assentignore": "!build/keep/", ".git/config": "", "sub/.git": "gitdir: x", "empty/": "", ".hidden": "",
	})
	rules := ignore.Top(ignore.Options{})
	list, counts := seen(t, root, walk.Options{Rules: rules})
	want := []string{".assentignore", ".gitignore", ".hidden", "a.go", "build/keep/k", "sub/.gitignore", "sub/b.go", "sub/x.o"}
	if !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	if counts.Ignored != 4 { // a.o, sub/local, build, build/out
		t.Errorf("%+v", counts)
	}
	list, _ = seen(t, root, walk.Options{Dirs: true, Depth: 1})
	if want := []string{".assentignore", ".gitignore", ".hidden", "a.go", "a.o", "build/", "empty/", "sub/"}; !slices.Equal(list, want) {
		t.Errorf("depth 1: %q", list)
	}
	list, _ = seen(t, root, walk.Options{Skip: func(rel string, typ fs.FileMode) bool { return rel == "sub" && typ.IsDir() || rel == "a.go" }})
	if slices.Contains(list, "a.go") || slices.Contains(list, "sub/b.go") || !slices.Contains(list, "build/out") {
		t.Errorf("skip: %q", list)
	}
}

// TestLinksAreNotFollowed covers SRCH-08: loops end, and nothing outside is
// read.
func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	outside, _ := plant(t, map[string]string{"secret": "s"})
	dir, root := plant(t, map[string]string{"a/f": "x"})
	for name, to := range map[string]string{"a/loop": "..", "out": outside, "file": filepath.Join(outside, "secret")} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	list, _ := seen(t, root, walk.Options{})
	if want := []string{"a/f", "a/loop", "file", "out"}; !slices.Equal(list, want) {
		t.Errorf("%q", list)
	}
	_, err := walk.Walk(t.Context(), root, walk.Options{Workers: 1}, func(e walk.Entry) error {
		if b, err := e.Read(nil, 100); e.Rel == "file" && (err == nil || b != nil) {
			t.Errorf("read %q through a link", b)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReadAndInfo(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("0123456789", 30_000)
	_, root := plant(t, map[string]string{"big": big, "small": "abc", "none": ""})
	_, err := walk.Walk(t.Context(), root, walk.Options{Workers: 1}, func(e walk.Entry) error {
		want := map[string]string{"big": big, "small": "abc", "none": ""}[e.Rel]
		for _, buf := range [][]byte{nil, make([]byte, 0, 700), make([]byte, 5, 1<<20)} {
			if got, err := e.Read(buf, 1<<20); err != nil || string(got) != want {
				t.Errorf("%s: %d bytes, %v", e.Rel, len(got), err)
			}
		}
		if _, err := e.Read(nil, 1000); e.Rel == "big" && !errors.Is(err, walk.ErrTooLarge) {
			t.Errorf("over the limit: %v", err)
		}
		if size, at, err := e.Info(); err != nil || size != int64(len(want)) || at.Before(time.Now().Add(-time.Hour)) {
			t.Errorf("%s: %d %v %v", e.Rel, size, at, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestPipesDoNotBlock(t *testing.T) {
	t.Parallel()
	dir, root := plant(t, map[string]string{"f": "x"})
	if err := exec.CommandContext(t.Context(), "mkfifo", filepath.Join(dir, "pipe")).Run(); err != nil {
		t.Skip(err)
	}
	_, err := walk.Walk(t.Context(), root, walk.Options{}, func(e walk.Entry) error {
		if _, err := e.Read(nil, 10); e.Rel == "pipe" && !errors.Is(err, walk.ErrNotRegular) {
			t.Errorf("reading a pipe: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWalkEndsEarly(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 3000 {
		files[fmt.Sprintf("d%d/e%d/f%d", i%20, i%60, i)] = ""
	}
	_, root := plant(t, files)
	if list, _ := seen(t, root, walk.Options{}); len(list) != 3000 {
		t.Errorf("%d files", len(list))
	}
	if _, err := walk.Walk(t.Context(), root, walk.Options{}, func(walk.Entry) error { return fs.SkipAll }); err != nil {
		t.Errorf("skip all: %v", err)
	}
	failed := errors.New("full")
	if _, err := walk.Walk(t.Context(), root, walk.Options{}, func(walk.Entry) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("error of fn: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := walk.Walk(ctx, root, walk.Options{}, func(walk.Entry) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for range 50 { // cancelled before it begins, when the two race
		if _, err := walk.Walk(ctx, root, walk.Options{Depth: 1}, func(walk.Entry) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled before: %v", err)
		}
	}
}

func TestHandlesAreGivenBack(t *testing.T) {
	before, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc here")
	}
	files := map[string]string{}
	for i := range 2000 {
		files[fmt.Sprintf("d%d/e%d/f", i%50, i)] = ""
	}
	_, root := plant(t, files)
	for range 3 {
		seen(t, root, walk.Options{Rules: ignore.Top(ignore.Options{})})
		n := 0
		_, _ = walk.Walk(t.Context(), root, walk.Options{Workers: 1}, func(walk.Entry) error {
			if n++; n > 100 {
				return fs.SkipAll
			}
			return nil
		})
	}
	after, err := os.ReadDir("/proc/self/fd")
	if err != nil || len(after) > len(before)+10 {
		t.Errorf("%d handles before, %d after", len(before), len(after))
	}
}

func TestRulesOfTheFoldersAbove(t *testing.T) {
	t.Parallel()
	dir, _ := plant(t, map[string]string{
		".git/info/exclude": "*.tmp", ".git/config": "[core]\n\tbare = false\n", ".gitignore": "node_modules\n/src/gen\n", "src/.gitignore": "*.log",
		"src/a/": "", "node_modules/x/lib/": "", "home/.gitconfig": "[core]\n excludesFile = \"~/ig\" # mine\n", "home/ig": "*.bak",
	})
	s := walk.Setting{Home: filepath.Join(dir, "home")}
	rules, hidden := walk.Rules(filepath.Join(dir, "src", "a"), s)
	for name, want := range map[string]bool{"x.tmp": true, "x.bak": true, "x.log": true, "x.go": false, "node_modules": true, "gen": false} {
		if rules.Ignored(name, false) != want || hidden {
			t.Errorf("src/a/%s: ignored %v", name, !want)
		}
	}
	// SRCH-01: what is named explicitly is shown though it is ignored.
	rules, hidden = walk.Rules(filepath.Join(dir, "node_modules", "x", "lib"), s)
	if !hidden || rules.Ignored("index.js", false) {
		t.Error("an ignored folder that is named hides its files")
	}
	for name, want := range map[string]bool{"src/gen": true, "src/b": false, "node_modules/x/f": true, "src/q.log": true} {
		if walk.Ignored(filepath.Join(dir, filepath.FromSlash(name)), false, s) != want {
			t.Errorf("Ignored(%s) is not %v", name, want)
		}
	}
	plain, _ := plant(t, map[string]string{".gitignore": "x", "sub/": ""})
	if rules, _ := walk.Rules(filepath.Join(plain, "sub"), walk.Setting{Top: plain}); !rules.Ignored("x", false) {
		t.Error("without a repository the rules do not begin at the top")
	}
}

func TestRulesOfAFurtherWorkTree(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, _ := plant(t, map[string]string{"main/f": ""})
	script := `cd main && git init -q && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m x && git worktree add -q ../other && mkdir -p .git/info && echo '*.tmp' >.git/info/exclude`
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	rules, _ := walk.Rules(filepath.Join(dir, "other"), walk.Setting{})
	if !rules.Ignored("x.tmp", false) {
		t.Error("info/exclude of the main work tree does not hold")
	}
}
