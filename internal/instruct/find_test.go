package instruct_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"assent/internal/instruct"
)

// tree makes files below a fresh folder; a name that ends in / is a folder,
// and a text that begins with "-> " a link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, link := strings.CutPrefix(text, "-> "); link {
			if err := os.Symlink(to, path); err != nil {
				t.Skip("no links here")
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func finder(t *testing.T, o instruct.Options) *instruct.Finder {
	t.Helper()
	f, err := instruct.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func names(f instruct.Found) []string {
	var list []string
	for _, x := range f.Files {
		list = append(list, x.Name)
	}
	return list
}

func TestStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   map[string]string
		dir     string
		want    []string
		notices int
	}{
		"nothing": {map[string]string{"p/.git/": ""}, "p", nil, 0},
		"root to workspace, widest first": {
			map[string]string{"p/.git/": "", "p/AGENTS.md": "1", "p/a/AGENTS.md": "2", "p/a/b/CLAUDE.md": "3", "p/a/b/c/AGENTS.md": "4"},
			"p/a/b",
			[]string{"AGENTS.md", "a/AGENTS.md", "a/b/CLAUDE.md"},
			0,
		},
		"HOOK-08 nothing above the project": {
			map[string]string{"AGENTS.md": "0", "p/.git/": "", "p/AGENTS.md": "1"}, "p", []string{"AGENTS.md"}, 0,
		},
		"HOOK-08 no project, nothing above": {
			map[string]string{"AGENTS.md": "0", "p/a/AGENTS.md": "1"}, "p/a", []string{"AGENTS.md"}, 0,
		},
		"a worktree has a file": {
			map[string]string{"AGENTS.md": "0", "p/.git": "gitdir: x", "p/AGENTS.md": "1", "p/a/": ""}, "p/a", []string{"AGENTS.md"}, 0,
		},
		"one a folder, the override first": {
			map[string]string{"p/.git/": "", "p/AGENTS.override.md": "o", "p/AGENTS.md": "a", "p/CLAUDE.md": "c"}, "p", []string{"AGENTS.override.md"}, 0,
		},
		"AGENTS.md before CLAUDE.md": {
			map[string]string{"p/.git/": "", "p/AGENTS.md": "a", "p/CLAUDE.md": "@AGENTS.md"}, "p", []string{"AGENTS.md"}, 0,
		},
		"the same text once": {
			map[string]string{"p/.git/": "", "p/AGENTS.md": "same\n", "p/a/AGENTS.md": "same", "p/a/b/": ""}, "p/a/b", []string{"AGENTS.md"}, 0,
		},
		"the same file once": {
			map[string]string{"p/.git/": "", "p/AGENTS.md": "x", "p/a/AGENTS.md": "-> ../AGENTS.md"}, "p/a", []string{"AGENTS.md"}, 0,
		},
		"a blank file": {map[string]string{"p/.git/": "", "p/AGENTS.md": " \n"}, "p", nil, 0},
		"a folder of that name": {
			map[string]string{"p/.git/": "", "p/AGENTS.md/": ""}, "p", nil, 1,
		},
		"not a text": {map[string]string{"p/.git/": "", "p/AGENTS.md": "a\x00b"}, "p", nil, 1},
		"SEC-13 a link to a hidden file": {
			map[string]string{"p/.git/": "", "p/.env": "s", "p/AGENTS.md": "-> .env"}, "p", nil, 1,
		},
		"SEC-13 a link to a denied file": {
			map[string]string{"p/.git/": "", "p/keys.txt": "s", "p/AGENTS.md": "-> keys.txt"}, "p", nil, 1,
		},
		"a link to hidden Markdown": {
			map[string]string{"p/.git/": "", "p/.github/rules.md": "r", "p/AGENTS.md": "-> .github/rules.md"}, "p", []string{"AGENTS.md"}, 0,
		},
		"a link that leads out": {
			map[string]string{"secret.md": "s", "p/.git/": "", "p/AGENTS.md": "-> ../secret.md"}, "p", nil, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := tree(t, c.files)
			got := finder(t, instruct.Options{
				Dir:  filepath.Join(root, c.dir),
				Deny: func(real string) bool { return filepath.Base(real) == "keys.txt" },
			}).Start()
			if !slices.Equal(names(got), c.want) || len(got.Notices) != c.notices {
				t.Errorf("got %q, notices %q", names(got), got.Notices)
			}
		})
	}
}

