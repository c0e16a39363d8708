package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui"
)

// died copies what is on the disk into a home of its own, as it is when the
// process dies now.
func (w *world) died() *world {
	w.t.Helper()
	next := &world{t: w.t, home: filepath.Join(w.t.TempDir(), "home"), root: w.root, env: map[string]string{}}
	for k, v := range w.env {
		next.env[k] = v
	}
	next.env["ASSENT_HOME"] = next.home
	if err := os.CopyFS(next.home, os.DirFS(w.home)); err != nil {
		w.t.Fatal(err)
	}
	return next
}

func do(t *testing.T, h *host.Host, c host.Command) {
	t.Helper()
	if err := h.Do(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func notices(events []event.Event) string {
	var list []string
	for _, e := range events {
		if n, ok := e.(event.Notice); ok {
			list = append(list, n.Text)
		}
	}
	return strings.Join(list, "\n")
}

const writing = `{"text":"I write it.","calls":[{"name":"write_file","input":{"path":"made.txt","content":"x"}},{"name":"write_file","input":{"path":"more.txt","content":"y"}}]}`

// A call that waited for the user when the process died is asked again when the
// session is resumed; what is not decided until then runs then only.
func TestAWaitingApprovalSurvivesAResume(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.open(w.script(writing))
	c := h.Events()
	defer c.Close()
	do(t, h, host.Submit{Text: "make it"})
	waitFor[event.Approval](t, c)
	w = w.died()
	do(t, h, host.Cancel{})

	f := w.script(`{"text":"Both are there.","expect":"Created more.txt"}`)
	f.Continue = true
	h = w.open(f)
	c2 := h.Events()
	defer c2.Close()
	if r := ask[host.Replay](t, h, host.Earlier{}); len(r.Events) != 3 || r.Prompts != 1 {
		t.Errorf("the replay shows what is asked again: %+v", r)
	}
	do(t, h, host.Continue{})
	a, seen := waitFor[event.Approval](t, c2)
	if a.Name != "write_file" || a.Title != "made.txt" || !strings.Contains(notices(seen), "2 calls waited for you") {
		t.Errorf("asked %+v after %q", a, notices(seen))
	}
	if _, err := os.Stat(filepath.Join(w.root, "made.txt")); err == nil {
		t.Error("it ran before it was decided")
	}
	do(t, h, host.Decide{ID: a.ID, Choice: "once"})
	a, _ = waitFor[event.Approval](t, c2)
	do(t, h, host.Decide{ID: a.ID, Choice: "once"})
	done, seen := waitFor[event.Done](t, c2)
	if done.Reason != "stop" || !slices.ContainsFunc(seen, func(e event.Event) bool { x, ok := e.(event.Text); return ok && x.Text == "Both are there." }) {
		t.Errorf("ended with %+v", done)
	}
	do(t, h, host.Continue{}) // nothing is left
	for _, name := range []string{"made.txt", "more.txt"} {
		if _, err := os.Stat(filepath.Join(w.root, name)); err != nil {
			t.Error(err)
		}
	}
}

// Who goes on with another prompt is told what did not run.
func TestAnotherPromptClosesWhatWaited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.open(w.script(writing))
	c := h.Events()
	defer c.Close()
	do(t, h, host.Submit{Text: "make it"})
	waitFor[event.Approval](t, c)
	w = w.died()
	do(t, h, host.Cancel{})

	f := w.script(`{"text":"As you like.","expect":"It was not run."}`)
	f.Continue = true
	h = w.open(f)
	c2 := h.Events()
	defer c2.Close()
	seen := turn(t, h, c2, "never mind")
	if said := notices(seen); !strings.Contains(said, "was not run: write_file; write_file") {
		t.Errorf("told %q", said)
	}
	do(t, h, host.Continue{})
	if _, ok := h.Unqueue(); ok {
		t.Error("something waits")
	}
}

// A session that is opened runs nothing by itself: a call that a rule allows is
// left, as the process left it, until the user goes on.
func TestWhatWouldNotAskDoesNotGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.open(w.script(writing))
	c := h.Events()
	defer c.Close()
	do(t, h, host.Submit{Text: "make it"})
	waitFor[event.Approval](t, c)
	w = w.died()
	do(t, h, host.Cancel{})
	for name, change := range map[string]func(*Flags){
		"allowed by a rule": func(f *Flags) { f.Allow = []string{"write_file(made.txt)"} },
		"allowed by yolo":   func(f *Flags) { f.Yolo = true },
		"denied by a rule":  func(f *Flags) { f.Deny = []string{"write_file(made.txt)"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := w.died()
			f := w.script(`{"text":"never"}`)
			f.Continue = true
			change(&f)
			h := w.open(f)
			c := h.Events()
			defer c.Close()
			do(t, h, host.Continue{})
			do(t, h, host.Use{Agent: "plan"}) // the next thing that is told
			if _, seen := waitFor[event.State](t, c); strings.Contains(notices(seen), "waited") {
				t.Errorf("it goes on: %v", seen)
			}
			if r := ask[host.Replay](t, h, host.Earlier{}); len(r.Events) != 7 {
				t.Errorf("the replay does not show what was left open: %+v", r.Events)
			}
		})
	}
}

