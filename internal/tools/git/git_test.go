package git_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/tools/git"
	"assent/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// repo is a real repository in a temporary folder.
type repo struct {
	testing.TB
	dir  string
	gate *gate.Gate
	set  tool.Set
}

func newRepo(t testing.TB, sub string, rules ...policy.Rule) *repo {
	t.Helper()
	r := bare(t, sub, rules...)
	r.git("init", "-q", "-b", "main")
	return r
}

// bare is a folder that is no repository yet; the workspace is sub below it.
func bare(t testing.TB, sub string, rules ...policy.Rule) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &repo{TB: t, dir: dir}
	root := filepath.Join(dir, sub)
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	r.gate = gate.New(gate.Options{Workspace: ws, Rules: policy.New(policy.Options{
		Rules: rules, Tools: []policy.Tool{{Name: "read_file", Effect: policy.Read}, {Name: "git_diff", Effect: policy.Read}},
	})})
	r.set = git.Tools(git.Options{Writer: writer{r}})
	return r
}

// git runs git as a user would, without the configuration of this machine.
func (r *repo) git(args ...string) string {
	r.Helper()
	c := exec.Command("git", args...)
	c.Dir = r.dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	out, err := c.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) put(name, text string) {
	r.Helper()
	full := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *repo) commit(message string) string {
	r.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// call runs a tool through the gate and fails the test when it is refused.
func (r *repo) call(name, input string) (tool.Result, error) {
	r.Helper()
	t, ok := r.set.Find(name)
	if !ok {
		r.Fatalf("there is no %s", name)
	}
	p, err := t.Prepare("c1", json.RawMessage(input))
	if err != nil {
		return tool.Result{}, err
	}
	grant, d := r.gate.Decide(context.Background(), p.Request())
	if grant == nil {
		return tool.Result{}, errors.New("refused: " + d.Reason)
	}
	r.gate.Begin()
	return p.Run(context.Background(), grant)
}

func (r *repo) must(name, input string) string {
	r.Helper()
	res, err := r.call(name, input)
	if err != nil {
		r.Fatalf("%s %s: %v", name, input, err)
	}
	return res.Output
}

func (r *repo) has(text string, parts ...string) {
	r.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			r.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

func (r *repo) lacks(text string, parts ...string) {
	r.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			r.Errorf("%q is in:\n%s", p, text)
		}
	}
}

// writer answers with the number of bytes that it was asked with.
type writer struct{ *repo }

func (w writer) Write(_ context.Context, prompt string) (string, error) {
	w.Helper()
	w.has(prompt, "+three", "First commit")
	w.lacks(prompt, "HUSH")
	return "```\nAdd three\n\nBecause.\n```", nil
}

func TestReadsARepository(t *testing.T) {
	t.Parallel()
	r := newRepo(t, "")
	r.put("a.txt", "one\ntwo\n")
	r.put("old name.txt", "to be moved\nand moved again\n")
	first := r.commit("First commit")
	r.put("a.txt", "one\ntwo\nthree\n")
	r.git("add", "a.txt")
	r.put("a.txt", "one\ntwo\nthree\nfour\n")
	r.git("mv", "old name.txt", "new name.txt")
	r.put("fresh/ä.txt", "x")

	r.has(r.must("git_status", ""), "branch main", "MM a.txt", "R  old name.txt -> new name.txt", "?? fresh/")
	unstaged := r.must("git_diff", "{}")
	r.has(unstaged, "+four")
	r.lacks(unstaged, "+three\n")
	r.has(r.must("git_diff", `{"staged":true}`), "+three", "rename to new name.txt")
	r.lacks(r.must("git_diff", `{"staged":true,"path":"a.txt"}`), "new name")
	r.has(r.must("git_diff", `{"path":"new name.txt"}`), "No unstaged changes")
	r.has(r.must("git_log", `{"limit":1}`), first[:7]+" 2026-01-02 a: First commit")
	r.has(r.must("git_show", `{"ref":"HEAD"}`), "commit "+first, "First commit", "+two", "2 files changed")
	r.has(r.must("git_blame", `{"path":"a.txt","start_line":2,"end_line":2}`), " 2) two")
	r.has(r.must("git_branch", ""), "* main "+first[:7])
	r.has(r.must("git_branch", `{"remote":true}`), "There are none.")
	r.has(r.must("git_commit_message", ""), "Add three\n\nBecause.")
	r.commit("Second")
	r.has(r.must("git_status", ""), "nothing changed")
	if _, err := r.call("git_commit_message", ""); err == nil || !strings.Contains(err.Error(), "nothing is staged") {
		t.Errorf("got %v", err)
	}
}

