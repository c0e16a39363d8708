package policy_test

import (
	"strings"
	"testing"

	"assent/internal/policy"
)

func TestAlways(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		call policy.Call
		want string // rules parted by "; ", empty when always is not offered
	}{
		{"a subcommand", bash("git status --short"), "bash(git status *)"},
		{"PERM-12 the word", bash("grep -n x a.go"), "bash(grep *)"},
		{"PERM-16 the origin matches", bash("npm test"), "bash(npm test *)"},
		{"npm run", bash("npm run build -- --x"), "bash(npm run *)"},
		{"go test", bash("go test ./..."), "bash(go test *)"},
		{"three words", bash("gh pr view 3"), "bash(gh pr view *)"},
		{"two commands", bash("go vet ./... && ls -l"), "bash(go vet *); bash(ls *)"},
		{"the same twice", bash("ls a; ls b"), "bash(ls *)"},
		{"an option before the subcommand", bash("git -C internal log"), "bash(git -C internal log)"},
		{"an assignment", bash("X=1 make y"), "bash(X=1 make y)"},
		{"a shell", bash("bash x.sh"), "bash(bash x.sh)"},
		{"an interpreter", bash("python3 x.py"), "bash(python3 x.py)"},
		{"with a version", bash("python3.11 x.py"), "bash(python3.11 x.py)"},
		{"a wrapper", bash("sudo ls"), "bash(sudo ls); bash(ls *)"},
		{"env", bash("env ls"), "bash(env ls); bash(ls *)"},
		{"a wrapper with a wildcard", bash("sudo ls '*'"), ""},
		{"xargs", bash("echo a | xargs ls"), "bash(echo *); bash(xargs ls); bash(ls *)"},
		{"rm", bash("rm a.txt"), "bash(rm a.txt)"},
		{"a launcher's subcommand", bash("docker run x"), "bash(docker run x)"},
		{"a path", bash("./run.sh a"), "bash(./run.sh *)"},
		{"a wrapper script with subcommands", bash("./gradlew test"), "bash(./gradlew test *)"},
		{"unknown", bash("$X a"), ""},
		{"unknown among others", bash("ls; $X a"), ""},
		{"unread", bash("ls '"), ""},
		{"empty", bash("# x"), ""},
		{"outside", bash("cd /tmp && ls"), ""},
		{"a command with a variable", bash(`curl "$U"`), "bash(curl $U)"},
		{"a redirection", bash("echo x > a.txt"), "bash(echo *); write_file(a.txt)"},
		{"a redirection outside", bash("echo x > /tmp/a"), "bash(echo *); write_file(/tmp/a)"},
		{"a redirection that is not known", bash(`echo x > "$f"`), ""},
		{"a path of a tool", path("write_file", "src/a.go"), "write_file(src/a.go)"},
		{"a path outside", path("read_file", "/etc/hosts"), "read_file(/etc/hosts)"},
		{"a path with a wildcard", path("write_file", "a*"), ""},
		{"a path that begins with a tilde", path("write_file", "./~x"), ""},
		{"several paths", path("move_file", "a", "b"), "move_file(a); move_file(b)"},
		{"a URL", url("https://X.example/a?b=c"), "web_fetch(https://x.example/*)"},
		{"an odd URL", url("x"), "web_fetch(x)"},
		{"an MCP tool", other("mcp__a__b", "mcp__a__b"), "mcp__a__b"},
		{"what is allowed", path("read_file", "a"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rules(t)
			d := r.Decide(c.call, here)
			got := r.Always(c.call, d, here)
			var texts []string
			for _, g := range got {
				texts = append(texts, g.String())
			}
			if s := strings.Join(texts, "; "); s != c.want {
				t.Fatalf("got %q, want %q (%s)", s, c.want, d.Reason)
			}
			// What is granted covers the call that was approved.
			if len(got) > 0 && r.With(got...).Decide(c.call, here).Verdict != policy.Allow {
				t.Error("the grant does not cover the call")
			}
			if r.With(got...).With(policy.Rule{Tool: "*", Verdict: policy.Deny, Layer: policy.LayerUser}).Decide(c.call, here).Verdict != policy.Deny {
				t.Error("the grant outranks a deny")
			}
		})
	}
}

// A grant is narrow: what looks alike is not covered.
func TestAlwaysIsNarrow(t *testing.T) {
	t.Parallel()
	r := rules(t)
	for command, not := range map[string]string{
		"git status": "git push", "npm test": "npm tests", "ls": "lsof", "bash a.sh": "bash b.sh", "rm a": "rm b", "go test .": "go testx", "grep x": "grep x > y",
	} {
		call := bash(command)
		granted := r.With(r.Always(call, r.Decide(call, here), here)...)
		if d := granted.Decide(bash(not), here); d.Verdict == policy.Allow {
			t.Errorf("after %q always, %q is allowed", command, not)
		}
	}
}

func TestCommandPattern(t *testing.T) {
	t.Parallel()
	if policy.CommandPattern(policy.Subject{Kind: policy.KindCommand, Text: "x"}) != "" {
		t.Error("a subject without a command has a pattern")
	}
	for command, want := range map[string]string{"git": "git *", "git $x": "", "'a b' c": "", "go run .": "go run .", "'a*' b": "", "aws s3 ls": "aws s3 ls *", "gh --version": "gh --version", "gh pr -x": "gh pr *"} {
		if got := policy.CommandPattern(bash(command).Plan.Subjects[0]); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}