// The first thing that happens is a question: what a rule has come to allow
// does not run beside it, also where calls that read are decided side by side.
func TestNothingRunsBesideTheFirstQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.config(`{"permission":{"read_file":"ask"}}`)
	w.write("a.txt", "a\n")
	w.write("b.txt", "b\n")
	h := w.open(w.script(`{"calls":[{"name":"read_file","input":{"path":"a.txt"}},{"name":"read_file","input":{"path":"b.txt"}}]}`))
	c := h.Events()
	defer c.Close()
	do(t, h, host.Submit{Text: "look"})
	waitFor[event.Approval](t, c)
	w = w.died()
	do(t, h, host.Cancel{})

	f := w.script(`{"text":"never"}`)
	f.Continue, f.Allow = true, []string{"read_file(b.txt)"}
	h = w.open(f)
	c2 := h.Events()
	defer c2.Close()
	do(t, h, host.Continue{})
	a, seen := waitFor[event.Approval](t, c2)
	if a.Title != "a.txt" {
		t.Errorf("asked %+v", a)
	}
	do(t, h, host.Decide{ID: a.ID, Choice: "deny", Cancel: true})
	_, more := waitFor[event.Done](t, c2)
	for _, e := range append(seen, more...) {
		if r, ok := e.(event.ToolRun); ok {
			t.Errorf("%+v, though the user ended the turn with the first answer", r)
		}
	}
}

// What the user chose stays with the user when a new session begins, or a copy;
// what was allowed for the session ends with it, and that is said.
func TestANewSessionTakesOverTheChoices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.script(writing, `{"text":"ok"}`)
	f.Print = false
	s := &seat{app: w.app(), flags: f}
	t.Cleanup(s.leave)
	h, err := s.app.open(t.Context(), s.telling(f), false)
	if err != nil {
		t.Fatal(err)
	}
	s.host = h
	c := h.Events()
	defer c.Close()
	do(t, h, host.Use{Agent: "plan"})
	do(t, h, host.Use{Agent: "deep", Level: "high"})
	do(t, h, host.Submit{Text: "make it"})
	a, _ := waitFor[event.Approval](t, c)
	do(t, h, host.Decide{ID: a.ID, Choice: "session", Pattern: "*.txt"})
	waitFor[event.Done](t, c)

	for _, to := range []struct {
		name   string
		target tui.Target
	}{{"clear", tui.Target{}}, {"clear again", tui.Target{}}} {
		h, err = s.change(t.Context(), to.target)
		if err != nil {
			t.Fatal(err)
		}
		c := h.Events()
		opening, err := c.Next(t.Context())
		c.Close()
		if err != nil {
			t.Fatal(err)
		}
		state, ok := opening[0].(event.State)
		if !ok || state.Agent != "deep" || state.Level != "high" || state.Model != f.Model {
			t.Errorf("%s: begins as %+v", to.name, opening[0])
		}
		if said := strings.Contains(notices(opening), "asks again: write_file(*.txt)"); said != (to.name == "clear") {
			t.Errorf("%s: told %q", to.name, notices(opening))
		}
	}
	if err := h.Do(context.Background(), host.Cancel{}); err != nil {
		t.Error(err)
	}
}