// TestSecretsAreLeftOut: a file that may not be read shows in no diff,
// whatever way one asks.
func TestSecretsAreLeftOut(t *testing.T) {
	t.Parallel()
	r := newRepo(t, "", policy.Rule{Tool: "read_file", Pattern: "private/*", Verdict: policy.Deny, Layer: policy.LayerUser})
	r.put("a.txt", "a\n")
	r.put(".env", "KEY=HUSH1\n")
	r.put("private/x.txt", "HUSH2\n")
	r.put("deep/er/id_rsa", "HUSH3\n")
	head := r.commit("First commit")
	blob := r.git("rev-parse", "HEAD:.env")
	show := r.must("git_show", `{"ref":"HEAD"}`)
	r.has(show, "+a", "[3 changed files are left out")
	r.lacks(show, "HUSH", ".env", "private/x", "id_rsa")

	r.put("a.txt", "b\n")
	r.put(".env", "KEY=HUSH4\n")
	r.put("private/x.txt", "HUSH5\n")
	for _, input := range []string{"{}", `{"path":"."}`} {
		diff := r.must("git_diff", input)
		r.has(diff, "+b", "[2 changed files are left out")
		r.lacks(diff, "HUSH")
	}
	status := r.must("git_status", "")
	r.has(status, " M a.txt", "[2 changed files are left out")
	r.lacks(status, ".env", "private")
	r.git("add", "-A")
	r.put("three.txt", "three\n")
	r.git("add", "-A")
	r.lacks(r.must("git_diff", `{"staged":true}`), "HUSH")
	r.has(r.must("git_commit_message", ""), "[2 changed files are left out")
	r.git("mv", ".env", "plain.txt")
	r.lacks(r.must("git_diff", `{"staged":true}`), "-KEY")
	r.git("mv", "plain.txt", ".env")

	for _, c := range [][2]string{
		{"git_diff", `{"path":".env"}`},
		{"git_diff", `{"path":"private"}`},
		{"git_log", `{"path":".env"}`},
		{"git_blame", `{"path":".env"}`},
		{"git_show", `{"ref":"HEAD","path":".env"}`},
		{"git_show", `{"ref":"HEAD:.env"}`},
		{"git_show", `{"ref":":.env"}`},
		{"git_show", `{"ref":"` + blob + `"}`},
		{"git_show", `{"ref":"` + head + `^{tree}"}`},
		{"git_diff", `{"path":":(top).env"}`},
		{"git_diff", `{"path":":!a.txt"}`},
	} {
		res, err := r.call(c[0], c[1])
		if err == nil && !strings.Contains(res.Output, "No unstaged changes") && !strings.Contains(res.Output, "Nothing changed") {
			t.Errorf("%s %s: %q", c[0], c[1], res.Output)
		}
		r.lacks(res.Output, "HUSH")
		if err != nil {
			r.lacks(err.Error(), "HUSH")
		}
	}
}

func TestRevisionsAreNoOptions(t *testing.T) {
	t.Parallel()
	r := newRepo(t, "")
	r.put("a.txt", "a\n")
	r.commit("First commit")
	for _, ref := range []string{"--output=x", "-p", "--", "-", "a b", "a\nb", "HEAD\x00", "main:a.txt", "", "nosuchthing", "--ext-diff", strings.Repeat("a", 300)} {
		b, _ := json.Marshal(map[string]string{"ref": ref})
		if res, err := r.call("git_show", string(b)); err == nil {
			t.Errorf("%q: %q", ref, res.Output)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "x")); err == nil {
		t.Error("git wrote a file")
	}
	for _, path := range []string{"-p", "--stat", "--no-index"} {
		b, _ := json.Marshal(map[string]string{"path": path})
		if res, err := r.call("git_diff", string(b)); err != nil || !strings.Contains(res.Output, "No unstaged") {
			t.Errorf("%q: %q, %v", path, res.Output, err)
		}
	}
}

