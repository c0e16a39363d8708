package gate_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/workspace"
)

// repository makes a git repository of the given files with one commit. What
// it shows through the tools is tested in tools/git; here is what it refuses.
func repository(t *testing.T, files map[string]string) (*workspace.Workspace, func(args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	ws, dir := open(t, files)
	git := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a",
			"GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "First")
	return ws, git
}

func TestGitReads(t *testing.T) {
	t.Parallel()
	ws, git := repository(t, map[string]string{"a.txt": "a\n", "d/.env": "HUSH\n", "d/b.txt": "b\n"})
	dir := ws.Root()
	put(t, filepath.Join(dir, "a.txt"), "A\n")
	put(t, filepath.Join(dir, "d/.env"), "HUSH2\n")
	git("mv", "d/b.txt", "d/c.txt")
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	h := granted(t, g, searching("."))
	cases := []struct {
		name      string
		read      gate.GitRead
		has, lack string
		leftOut   int
	}{
		{"status", gate.GitRead{Sub: "status", Flags: []string{"--branch"}}, "R  d/c.txt\x00d/b.txt\x00", "env", 1},
		{"diff", gate.GitRead{Sub: "diff"}, "+A", "HUSH", 1},
		{"diff of a path", gate.GitRead{Sub: "diff", Paths: []string{"d"}}, "", "+A", 1},
		{"staged", gate.GitRead{Sub: "diff", Flags: []string{"--staged"}}, "rename to d/c.txt", "HUSH", 0},
		{"show", gate.GitRead{Sub: "show", Flags: []string{"--format=%s", "--patch"}, Revs: []string{"HEAD"}}, "First", "HUSH", 1},
		{"log", gate.GitRead{Sub: "log", Flags: []string{"-n1", "--format=%s"}}, "First\n", "", 0},
		{"log of a path", gate.GitRead{Sub: "log", Flags: []string{"--format=%s"}, Paths: []string{"d/c.txt"}}, "", "First", 0},
		{"blame", gate.GitRead{Sub: "blame", Revs: []string{"HEAD"}, Paths: []string{"a.txt"}}, ") a\n", "", 0},
		{"branch", gate.GitRead{Sub: "branch", Flags: []string{"--format=%(refname:short)"}}, "main\n", "", 0},
		{"rev-parse", gate.GitRead{Sub: "rev-parse", Flags: []string{"--abbrev-ref"}, Revs: []string{"HEAD"}}, "main\n", "", 0},
	}
	for _, c := range cases {
		res, err := h.Git(t.Context(), c.read)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		out := string(res.Stdout)
		if !strings.Contains(out, c.has) || c.lack != "" && strings.Contains(out, c.lack) || res.LeftOut != c.leftOut {
			t.Errorf("%s: left out %d of %q", c.name, res.LeftOut, out)
		}
	}
	// A tool of the agent's own state may read too, if it planned to.
	state := searching(".")
	state.Tool, state.Effect = "git_commit_message", policy.State
	if _, err := granted(t, g, state).Git(t.Context(), gate.GitRead{Sub: "diff"}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Git(ctx, gate.GitRead{Sub: "status"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestGitRefuses(t *testing.T) {
	t.Parallel()
	ws, git := repository(t, map[string]string{"a.txt": "a\n", "d/b.txt": "b\n"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	h := granted(t, g, searching("."))
	before := git("status", "--porcelain") + git("rev-parse", "HEAD") + git("for-each-ref")
	for name, r := range map[string]gate.GitRead{
		"a writing command":      {Sub: "commit", Flags: []string{"-m"}},
		"nothing":                {},
		"push":                   {Sub: "push"},
		"config":                 {Sub: "config"},
		"an option that runs":    {Sub: "diff", Flags: []string{"--ext-diff"}},
		"an option that writes":  {Sub: "diff", Flags: []string{"--output=x"}},
		"no index":               {Sub: "diff", Flags: []string{"--no-index"}},
		"deleting a branch":      {Sub: "branch", Flags: []string{"-D"}},
		"patches in the log":     {Sub: "log", Flags: []string{"-p"}},
		"signatures":             {Sub: "log", Flags: []string{"--format=%G?"}},
		"signatures of refs":     {Sub: "branch", Flags: []string{"--format=%(signature)"}},
		"an option for a rev":    {Sub: "show", Revs: []string{"--output=x"}},
		"a file in a rev":        {Sub: "show", Revs: []string{"HEAD:a.txt"}},
		"an empty rev":           {Sub: "show", Revs: []string{""}},
		"a tree":                 {Sub: "show", Revs: []string{"HEAD^{tree}"}},
		"an unknown rev":         {Sub: "show", Revs: []string{"nothing"}},
		"blame of nothing":       {Sub: "blame"},
		"blame of a folder":      {Sub: "blame", Paths: []string{"d"}},
		"a path outside":         {Sub: "diff", Paths: []string{"../x"}},
		"a path that is no path": {Sub: "diff", Paths: []string{"\x00"}},
	} {
		if res, err := h.Git(t.Context(), r); err == nil {
			t.Errorf("%s: %q", name, res.Output)
		}
	}
	for name, r := range map[string]gate.Request{"write": writing("."), "exec": bash("git status")} {
		if grant, _ := g.Decide(t.Context(), r); grant != nil {
			hands, err := grant.Spend(r.Tool, grant.Input())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := hands.Git(t.Context(), gate.GitRead{Sub: "status"}); !errors.Is(err, gate.ErrNotPlanned) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	one := granted(t, g, reading("a.txt"))
	if _, err := one.Git(t.Context(), gate.GitRead{Sub: "diff", Paths: []string{"a.txt"}}); err != nil {
		t.Error(err)
	}
	for _, paths := range [][]string{nil, {"."}, {"d"}} {
		if _, err := one.Git(t.Context(), gate.GitRead{Sub: "diff", Paths: paths}); !errors.Is(err, gate.ErrNotPlanned) {
			t.Errorf("%v: %v", paths, err)
		}
	}
	one.Close()
	if _, err := one.Git(t.Context(), gate.GitRead{Sub: "diff"}); !errors.Is(err, gate.ErrClosed) {
		t.Errorf("got %v", err)
	}
	if after := git("status", "--porcelain") + git("rev-parse", "HEAD") + git("for-each-ref"); after != before {
		t.Errorf("the repository changed:\n%s\n%s", before, after)
	}
	if _, err := os.Stat(filepath.Join(ws.Root(), "x")); err == nil {
		t.Error("a file was written")
	}
	git("config", "filter.a=b.clean", "true")
	if _, err := h.Git(t.Context(), gate.GitRead{Sub: "status"}); err == nil || !strings.Contains(err.Error(), "a=b") {
		t.Errorf("a filter that cannot be turned off: %v", err)
	}
}

// TestGitThatCannotStart is told from git that is not there.
func TestGitThatCannotStart(t *testing.T) {
	ws, _ := repository(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	read := func() error {
		_, err := granted(t, g, searching(".")).Git(t.Context(), gate.GitRead{Sub: "status"})
		return err
	}
	away := ws.Root() + "-away"
	if err := os.Rename(ws.Root(), away); err != nil {
		t.Skip("a folder in use cannot be moved here:", err)
	}
	if err := read(); err == nil || errors.Is(err, gate.ErrGitMissing) {
		t.Errorf("without its workspace: %v", err)
	}
	if err := os.Rename(away, ws.Root()); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := read(); !errors.Is(err, gate.ErrGitMissing) {
		t.Errorf("without git: %v", err)
	}
}

func TestGitElsewhere(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws})
	if _, err := granted(t, g, searching(".")).Git(t.Context(), gate.GitRead{Sub: "status"}); !errors.Is(err, gate.ErrNoRepository) {
		t.Errorf("got %v", err)
	}
	inner, git := repository(t, map[string]string{"a.txt": "a"})
	put(t, filepath.Join(inner.Root(), ".git", "config"), "[core")
	g = gate.New(gate.Options{Workspace: inner})
	if _, err := granted(t, g, searching(".")).Git(t.Context(), gate.GitRead{Sub: "status"}); err == nil || errors.Is(err, gate.ErrNoRepository) {
		t.Errorf("a broken configuration: %v", err)
	}
	_ = git
}

// TestGitFilterThatStays: a content filter whose name cannot be given on a
// command line cannot be turned off, so git is not run where one is.
func TestGitFilterThatStays(t *testing.T) {
	t.Parallel()
	ws, _ := repository(t, map[string]string{"a.txt": "a\n", ".gitattributes": "* filter=odd=name\n"})
	ran := filepath.Join(t.TempDir(), "ran")
	config := filepath.Join(ws.Root(), ".git/config")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	put(t, config, string(text)+"[filter \"odd=name\"]\n\tclean = touch '"+filepath.ToSlash(ran)+"'; cat\n")
	put(t, filepath.Join(ws.Root(), "a.txt"), "A\n")
	h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), searching("."))
	_, err = h.Git(t.Context(), gate.GitRead{Sub: "diff"})
	if err == nil || !strings.Contains(err.Error(), `"odd=name"`) {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the filter ran")
	}
}

// TestGitReadsWhatWasPlanned: a plan to write a file is none to read it with
// git, and what lies in another folder of the workspace is not git's.
func TestGitReadsWhatWasPlanned(t *testing.T) {
	t.Parallel()
	ws, _ := repository(t, map[string]string{"a.txt": "a\n"})
	extra := t.TempDir()
	put(t, filepath.Join(extra, "b.txt"), "b\n")
	both, err := workspace.Open(workspace.Options{Root: ws.Root(), Extra: []string{extra}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { both.Close() })
	g := gate.New(gate.Options{Workspace: both, Yolo: true})
	outside := filepath.Join(extra, "b.txt")
	r := searching(".")
	r.Plan.Subjects = append(r.Plan.Subjects,
		policy.Subject{Kind: policy.KindPath, Text: outside, Access: policy.AccessRead},
		policy.Subject{Kind: policy.KindPath, Text: "new.txt", Access: policy.AccessWrite})
	h := granted(t, g, r)
	for name, want := range map[string]error{outside: workspace.ErrOutside, "new.txt": gate.ErrNotPlanned} {
		if _, err := h.Git(t.Context(), gate.GitRead{Sub: "diff", Paths: []string{name}}); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// An error of git's own is told by its first line when it is long.
	_, err = h.Git(t.Context(), gate.GitRead{Sub: "log", Revs: []string{strings.Repeat("nothing", 30)}})
	if err == nil || !strings.Contains(err.Error(), "exit 128") || strings.Contains(err.Error(), "\n") && len(err.Error()) > 500 {
		t.Errorf("error is %v", err)
	}
}

// TestWithoutGit covers a machine that has no git program.
func TestWithoutGit(t *testing.T) {
	ws, _ := repository(t, map[string]string{"a.txt": "a\n"})
	t.Setenv("PATH", t.TempDir())
	h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), searching("."))
	if _, err := h.Git(t.Context(), gate.GitRead{Sub: "status"}); !errors.Is(err, gate.ErrGitMissing) {
		t.Errorf("error is %v", err)
	}
}
