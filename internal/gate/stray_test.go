package gate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// TestStrayRepository covers a folder that git takes for a repository although
// it is none of .git: its configuration came with the files and runs programs.
func TestStrayRepository(t *testing.T) {
	t.Parallel()
	ws, git := repository(t, map[string]string{"a.go": "a\n", "in/b.go": "b\n"})
	root := ws.Root()
	for _, dir := range []string{"stray/objects", "stray/refs/heads", "common", "file", "plain/objects"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(root, "stray/HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(root, "stray/config"), "[core]\n\tfsmonitor = id\n")
	put(t, filepath.Join(root, "common/HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(root, "common/commondir"), "../elsewhere\n")
	put(t, filepath.Join(root, "file/.git"), "gitdir: ../stray\n")
	put(t, filepath.Join(root, "long/.git"), "gitdir: ../stray"+strings.Repeat("\n", 6000))
	git("worktree", "add", "-q", "tree")
	git("init", "-q", "own")

	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "allow bash(git *)", "allow bash(cd *)", "allow bash(cp *)", "allow bash(ls *)", "allow bash(gh *)", "allow write_file")})
	for command, want := range map[string]policy.Verdict{
		"git status": policy.Allow, "git -C in status": policy.Allow, "cd in && git status": policy.Allow, "git -C plain log": policy.Allow,
		"git -C tree status": policy.Allow, "git -C own status": policy.Allow, "cd own; git log": policy.Allow, "ls stray": policy.Allow,
		"git log stray": policy.Allow, "cp a.go in/b.go && git status": policy.Allow,

		"git -C stray status": policy.Ask, "cd stray && git status": policy.Ask, "git -C stray/refs status": policy.Ask,
		"(cd in; cd ../stray; git log)": policy.Ask, "git -C ./in/../stray diff": policy.Ask, "git -C common status": policy.Ask,
		"git -C file status": policy.Ask, "git -C long status": policy.Ask, "cd stray; gh pr list": policy.Ask, "sh -c 'cd stray; git status'": policy.Ask,
		"cp a.go in/HEAD; git -C in status": policy.Ask,
	} {
		g.Begin()
		if d := g.Explain(t.Context(), bash(command)); d.Verdict != want {
			t.Errorf("%s: %s, want %s: %s", command, d.Verdict, want, d.Reason)
		}
	}
}
