package gate_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"assent/internal/gate"
	"assent/internal/guard"
)

// TestTrackedSecrets covers what git shows by itself: a secret that it does not
// track is no reason to refuse, in a work tree of its own as well.
func TestTrackedSecrets(t *testing.T) {
	t.Parallel()
	ws, git := repository(t, map[string]string{"a.go": "a\n"})
	put(t, filepath.Join(ws.Root(), "sub/.env"), "K=1\n")
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	check := func(command string, want bool) {
		t.Helper()
		g.Begin()
		if grant, d := g.Decide(t.Context(), bash(command)); (grant != nil) != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
	commands := []string{
		"git grep a", "git diff", "git log -p", "git show", "git archive HEAD", "git -C sub grep a", "git -C sub diff", "git commit -v",
		"git cat-file -p HEAD", "git range-diff a...b", "git difftool", "git checkout-index --temp -a", "git add -p",
		"git show HEAD:a.go HEAD", "git show HEAD HEAD:a.go", "git show --author a:b", "git show --line-prefix a:b", "git show -p HEAD^ HEAD:a.go",
	}
	all := func(want bool) {
		t.Helper()
		for _, c := range commands {
			check(c, want)
		}
	}
	all(true)
	check("git grep --untracked a", false)
	check("git --git-dir=x log -p", false) // another repository may track it
	for _, add := range [][]string{{"add", "-N", "sub/.env"}, {"add", "sub/.env"}, {"update-index", "--index-version", "4"}, {"update-index", "--index-version", "2"}} {
		git(add...)
		for _, c := range commands {
			if !strings.HasSuffix(c, "diff") && !strings.HasSuffix(c, "difftool") && c != "git add -p" {
				check(c, false)
			}
		}
	}
	check("git diff HEAD", false)
	check("git show HEAD:a.go", true)
	check("git show --no-color HEAD:a.go HEAD:b.go", true)
	// What differs from the index is shown by a plain diff, and nothing else.
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(ws.Root(), "sub/.env"), old, old); err != nil {
		t.Fatal(err)
	}
	git("update-index", "--refresh")
	check("git diff", true)
	check("git -C sub diff", true)
	put(t, filepath.Join(ws.Root(), "sub/.env"), "K=2222\n")
	check("git diff", false)
	check("git diff -- a.go", true)
	// What only the index and the commits hold is shown as well.
	if err := os.Remove(filepath.Join(ws.Root(), "sub/.env")); err != nil {
		t.Fatal(err)
	}
	check("git diff", false)
	check("git show", false)
	git("rm", "-q", "--cached", "-f", "sub/.env")
	check("git show", false) // commits may still hold it
	check("git grep a", true)
	check("git diff", true)
	g = gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	all(true) // who comes later does not know
	git("update-index", "--split-index")
	put(t, filepath.Join(ws.Root(), "sub/.env"), "K=1\n")
	check("git grep a", false) // where names are kept elsewhere, all may be tracked
}

// TestTrackedIsSeenAnew covers the index that is kept between decisions.
func TestTrackedIsSeenAnew(t *testing.T) {
	t.Parallel()
	ws, git := repository(t, map[string]string{"a.go": "a\n"})
	put(t, filepath.Join(ws.Root(), ".env"), "K=1\n")
	index := filepath.Join(ws.Root(), ".git/index")
	old := time.Now().Add(-time.Hour)
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)", "deny read_file(a.go)")})
	check := func(want bool) {
		t.Helper()
		g.Begin()
		if err := os.Chtimes(index, old, old); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if grant, d := g.Decide(t.Context(), bash("git archive HEAD b")); (grant != nil) != want {
				t.Errorf("%s: %s", d.Verdict, d.Reason)
			}
		}
	}
	check(false) // a denied path counts as a secret does
	git("rm", "-q", "--cached", "a.go")
	check(true)
	git("add", "-f", ".env")
	check(false)
}

