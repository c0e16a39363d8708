package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assent/internal/gate"
	"assent/internal/guard"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/shell"
	"assent/internal/workspace"
)

// tools are the tools whose effects the rules of these tests must know.
var tools = []policy.Tool{
	{Name: "read_file", Effect: policy.Read},
	{Name: "grep", Effect: policy.Read},
	{Name: "write_file", Effect: policy.Write},
	{Name: "edit_file", Effect: policy.Write},
	{Name: "move_file", Effect: policy.Write},
	{Name: "bash", Effect: policy.Exec},
}

// open makes a workspace over a folder that holds the given files.
func open(t testing.TB, files map[string]string) (*workspace.Workspace, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	ws, err := workspace.Open(workspace.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return ws, dir
}

func put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rules reads rules of the user's config: "allow bash(git *)".
func rules(t testing.TB, lines ...string) policy.Rules {
	t.Helper()
	o := policy.Options{Tools: tools}
	for _, l := range lines {
		word, text, _ := strings.Cut(l, " ")
		layer := policy.LayerUser
		switch word {
		case "--allow":
			word, layer = "allow", policy.LayerAllow
		case "--deny":
			word, layer = "deny", policy.LayerDeny
		}
		r, err := policy.ParseRule(text, policy.Verdict(word), layer, "config.json:1", nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Rules = append(o.Rules, r)
	}
	return policy.New(o)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// bash is a request to run a command.
func bash(command string) gate.Request {
	return gate.Request{
		ID: "call-bash", Tool: "bash", Effect: policy.Exec,
		Input: json.RawMessage(`{"command":` + quoted(command) + `}`),
		Plan:  policy.ShellPlan(command, shell.Options{}),
		Replan: func(input json.RawMessage) (gate.Request, error) {
			var in struct{ Command string }
			if err := json.Unmarshal(input, &in); err != nil {
				return gate.Request{}, err
			}
			if in.Command == "" {
				return gate.Request{}, errors.New("missing command")
			}
			return bash(in.Command), nil
		},
	}
}

// on is a request of a file tool that touches one path.
func on(tool string, effect policy.Effect, access policy.Access, names ...string) gate.Request {
	r := gate.Request{ID: "call-" + tool, Tool: tool, Effect: effect}
	for _, n := range names {
		r.Plan.Subjects = append(r.Plan.Subjects, policy.Subject{Kind: policy.KindPath, Text: n, Access: access})
	}
	b, err := json.Marshal(map[string]any{"path": names})
	if err != nil {
		panic(err)
	}
	r.Input = b
	return r
}

func reading(names ...string) gate.Request {
	return on("read_file", policy.Read, policy.AccessRead, names...)
}

func writing(names ...string) gate.Request {
	return on("write_file", policy.Write, policy.AccessWrite, names...)
}

func searching(name string) gate.Request {
	return on("grep", policy.Read, policy.AccessTree, name)
}

// user answers prompts as told and remembers them.
type user struct {
	mu      sync.Mutex
	answer  gate.Answer
	err     error
	prompts []gate.Prompt
}

func (u *user) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.prompts = append(u.prompts, p)
	return u.answer, u.err
}

func (u *user) asked() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.prompts)
}

// hook says what it is told to.
type hook struct {
	v     gate.HookVerdict
	err   error
	panic bool
	seen  []string
}

func (h *hook) PreTool(_ context.Context, r gate.Request) (gate.HookVerdict, error) {
	h.seen = append(h.seen, r.Tool+" "+string(r.Input))
	if h.panic {
		panic("hook is broken")
	}
	return h.v, h.err
}

// no is a guard that refuses every call whose input holds a word.
type no struct {
	word  string
	panic bool
}

func (n no) Name() string { return "no" }

func (n no) Check(c guard.Call) *guard.Refusal {
	if n.panic {
		panic("guard is broken")
	}
	for _, s := range c.Plan.Subjects {
		if strings.Contains(s.Text, n.word) {
			return &guard.Refusal{Guard: "no", Part: s.Text, Reason: "it holds " + n.word, Instead: "ask the user to run it"}
		}
	}
	return nil
}

func procs(t testing.TB) *proc.Table {
	t.Helper()
	table := &proc.Table{}
	t.Cleanup(table.Close)
	return table
}

// want checks a decision's verdict and decider, and that a grant came with
// allow and only then.
func want(t testing.TB, grant *gate.Grant, d policy.Decision, v policy.Verdict, by policy.By) {
	t.Helper()
	if d.Verdict != v || d.By != by {
		t.Fatalf("got %s by %s (%s), want %s by %s", d.Verdict, d.By, d.Reason, v, by)
	}
	if (grant != nil) != (d.Verdict == policy.Allow) {
		t.Fatalf("verdict %s with grant %v", d.Verdict, grant)
	}
	if d.Reason == "" {
		t.Fatal("the decision has no reason")
	}
}

func guards(word string) []guard.Guard { return []guard.Guard{no{word: word}} }