func TestTheUsersFileComesFirst(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		"home/AGENTS.md": strings.Repeat("mine\n", 20), "home/CLAUDE.md": "not", "p/.git/": "", "p/AGENTS.md": "theirs",
	})
	f := finder(t, instruct.Options{Dir: filepath.Join(root, "p"), User: filepath.Join(root, "home"), Budget: 10})
	got := f.Start()
	if want := []string{"the user's AGENTS.md", "AGENTS.md"}; !slices.Equal(names(got), want) {
		t.Fatalf("got %q", names(got))
	}
	if got.Files[0].Text != strings.Repeat("mine\n", 20) || got.Files[0].Cut || got.Notices != nil {
		t.Errorf("the user's file drew on the project's budget: %+v", got)
	}
	if again := f.Start(); again.Files != nil {
		t.Errorf("given twice: %q", names(again))
	}
	if f := finder(t, instruct.Options{Dir: filepath.Join(root, "p"), User: filepath.Join(root, "none")}); len(f.Start().Files) != 1 {
		t.Error("a missing config folder")
	}
}

func TestBelowGivesDeeperFilesOnce(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{
		".git/": "", "AGENTS.md": "0", "w/AGENTS.md": "1", "w/a/AGENTS.md": "2", "w/a/b/AGENTS.md": "3", "w/x/AGENTS.md": "4",
		"w/node_modules/m/AGENTS.md": "5", "w/.cache/AGENTS.md": "6", "w/out/AGENTS.md": "7", "other/AGENTS.md": "8",
	})
	f := finder(t, instruct.Options{
		Dir:     filepath.Join(root, "w"),
		Ignored: func(rel string) bool { return rel == "out" },
	})
	f.Start()
	for _, step := range []struct {
		rel  string
		want []string
	}{
		{"main.go", nil},
		{"a/b/c/file.go", []string{"w/a/AGENTS.md", "w/a/b/AGENTS.md"}},
		{"a/file.go", nil},
		{"x", nil},
		{"x/y", []string{"w/x/AGENTS.md"}},
		{"node_modules/m/index.js", nil},
		{".cache/f", nil},
		{"out/f", nil},
		{"../other/f", nil},
		{"a/../../other/f", nil},
		{filepath.Join(root, "other", "f"), nil},
		{"", nil},
		{".", nil},
	} {
		if got := f.Below(step.rel); !slices.Equal(names(got), step.want) {
			t.Errorf("below %q: %q, want %q", step.rel, names(got), step.want)
		}
	}
	var folders []string
	for _, file := range f.All() {
		folders = append(folders, file.Folder)
	}
	if want := []string{"", "", "a", "a/b", "x"}; !slices.Equal(folders, want) {
		t.Errorf("folders %q, want %q", folders, want)
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files   map[string]string
		want    []string
		notices int
	}{
		"only in CLAUDE.md": {map[string]string{"AGENTS.md": "see @docs/a.md", "docs/a.md": "a"}, []string{"AGENTS.md"}, 0},
		"relative to the importing file": {
			map[string]string{"CLAUDE.md": "See @docs/a.md, and\n(@./top.txt).", "docs/a.md": "@b.md", "docs/b.md": "b", "top.txt": "t"},
			[]string{"CLAUDE.md", "docs/a.md", "docs/b.md", "top.txt"},
			0,
		},
		"CLAUDE.md that is only an import": {
			map[string]string{"CLAUDE.md": "@AGENTS.txt", "AGENTS.txt": "text"}, []string{"CLAUDE.md", "AGENTS.txt"}, 0,
		},
		"not in code or comments": {
			map[string]string{"CLAUDE.md": "`@a.md`\n```\n@a.md\n```\n<!-- @a.md\n -->\n    @b.md", "a.md": "a", "b.md": "b"},
			[]string{"CLAUDE.md", "b.md"},
			0,
		},
		"prose": {map[string]string{"CLAUDE.md": "ask @somebody or me@x.org, uses @types/node"}, []string{"CLAUDE.md"}, 0},
		"a circle": {
			map[string]string{"CLAUDE.md": "@a.md", "a.md": "1 @b.md", "b.md": "2 @a.md @CLAUDE.md"}, []string{"CLAUDE.md", "a.md", "b.md"}, 0,
		},
		"an imported AGENTS.md": {
			map[string]string{"CLAUDE.md": "@docs/AGENTS.md", "docs/AGENTS.md": "@docs/a.md", "docs/a.md": "a"}, []string{"CLAUDE.md", "docs/AGENTS.md"}, 0,
		},
		"five deep": {
			map[string]string{"CLAUDE.md": "@1.md", "1.md": "a @2.md", "2.md": "b @3.md", "3.md": "c @4.md", "4.md": "d @5.md", "5.md": "e"},
			[]string{"CLAUDE.md", "1.md", "2.md", "3.md", "4.md"},
			1,
		},
		"outside": {
			map[string]string{"CLAUDE.md": "@../o.md @~/o.md @/etc/hosts.md @link.md", "../o.md": "o", "link.md": "-> ../o.md"},
			[]string{"CLAUDE.md"},
			4,
		},
		"SEC-13 hidden and denied files": {
			map[string]string{"CLAUDE.md": "@.env @x/.ssh/key @keys.txt @visible.txt", ".env": "s", "x/.ssh/key": "s", "keys.txt": "s", "visible.txt": "-> .env"},
			[]string{"CLAUDE.md"},
			4,
		},
		"missing": {map[string]string{"CLAUDE.md": "@no.md"}, []string{"CLAUDE.md"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"p/.git/": ""}
			for n, text := range c.files {
				files[filepath.Join("p", n)] = text
			}
			root := tree(t, files)
			got := finder(t, instruct.Options{
				Dir:  filepath.Join(root, "p"),
				Deny: func(real string) bool { return filepath.Base(real) == "keys.txt" },
			}).Start()
			if !slices.Equal(names(got), c.want) || len(got.Notices) != c.notices {
				t.Errorf("got %q, notices %q", names(got), got.Notices)
			}
		})
	}
}

