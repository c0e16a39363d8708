package search_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"assent/internal/gate"
	"assent/internal/gate/gatetest"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/tools/search"
	"assent/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// room is a workspace with the search tools behind a real gate.
type room struct {
	testing.TB
	dir   string
	gate  *gate.Gate
	set   tool.Set
	calls int
}

func newRoom(tb testing.TB, files map[string]string, rules ...policy.Rule) *room {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	r := &room{TB: tb, dir: dir, set: search.Tools(search.Options{})}
	for name, text := range files {
		r.put(name, text)
	}
	ws, err := workspace.Open(workspace.Options{Root: dir, Home: dir})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = ws.Close() })
	r.gate = gatetest.Gate(tb, ws, rules...)
	return r
}

func (r *room) put(name, text string) {
	r.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

// args are the arguments of a call.
type args map[string]any

// try runs a call and returns what the model would read, or its error.
func (r *room) try(set tool.Set, name string, in args) (tool.Result, error) {
	r.Helper()
	t, ok := set.Find(name)
	if !ok {
		r.Fatalf("no tool %s", name)
	}
	input, err := json.Marshal(in)
	if err != nil {
		r.Fatal(err)
	}
	r.calls++
	p, err := t.Prepare(fmt.Sprint("call", r.calls), input)
	if err != nil {
		return tool.Result{}, err
	}
	r.gate.Begin()
	return p.Run(r.Context(), gatetest.From(r, r.gate, p.Request()))
}

// run is try for a call that must work.
func (r *room) run(name string, in args) string {
	r.Helper()
	res, err := r.try(r.set, name, in)
	if err != nil {
		r.Fatalf("%s %v: %v", name, in, err)
	}
	return res.Output
}

func lines(list ...string) string { return strings.Join(list, "\n") }

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
