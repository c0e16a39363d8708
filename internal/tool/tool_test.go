package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/gate/gatetest"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/workspace"
)

type edit struct {
	Old string `json:"old"`
	New string `json:"new,omitempty"`
}

type input struct {
	Path  string   `json:"path" jsonschema:"where"`
	Mode  string   `json:"mode,omitempty"`
	Limit int      `json:"limit,omitempty"`
	Edits []edit   `json:"edits,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	All   bool     `json:"all,omitempty"`
	Share float64  `json:"share,omitempty"`
}

// reader reads the file that it is told to.
func reader(ran *[]input) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "read_file", Effect: policy.Read, Set: tool.Core, Description: "Read.",
		Enums:  map[string][]string{"mode": {"text", "raw"}},
		Bounds: map[string]tool.Bound{"limit": {Min: 1, Max: 2000}, "edits": {Max: 2}, "edits.old": {Min: 1}, "path": {Min: 1}},
	}, func(in input) policy.Plan {
		return policy.Plan{Subjects: []policy.Subject{{Kind: policy.KindPath, Text: in.Path, Access: policy.AccessRead}}}
	}, func(_ context.Context, h gate.Hands, in input) (tool.Result, error) {
		if ran != nil {
			*ran = append(*ran, in)
		}
		f, err := h.Read(in.Path, 0)
		return tool.Result{Output: string(f.Data)}, err
	})
}

func TestSchemaIsClean(t *testing.T) {
	t.Parallel()
	spec := reader(nil).Spec()
	if spec.Name != "read_file" || spec.Description != "Read." {
		t.Errorf("got %+v", spec)
	}
	want := `{"type":"object","properties":{` +
		`"path":{"type":"string","description":"where"},` +
		`"mode":{"type":"string","enum":["text","raw"]},` +
		`"limit":{"type":"integer","maximum":2000},` +
		`"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"new":{"type":"string"}},` +
		`"required":["old"]},"maxItems":2},` +
		`"tags":{"type":"array","items":{"type":"string"}},"all":{"type":"boolean"},"share":{"type":"number"}},` +
		`"required":["path"]}`
	if got := string(spec.Schema); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, input string
		want        string // canonical input, or empty
		path, rule  string // of the error; rule is a part of it
	}{
		{"plain", `{"path":"a"}`, `{"path":"a"}`, "", ""},
		{"canonical", "{ \"limit\" : 2,\n\"path\":\"\\u0061<b>\" }", `{"limit":2,"path":"a<b>"}`, "", ""},
		{"the last of a repeated key", `{"path":"a","path":"b"}`, `{"path":"b"}`, "", ""},
		{"null for what is optional", `{"path":"a","limit":null,"edits":null}`, `{"path":"a"}`, "", ""},
		{"a number keeps its spelling", `{"path":"a","limit":null,"share":1.50}`, `{"path":"a","share":1.50}`, "", ""},
		{"an integer as a fraction", `{"path":"a","limit":5.0}`, `{"limit":5.0,"path":"a"}`, "", ""},
		{"nothing", ``, "", "", "missing path"},
		{"white space", " \n", "", "", "missing path"},
		{"null", `null`, "", "", "missing path"},
		{"null for what is required", `{"path":null}`, "", "path", "want string, got null"},
		{"no JSON", `{"path":`, "", "", "not valid JSON"},
		{"two values", `{"path":"a"} {"path":"b"}`, "", "", "not valid JSON"},
		{"a list", `["a"]`, "", "", "want one JSON object, got a list"},
		{"a string", `"a"`, "", "", "got a string"},
		{"a number", `1`, "", "", "got a number"},
		{"a truth value", `true`, "", "", "got a truth value"},
		{"unknown", `{"path":"a","file":"b"}`, "", "file", "valid are path, mode, limit, edits, tags, all, share"},
		{"another case", `{"Path":"a"}`, "", "Path", "valid are path"},
		{"wrong type", `{"path":5}`, "", "path", "want string, got integer"},
		{"a string for a number", `{"path":"a","limit":"5"}`, "", "limit", "want integer, got string"},
		{"a broken number", `{"path":"a","limit":1.5}`, "", "limit", "want integer, got number"},
		{"too small", `{"path":"a","limit":0}`, "", "limit", "want at least 1, got 0"},
		{"too large", `{"path":"a","limit":2001}`, "", "limit", "want at most 2000, got 2001"},
		{"enum", `{"path":"a","mode":"hex"}`, "", "mode", "want one of text, raw, got"},
		{"empty", `{"path":""}`, "", "path", "it is empty"},
		{"too many", `{"path":"a","edits":[{"old":"a"},{"old":"a"},{"old":"a"}]}`, "", "edits", "want at most 2 elements, got 3"},
		{"deep", `{"path":"a","edits":[{"old":"x","new":5}]}`, "", "edits[].new", "want string, got integer"},
		{"deep and missing", `{"path":"a","edits":[{"new":"y"}]}`, "", "edits[]", "missing old"},
		{"deep and unknown", `{"path":"a","edits":[{"old":"x","nu":"y"}]}`, "", "edits[]", "no argument nu"},
		{"not a list", `{"path":"a","tags":"x"}`, "", "tags", "want array, got string"},
	}
	tl := reader(nil)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := tl.Prepare("c1", json.RawMessage(c.input))
			if c.want != "" {
				if err != nil || string(p.Request().Input) != c.want {
					t.Errorf("got %s, %v", p.Request().Input, err)
				}
				return
			}
			var bad *tool.InvalidError
			if !errors.As(err, &bad) {
				t.Fatalf("got %v", err)
			}
			if bad.Path != c.path || !strings.Contains(bad.Rule, c.rule) {
				t.Errorf("got path %q, rule %q", bad.Path, bad.Rule)
			}
			if !strings.HasPrefix(err.Error(), "read_file: invalid arguments") {
				t.Errorf("got %q", err)
			}
		})
	}
}

