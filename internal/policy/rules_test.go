package policy_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/policy"
	"assent/internal/shell"
)

var tools = []policy.Tool{
	{Name: "read_file", Effect: policy.Read},
	{Name: "read_many_files", Effect: policy.Read},
	{Name: "grep", Effect: policy.Read},
	{Name: "git_show", Effect: policy.Read},
	{Name: "write_file", Effect: policy.Write},
	{Name: "edit_file", Effect: policy.Write},
	{Name: "apply_patch", Effect: policy.Write},
	{Name: "move_file", Effect: policy.Write},
	{Name: "bash", Effect: policy.Exec},
	{Name: "web_fetch", Effect: policy.Net},
	{Name: "skill", Effect: policy.State},
	{Name: "git_status", Effect: policy.Read},
}

var here = policy.Lexical{Root: "/w", Home: "/home/u"}

// rules reads "layer tool(pattern) verdict" lines.
func rules(t testing.TB, lines ...string) policy.Rules {
	t.Helper()
	layers := map[string]policy.Layer{
		"default": policy.LayerDefault, "user": policy.LayerUser, "project": policy.LayerProject, "untrusted": policy.LayerUntrusted,
		"allow": policy.LayerAllow, "grant": policy.LayerGrant, "deny": policy.LayerDeny,
	}
	var list []policy.Rule
	for _, line := range lines {
		layer, rest, _ := strings.Cut(line, " ")
		i := strings.LastIndexByte(rest, ' ')
		r, err := policy.ParseRule(rest[:i], policy.Verdict(rest[i+1:]), layers[layer], layer+":1", nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return policy.New(policy.Options{Rules: list, Tools: tools})
}

func effect(tool string) policy.Effect {
	for _, t := range tools {
		if t.Name == tool {
			return t.Effect
		}
	}
	return policy.Foreign
}

// path, bash, url and other make calls of tools.
func path(tool string, names ...string) policy.Call {
	access := policy.AccessRead
	if effect(tool) == policy.Write {
		access = policy.AccessWrite
	}
	var p policy.Plan
	for _, n := range names {
		p.Subjects = append(p.Subjects, policy.Subject{Kind: policy.KindPath, Text: n, Access: access})
	}
	return policy.Call{Tool: tool, Effect: effect(tool), Plan: p}
}

func bash(command string) policy.Call {
	return policy.Call{Tool: "bash", Effect: policy.Exec, Plan: policy.ShellPlan(command, shell.Options{})}
}

func url(text string) policy.Call {
	return policy.Call{Tool: "web_fetch", Effect: policy.Net, Plan: policy.Plan{Subjects: []policy.Subject{{Kind: policy.KindURL, Text: text}}}}
}

func other(tool, text string) policy.Call {
	c := policy.Call{Tool: tool, Effect: effect(tool)}
	if text != "" {
		c.Plan.Subjects = []policy.Subject{{Kind: policy.KindTool, Text: text}}
	}
	return c
}

func TestDecide(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		rules []string
		call  policy.Call
		want  policy.Verdict
		by    policy.By
	}{
		{"read is allowed", nil, path("read_file", "a.go"), policy.Allow, policy.ByDefault},
		{"write asks", nil, path("write_file", "a.go"), policy.Ask, policy.ByDefault},
		{"exec asks", nil, bash("ls"), policy.Ask, policy.ByDefault},
		{"net asks", nil, url("https://x.example/"), policy.Ask, policy.ByDefault},
		{"foreign asks, PERM-17", nil, other("mcp__a__b", "mcp__a__b"), policy.Ask, policy.ByDefault},
		{"state is allowed", nil, other("skill", "x"), policy.Allow, policy.ByDefault},
		{"a tool without subjects", []string{"user git_status deny"}, other("git_status", ""), policy.Deny, policy.ByRule},
		{"last match wins", []string{"user bash(*) deny", "user bash(git *) allow", "user bash(git push *) ask"}, bash("git push x"), policy.Ask, policy.ByRule},
		{"and not the strictest", []string{"user bash(rm *) deny", "user bash(rm a) allow"}, bash("rm a"), policy.Allow, policy.ByRule},
		{"a table of another tool", []string{"user edit_file(*) allow"}, path("write_file", "a"), policy.Ask, policy.ByDefault},
		{"a key with a star", []string{"user mcp__*(*) deny", "user mcp__a__* allow"}, other("mcp__a__b", "mcp__a__b"), policy.Allow, policy.ByRule},
		{"a key that matches all", []string{"user * deny"}, path("read_file", "a"), policy.Deny, policy.ByRule},
		{"an MCP tool by name", []string{"user mcp__a__b allow"}, other("mcp__a__b", "mcp__a__b"), policy.Allow, policy.ByRule},
		{"project may lift", []string{"user bash(rm *) deny", "project bash(rm *) allow"}, bash("rm a"), policy.Allow, policy.ByRule},
		{"untrusted may not lift a deny", []string{"user bash(rm *) deny", "untrusted bash(rm *) allow"}, bash("rm a"), policy.Deny, policy.ByRule},
		{"untrusted may not allow", []string{"untrusted bash(*) allow"}, bash("ls"), policy.Ask, policy.ByDefault},
		{"untrusted may not soften", []string{"user bash(rm *) deny", "untrusted bash(rm *) ask"}, bash("rm a"), policy.Deny, policy.ByRule},
		{"untrusted may tighten", []string{"user bash(*) allow", "untrusted bash(ls) deny"}, bash("ls"), policy.Deny, policy.ByRule},
		{"untrusted cannot open a secret", []string{"untrusted read_file(.env) allow"}, path("read_file", ".env"), policy.Deny, policy.ByDefault},
		{"--allow allows", []string{"allow bash(ls) allow"}, bash("ls"), policy.Allow, policy.ByRule},
		{"--allow lifts an ask", []string{"user bash(*) ask", "allow bash(ls) allow"}, bash("ls"), policy.Allow, policy.ByRule},
		{"--allow lifts no deny of the user's", []string{"user bash(rm *) deny", "allow bash(*) allow"}, bash("rm a"), policy.Deny, policy.ByRule},
		{"--allow lifts a deny of the project's", []string{"project bash(rm *) deny", "allow bash(rm *) allow"}, bash("rm a"), policy.Allow, policy.ByRule},
		{"--deny wins", []string{"user bash(*) allow", "allow bash(*) allow", "deny bash(rm *) deny"}, bash("rm a"), policy.Deny, policy.ByRule},
		{"--deny wins over a grant", []string{"grant bash(rm *) allow", "deny bash(rm *) deny"}, bash("rm a"), policy.Deny, policy.ByRule},
		{"a grant lifts an ask", []string{"user bash(rm *) ask", "grant bash(rm *) allow"}, bash("rm a"), policy.Allow, policy.ByRule},
		{"a grant lifts no deny", []string{"user bash(rm *) deny", "grant bash(rm *) allow"}, bash("rm a"), policy.Deny, policy.ByRule},
		{"a grant lifts no deny of an untrusted project", []string{"untrusted bash(rm *) deny", "grant bash(rm *) allow"}, bash("rm a"), policy.Deny, policy.ByRule},
		{"the strictest subject", []string{"user bash(git *) allow"}, bash("git log; ls"), policy.Ask, policy.ByDefault},
		{"PERM-06 an assignment that is harmless", []string{"user bash(aws *) allow"}, bash("AWS_PROFILE=x aws s3 ls"), policy.Allow, policy.ByRule},
		{"PERM-16 a pattern covers the bare command", []string{"user bash(npm test *) allow"}, bash("npm test"), policy.Allow, policy.ByRule},
		{"an assignment in an allow rule", []string{"user bash(X=1 git *) allow"}, bash("X=1 git log"), policy.Allow, policy.ByRule},
		{"an ask rule sees through a path", []string{"user bash(*) allow", "user bash(rm *) ask"}, bash("/bin/rm a"), policy.Ask, policy.ByRule},
		{"a word for a verdict that is none", []string{"user bash(*) maybe"}, bash("ls"), policy.Deny, policy.ByRule},
		{"a path in a denied folder", []string{"user write_file(src/*) allow", "user write_file(src/gen/*) deny"}, path("write_file", "src/gen/a"), policy.Deny, policy.ByRule},
		{"the folder itself", []string{"user read_file(secret/*) deny"}, path("grep", "secret"), policy.Deny, policy.ByRule},
		{"with a dot in front", []string{"user write_file(./a) deny"}, path("write_file", "a"), policy.Deny, policy.ByRule},
		{"a deny of edit binds write", []string{"user edit_file(gen/*) deny", "user write_file(*) allow"}, path("write_file", "gen/x"), policy.Deny, policy.ByRule},
		{"and patches", []string{"user edit_file(gen/*) deny", "user apply_patch(*) allow"}, path("apply_patch", "a", "gen/x"), policy.Deny, policy.ByRule},
		{"and moves", []string{"user write_file(gen/*) deny", "user move_file(*) allow"}, path("move_file", "gen/x", "y"), policy.Deny, policy.ByRule},
		{"and redirections", []string{"user bash(*) allow", "user edit_file(gen/*) deny", "user write_file(*) allow"}, bash("echo x > gen/x"), policy.Deny, policy.ByRule},
		{"a tool that is denied as a whole", []string{"user edit_file deny", "user write_file(*) allow"}, path("write_file", "x"), policy.Allow, policy.ByRule},
		{"a denied write tool binds redirections", []string{"user bash(*) allow", "user write_file deny"}, bash("echo x > y"), policy.Deny, policy.ByRule},
		{"a denied read tool binds cat", []string{"user bash(*) allow", "user read_file deny"}, bash("cat y"), policy.Deny, policy.ByRule},
		{"a deny of grep binds read", []string{"user grep(private/*) deny"}, path("read_file", "private/x"), policy.Deny, policy.ByRule},
		{"and git", []string{"user read_file(private/*) deny"}, path("git_show", "private/x"), policy.Deny, policy.ByRule},
		{"a secret is denied", nil, path("read_file", "a/.env.local"), policy.Deny, policy.ByDefault},
		{"an example is not", nil, path("read_file", "a/.env.example"), policy.Allow, policy.ByDefault},
		{"a bare wildcard opens no secret", []string{"user read_file(*) allow"}, path("read_file", ".env"), policy.Deny, policy.ByDefault},
		{"nor does a folder", []string{"user read_file(a/*) allow"}, path("read_file", "a/.env"), policy.Deny, policy.ByDefault},
		{"nor a tool as a whole", []string{"user read_file allow"}, path("read_file", ".env"), policy.Deny, policy.ByDefault},
		{"nor letters that happen to match", []string{"user read_file(*e*) allow"}, path("read_file", ".env"), policy.Deny, policy.ByDefault},
		{"a name opens it", []string{"user read_file(.env) allow"}, path("read_file", ".env"), policy.Allow, policy.ByRule},
		{"a pattern of names opens it", []string{"user read_file(*.env) allow"}, path("read_file", "a/.env"), policy.Allow, policy.ByRule},
		{"for the other tools too", []string{"user read_file(.env) allow"}, path("grep", ".env"), policy.Allow, policy.ByDefault},
		{"and for the shell", []string{"user bash(*) allow", "user read_file(.env) allow"}, bash("cat .env"), policy.Allow, policy.ByRule},
		{"--allow opens it", []string{"allow read_file(.env) allow"}, path("read_file", ".env"), policy.Allow, policy.ByRule},
		{"a deny after closes it", []string{"user read_file(.env) allow", "user read_file(.env) deny"}, path("read_file", ".env"), policy.Deny, policy.ByRule},
		{"outside asks", nil, path("read_file", "../x"), policy.Ask, policy.ByDefault},
		{"outside asks for * too", []string{"user read_file(*) allow"}, path("read_file", "/etc/hosts"), policy.Ask, policy.ByDefault},
		{"a pattern that names outside", []string{"user read_file(/etc/*) allow"}, path("read_file", "/etc/hosts"), policy.Allow, policy.ByRule},
		{"in the home folder", []string{"user read_file(~/docs/*) allow"}, path("read_file", "~/docs/x"), policy.Allow, policy.ByRule},
		{"by the way up", []string{"user write_file(../y/*) allow"}, path("write_file", "../y/x"), policy.Allow, policy.ByRule},
		{"an absolute deny", []string{"user read_file(/w/private/*) deny"}, path("read_file", "private/x"), policy.Deny, policy.ByRule},
		{"a home deny where there is none", []string{"user read_file(~/x) deny"}, path("read_file", "x"), policy.Allow, policy.ByDefault},
		{"a URL", []string{"user web_fetch(https://x.example/*) allow"}, url("https://x.example/a"), policy.Allow, policy.ByRule},
		{"a URL in capitals", []string{"user web_fetch(https://x.example/*) deny"}, url("HTTPS://X.Example./a"), policy.Deny, policy.ByRule},
		{"a URL with a user", []string{"user web_fetch(https://x.example*) allow"}, url("https://x.example@evil.example/"), policy.Ask, policy.ByDefault},
		{"a URL with a port", []string{"user web_fetch(https://x.example/*) deny"}, url("https://x.example:443/a"), policy.Deny, policy.ByRule},
		{"a URL with an empty port", []string{"user web_fetch(https://x.example/*) deny"}, url("https://x.example:/a"), policy.Deny, policy.ByRule},
		{"a URL with zeros before its port", []string{"user web_fetch(https://x.example/*) deny"}, url("https://x.example:0443/a"), policy.Deny, policy.ByRule},
		{"a URL with dots behind its host", []string{"user web_fetch(https://x.example/*) deny"}, url("https://x.example../a"), policy.Deny, policy.ByRule},
		{"a URL with a letter by its bytes", []string{"user web_fetch(https://é.example/*) deny"}, url("https://%C3%89.example/a"), policy.Deny, policy.ByRule},
		{"a URL with a backslash", []string{"user web_fetch(https://x.example/*) deny"}, url(`https:\\x.example\a`), policy.Deny, policy.ByRule},
		{"a skill", []string{"user skill(deploy) deny"}, other("skill", "deploy"), policy.Deny, policy.ByRule},
		{"an effect that is none", nil, policy.Call{Tool: "x", Effect: "odd"}, policy.Ask, policy.ByDefault},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := rules(t, c.rules...).Decide(c.call, here)
			if d.Verdict != c.want || d.By != c.by {
				t.Errorf("got %s by %s: %s", d.Verdict, d.By, d.Reason)
			}
			if d.Reason == "" || len(d.Subjects) == 0 {
				t.Error("a decision must say why and of what")
			}
		})
	}
}

