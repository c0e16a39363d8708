package ignore_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/ignore"
)

// disk is a source that reads the tree itself.
type disk string

func (d disk) ReadFile(rel string) ([]byte, bool) {
	b, err := os.ReadFile(filepath.Join(string(d), filepath.FromSlash(rel)))
	return b, err == nil
}

// names are parts of paths, chosen so that patterns often match.
var names = []string{"a", "b", "ab", "abc", "x.o", "a.log", "B", "a b", "a ", "#a", "!a", "[a]", "a-b", "1", "a1", "é", "]", "a*", `a\b`, "foo", "bar"}

// bits are pieces of patterns.
var bits = []string{
	"a", "b", "ab", "x", ".o", ".log", "*", "*", "**", "?", "/", "/", "/", "[a]", "[!a]", "[^b]", "[a-c]", "[]a]", "[[:alpha:]]", "[[:digit:]]",
	"[[:upper:]]", "[[:space:]]", "[[:punct:]]", "[[:nope:]]", "[a", "[]", "[\\]]", "[a-", "[--a]", "[b-a]", `\`, `\a`, `\*`, `\ `, " ", "  ", "#", "!", "foo", "bar", "é", "**/", "/**", "/**/", "*a", "1", "-", "]",
	"[[:", "[[:alpha:", "\t", "a**b", "***",
}

func pattern(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(6) == 0 {
		b.WriteString("!")
	}
	for range 1 + r.IntN(4) {
		b.WriteString(bits[r.IntN(len(bits))])
	}
	if r.IntN(5) == 0 {
		b.WriteString("/")
	}
	return b.String()
}

func file(r *rand.Rand, most int) []byte {
	var b strings.Builder
	if r.IntN(15) == 0 {
		b.WriteString("\ufeff")
	}
	for i := range 1 + r.IntN(most) {
		if i > 0 {
			b.WriteString([]string{"\n", "\n", "\n", "\r\n", "\n\n"}[r.IntN(5)])
		}
		b.WriteString(pattern(r))
	}
	if r.IntN(2) == 0 {
		b.WriteString("\n")
	}
	return []byte(b.String())
}

// grow makes a tree with ignore files and returns its paths, folders with a
// slash at their end.
func grow(t *testing.T, r *rand.Rand, root string) []string {
	t.Helper()
	var all []string
	var fill func(rel string, depth int)
	fill = func(rel string, depth int) {
		if r.IntN(3) == 0 || rel == "" {
			put(t, filepath.Join(root, rel, ".gitignore"), file(r, 4))
		}
		for _, i := range r.Perm(len(names))[:2+r.IntN(6)] {
			p := path.Join(rel, names[i])
			if depth < 3 && r.IntN(2) == 0 {
				if err := os.Mkdir(filepath.Join(root, p), 0o755); err != nil {
					t.Fatal(err)
				}
				all = append(all, p+"/")
				fill(p, depth+1)
			} else {
				put(t, filepath.Join(root, p), nil)
				all = append(all, p)
			}
		}
	}
	fill("", 0)
	return all
}

func put(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// asGit asks git which of the paths are ignored.
func asGit(t *testing.T, root, global string, fold bool, paths []string) map[string]bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "-c", "core.excludesFile="+global, "-c", "core.ignorecase="+map[bool]string{true: "true", false: "false"}[fold],
		"check-ignore", "--no-index", "-z", "--stdin")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1")
	var in bytes.Buffer
	for _, p := range paths {
		in.WriteString(strings.TrimSuffix(p, "/") + "\x00")
	}
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: none is ignored
		t.Fatalf("git check-ignore: %v: %s", err, stderr.String())
	}
	ignored := map[string]bool{}
	for p := range strings.SplitSeq(string(out), "\x00") {
		ignored[p] = true
	}
	return ignored
}

// TestAgreesWithGit compares on generated trees.
func TestAgreesWithGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; the comparison with git check-ignore is skipped")
	}
	trees := 60
	if testing.Short() {
		trees = 10
	}
	if n := os.Getenv("ASSENT_TREES"); n == "many" {
		trees = 2000
	}
	for seed := range trees {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		root := t.TempDir()
		if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", root).CombinedOutput(); err != nil {
			t.Fatalf("git init: %v: %s", err, out)
		}
		exclude, global := file(r, 3), file(r, 2)
		globalFile := filepath.Join(t.TempDir(), "global")
		put(t, globalFile, global)
		put(t, filepath.Join(root, ".git", "info", "exclude"), exclude)
		fold := seed%5 == 4
		paths := grow(t, r, root)
		git := asGit(t, root, globalFile, fold, paths)
		m := newWith(disk(root), ignore.Options{Exclude: exclude, Global: global, Fold: fold})
		bad := 0
		for _, p := range paths {
			rel, dir := strings.CutSuffix(p, "/")
			if got := m.Ignored(rel, dir); got != git[rel] && bad < 3 {
				bad++
				t.Errorf("seed %d, fold %v: %q: ignored %v, git says %v\n%s", seed, fold, p, got, git[rel], explain(root, rel, exclude, global))
			}
		}
	}
}

// explain lists the ignore files that bear on a path.
func explain(root, rel string, exclude, global []byte) string {
	var b strings.Builder
	dirs := []string{""}
	for d := path.Dir(rel); d != "."; d = path.Dir(d) {
		dirs = append(dirs, d)
	}
	slices.Sort(dirs)
	for _, d := range dirs {
		if text, err := os.ReadFile(filepath.Join(root, d, ".gitignore")); err == nil {
			b.WriteString("  " + path.Join(d, ".gitignore") + ": " + quote(text) + "\n")
		}
	}
	b.WriteString("  exclude: " + quote(exclude) + "\n  global: " + quote(global))
	return b.String()
}

func quote(b []byte) string {
	return strings.ReplaceAll(strings.ReplaceAll(string(b), "\r", `\r`), "\n", " ⏎ ")
}