func TestRequest(t *testing.T) {
	t.Parallel()
	p, err := reader(nil).Prepare("c1", json.RawMessage(`{"path":"a\nb"}`))
	if err != nil {
		t.Fatal(err)
	}
	r := p.Request()
	if r.ID != "c1" || r.Tool != "read_file" || r.Effect != policy.Read || r.Title != "a …" ||
		len(r.Plan.Subjects) != 1 || r.Plan.Subjects[0].Text != "a\nb" {
		t.Errorf("got %+v", r)
	}
	again, err := r.Replan(json.RawMessage(`{"path":"b"}`))
	if err != nil || again.ID != "c1" || again.Plan.Subjects[0].Text != "b" {
		t.Errorf("got %+v, %v", again, err)
	}
	if _, err := r.Replan(json.RawMessage(`{}`)); err == nil {
		t.Error("a rewritten input was not checked")
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	tl := reader(nil)
	for input, want := range map[string]string{
		`{"path":"a"}`: "a", `{"path":"` + strings.Repeat("x", 200) + `"}`: strings.Repeat("x", 119) + "…",
		`{"path":"a\n"}`: "a", `{"path":"a\u001b[31m\tb"}`: "a[31m b", `{"path":`: "", ``: "", `[]`: "", `{"other":"x"}`: "",
		`{"path":5}`: "5", `{"path":[]}`: "", `{"path":[1,2]}`: "2 items",
	} {
		if got := tl.Title(input); got != want {
			t.Errorf("%s: got %q, want %q", input, got, want)
		}
	}
}

func open(t *testing.T) *workspace.Workspace {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(workspace.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return ws
}

func TestRunNeedsItsGrant(t *testing.T) {
	t.Parallel()
	ws := open(t)
	var ran []input
	tl := reader(&ran)
	a, _ := tl.Prepare("c1", json.RawMessage(`{"path":"a.txt"}`))
	b, _ := tl.Prepare("c2", json.RawMessage(`{"path":"b.txt"}`))
	for name, g := range map[string]*gate.Grant{"nil": nil, "zero": {}, "another call's": gatetest.Grant(t, ws, b.Request())} {
		if res, err := a.Run(t.Context(), g); !errors.Is(err, gate.ErrNoGrant) || res.Output != "" {
			t.Errorf("%s: %q, %v", name, res.Output, err)
		}
	}
	if len(ran) != 0 {
		t.Fatalf("ran %v", ran)
	}
	g := gatetest.Grant(t, ws, a.Request())
	if res, err := a.Run(t.Context(), g); err != nil || res.Output != "a.txt" {
		t.Errorf("%q, %v", res.Output, err)
	}
	if _, err := a.Run(t.Context(), g); !errors.Is(err, gate.ErrNoGrant) {
		t.Errorf("a second run: %v", err)
	}
	if _, err := (tool.Planned{}).Run(t.Context(), g); !errors.Is(err, gate.ErrNoGrant) {
		t.Errorf("the zero value: %v", err)
	}
	if len(ran) != 1 {
		t.Errorf("ran %v", ran)
	}
}

type rewriting struct{ to string }

func (r rewriting) PreTool(context.Context, gate.Request) (gate.HookVerdict, error) {
	return gate.HookVerdict{Input: json.RawMessage(r.to)}, nil
}

// TestRewrittenInputRuns: what a hook made of the call is what runs, and only
// in its place.
func TestRewrittenInputRuns(t *testing.T) {
	t.Parallel()
	ws := open(t)
	tl := reader(nil)
	g := gate.New(gate.Options{Workspace: ws, Hooks: rewriting{`{"path":"b.txt"}`}})
	a, _ := tl.Prepare("c1", json.RawMessage(`{"path":"a.txt"}`))
	other, _ := tl.Prepare("c2", json.RawMessage(`{"path":"a.txt"}`))
	grant, d := g.Decide(t.Context(), a.Request())
	if grant == nil {
		t.Fatal(d.Reason)
	}
	if _, err := other.Run(t.Context(), grant); !errors.Is(err, gate.ErrNoGrant) {
		t.Errorf("another call with the same input ran: %v", err)
	}
	if res, err := a.Run(t.Context(), grant); err != nil || res.Output != "b.txt" {
		t.Errorf("%q, %v", res.Output, err)
	}
}

func TestHandsEndWithTheCall(t *testing.T) {
	t.Parallel()
	ws := open(t)
	var kept gate.Hands
	tl := tool.Define(tool.Definition{Name: "keeps", Effect: policy.Read}, func(input) policy.Plan {
		return policy.Plan{Subjects: []policy.Subject{{Kind: policy.KindPath, Text: "a.txt", Access: policy.AccessRead}}}
	}, func(_ context.Context, h gate.Hands, in input) (tool.Result, error) {
		kept = h
		if in.All {
			panic("broken")
		}
		return tool.Result{}, nil
	})
	for _, text := range []string{`{"path":"a"}`, `{"path":"a","all":true}`} {
		p, err := tl.Prepare("c", json.RawMessage(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Run(t.Context(), gatetest.Grant(t, ws, p.Request()))
		if strings.Contains(text, "all") != (err != nil) {
			t.Errorf("%s: %v", text, err)
		}
		if err != nil && !strings.Contains(err.Error(), "effects are unknown") {
			t.Errorf("got %q", err)
		}
		if _, err := kept.Read("a.txt", 0); !errors.Is(err, gate.ErrClosed) {
			t.Errorf("%s: hands work after the call: %v", text, err)
		}
	}
}

func TestPlanThatBreaksDown(t *testing.T) {
	t.Parallel()
	tl := tool.Define(tool.Definition{Name: "x", Effect: policy.Read}, func(input) policy.Plan { panic("broken") },
		func(context.Context, gate.Hands, input) (tool.Result, error) { return tool.Result{}, nil })
	_, err := tl.Prepare("c", json.RawMessage(`{"path":"a"}`))
	var bad *tool.InvalidError
	if !errors.As(err, &bad) || !strings.Contains(bad.Rule, "broken") {
		t.Errorf("got %v", err)
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	ws := open(t)
	run := func(_ context.Context, _ gate.Hands, in json.RawMessage) (tool.Result, error) {
		return tool.Result{Output: string(in)}, nil
	}
	d := tool.Definition{
		Name: "mcp__s__t", Effect: policy.Foreign, Set: tool.MCP,
		As: func(in json.RawMessage) string {
			if strings.Contains(string(in), "other") {
				return "mcp__s__other"
			}
			return ""
		},
		Detail: func(in json.RawMessage) string { return "detail " + string(in) },
	}
	schema := `{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`
	tl := tool.Raw(d, json.RawMessage(schema), nil, run)
	if got := string(tl.Spec().Schema); got != schema {
		t.Errorf("the schema was changed: %s", got)
	}
	if _, err := tl.Prepare("c", json.RawMessage(`{"q":1}`)); err == nil {
		t.Error("the schema was not used")
	}
	p, err := tl.Prepare("c", json.RawMessage(`{"q":"other","more":null}`))
	if err != nil {
		t.Fatal(err)
	}
	r := p.Request()
	if r.Tool != "mcp__s__other" || r.Detail != `detail {"more":null,"q":"other"}` || r.Title != "other" {
		t.Errorf("got %+v", r)
	}
	if res, err := p.Run(t.Context(), gatetest.Grant(t, ws, r)); err != nil || res.Output != `{"more":null,"q":"other"}` {
		t.Errorf("%q, %v", res.Output, err)
	}
	// What the library cannot use for checking is still sent as it is.
	for _, schema := range []string{`{"type":"object","properties":{"q":{"type":"string","pattern":"(?!x)"}}}`, `true`, `{"type":5}`} {
		tl := tool.Raw(d, json.RawMessage(schema), func(json.RawMessage) policy.Plan { return policy.Plan{} }, run)
		if got := string(tl.Spec().Schema); got != schema {
			t.Errorf("got %s", got)
		}
		if _, err := tl.Prepare("c", json.RawMessage(`{"q":"x"}`)); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
		if _, err := tl.Prepare("c", json.RawMessage(`[]`)); err == nil {
			t.Error("a list was taken")
		}
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	var set tool.Set
	for _, n := range []string{"read_file", "write_file", "edit_file", "multi_edit", "bash", "bash_output", "grep", "glob", "git_status", "todo_write"} {
		set = append(set, tool.Define(tool.Definition{Name: n, Effect: policy.State, Description: "d"}, nil,
			func(context.Context, gate.Hands, struct{}) (tool.Result, error) { return tool.Result{}, nil }))
	}
	if _, ok := set.Find("grep"); !ok {
		t.Error("grep is not found")
	}
	if _, ok := set.Find(""); ok {
		t.Error("nothing is found")
	}
	if len(set.Specs()) != len(set) || set.Names()[0] != "read_file" || string(set.Specs()[0].Schema) != `{"type":"object","properties":{}}` {
		t.Errorf("got %s", set.Specs()[0].Schema)
	}
	for name, want := range map[string]string{
		"Read": "read_file", "ReadFile": "read_file", "read-file": "read_file", "readfile": "read_file", "Bash": "bash",
		"todowrite": "todo_write", "TodoWrite": "todo_write", "edit": "edit_file", "MultiEdit": "multi_edit", "gitStatus": "git_status",
		"Grep": "grep", "Glob": "glob", "bsah": "bash",
	} {
		if got := set.Nearest(name); len(got) == 0 || got[0] != want {
			t.Errorf("%s: got %v, want %s first", name, got, want)
		}
	}
	if got := set.Nearest("frobnicate_the_world"); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	if len(set.Nearest("file")) > 3 {
		t.Error("too many")
	}
}

func TestDefinitionsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	run := func(context.Context, gate.Hands, input) (tool.Result, error) { return tool.Result{}, nil }
	for name, d := range map[string]tool.Definition{
		"no name":   {Effect: policy.Read},
		"no effect": {Name: "x"},
		"enum":      {Name: "x", Effect: policy.Read, Enums: map[string][]string{"modus": {"a"}}},
		"bound":     {Name: "x", Effect: policy.Read, Bounds: map[string]tool.Bound{"edits.older": {Max: 1}}},
	} {
		if err := tool.Define(d, nil, run).Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	broken := tool.Define(tool.Definition{Name: "x", Effect: policy.Read}, nil,
		func(context.Context, gate.Hands, struct{ F func() }) (tool.Result, error) { return tool.Result{}, nil })
	if broken.Check() == nil {
		t.Error("a function was taken for an argument")
	}
	if string(broken.Spec().Schema) != `{"type":"object"}` {
		t.Errorf("got %s", broken.Spec().Schema)
	}
	if _, err := broken.Prepare("c", nil); err == nil {
		t.Error("a call of it was planned")
	}
	if broken.Title("{}") != "" {
		t.Error("it has a title")
	}
	var zero tool.Tool
	if zero.Check() == nil || zero.Name() != "" || zero.Effect() != "" || zero.Set() != "" || zero.Title("{}") != "" {
		t.Error("the zero value makes sense")
	}
	if _, err := zero.Prepare("c", nil); err == nil {
		t.Error("a call of the zero value was planned")
	}
	if _, err := (tool.Tool{}).Prepare("c", nil); err.Error() != "invalid arguments: there is no such tool" {
		t.Errorf("got %q", err)
	}
	sound := reader(nil)
	if sound.Check() != nil || sound.Set() != tool.Core || sound.Effect() != policy.Read {
		t.Error(sound.Check())
	}
}

// FuzzPrepare: whatever a model sends, it is refused with an InvalidError or
// comes out canonical, and preparing it again changes nothing.
func FuzzPrepare(f *testing.F) {
	for _, s := range []string{``, `null`, `{"path":"a","limit":null}`, `{"path":"a","edits":[{"old":"x"}]}`, `{"path":1e400}`, `[[[[`, `{"path":"\ud800"}`} {
		f.Add([]byte(s))
	}
	tl := reader(nil)
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := tl.Prepare("c", in)
		if err != nil {
			var bad *tool.InvalidError
			if !errors.As(err, &bad) {
				t.Fatalf("got %T %v", err, err)
			}
			return
		}
		again, err := tl.Prepare("c", p.Request().Input)
		if err != nil || string(again.Request().Input) != string(p.Request().Input) {
			t.Fatalf("%s became %s, %v", p.Request().Input, again.Request().Input, err)
		}
	})
}
