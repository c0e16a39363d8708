package files_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"assent/internal/gate"
	"assent/internal/gate/gatetest"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/tools/files"
	"assent/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a folder, a gate that allows, and the tools, for one conversation.
type world struct {
	*testing.T
	dir   string
	ws    *workspace.Workspace
	gate  *gate.Gate
	tools tool.Set
}

func newWorld(t *testing.T, contents map[string]string) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	w := &world{t, dir, ws, gate.New(gate.Options{Workspace: ws, Yolo: true}), files.Tools()}
	for name, text := range contents {
		w.put(name, text)
	}
	return w
}

// put changes a file as another program would.
func (w *world) put(name, text string) {
	w.Helper()
	full := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

// holds checks the bytes of a file.
func (w *world) holds(name, want string) {
	w.Helper()
	got, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil || string(got) != want {
		w.Errorf("%s holds %q (%v), want %q", name, got, err, want)
	}
}

func (w *world) missing(name string) {
	w.Helper()
	if _, err := os.Lstat(filepath.Join(w.dir, name)); !os.IsNotExist(err) {
		w.Errorf("%s exists (%v)", name, err)
	}
}

// try runs a call through the gate.
func (w *world) try(name string, input any) (tool.Result, error) {
	w.Helper()
	t, ok := w.tools.Find(name)
	if !ok {
		w.Fatalf("no tool %s", name)
	}
	text, err := json.Marshal(input)
	if err != nil {
		w.Fatal(err)
	}
	p, err := t.Prepare("call", text)
	if err != nil {
		w.Fatal(err)
	}
	w.gate.Begin()
	grant, decision := w.gate.Decide(context.Background(), p.Request())
	if grant == nil {
		w.Fatalf("refused: %s", decision.Reason)
	}
	return p.Run(context.Background(), grant)
}

type args map[string]any

// run is try of a call that must succeed.
func (w *world) run(name string, input any) tool.Result {
	w.Helper()
	r, err := w.try(name, input)
	if err != nil {
		w.Fatalf("%s: %v", name, err)
	}
	return r
}

// fails is try of a call that must fail with a message that holds every part.
func (w *world) fails(name string, input any, parts ...string) {
	w.Helper()
	_, err := w.try(name, input)
	if err == nil {
		w.Fatalf("%s did not fail", name)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			w.Errorf("%s: %q lacks %q", name, err, p)
		}
	}
}

func (w *world) says(r tool.Result, parts ...string) {
	w.Helper()
	for _, p := range parts {
		if !strings.Contains(r.Output, p) {
			w.Errorf("%q lacks %q", r.Output, p)
		}
	}
}

func TestToolsMakeSense(t *testing.T) {
	t.Parallel()
	total := 0
	for _, x := range files.Tools() {
		if err := x.Check(); err != nil {
			t.Error(err)
		}
		s := x.Spec()
		total += len(s.Description) + len(s.Schema)
	}
	if total > 6000 {
		t.Errorf("the tools cost %d bytes of every request", total)
	}
}

// Without a grant for this very call nothing is written.
func TestNoGrantNoHands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	x, _ := w.tools.Find("write_file")
	p, err := x.Prepare("1", json.RawMessage(`{"path":"a","content":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(context.Background(), nil); err == nil {
		t.Error("ran without a grant")
	}
	other, err := x.Prepare("1", json.RawMessage(`{"path":"b","content":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(context.Background(), gatetest.Grant(t, w.ws, other.Request())); err == nil {
		t.Error("ran with the grant of another call")
	}
	w.missing("a")
	w.missing("b")
}

// A plan names every path as the model wrote it, and what would be written.
func TestPlans(t *testing.T) {
	t.Parallel()
	const patch = "*** Begin Patch\n*** Add File: ./a\n+new\n*** Update File: b/../c\n*** Move to: ~/d\n@@\n-x\n+y\n*** Delete File: e\n*** End Patch"
	for _, c := range []struct {
		name, input string
		paths       []string
		access      policy.Access
		content     []string
	}{
		{"read_file", `{"path":"./a"}`, []string{"./a"}, policy.AccessRead, nil},
		{"read_many_files", `{"files":[{"path":"a"},{"path":"../b"}]}`, []string{"a", "../b"}, policy.AccessRead, nil},
		{"list_dir", `{}`, []string{"."}, policy.AccessTree, nil},
		{"list_dir", `{"path":"x"}`, []string{"x"}, policy.AccessTree, nil},
		{"write_file", `{"path":"a","content":"c"}`, []string{"a"}, policy.AccessWrite, []string{"c"}},
		{"edit_file", `{"path":"a","old_string":"o","new_string":"n"}`, []string{"a"}, policy.AccessWrite, []string{"n"}},
		{"multi_edit", `{"path":"a","edits":[{"old_string":"o","new_string":"n"},{"old_string":"p","new_string":"m"}]}`, []string{"a"}, policy.AccessWrite, []string{"n", "m"}},
		{"move_file", `{"from":"a","to":"b"}`, []string{"a", "b"}, policy.AccessWrite, nil},
		{"delete_file", `{"path":"a"}`, []string{"a"}, policy.AccessWrite, nil},
		{"apply_patch", string(must(json.Marshal(args{"patch": patch}))), []string{"./a", "b/../c", "~/d", "e"}, policy.AccessWrite, []string{"new\n", "y\n"}},
		{"apply_patch", `{"patch":"*** Update File: .git/hooks/x\n"}`, []string{".git/hooks/x"}, policy.AccessWrite, nil},
	} {
		x, _ := files.Tools().Find(c.name)
		p, err := x.Prepare("1", json.RawMessage(c.input))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		plan := p.Request().Plan
		var paths []string
		for _, s := range plan.Subjects {
			paths = append(paths, s.Text)
			if s.Kind != policy.KindPath || s.Access != c.access {
				t.Errorf("%s: %+v", c.name, s)
			}
		}
		if strings.Join(paths, "|") != strings.Join(c.paths, "|") || strings.Join(plan.Content, "|") != strings.Join(c.content, "|") {
			t.Errorf("%s: %q %q", c.name, paths, plan.Content)
		}
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