// HOOK-08: the size is bounded, and said.
func TestTheBudgetIsSharedAndSaid(t *testing.T) {
	t.Parallel()
	line := "0123456789012345678901234567890\n" // 32 bytes
	root := tree(t, map[string]string{
		".git/": "", "AGENTS.md": strings.Repeat(line, 600), "a/AGENTS.md": "2" + strings.Repeat(line, 600), "a/b/AGENTS.md": "3", "a/b/c/AGENTS.md": "4",
	})
	f := finder(t, instruct.Options{Dir: filepath.Join(root, "a", "b")})
	got := f.Start()
	if want := []string{"AGENTS.md", "a/AGENTS.md"}; !slices.Equal(names(got), want) {
		t.Fatalf("got %q", names(got))
	}
	size := len(got.Files[0].Text) + len(got.Files[1].Text)
	if size > instruct.Budget || size < instruct.Budget-64 || !got.Files[1].Cut || !strings.HasSuffix(got.Files[1].Text, line) {
		t.Errorf("%d bytes, cut %v", size, got.Files[1].Cut)
	}
	if len(got.Notices) != 2 || !strings.Contains(got.Notices[0], "a/AGENTS.md were cut") || !strings.Contains(got.Notices[1], "a/b/AGENTS.md were left out") {
		t.Errorf("notices %q", got.Notices)
	}
	if below := f.Below("c/x.go"); len(below.Files) != 0 || len(below.Notices) != 1 {
		t.Errorf("below: %+v", below)
	}
}

func TestFIFOsAreNotOpened(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no FIFOs in folders")
	}
	root := tree(t, map[string]string{".git/": ""})
	mkfifo(t, filepath.Join(root, "AGENTS.md"))
	got := finder(t, instruct.Options{Dir: root}).Start()
	if len(got.Files) != 0 || len(got.Notices) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestConcurrentLooks(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{".git/": "", "a/AGENTS.md": "1", "a/b/AGENTS.md": "2", "a/c/AGENTS.md": "3"})
	f := finder(t, instruct.Options{Dir: root})
	var mu sync.Mutex
	var all []string
	var wg sync.WaitGroup
	for _, rel := range []string{"a/b/x", "a/c/x", "a/b/y", "a/x", "a/c/d/e"} {
		wg.Go(func() {
			got := names(f.Below(rel))
			mu.Lock()
			all = append(all, got...)
			mu.Unlock()
		})
	}
	wg.Wait()
	slices.Sort(all)
	if want := []string{"a/AGENTS.md", "a/b/AGENTS.md", "a/c/AGENTS.md"}; !slices.Equal(all, want) {
		t.Errorf("got %q", all)
	}
}
