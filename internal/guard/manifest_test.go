package guard_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/guard"
	"assent/internal/policy"
)

const manifest = `{"name": "no-prod", "description": "Keeps away from production.", "appendix": "Never touch production.",
	"deny": [
		{"tools": ["bash"], "commandPattern": "kubectl .*--context[= ]prod", "reason": "production is not ours"},
		{"tools": ["write_file", "edit_*", "bash"], "pathPattern": "^deploy/prod/", "reason": "production files"},
		{"tools": ["mcp__prod__*"], "reason": "production tools"}
	]}`

func TestManifest(t *testing.T) {
	t.Parallel()
	m, err := guard.ParseManifest([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Guard()
	if err != nil || g.Name() != "no-prod" || m.Appendix == "" {
		t.Fatal(g, err)
	}
	for _, c := range []struct {
		name string
		call guard.Call
		want string
	}{
		{"a command", bash("kubectl --context prod get pods"), "not ours"},
		{"in a wrapper", bash("sudo sh -c 'kubectl get x --context=prod'"), "not ours"},
		{"with an assignment", bash("X=1 kubectl --context prod get x"), "not ours"},
		{"another command", bash("kubectl --context dev get pods"), ""},
		{"as a word", bash("echo 'kubectl'"), ""},
		{"a path", write("write_file", "deploy/prod/x.yaml"), "files"},
		{"a crooked path", write("edit_file", "src/../deploy/prod/x.yaml"), "files"},
		{"by an absolute path", write("edit_file", "/w/deploy/prod/x"), "files"},
		{"a redirection", bash("echo x > deploy/prod/x"), "files"},
		{"another path", write("write_file", "deploy/dev/x.yaml"), ""},
		{"another tool", write("move_file", "deploy/prod/x"), ""},
		{"a tool as a whole", guard.Call{Tool: "mcp__prod__drop", Effect: policy.Foreign}, "tools"},
		{"its neighbour", guard.Call{Tool: "mcp__dev__drop", Effect: policy.Foreign}, ""},
	} {
		r := guard.Check([]guard.Guard{g}, c.call)
		if (r == nil) != (c.want == "") || r != nil && (r.Guard != "no-prod" || !strings.Contains(r.Reason, c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, r, c.want)
		}
	}
	only, err := guard.ParseManifest([]byte(`{"name":"x","description":"d","deny":[{"tools":["bash"],"pathPattern":"\\.txt$","reason":"r"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	g, _ = only.Guard()
	if r := guard.Check([]guard.Guard{g}, bash("cat *.t*")); r == nil {
		t.Error("a pattern of the shell is not expanded")
	}
}

func TestManifestIsStrict(t *testing.T) {
	t.Parallel()
	rule := `{"tools":["bash"],"reason":"r"}`
	for name, c := range map[string]struct{ text, want string }{
		"nothing":              {``, "EOF"},
		"no object":            {`[]`, ""},
		"a string":             {`"x"`, "not an object"},
		"no syntax":            {`{"name":`, ""},
		"text after":           {`{"name":"x","description":"d","deny":[` + rule + `]} x`, ""},
		"an unknown key":       {`{"name":"x","description":"d","run":"ls","deny":[` + rule + `]}`, "unknown"},
		"a key in capitals":    {`{"Name":"x","description":"d","deny":[` + rule + `]}`, "unknown key"},
		"a key in small":       {`{"name":"x","description":"d","deny":[{"tools":["a"],"pathpattern":"x","reason":"r"}]}`, "unknown key"},
		"an unknown key below": {`{"name":"x","description":"d","deny":[{"tools":["a"],"allow":true,"reason":"r"}]}`, "unknown"},
		"a key twice":          {`{"name":"x","name":"y","description":"d","deny":[` + rule + `]}`, "twice"},
		"no name":              {`{"description":"d","deny":[` + rule + `]}`, "name"},
		"an odd name":          {`{"name":"A b","description":"d","deny":[` + rule + `]}`, "name"},
		"a builtin's name":     {`{"name":"protect","description":"d","deny":[` + rule + `]}`, "builtin"},
		"no description":       {`{"name":"x","description":" ","deny":[` + rule + `]}`, "description"},
		"no rules":             {`{"name":"x","description":"d","deny":[]}`, "1 to"},
		"no reason":            {`{"name":"x","description":"d","deny":[{"tools":["a"],"reason":""}]}`, "reason"},
		"no tools":             {`{"name":"x","description":"d","deny":[{"tools":[],"reason":"r"}]}`, "at least one"},
		"a tool without name":  {`{"name":"x","description":"d","deny":[{"tools":[""],"reason":"r"}]}`, "no name"},
		"a bad path":           {`{"name":"x","description":"d","deny":[{"tools":["a"],"pathPattern":"(","reason":"r"}]}`, "pathPattern"},
		"a bad command":        {`{"name":"x","description":"d","deny":[{"tools":["a"],"commandPattern":"(?=x)","reason":"r"}]}`, "commandPattern"},
		"a long pattern":       {`{"name":"x","description":"d","deny":[{"tools":["a"],"commandPattern":"` + strings.Repeat("a", 201) + `","reason":"r"}]}`, "201 bytes"},
		"a long appendix":      {`{"name":"x","description":"d","appendix":"` + strings.Repeat("a", 8001) + `","deny":[` + rule + `]}`, "appendix"},
		"a long file":          {strings.Repeat(" ", 65<<10), "at most"},
		"a wrong type":         {`{"name":1,"description":"d","deny":[` + rule + `]}`, "name"},
	} {
		if _, err := guard.ParseManifest([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v does not hold %q", name, err, c.want)
		}
	}
	if _, err := (guard.Manifest{}).Guard(); err == nil {
		t.Error("an empty manifest is a guard")
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(manifest))
	f.Add([]byte(`{"name":"x","description":"d","deny":[{"tools":["bash"],"reason":"r"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := guard.ParseManifest(data)
		if err != nil {
			return
		}
		g, err := m.Guard()
		if err != nil {
			t.Fatalf("what can be read is no guard: %v", err)
		}
		if r := guard.Check([]guard.Guard{g}, bash("ls > a; rm b")); r != nil && r.Reason == "" {
			t.Fatal("a refusal without a reason")
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := guard.ParseManifest(again); err != nil && len(again) < 60<<10 {
			t.Fatalf("what was read cannot be written and read again: %v", err)
		}
	})
}

func FuzzGuards(f *testing.F) {
	for _, s := range []string{"rm -rf x", "git push -f", "curl x | sh", ":(){ :|:& };:", "chmod 777 x", "psql -c 'drop table x'", "echo x > .git/config", "git restore .", "python3 -c 'x'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		r := guard.Check(guards, bash(command))
		if r != nil && strings.Contains(r.Reason, "the guard failed") {
			t.Fatalf("%q: %v", command, r)
		}
		if s := bash(command).Plan.Script; r != nil && r.Guard == guard.Destructive && s.Err == nil {
			if guard.Check(guards, bash("(\n"+command+"\n)")) == nil && bash("(\n"+command+"\n)").Plan.Script.Err == nil {
				t.Fatalf("%q is refused, and in a subshell it is not", command)
			}
		}
	})
}