// PERM-09: the reason names the rule, where it stands, and the construct.
func TestReasons(t *testing.T) {
	t.Parallel()
	r := rules(t, "user bash(*) ask", "user bash(git push *) deny")
	for command, want := range map[string]string{
		"git push x": "bash(git push *) (user:1) denies", "$X a": "$X", "echo $(": "not complete", "": "nothing in the command would run",
	} {
		if d := r.Decide(bash(command), here); !strings.Contains(d.Reason, want) {
			t.Errorf("%q: %q does not hold %q", command, d.Reason, want)
		}
	}
	long := bash("echo " + strings.Repeat("é", 300))
	if d := r.Decide(long, here); len(d.Reason) > 400 || !strings.Contains(d.Reason, "…") {
		t.Errorf("a long text is not cut: %q", d.Reason)
	}
}

func TestZeroRules(t *testing.T) {
	t.Parallel()
	var r policy.Rules
	if d := r.Decide(bash("ls"), nil); d.Verdict != policy.Ask {
		t.Errorf("no rules: %s", d.Verdict)
	}
	if d := r.Decide(path("read_file", "a"), nil); d.Verdict != policy.Allow {
		t.Errorf("a read without rules: %s", d.Verdict)
	}
	r = r.With(policy.Rule{Tool: "bash", Pattern: "ls", Verdict: policy.Allow})
	if d := r.Decide(bash("ls"), nil); d.Verdict != policy.Allow || len(r.All()) != 1 {
		t.Errorf("with a rule: %s", d.Verdict)
	}
	if d := r.With(policy.Rule{Verdict: policy.Deny}).Decide(bash("ls"), nil); d.Verdict != policy.Allow {
		t.Error("a rule that names no tool must match none")
	}
	if _, denied := r.ReadDenied("grep", policy.Place{}); denied {
		t.Error("a place without a name is denied")
	}
}

