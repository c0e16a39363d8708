package gate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/gate"
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
	all(true)
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