// TestTrackedElsewhere covers repositories that are none, new, linked to, or
// whose index cannot be read.
func TestTrackedElsewhere(t *testing.T) {
	t.Parallel()
	ws, git := repository(t, map[string]string{"a.go": "a\n", "w.txt": "w\n"})
	root := ws.Root()
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	check := func(command string, want bool) {
		t.Helper()
		g.Begin()
		if grant, d := g.Decide(t.Context(), bash(command)); (grant != nil) != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
	// A work tree keeps its index elsewhere; its .git is a file.
	git("worktree", "add", "-q", filepath.Join(root, "tree"))
	put(t, filepath.Join(root, "tree/.env"), "K=1\n")
	check("git -C tree log -p", true)
	git("-C", "tree", "add", "-f", ".env")
	check("git -C tree log -p", false)
	check("git log -p", true)
	put(t, filepath.Join(root, "odd/.git"), "nothing\n")
	put(t, filepath.Join(root, "odd/.env"), "K=1\n")
	check("git -C odd log -p", false)
	// A relative one.
	put(t, filepath.Join(root, "rel/.git"), "gitdir: ../.git\n")
	put(t, filepath.Join(root, "rel/.env"), "K=1\n")
	check("git -C rel log -p", true)
	// A new repository tracks nothing.
	git("init", "-q", filepath.Join(root, "new"))
	put(t, filepath.Join(root, "new/.env"), "K=1\n")
	check("git -C new grep K", true)
	if err := os.Symlink(filepath.Join(root, ".git/index"), filepath.Join(root, "new/.git/index")); err == nil {
		check("git -C new grep K", false)
	}
	// A folder without a repository around it.
	bare, _ := open(t, map[string]string{".env": "K=1\n"})
	g = gate.New(gate.Options{Workspace: bare, Rules: rules(t, "allow bash(*)")})
	check("git grep K", false)
	g = gate.New(gate.Options{Rules: rules(t, "allow bash(*)")})
	check("git grep K", false)
}

// TestTrackedByTheAgent covers an index that commands write which a rule
// allows: it does not decide any more what git may show.
func TestTrackedByTheAgent(t *testing.T) {
	t.Parallel()
	ws, git := repository(t, map[string]string{"a.go": "a\n", ".gitignore": "sub/\n", ".assentignore": "own/\n"})
	put(t, filepath.Join(ws.Root(), "sub/.env"), "K=1\n")
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)"), Guards: guard.Builtin(guard.Options{})})
	check := func(command string, want bool) {
		t.Helper()
		g.Begin()
		if grant, d := g.Decide(t.Context(), bash(command)); (grant != nil) != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
	check("git add -f sub/.env && git diff --cached", false)
	check("git add sub/.env -f; git show :sub/.env", false)
	check("git add -A -f && git diff --cached", false)
	check("git add . && git diff --cached", true) // it is ignored
	check("git add -A && git diff --cached", true)
	check("git stash -u && git stash show -p", true)
	check("git stash -a && git stash show -p", false)
	put(t, filepath.Join(ws.Root(), "own/.env"), "K=1\n")
	check("git add . && git diff --cached", false) // but not by git
	check("git add -A && git commit -qv", false)
	check("git add a.go && git diff --cached", true)
	check("git add . && git status", true)
	check("git stash -u && git stash show -p", false)
	for _, c := range []string{
		"git update-index --force-remove sub/.env", "git update-index --add sub/.env", "git read-tree --empty", "git read-tree --index-output=.git/index HEAD",
		"git update-index --cacheinfo 100644,0000000000000000000000000000000000000000,x", "echo x | git update-index --index-info", "cd sub && git update-index --remove x",
	} {
		check(c, false)
	}
	for _, c := range []string{"git update-index --refresh", "git update-index --chmod=+x a.go", "git update-index -q --really-refresh", "git read-tree HEAD"} {
		check(c, true)
	}
	// What is taken out by commands that are allowed is remembered.
	git("add", "-f", "sub/.env")
	check("git rm -q --cached sub/.env", true)
	git("rm", "-q", "--cached", "sub/.env")
	check("git show", false)
	check("git log -p -- sub", false)
	check("git log -p -- a.go", true)
	check("git grep K HEAD", false)
	check("git grep K", true)
	// A damaged index may hold anything.
	put(t, filepath.Join(ws.Root(), ".git/index"), "DIRC")
	g = gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	if err := os.RemoveAll(filepath.Join(ws.Root(), "sub")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(ws.Root(), "own")); err != nil {
		t.Fatal(err)
	}
	check("git diff", false)
	check("git show", false)
	check("git grep K", false)
	check("git status", true)
}

// TestChangedBehindItsTime covers a file that was rewritten with its size and
// its time put back, which git sees, and an index that was.
func TestChangedBehindItsTime(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it is not known there when a file changed")
	}
	ws, git := repository(t, map[string]string{"a.go": "a\n"})
	secret, index := filepath.Join(ws.Root(), ".env"), filepath.Join(ws.Root(), ".git/index")
	old := time.Now().Add(-time.Hour)
	back := func(name string) {
		t.Helper()
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	put(t, secret, "K=1\n")
	back(secret)
	git("add", "-f", ".env")
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	check := func(command string, want bool) {
		t.Helper()
		g.Begin()
		if grant, d := g.Decide(t.Context(), bash(command)); (grant != nil) != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
	check("git diff", true)
	put(t, secret, "K=2\n")
	back(secret)
	check("git diff", false)
	// An index that is rewritten in its place is read again.
	git("rm", "-q", "-f", "--cached", ".env") // whether git sees the change is not asked here
	git("add", "a.go")
	data, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	back(index)
	g = gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	check("git grep K", true)
	if err := os.WriteFile(index, bytes.Replace(data, []byte("a.go"), []byte(".env"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	back(index)
	check("git grep K", false)
}
