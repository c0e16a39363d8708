package gate_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/gate"
	"assent/internal/policy"
)

// TestShellReadsOfDeniedFiles covers PERM-22 to PERM-25 on a real disk: a
// denied file is kept from every command that would read it, also through a
// tree, a glob or another program, and commands that cannot reach one pass.
func TestShellReadsOfDeniedFiles(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{
		"docs/a.md": "a", "docs/b.md": "b", "docs/private/p.md": "p", "src/x.go": "x", "src/.env": "K=1", "top.txt": "t",
		".git/config.env": "no", "deep/a/b/c.txt": "c", "keys/one.pem": "k", "keys/two.txt": "t",
	})
	if err := os.Symlink("../src/.env", filepath.Join(dir, "docs/link")); err != nil {
		t.Fatal(err)
	}
	g := gate.New(gate.Options{Workspace: ws, Home: filepath.Dir(dir), Rules: rules(t, "allow bash(*)", "deny read_file(docs/private/*)")})
	cases := []struct {
		command string
		allowed bool
	}{
		{"grep -r s .", false},
		{"grep -r s docs", false},
		{"grep -r s src", false},
		{"cp -r src /tmp/x", false},
		{"tar cf - docs", false},
		{"cat src/.env", false},
		{"cat src/.e*", false},
		{"cat keys/*.pem", false},
		{"cat keys/o*", false},
		{"cat keys/[o]ne.p?m", false},
		{"cat docs/link", false},
		{"cat */.env", false},
		{"cat docs/private/p.md", false},
		{"head < docs/private/p.md", false},
		{"find docs -exec grep s {} +", false},
		{"cd src && cat .env", false},
		{"cat keys/*", false},
		{"cat $HOME/../x.env", false},
		{"cat ~/*.env", false},
		{"grep -r s deep", true},
		{"cd docs && grep x *.md", true},
		{"cat docs/*.md", true},
		{"cat keys/*.txt", true},
		{"ls docs", true},
		{"cat top.txt src/x.go", true},
		{"cat deep/*/b/*.txt", true},
		{"cat none/*.txt", true},
		{"grep -r s deep/a/b/c.txt", true},
	}
	for _, c := range cases {
		grant, d := g.Decide(t.Context(), bash(c.command))
		if (grant != nil) != c.allowed {
			t.Errorf("%s: %s by %s (%s)", c.command, d.Verdict, d.By, d.Reason)
		}
	}
}

// TestTreesTooLargeToCheck: a tree that was not seen whole asks.
func TestTreesTooLargeToCheck(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"closed/x.txt": "x", "a.txt": "a"})
	if os.Geteuid() != 0 {
		if err := os.Chmod(filepath.Join(dir, "closed"), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "closed"), 0o755) })
	}
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)")})
	grant, d := g.Decide(t.Context(), bash("grep -r x /usr"))
	want(t, grant, d, policy.Deny, policy.ByHeadless)
	if os.Geteuid() != 0 {
		grant, d = g.Decide(t.Context(), bash("grep -r x ."))
		want(t, grant, d, policy.Deny, policy.ByHeadless)
	}
}

func TestShellRunsTheGrantedCommandOnce(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, nil)
	g := gate.New(gate.Options{Workspace: ws, Procs: procs(t), Yolo: true})
	told := ""
	r := bash("echo out | tee -a log; pwd")
	r.Emit = func(s string) { told += s }
	h := granted(t, g, r)
	if _, err := h.Shell(t.Context(), "echo out | tee -a log; pwd ", gate.ShellOptions{}); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("another command: %v", err)
	}
	res, err := h.Shell(t.Context(), "echo out | tee -a log; pwd", gate.ShellOptions{Timeout: time.Minute})
	if err != nil || res.Exit != 0 || string(res.Output) != "out\n"+dir+"\n" || told != string(res.Output) {
		t.Errorf("%+v, %v, told %q", res, err, told)
	}
	if _, err := h.Shell(t.Context(), "echo out | tee -a log; pwd", gate.ShellOptions{}); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("a second start: %v", err)
	}
	if _, err := h.ShellStart(t.Context(), "echo out | tee -a log; pwd", gate.ShellOptions{}); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("a second start: %v", err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "log")); string(b) != "out\n" {
		t.Errorf("on disk: %q", b)
	}
	if _, err := h.Read("log", 0); err == nil {
		t.Error("hands to run a command read a file")
	}
	if err := h.Write("log", nil, 0); err == nil {
		t.Error("hands to run a command wrote a file")
	}

	r = bash("echo > started; sleep 300")
	r.ID = "c2"
	h = granted(t, g, r)
	handle, err := h.ShellStart(t.Context(), "echo > started; sleep 300", gate.ShellOptions{})
	if err != nil {
		t.Fatal(err)
	}
	h.Close() // a background command outlives its call
	for deadline := time.Now().Add(5 * time.Second); ; {
		if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it never started")
		}
	}
	handle.Interrupt()
	if res := handle.Wait(); !res.Interrupted {
		t.Errorf("got %+v", res)
	}
	h = granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), bash("touch x"))
	if _, err := h.Shell(t.Context(), "touch x", gate.ShellOptions{}); err == nil {
		t.Error("ran without a process table")
	}
	h.Close()
	if _, err := h.Shell(t.Context(), "touch x", gate.ShellOptions{}); !errors.Is(err, gate.ErrClosed) {
		t.Errorf("got %v", err)
	}
	// A tool that is no shell has no command, whatever it asks for.
	w := writing("x")
	w.Plan.Script = bash("touch x").Plan.Script
	if _, err := granted(t, g, w).Shell(t.Context(), "touch x", gate.ShellOptions{}); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("got %v", err)
	}
}

// TestManyNames: patterns that stand for too many files are not expanded to
// the end, and so ask where a denied file could be among them.
func TestManyNames(t *testing.T) {
	if testing.Short() {
		t.Skip("makes ten thousand files")
	}
	t.Parallel()
	ws, dir := open(t, map[string]string{".env": "K=1"})
	for i := range 10_050 {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("f%05d.txt", i)))
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(*)", "deny read_file(f10049.txt)")})
	grant, d := g.Decide(t.Context(), bash("cat *.txt"))
	want(t, grant, d, policy.Deny, policy.ByHeadless)
	grant, d = g.Decide(t.Context(), bash("cat f1004?.txt"))
	want(t, grant, d, policy.Deny, policy.ByRule)
	grant, d = g.Decide(t.Context(), bash("cat f1003?.txt"))
	want(t, grant, d, policy.Allow, policy.ByRule)
	if !strings.Contains(d.Reason, "allow") {
		t.Errorf("reason %q", d.Reason)
	}
}

// TestWithoutAWorkspace: paths go nowhere, and nothing panics.
func TestWithoutAWorkspace(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{Rules: rules(t, "allow bash(*)"), Yolo: true})
	grant, d := g.Decide(t.Context(), reading("a.txt"))
	want(t, grant, d, policy.Deny, policy.ByDefault)
	for _, c := range []string{"ls", "cat *.txt", "grep -r x .", "cat ~/x"} {
		if d := g.Explain(t.Context(), bash(c)); d.Verdict == "" {
			t.Errorf("%s: no verdict", c)
		}
	}
	h := granted(t, g, gate.Request{Tool: "todo_write", Effect: policy.State})
	if _, err := h.Read("a.txt", 0); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("got %v", err)
	}
	if _, err := h.Resolve("a.txt"); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("got %v", err)
	}
}
