package policy_test

import (
	"strings"
	"testing"

	"assent/internal/policy"
)

func TestMode(t *testing.T) {
	t.Parallel()
	plan := policy.Mode{
		Name: "plan", Effects: []policy.Effect{policy.Read, policy.State}, Leave: "switch the agent with /agent",
		ReadOnly: []string{"kubectl get", "git log *", "mytool", "cat *", "echo *", "git *", "gofmt -l", "go list", "go vet"},
	}
	for _, c := range []struct {
		name    string
		mode    policy.Mode
		call    policy.Call
		refused bool
		why     string
	}{
		{"reads pass", plan, path("read_file", "a"), false, ""},
		{"PERM-29 writes do not", plan, path("apply_patch", "a"), true, "writing files"},
		{"PERM-27 commands do not", plan, bash("touch a"), true, "not declared as read-only"},
		{"PERM-31 a declared command does", plan, bash("kubectl get pods -n x"), false, ""},
		{"PERM-30 git log", plan, bash("git log -5 | cat"), false, ""},
		{"by its words", plan, bash("kubectl getx"), true, "not declared"},
		{"every command counts", plan, bash("git log; ls"), true, "\"ls\""},
		{"a redirection is a write", plan, bash("echo x > a"), true, "writes"},
		{"to nothing is none", plan, bash("echo x > /dev/null"), false, ""},
		{"what is unknown", plan, bash("git -c core.pager=./x log"), true, "core.pager"},
		{"what cannot be read", plan, bash("echo '"), true, "not complete"},
		{"what writes by an option", plan, bash("git diff --output=a"), true, "--output"},
		{"a formatter that writes", plan, bash("gofmt -l -w a.go"), true, "writes"},
		{"one that lists", plan, bash("gofmt -l a.go"), false, ""},
		{"a profile", plan, bash("gofmt -l -cpuprofile=x a.go"), true, "writes"},
		{"a list that edits", plan, bash("go list -mod=mod ./..."), true, "writes"},
		{"a check that mends", plan, bash("go vet -fix ./..."), true, "writes"},
		{"branches", plan, bash("git branch -a -vv --sort=-committerdate"), false, ""},
		{"a new branch", plan, bash("git branch -v x"), true, "changes the repository"},
		{"a branch that is moved", plan, bash("git branch -a -m x y"), true, "changes the repository"},
		{"branches with a commit", plan, bash("git branch --contains HEAD"), false, ""},
		{"tags", plan, bash("git tag -l 'v1*'"), false, ""},
		{"a tag", plan, bash("git tag v1"), true, "changes the repository"},
		{"remotes", plan, bash("git remote -v"), false, ""},
		{"a remote", plan, bash("git remote -v add x y"), true, "changes the repository"},
		{"a setting", plan, bash("git config user.name"), false, ""},
		{"a setting that is set", plan, bash("git config user.name x"), true, "changes the repository"},
		{"stashes", plan, bash("git stash list; git stash show -p"), false, ""},
		{"a stash", plan, bash("git stash"), true, "changes the repository"},
		{"a log of references", plan, bash("git reflog; git reflog show main"), false, ""},
		{"submodules", plan, bash("git submodule; git submodule status"), false, ""},
		{"more submodules", plan, bash("git submodule update"), true, "changes the repository"},
		{"nothing", plan, bash("# x"), true, "nothing"},
		{"an assignment", plan, bash("GIT_PAGER=x git log"), true, "not declared"},
		{"PERM-17 foreign tools do not", plan, other("mcp__a__b", "mcp__a__b"), true, "other programs"},
		{"net does not", plan, url("https://x.example/"), true, "network"},
		{"no list", policy.Mode{Name: "p", Effects: []policy.Effect{policy.Read}}, bash("ls"), true, "running commands"},
		{"all effects", policy.Mode{Name: "d"}, bash("ls"), false, ""},
		{"PERM-20 a tool that is not its own", policy.Mode{Name: "r", Tools: []string{"read_file", "git_*"}}, path("grep", "a"), true, "not one of its tools"},
		{"PERM-18 by a pattern", policy.Mode{Name: "r", Tools: []string{"read_file", "git_*"}}, path("git_show", "a"), false, ""},
		{"no tools at all", policy.Mode{Name: "r", Tools: []string{""}}, path("git_show", "a"), true, ""},
		{"an odd effect", policy.Mode{Name: "r", Effects: []policy.Effect{policy.Read}}, policy.Call{Tool: "x", Effect: "odd"}, true, "unknown effect"},
		{"state", policy.Mode{Name: "r", Effects: []policy.Effect{policy.Read}}, other("skill", "x"), true, "own state"},
		{"reads", policy.Mode{Name: "r", Effects: []policy.Effect{policy.State}}, path("grep", "x"), true, "reading files"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d, refused := c.mode.Decide(c.call)
			if refused != c.refused {
				t.Fatalf("refused %v: %s", refused, d.Reason)
			}
			if refused && (d.Verdict != policy.Deny || d.By != policy.ByMode || !strings.Contains(d.Reason, c.why)) {
				t.Errorf("%s by %s: %q does not hold %q", d.Verdict, d.By, d.Reason, c.why)
			}
			if refused && c.mode.Leave != "" && !strings.Contains(d.Reason, c.mode.Leave) {
				t.Error("it does not say how to leave the mode")
			}
		})
	}
}