// TestNothingOfTheRepositoryRuns plants every command that a repository's own
// configuration can name where reading might run it.
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	t.Parallel()
	r := newRepo(t, "")
	r.put("a.txt", "a\n")
	r.put(".gitattributes", "*.txt filter=evil diff=evil\n")
	head := r.commit("First commit")
	mark := filepath.Join(r.dir, "ran")
	evil := "sh -c 'echo ran >> " + mark + "; cat'"
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "pager.diff", "pager.log", "diff.external", "diff.evil.textconv", "diff.evil.command",
		"filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.sshCommand", "core.editor", "gpg.program",
		"credential.helper", "alias.status", "core.askPass", "interactive.diffFilter", "sequence.editor",
	} {
		r.git("config", key, evil)
	}
	r.git("config", "log.showSignature", "true")
	r.git("config", "filter.evil.required", "true")
	hooks := filepath.Join(r.dir, ".git", "hooks")
	for _, h := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction", "pre-commit"} {
		r.put(filepath.Join(".git/hooks", h), "#!/bin/sh\necho ran >> "+mark+"\n")
		if err := os.Chmod(filepath.Join(hooks, h), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	index, err := os.ReadFile(filepath.Join(r.dir, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	r.put("a.txt", "changed\n")
	for _, c := range [][2]string{
		{"git_status", ""},
		{"git_diff", ""},
		{"git_diff", `{"staged":true}`},
		{"git_log", ""},
		{"git_log", `{"path":"a.txt"}`},
		{"git_show", `{"ref":"` + head + `"}`},
		{"git_blame", `{"path":"a.txt"}`},
		{"git_branch", ""},
		{"git_branch", `{"remote":true}`},
	} {
		if _, err := r.call(c[0], c[1]); err != nil {
			t.Errorf("%s %s: %v", c[0], c[1], err)
		}
		if text, err := os.ReadFile(mark); err == nil {
			t.Fatalf("%s ran something: %s", c[0], text)
		}
	}
	r.has(r.must("git_diff", ""), "+changed")
	if now, err := os.ReadFile(filepath.Join(r.dir, ".git", "index")); err != nil || string(now) != string(index) {
		t.Error("reading wrote the index")
	}
}

func TestForeignWorkTreeIsRefused(t *testing.T) {
	t.Parallel()
	r := newRepo(t, "")
	r.put("a.txt", "a\n")
	r.commit("First commit")
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "a.txt"), []byte("HUSH"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.git("config", "core.worktree", other)
	for _, name := range []string{"git_diff", "git_status"} {
		res, err := r.call(name, "")
		if err == nil {
			t.Errorf("%s: %q", name, res.Output)
		}
		r.lacks(res.Output, "HUSH")
	}
}

// TestWorkspaceBelowTheTop: only the workspace's part of a repository shows,
// with names as the other tools know them.
func TestWorkspaceBelowTheTop(t *testing.T) {
	t.Parallel()
	r := newRepo(t, "sub")
	r.put("top.txt", "top\n")
	r.put("sub/in.txt", "in\n")
	r.put("sub/.env", "HUSH\n")
	r.commit("First commit")
	r.put("top.txt", "TOP\n")
	r.put("sub/in.txt", "IN\n")
	r.put("sub/.env", "HUSH!\n")
	r.git("mv", "sub/in.txt", "sub/moved.txt")
	status := r.must("git_status", "")
	r.has(status, "in.txt -> moved.txt", "1 changed file is left out")
	r.lacks(status, "top.txt", "sub/", ".env")
	diff := r.must("git_diff", "")
	r.has(diff, "+IN", "b/moved.txt", "1 changed file is left out")
	r.lacks(diff, "TOP", "HUSH", "sub/")
	show := r.must("git_show", `{"ref":"HEAD"}`)
	r.has(show, "+in")
	r.lacks(show, "+top", "HUSH")
	r.has(r.must("git_log", `{"path":"moved.txt"}`), "No commit touches it.")
	r.has(r.must("git_blame", `{"path":"moved.txt"}`), "IN")
	if _, err := r.call("git_diff", `{"path":"../top.txt"}`); err == nil {
		t.Error("a path above the workspace was read")
	}
}

func TestOutsideARepository(t *testing.T) {
	t.Parallel()
	r := bare(t, "")
	r.put("a.txt", "a\n")
	for _, name := range []string{"git_status", "git_diff", "git_log", "git_branch", "git_commit_message"} {
		if _, err := r.call(name, ""); !errors.Is(err, gate.ErrNoRepository) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r.git("init", "-q")
	r.has(r.must("git_log", ""), "No commits yet.")
	r.has(r.must("git_status", ""), "?? a.txt")
	r.has(r.must("git_branch", ""), "There are none.")
	if _, err := r.call("git_blame", `{"path":"a.txt"}`); err == nil {
		t.Error("blamed what was never committed")
	}
}

func TestPathspecMagicAndGlobsAreLiteral(t *testing.T) {
	t.Parallel()
	r := newRepo(t, "")
	r.put("a.txt", "a\n")
	r.put("[ab].txt", "set\n")
	r.put("x.env", "HUSH\n")
	r.commit("First commit")
	r.put("a.txt", "A\n")
	r.put("[ab].txt", "SET\n")
	diff := r.must("git_diff", `{"path":"[ab].txt"}`)
	r.has(diff, "+SET")
	r.lacks(diff, "+A\n")
	r.put("x.env", "HUSH!\n")
	for _, path := range []string{"*.env", "x.en?", "*"} {
		b, _ := json.Marshal(map[string]string{"path": path})
		if res, err := r.call("git_diff", string(b)); err == nil {
			r.lacks(res.Output, "HUSH")
		}
	}
}

func TestToolsMakeSense(t *testing.T) {
	t.Parallel()
	for _, tl := range git.Tools(git.Options{}) {
		if err := tl.Check(); err != nil {
			t.Error(err)
		}
	}
	if _, ok := git.Tools(git.Options{}).Find("git_commit_message"); ok {
		t.Error("there is nobody to write, and the tool is made")
	}
}