// began is what a conversation opens as.
func began(t *testing.T, h *host.Host) event.State {
	t.Helper()
	c := h.Events()
	defer c.Close()
	opening, err := c.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range opening {
		if s, ok := e.(event.State); ok {
			return s
		}
	}
	t.Fatal("no state is told")
	return event.State{}
}

// A session that the user comes to from another goes on with what it had: the
// flags were for the session that they began with, and a model belongs to the
// provider beside it.
func TestAFlagIsForTheSessionOfTheStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	kept := w.script(`{"text":"one"}`)
	if _, err := w.run(kept, "hi"); err != nil {
		t.Fatal(err)
	}
	gone := w.script(`{"text":"two"}`)
	if _, err := w.run(gone, "the other"); err != nil {
		t.Fatal(err)
	}
	var ids []string // the newest first
	list, err := w.app().store(must(w.app().load(Flags{Dir: w.root})).paths, nil).List(w.root, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range list {
		ids = append(ids, i.ID)
	}
	if err := os.Remove(gone.Model); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]Flags{
		"another provider": {Provider: "custom-openai", Model: "fake-slow", BaseURL: "http://127.0.0.1:1"},
		"the same one":     {Provider: "script", Model: w.script(`{"text":"three"}`).Model, Agent: "plan", Think: "max"},
	} {
		t.Run(name, func(t *testing.T) {
			f.Dir = w.root
			s := &seat{app: w.app(), flags: f}
			t.Cleanup(s.leave)
			h, err := s.app.open(t.Context(), s.telling(f), false)
			if err != nil {
				t.Fatal(err)
			}
			s.host = h
			h, err = s.change(t.Context(), tui.Target{Session: ids[1]})
			if err != nil {
				t.Fatal(err)
			}
			if got := began(t, h); got.Provider != "script" || got.Model != kept.Model || got.Agent != "default" || got.Level == "max" {
				t.Errorf("it goes on as %+v", got)
			}
			_, err = s.change(t.Context(), tui.Target{Session: ids[0]})
			if err == nil || !strings.Contains(err.Error(), "go on with script/"+gone.Model) || strings.Contains(err.Error(), "--") {
				t.Errorf("the model that is not there any more: %v", err)
			}
		})
	}
}

// What a flag says of the address of a provider holds for its other sessions.
func TestTheAddressOfTheStartIsForItsProvider(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := Flags{Provider: "custom-openai", Model: "a", BaseURL: "http://127.0.0.1:1", Dir: w.root}
	if code, err := w.run(f, "hi"); code != 1 || err != nil {
		t.Fatalf("%d %v", code, err)
	}
	list, err := w.app().store(must(w.app().load(f)).paths, nil).List(w.root, false)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	f.Model = "b"
	s := &seat{app: w.app(), flags: f}
	t.Cleanup(s.leave)
	h, err := s.change(t.Context(), tui.Target{Session: list[0].ID})
	if err != nil {
		t.Fatal(err)
	}
	if got := began(t, h); got.Provider != "custom-openai" || got.Model != "a" {
		t.Errorf("it goes on as %+v", got)
	}
	s.flags.Provider, s.flags.Model = "script", w.script(`{"text":"x"}`).Model
	if _, err := s.change(t.Context(), tui.Target{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.change(t.Context(), tui.Target{Session: list[0].ID}); err == nil || !strings.Contains(err.Error(), "needs an address") || strings.Contains(err.Error(), "--") {
		t.Errorf("the address of another provider: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The demo is the same for everyone, whatever is set up.
func TestTheDemoNeedsNothingOfTheUser(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a fault": `{"provider":"nosuch","bogus":1}`, "no JSON": `{`, "a limit": `{"maxCostUsd":1,"maxSteps":1,"agent":"plan","readOnly":true}`,
	} {
		w := newWorld(t)
		w.config(text)
		w.env["ASSENT_PROVIDER"] = "nosuch"
		code, err := w.app().Demo(t.Context(), false, true, false)
		if code != 0 || err != nil || strings.Contains(w.err.String(), "price") {
			t.Errorf("%s: exit %d, %v\n%s", name, code, err, &w.err)
		}
	}
}
