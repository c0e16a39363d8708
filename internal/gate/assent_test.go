package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/gate"
	"assent/internal/guard"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/workspace"
)

// TestNoEffectWithoutAGrant is the first promise of the program, tried from
// outside: random gates, calls, answers and misuse of grants and hands. Effects
// are counted on disk: files that changed, and the marks that commands leave
// (each started process makes a file). Every one of them must belong to a call
// that was allowed, that planned it, and whose grant was spent once.
func TestNoEffectWithoutAGrant(t *testing.T) {
	t.Parallel()
	effects, refusals := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, t)
		defer w.close()
		for range rapid.IntRange(1, 6).Draw(rt, "calls") {
			w.call()
		}
		effects += w.effects
		refusals += w.refusals
	})
	if effects == 0 || refusals == 0 {
		t.Errorf("%d effects, %d refusals: the test tried nothing", effects, refusals)
	}
	t.Logf("%d effects, all granted; %d refusals", effects, refusals)
}

// world is one random gate over a folder of its own.
type world struct {
	*rapid.T
	dir               string
	ws                *workspace.Workspace
	procs             *proc.Table
	gate              *gate.Gate
	answer            gate.Answer
	broken            bool
	hook              *gate.HookVerdict
	hookErr           bool
	guarded, denied   string // the names that a guard refuses, that a rule denies
	yolo, headless    bool
	readOnly          bool
	allowAll          bool
	grants            []*gate.Grant // spent and unspent, of all calls
	effects, refusals int
}

var names = []string{"q", "w", "z"} // letters of no tool and no command

func newWorld(rt *rapid.T, t *testing.T) *world {
	w := &world{T: rt}
	dir, err := os.MkdirTemp("", "assent-gate")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		rt.Fatal(err)
	}
	w.dir = dir
	for _, n := range names {
		put(t, filepath.Join(dir, n), "old "+n)
	}
	if w.ws, err = workspace.Open(workspace.Options{Root: dir}); err != nil {
		rt.Fatal(err)
	}
	w.procs = &proc.Table{}
	maybe := w.maybe
	some := func(label string) string { return rapid.SampledFrom(append([]string{""}, names...)).Draw(rt, label) }
	w.guarded, w.denied = some("guarded"), some("denied")
	w.yolo, w.headless, w.allowAll, w.readOnly = maybe("yolo", 4), maybe("headless", 4), maybe("allow all", 2), maybe("read only", 6)
	lines := []string{}
	if w.allowAll {
		lines = append(lines, "allow bash(*)", "allow write_file(*)", "allow move_file(*)")
	}
	if w.denied != "" {
		lines = append(lines, "deny write_file("+w.denied+")", "deny bash(touch mark-"+w.denied+"*)")
	}
	o := gate.Options{Workspace: w.ws, Rules: rules(t, lines...), Procs: w.procs, Yolo: w.yolo, Headless: w.headless, Asker: w}
	if w.guarded != "" {
		o.Guards = []guard.Guard{no{word: w.guarded}}
	}
	if w.readOnly {
		o.Mode = gate.Mode{Name: "plan", Effects: []policy.Effect{policy.Read, policy.State}}
	}
	if maybe("hooks", 2) {
		w.hook = &gate.HookVerdict{}
		o.Hooks = w
	}
	w.gate = gate.New(o)
	return w
}

func (w *world) close() {
	w.procs.Close()
	w.ws.Close()
	os.RemoveAll(w.dir)
}

// maybe is true one time in n.
func (w *world) maybe(label string, n int) bool {
	return rapid.SampledFrom(slices.Concat(make([]bool, n-1), []bool{true})).Draw(w.T, label)
}

// Approve answers as drawn before the call.
func (w *world) Approve(context.Context, gate.Prompt) (gate.Answer, error) {
	if w.broken {
		return w.answer, errors.New("broken")
	}
	return w.answer, nil
}

// PreTool says what was drawn before the call.
func (w *world) PreTool(context.Context, gate.Request) (gate.HookVerdict, error) {
	if w.hookErr {
		return *w.hook, errors.New("broken")
	}
	return *w.hook, nil
}

