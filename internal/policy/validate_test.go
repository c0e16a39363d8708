package policy_test

import (
	"strings"
	"testing"

	"assent/internal/policy"
)

var names = []string{"bash", "read_file", "write_file", "edit_file", "git_status", "grep"}

func TestParseRule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]policy.Rule{
		"bash(git *)":      {Tool: "bash", Pattern: "git *"},
		" bash ":           {Tool: "bash"},
		"bash(echo (a) b)": {Tool: "bash", Pattern: "echo (a) b"},
		"bash( x )":        {Tool: "bash", Pattern: " x "},
		"mcp__a__b":        {Tool: "mcp__a__b"},
		"mcp__*":           {Tool: "mcp__*"},
		"git_*(x)":         {Tool: "git_*", Pattern: "x"},
		"*":                {Tool: "*"},
		"write_file(a(1))": {Tool: "write_file", Pattern: "a(1)"},
	} {
		want.Verdict, want.Layer, want.Source = policy.Allow, policy.LayerAllow, "--allow"
		got, err := policy.ParseRule(text, policy.Allow, policy.LayerAllow, "--allow", names)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if again, err := policy.ParseRule(got.String(), policy.Allow, policy.LayerAllow, "--allow", names); err != nil || again != got {
			t.Errorf("%q is not read back: %v", got, err)
		}
	}
	for text, part := range map[string]string{
		"bash(git": "not closed", "bash()": "empty", "(x)": "names no tool", "": "names no tool", "bsh(x)": `did you mean "bash"`, "read_fil": `"read_file"`, "qqqqqqqq": "valid names", "zz_*": "unknown tool",
	} {
		_, err := policy.ParseRule(text, policy.Deny, policy.LayerDeny, "--deny", names)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v does not hold %q", text, err, part)
		}
	}
	if _, err := policy.ParseRule("anything(x)", policy.Deny, policy.LayerDeny, "--deny", nil); err != nil {
		t.Error(err)
	}
}

func TestParseVerdict(t *testing.T) {
	t.Parallel()
	for _, w := range policy.Verdicts() {
		if v, err := policy.ParseVerdict(w); err != nil || string(v) != w {
			t.Error(w, err)
		}
	}
	for word, near := range map[string]string{"alow": "allow", "Allow": "allow", "denny": "deny", "aks": "ask"} {
		if _, err := policy.ParseVerdict(word); err == nil || !strings.Contains(err.Error(), `did you mean "`+near+`"`) {
			t.Errorf("%s: %v", word, err)
		}
	}
	if _, err := policy.ParseVerdict("permit"); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Error(err)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"bahs": "bash", "": "", "wirte_file": "write_file", "gitstatus": "git_status", strings.Repeat("x", 100): ""} {
		if got := policy.Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if policy.Nearest("x", nil) != "" {
		t.Error("something of nothing")
	}
}

func TestLexical(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l         policy.Lexical
		name, dir string
		rel, abs  string
		home      string
		outside   bool
	}{
		{here, "a/../b", "", "b", "/w/b", "", false},
		{here, "", "", ".", "/w", "", false},
		{here, "x", "sub", "sub/x", "/w/sub/x", "", false},
		{here, "../x", "sub", "x", "/w/x", "", false},
		{here, "../../x", "sub", "../x", "/x", "", true},
		{here, "x", "/etc", "../etc/x", "/etc/x", "", true},
		{here, "~/x", "", "../home/u/x", "/home/u/x", "~/x", true},
		{here, "~", "", "../home/u", "/home/u", "~", true},
		{here, "x", "~", "../home/u/x", "/home/u/x", "~/x", true},
		{here, "~root/x", "", "../~root/x", "/~root/x", "", true},
		{here, "/", "", "..", "/", "", true},
		{here, "/w", "", ".", "/w", "", false},
		{here, "/wx", "", "../wx", "/wx", "", true},
		{policy.Lexical{}, "a", "", "a", "", "", false},
		{policy.Lexical{}, "..", "", "..", "", "", true},
		{policy.Lexical{}, "/a", "", "/a", "/a", "", true},
		{policy.Lexical{}, "", "", ".", "", "", false},
		{policy.Lexical{}, "~/a", "", "/~/a", "/~/a", "", true},
	} {
		p := c.l.Place(c.name, c.dir)
		s := p.Spellings[0]
		if s.Rel != c.rel || s.Abs != c.abs || s.Home != c.home || p.Outside != c.outside {
			t.Errorf("%q in %q: %+v outside %v", c.name, c.dir, s, p.Outside)
		}
	}
	if list, whole := here.Expand("*", ""); list != nil || whole {
		t.Error("a disk that is not there was listed")
	}
	n := 0
	if !here.Below("x", "", func(policy.Place) bool { n++; return true }) || n != 1 {
		t.Error("a name is below itself")
	}
}

func TestSecret(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".env": true, "a/.env": true, "prod.env": true, ".env.local": true, "x.pem": true, "X.PEM": true, "id_rsa": true, "id_rsa.pub": true, "id_ed25519": true,
		".netrc": true, ".npmrc": true, ".pypirc": true, "x.p12": true, "credentials.json": true, "credentials-prod.json": true, "server.key": true,
		".env.example": false, ".env.sample": false, "a/.env.template": false, "env.go": false, "environment": false, "key.go": false, "pem": false, "netrc": false, "": false,
	} {
		if policy.Secret(name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}
