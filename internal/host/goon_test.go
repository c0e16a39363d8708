package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/session"
)

// reads is a response with three reading calls.
func reads() llmtest.Step {
	var s llmtest.Step
	for _, name := range []string{"a", "b", "c"} {
		s.Calls = append(s.Calls, llmtest.Call{ID: name, Name: "read_file", Input: fmt.Sprintf(`{"path":"%s.txt"}`, name)})
	}
	return s
}

// Reads that ask, ask at once; they are decided in any order, and their results
// stand in the order of the calls.
func TestReadsAskTogether(t *testing.T) {
	t.Parallel()
	for name, order := range map[string]string{"in order": "abc", "backwards": "cba", "from the middle": "bca"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := given{asks: []string{"read_file"}}.kit(t, llmtest.New(t, reads(), llmtest.Step{Text: "done"}))
			for _, name := range []string{"a", "b", "c"} {
				if err := os.WriteFile(filepath.Join(k.root, name+".txt"), []byte("in "+name), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			k.do(host.Submit{Text: "go"})
			for range 3 {
				next[event.Approval](k, nil)
			}
			for _, id := range order {
				choice := "once"
				if id == 'b' {
					choice = "deny"
				}
				k.do(host.Decide{ID: string(id), Choice: choice})
				next(k, func(d event.ApprovalDone) bool { return d.ID == string(id) && d.Choice == choice })
			}
			next[event.Done](k, nil)
			var got []string
			for _, it := range k.model.Requests()[1].Items {
				if r, ok := it.(llm.Result); ok {
					got = append(got, r.CallID+" "+string(r.Status))
				}
			}
			if s := strings.Join(got, ", "); s != "a ok, b denied, c ok" {
				t.Errorf("results: %s", s)
			}
		})
	}
}

// What one answer grants answers the others that it covers, and they are told
// as granted for the session.
func TestAnAnswerCoversWhatElseWaits(t *testing.T) {
	t.Parallel()
	k := given{asks: []string{"read_file"}}.kit(t, llmtest.New(t, reads(), llmtest.Step{Text: "done"}))
	k.do(host.Submit{Text: "go"})
	for range 3 {
		next[event.Approval](k, nil)
	}
	k.do(host.Decide{ID: "b", Choice: "session", Pattern: "*.txt"})
	closed := map[string]string{}
	for range 3 {
		d := next[event.ApprovalDone](k, nil)
		closed[d.ID] = d.Choice
	}
	if fmt.Sprint(closed) != "map[a:session b:session c:session]" {
		t.Errorf("closed %v", closed)
	}
	next[event.Done](k, nil)
}

// esc at one of several ends the turn and closes the others; none of them runs.
func TestACancelClosesEveryApproval(t *testing.T) {
	t.Parallel()
	k := given{asks: []string{"read_file"}}.kit(t, llmtest.New(t, reads()))
	k.do(host.Submit{Text: "go"})
	for range 3 {
		next[event.Approval](k, nil)
	}
	k.do(host.Decide{ID: "b", Choice: "deny", Cancel: true})
	for range 3 {
		next[event.ApprovalDone](k, nil)
	}
	if d := next[event.Done](k, nil); d.Reason != "cancelled" {
		t.Errorf("ended as %q", d.Reason)
	}
	tree, _, err := session.Load(k.log)
	if err != nil {
		t.Fatal(err)
	}
	if err := llmtest.WellFormed(session.Fold(tree.Branch(""))); err != nil {
		t.Error(err)
	}
}

// left is an engine over a session that a process left with a call which waited.
func left(t *testing.T, steps ...llmtest.Step) *kit {
	input := []byte(`{"path":"a.txt","content":"x"}`)
	open := []engine.OpenCall{{Call: llm.Call{ID: "w", Name: "write_file", Input: input}}}
	return given{records: []session.Record{
		session.User{Text: "write it"},
		session.Assistant{Stop: llm.StopCalls, Calls: []session.SaidCall{{ID: "w", Name: "write_file", Input: input}}},
	}}.kit(t, llmtest.New(t, steps...), func(o *host.Options) { o.Open = open })
}

func TestContinueAsksAgain(t *testing.T) {
	t.Parallel()
	k := left(t, llmtest.Step{Text: "done"})
	k.do(host.Continue{})
	k.do(host.Continue{}) // once is enough
	k.do(host.Submit{Text: "and then"})
	if n := next[event.Notice](k, nil); !strings.Contains(n.Text, "asked again") {
		t.Errorf("told %q", n.Text)
	}
	if c := next[event.ToolCall](k, nil); c.ID != "w" || c.Title != "a.txt" {
		t.Errorf("told %+v", c)
	}
	k.do(host.Decide{ID: next[event.Approval](k, nil).ID, Choice: "deny", Cancel: true})
	if d := next[event.Done](k, nil); d.Reason != "cancelled" {
		t.Errorf("ended as %q", d.Reason)
	}
	next(k, func(p event.Prompt) bool { return p.Text == "and then" }) // it had waited
	next[event.Done](k, nil)
	if _, err := os.Stat(filepath.Join(k.root, "a.txt")); err == nil {
		t.Error("a denied call ran")
	}
}

func TestContinueAfterAPromptDoesNothing(t *testing.T) {
	t.Parallel()
	k := left(t, llmtest.Step{Text: "done"})
	k.do(host.Submit{Text: "something else"})
	next[event.Done](k, nil)
	k.do(host.Continue{})
	k.do(host.Close{})
	for _, e := range k.rest() {
		if _, ok := e.(event.Approval); ok {
			t.Error("it was asked all the same")
		}
	}
}
