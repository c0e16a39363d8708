package policy_test

import (
	gopath "path"
	"strings"
	"testing"

	"assent/internal/policy"
)

// disk is a workspace of a few files, for what a decision asks of it.
type disk struct {
	policy.Lexical
	files []string
	// blind makes every question go without an answer.
	blind bool
}

var some = disk{Lexical: here, files: []string{".env", "a.go", "private/x", "src/a.go", "src/k.pem", "src/sub/b.go", "gen/x"}}

func (d disk) Expand(pattern, dir string) ([]string, bool) {
	if d.blind {
		return nil, false
	}
	var out []string
	for _, f := range d.files {
		name := strings.TrimPrefix(f, dir+"/")
		if ok, err := gopath.Match(pattern, name); err == nil && ok {
			out = append(out, name)
		}
	}
	return out, true
}

func (d disk) Below(name, dir string, visit func(policy.Place) bool) bool {
	if d.blind {
		return false
	}
	rel := d.Place(name, dir).Spellings[0].Rel
	for _, f := range d.files {
		if rel == "." || f == rel || strings.HasPrefix(f, rel+"/") {
			if !visit(d.Place(f, "")) {
				break
			}
		}
	}
	return true
}

func TestShellFiles(t *testing.T) {
	t.Parallel()
	blind := some
	blind.blind = true
	base := []string{"user bash(*) allow", "user write_file(*) allow", "user read_file(private/*) deny", "user edit_file(gen/*) deny"}
	for _, c := range []struct {
		command string
		paths   policy.Paths
		want    policy.Verdict
		why     string
	}{
		{"cat a.go", some, policy.Allow, ""},
		{"cat *.go", some, policy.Allow, ""},
		{"cat *", some, policy.Deny, ".env"},
		{"cat *", blind, policy.Ask, "pattern"},
		{"cat *.go", blind, policy.Ask, "pattern"}, // .env.go would be denied
		{"cat src/*.pem", some, policy.Deny, "*.pem"},
		{"cd src && cat k.*", some, policy.Deny, "k.pem"},
		{"grep -r x src/sub", some, policy.Allow, ""},
		{"grep -r x src", some, policy.Deny, "src/k.pem"},
		{"grep -r x src", blind, policy.Ask, "too large"},
		{"grep -r x --include='*.go' src", some, policy.Allow, ""},
		{"grep -r x --exclude='*.pem' src", some, policy.Allow, ""},
		{"grep -r x --exclude-dir=src --exclude-dir=private --exclude=.env .", some, policy.Allow, ""},
		{"grep -r x --exclude-dir=src .", some, policy.Deny, ".env"},
		{"cp -r private /tmp/y", some, policy.Deny, "private"},
		{`cat "$(cat a.go)"`, some, policy.Ask, "could be a file"},
		{`cat "$(cat a.go)/x.go"`, some, policy.Ask, "could be a file"},
		{`cat "$(cat a.go).txt"`, some, policy.Ask, "could be a file"},
		{"cd $(cat a.go) && cat b.go", some, policy.Ask, "folder"},
		{"cd $(cat a.go) && cat .env", some, policy.Deny, ".env"},
		{"mytool .env", some, policy.Ask, "may read"},
		{"mytool a.go", some, policy.Allow, ""},
		{"echo x > a.go", some, policy.Allow, ""},
		{"echo x > gen/x", some, policy.Deny, "gen/*"},
		{`echo x > "$(cat a.go)"`, some, policy.Ask, "cannot be known"},
		{"cp a.go g*/x", some, policy.Deny, "gen/*"},
		{"cp a.go g*/x", blind, policy.Ask, "pattern"},
		{"mv gen y", some, policy.Deny, "gen/*"},
		{"rm gen/x", some, policy.Deny, "gen/*"},
		{"rm src/a.go", some, policy.Allow, ""},
		{"rm /tmp/x", some, policy.Ask, "outside"},
		{"cd $(cat a.go) && rm b.go", some, policy.Ask, "folder"},
		{"cd $(cat a.go) && rm /tmp/b", some, policy.Ask, ""},
	} {
		t.Run(c.command, func(t *testing.T) {
			t.Parallel()
			d := rules(t, base...).Decide(bash(c.command), c.paths)
			if d.Verdict != c.want || !strings.Contains(d.Reason, c.why) {
				t.Errorf("got %s, want %s with %q: %s", d.Verdict, c.want, c.why, d.Reason)
			}
		})
	}
	// Without denials a path that is not known is like any other.
	for command, want := range map[string]policy.Verdict{`echo x > "$(cat a.go)"`: policy.Allow, "cp a.go g*/x": policy.Allow, "cd $(cat a.go) && rm b.go": policy.Allow} {
		r := policy.WithoutSecrets(policy.New(policy.Options{Tools: tools})).With(
			policy.Rule{Tool: "bash", Pattern: "*", Verdict: policy.Allow, Layer: policy.LayerUser}, policy.Rule{Tool: "write_file", Pattern: "*", Verdict: policy.Allow})
		if d := r.Decide(bash(command), blind); d.Verdict != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
}

// A program of which nothing is known, with a denied command as arguments.
func TestCarries(t *testing.T) {
	t.Parallel()
	r := rules(t, "user bash(*) allow", "user bash(rm *) deny")
	for command, want := range map[string]policy.Verdict{
		"mytool rm x": policy.Ask, "mytool -a rm x": policy.Ask, "mytool warm x": policy.Allow, "echo rm x": policy.Allow, "docker rm x": policy.Allow, "git rm x": policy.Allow, "git -C . commit -m 'rm x'": policy.Allow,
	} {
		if d := r.Decide(bash(command), some); d.Verdict != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
}

func TestElsewhere(t *testing.T) {
	t.Parallel()
	r := rules(t, "user bash(*) ask", "user bash(git *) allow", "user bash(cd *) allow", "user bash(ssh *) allow")
	for command, want := range map[string]policy.Verdict{
		"cd src && git log": policy.Allow, "cd /w/src && git log": policy.Allow, "cd /tmp && git log": policy.Ask, "git -C /tmp log": policy.Ask,
		"cd src; git log": policy.Allow, "cd ..; git log": policy.Ask, `cd "$(git log)"; git log`: policy.Ask, "ssh h 'cd /; git log'": policy.Allow,
		"cd .. && cd w && git log": policy.Ask, // the second cd runs above the root
	} {
		d := r.Decide(bash(command), here)
		if d.Verdict != want {
			t.Errorf("%s: %s: %s", command, d.Verdict, d.Reason)
		}
	}
	if all := rules(t, "user bash(*) allow").Decide(bash("cd /tmp && git log"), here); all.Verdict != policy.Allow {
		t.Error("who allows everything is asked about a folder")
	}
}

func TestCommandTexts(t *testing.T) {
	t.Parallel()
	got := policy.CommandTexts(bash("X=1 /usr/bin/git -C d push $Y").Plan.Subjects[0])
	for _, want := range []string{"X=1 /usr/bin/git -C d push $Y", "/usr/bin/git -C d push $Y", "/usr/bin/git -C d push", "git -C d push", "git push"} {
		found := false
		for _, g := range got {
			found = found || g == want
		}
		if !found {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

func TestSpellings(t *testing.T) {
	t.Parallel()
	linked := func(string, string) policy.Place {
		return policy.Place{Spellings: []policy.Spelling{{Rel: "link", Abs: "/w/link"}, {Rel: "real/x", Abs: "/w/real/x"}}}
	}
	p := placer{linked}
	for _, c := range []struct {
		rules []string
		want  policy.Verdict
	}{
		{[]string{"user write_file(link) allow"}, policy.Ask},
		{[]string{"user write_file(link) allow", "user write_file(real/*) allow"}, policy.Allow},
		{[]string{"user write_file(*) allow", "user write_file(real/*) deny"}, policy.Deny},
		{[]string{"user write_file(*) allow", "user write_file(link) deny"}, policy.Deny},
	} {
		if d := rules(t, c.rules...).Decide(path("write_file", "link"), p); d.Verdict != c.want {
			t.Errorf("%v: %s: %s", c.rules, d.Verdict, d.Reason)
		}
	}
	nowhere := placer{func(string, string) policy.Place { return policy.Place{} }}
	if d := rules(t, "user write_file(*) allow").Decide(path("write_file", "x"), nowhere); d.Verdict != policy.Ask {
		t.Errorf("a place without a name: %s", d.Verdict)
	}
}

// placer is a Paths of which only Place is of interest.
type placer struct {
	place func(string, string) policy.Place
}

func (p placer) Place(name, dir string) policy.Place    { return p.place(name, dir) }
func (p placer) Expand(string, string) ([]string, bool) { return nil, true }
func (p placer) Below(name, dir string, visit func(policy.Place) bool) bool {
	return visit(p.place(name, dir))
}

func FuzzDecide(f *testing.F) {
	for _, s := range []string{"git log", "rm -rf x", "$X", "echo $(rm x)", "a <<E\n$(rm x)\nE", "find . -exec rm {} +", "x=rm; $x y", "sh -c 'rm x'", "awk '{print > \"x\"}'", "a='x[$(b)]'; ((a))", "git -c a=b c"} {
		f.Add(s)
	}
	allow := rules(f, "user bash(*) ask", "user bash(git *) allow", "user bash(echo *) allow", "user write_file(*) allow")
	deny := allow.With(policy.Rule{Tool: "*", Pattern: "*", Verdict: policy.Deny, Layer: policy.LayerDeny})
	f.Fuzz(func(t *testing.T, command string) {
		q := bash(command)
		d := allow.Decide(q, some)
		if d.Verdict == policy.Allow {
			if len(q.Plan.Script.Commands) == 0 || q.Plan.Script.Err != nil {
				t.Fatalf("allowed with nothing to run: %q", command)
			}
			for _, c := range q.Plan.Script.Commands {
				if c.Unknown != "" {
					t.Fatalf("allowed what is unknown: %q", command)
				}
			}
		}
		if got := deny.Decide(q, some); got.Verdict != policy.Deny {
			t.Fatalf("--deny of everything gives %s: %q", got.Verdict, command)
		}
		allow.Always(q, d, some)
	})
}