func TestWalkDenials(t *testing.T) {
	t.Parallel()
	r := rules(t, "user read_file(private/*) deny", "user edit_file(gen/*) deny")
	for name, want := range map[string]bool{"a.go": false, ".env": true, "private/x": true, "private": true} {
		if _, denied := r.ReadDenied("grep", here.Place(name, "")); denied != want {
			t.Errorf("reading %s: denied %v, want %v", name, denied, want)
		}
	}
	if _, denied := r.WriteDenied(here.Place("gen/x", "")); !denied {
		t.Error("writing is not denied")
	}
	open := policy.WithoutSecrets(policy.New(policy.Options{}))
	if _, denied := open.ReadDenied("grep", here.Place(".env", "")); denied {
		t.Error("secrets are not open")
	}
}

// --deny only tightens, --allow and grants never lift a deny of the user's,
// and nothing but an allow rule allows what asks by default.
func TestLaws(t *testing.T) {
	t.Parallel()
	patterns := rapid.SampledFrom([]string{"*", "git *", "git log", "rm *", "ls", "git push *", "echo *"})
	verdicts := rapid.SampledFrom([]policy.Verdict{policy.Allow, policy.Ask, policy.Deny})
	layers := rapid.SampledFrom([]policy.Layer{policy.LayerDefault, policy.LayerUser, policy.LayerProject, policy.LayerUntrusted})
	commands := rapid.SampledFrom([]string{"git log", "git push x", "rm a", "ls; rm a", "echo $(rm a)", "$X", "X=1 git log", "", "echo '", "bash -c 'rm a'"})
	rank := map[policy.Verdict]int{policy.Allow: 0, policy.Ask: 1, policy.Deny: 2}
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.Custom(func(t *rapid.T) policy.Rule {
			return policy.Rule{Tool: "bash", Pattern: patterns.Draw(t, "p"), Verdict: verdicts.Draw(t, "v"), Layer: layers.Draw(t, "l"), Source: "x"}
		})
		list := rapid.SliceOfN(rule, 0, 6).Draw(t, "rules")
		base := policy.New(policy.Options{Rules: list, Tools: tools})
		call := bash(commands.Draw(t, "command"))
		before := base.Decide(call, here)
		denied := base.With(policy.Rule{Tool: "bash", Pattern: patterns.Draw(t, "deny"), Verdict: policy.Deny, Layer: policy.LayerDeny}).Decide(call, here)
		if rank[denied.Verdict] < rank[before.Verdict] {
			t.Fatalf("--deny loosens %s to %s", before.Verdict, denied.Verdict)
		}
		granted := base.With(policy.Rule{Tool: "bash", Pattern: patterns.Draw(t, "grant"), Verdict: policy.Allow, Layer: policy.LayerGrant}).Decide(call, here)
		if before.Verdict == policy.Deny && granted.Verdict != policy.Deny {
			t.Fatal("a grant lifts a deny")
		}
		var mine []policy.Rule
		for _, r := range list {
			if r.Layer <= policy.LayerUser {
				mine = append(mine, r)
			}
		}
		allowed := policy.New(policy.Options{Rules: mine, Tools: tools}).With(policy.Rule{Tool: "bash", Pattern: "*", Verdict: policy.Allow, Layer: policy.LayerAllow}).Decide(call, here)
		if policy.New(policy.Options{Rules: mine, Tools: tools}).Decide(call, here).Verdict == policy.Deny && allowed.Verdict != policy.Deny {
			t.Fatal("--allow lifts a deny of the user's")
		}
		if before.Verdict == policy.Allow {
			some := false
			for _, r := range list {
				some = some || r.Verdict == policy.Allow && r.Layer != policy.LayerUntrusted
			}
			if !some {
				t.Fatal("allowed without a rule that allows")
			}
		}
		if call.Plan.Script.Source == "" && before.Verdict == policy.Allow {
			t.Fatal("an empty set of commands is allowed")
		}
	})
}