// disk is the content of every file.
func (w *world) disk() map[string]string {
	list, err := os.ReadDir(w.dir)
	if err != nil {
		w.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(w.dir, e.Name()))
		if err != nil {
			w.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// changed lists the files in which two states of the disk differ.
func changed(a, b map[string]string) []string {
	var list []string
	for n := range a {
		if v, ok := b[n]; !ok || v != a[n] {
			list = append(list, n)
		}
	}
	for n := range b {
		if _, ok := a[n]; !ok {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list
}

// request draws a call and what it may change.
func (w *world) request() (gate.Request, []string) {
	a, b := rapid.SampledFrom(names).Draw(w.T, "a"), rapid.SampledFrom(names).Draw(w.T, "b")
	var r gate.Request
	var may []string
	switch rapid.IntRange(0, 3).Draw(w.T, "tool") {
	case 0:
		r, may = writing(a), []string{a}
	case 1:
		r, may = on("move_file", policy.Write, policy.AccessWrite, a, b), []string{a, b}
	case 2:
		r = bash("touch mark-" + a)
		may = []string{"mark-" + a}
	case 3:
		r = reading(a)
	}
	r.ID = fmt.Sprint("c", rapid.IntRange(0, 1000).Draw(w.T, "id"))
	return r, may
}

// call decides one call and then tries everything that it was not allowed.
func (w *world) call() {
	r, may := w.request()
	w.answer = gate.Answer{
		Choice:  rapid.SampledFrom([]gate.Choice{"", gate.Deny, gate.Once, gate.Session, gate.Project, "yes"}).Draw(w.T, "choice"),
		Pattern: rapid.SampledFrom([]string{"", "*", "touch *", "x"}).Draw(w.T, "pattern"),
		Cancel:  w.maybe("cancel", 6),
	}
	w.broken = w.maybe("broken asker", 6)
	rewritten := false
	if w.hook != nil {
		w.hookErr = w.maybe("broken hook", 4)
		*w.hook = gate.HookVerdict{Deny: w.maybe("hook denies", 4), Ask: w.maybe("hook asks", 3), Allow: w.maybe("hook allows", 2)}
		if w.maybe("hook rewrites", 2) {
			name := rapid.SampledFrom(names).Draw(w.T, "to")
			w.hook.Input = json.RawMessage(`{"command":"touch mark-` + name + `"}`)
			if r.Tool == "bash" {
				may, rewritten = []string{"mark-" + name}, true
			}
		}
	}
	before := w.disk()
	grant, d := w.gate.Decide(context.Background(), r)
	if diff := changed(before, w.disk()); len(diff) > 0 {
		w.Fatalf("deciding %s %s changed %v", r.Tool, r.Input, diff)
	}
	w.judge(r, may, grant, d)
	w.misuse(r, grant)
	if grant == nil {
		w.refusals++
		return
	}
	w.grants = append(w.grants, grant)
	input := r.Input
	if rewritten {
		input = grant.Input()
	}
	hands, err := grant.Spend(r.Tool, input)
	if err != nil {
		w.Fatalf("a fresh grant was refused: %v", err)
	}
	w.grope(hands, r, may)
	if _, err := grant.Spend(r.Tool, input); !errors.Is(err, gate.ErrNoGrant) {
		w.Fatalf("a grant was spent twice")
	}
	hands.Close()
	w.grope(hands, r, nil)
}

// judge holds a decision against what may never be allowed.
func (w *world) judge(r gate.Request, may []string, grant *gate.Grant, d policy.Decision) {
	if (grant != nil) != (d.Verdict == policy.Allow) || d.Verdict == policy.Ask {
		w.Fatalf("%s by %s with grant %v", d.Verdict, d.By, grant)
	}
	if grant == nil || r.Effect == policy.Read {
		return
	}
	touches := strings.Join(may, " ")
	switch {
	case w.guarded != "" && strings.Contains(touches, w.guarded):
		w.Fatalf("%s went past the guard", r.Input)
	case w.denied != "" && strings.Contains(touches, w.denied):
		w.Fatalf("%s went past a deny rule", r.Input)
	case w.readOnly:
		w.Fatalf("%s went past the mode", r.Input)
	case w.hook != nil && w.hook.Deny:
		w.Fatalf("%s went past a hook's denial", r.Input)
	case w.hook != nil && w.hookErr && (w.headless || !w.agreed()):
		w.Fatalf("%s went past a failing hook", r.Input)
	}
	switch d.By {
	case policy.ByRule, policy.ByDefault, policy.ByHook:
	case policy.ByYolo:
		if !w.yolo {
			w.Fatal("yolo without --yolo")
		}
	case policy.ByUser:
		if w.headless || !w.agreed() {
			w.Fatalf("the user allowed %s with %+v", r.Input, w.answer)
		}
	default:
		w.Fatalf("allowed by %s", d.By)
	}
}

// agreed says that the user's answer allows.
func (w *world) agreed() bool {
	return !w.broken && !w.answer.Cancel && slices.Contains([]gate.Choice{gate.Once, gate.Session, gate.Project}, w.answer.Choice)
}

// misuse tries grants that are not for this call.
func (w *world) misuse(r gate.Request, fresh *gate.Grant) {
	forged := &gate.Grant{}
	for _, g := range append([]*gate.Grant{nil, forged}, w.grants...) {
		for _, tool := range []string{r.Tool, "bash", "write_file", ""} {
			for _, input := range []json.RawMessage{r.Input, nil, json.RawMessage(`{}`)} {
				if hands, err := g.Spend(tool, input); err == nil {
					w.Fatalf("a spent or forged grant gave hands %v", hands)
				}
			}
		}
	}
	if fresh == nil {
		return
	}
	for _, tool := range []string{"", r.Tool + " ", "write_files"} {
		if _, err := fresh.Spend(tool, fresh.Input()); err == nil {
			w.Fatalf("a grant of %s was spent for %q", r.Tool, tool)
		}
	}
	if _, err := fresh.Spend(r.Tool, append(slices.Clone(fresh.Input()), ' ')); err == nil {
		w.Fatal("a grant was spent for another input")
	}
}

// grope tries every effect with hands; only what may change may have changed.
func (w *world) grope(h gate.Hands, r gate.Request, may []string) {
	before := w.disk()
	for _, n := range rapid.Permutation(append([]string{"d", ".", "../x", "./q"}, names...)).Draw(w.T, "names") {
		_ = h.Write(n, []byte("new"), 0)
		_ = h.Move(n, rapid.SampledFrom(names).Draw(w.T, "to"))
		_ = h.Remove(n)
		_, _ = h.Shell(context.Background(), "touch mark-"+n, gate.ShellOptions{})
		_, _ = h.ShellStart(context.Background(), "touch other-"+n, gate.ShellOptions{})
		_, _ = h.Git(context.Background(), gate.GitRead{Sub: "init", Paths: []string{n}})
	}
	w.procs.KillAll()
	diff := changed(before, w.disk())
	for _, n := range diff {
		if !slices.Contains(may, n) {
			w.Fatalf("%s %s may change %v and changed %s", r.Tool, r.Input, may, n)
		}
	}
	w.effects += len(diff)
}
