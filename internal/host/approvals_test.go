package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/host"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
)

func write(path string) llmtest.Step {
	return llmtest.Step{Calls: []llmtest.Call{{ID: "w", Name: "write_file", Input: `{"path":"` + path + `","content":"x"}`}}}
}

func TestAnApprovalIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, write("a.txt"), llmtest.Step{Text: "done"}))
	k.do(host.Submit{Text: "go"})
	a := next[event.Approval](k, nil)
	if a.Name != "write_file" || len(a.Subjects) != 1 || a.Subjects[0].Text != "a.txt" || a.Subjects[0].Decision != "ask" {
		t.Errorf("asked %+v", a)
	}
	if err := k.host.Do(t.Context(), host.Decide{ID: a.ID, Choice: "always"}); err == nil || !strings.Contains(err.Error(), "once, session, project, deny") {
		t.Errorf("an unknown choice: %v", err)
	}
	if err := k.host.Do(t.Context(), host.Decide{ID: "other", Choice: "once"}); !errors.Is(err, host.ErrNothing) {
		t.Errorf("an unknown approval: %v", err)
	}
	var taken sync.Map
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if err := k.host.Do(t.Context(), host.Decide{ID: a.ID, Choice: "once"}); err == nil {
				taken.Store(i, true)
			} else if !errors.Is(err, host.ErrNothing) {
				t.Errorf("a second answer: %v", err)
			}
		})
	}
	wg.Wait()
	n := 0
	taken.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d answers were taken", n)
	}
	if d := next[event.ApprovalDone](k, nil); d.ID != a.ID || d.Choice != "once" {
		t.Errorf("told %+v", d)
	}
	next[event.Done](k, nil)
	if _, err := os.Stat(filepath.Join(k.root, "a.txt")); err != nil {
		t.Error(err)
	}
}

// PERM-16: what is denied at the prompt does not run, the model is told the
// user's words, and an escape ends the turn instead of leaving it open.
func TestADenialReachesTheModelAndMayEndTheTurn(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, write("a.txt"), llmtest.Step{Text: "as you like"}, write("b.txt")))
	k.do(host.Submit{Text: "go"})
	k.do(host.Decide{ID: next[event.Approval](k, nil).ID, Choice: "deny", Message: "put it elsewhere"})
	if d := next[event.ToolDenied](k, nil); d.By != "user" || !strings.Contains(d.Reason, "put it elsewhere") {
		t.Errorf("told %+v", d)
	}
	next[event.Done](k, nil)
	k.do(host.Submit{Text: "again"})
	k.do(host.Decide{ID: next[event.Approval](k, nil).ID, Choice: "deny", Cancel: true})
	if d := next[event.Done](k, nil); d.Reason != "cancelled" {
		t.Errorf("reason %q", d.Reason)
	}
	for _, name := range []string{"a.txt", "b.txt"} {
		if _, err := os.Stat(filepath.Join(k.root, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

func TestACancelClosesTheOpenApproval(t *testing.T) {
	t.Parallel()
	k := newKit(t, llmtest.New(t, write("a.txt")))
	k.do(host.Submit{Text: "go"})
	a := next[event.Approval](k, nil)
	k.do(host.Cancel{})
	if d := next[event.ApprovalDone](k, nil); d.ID != a.ID || d.Choice != "deny" {
		t.Errorf("told %+v", d)
	}
	next[event.Done](k, nil)
	if err := k.host.Do(t.Context(), host.Decide{ID: a.ID, Choice: "once"}); !errors.Is(err, host.ErrNothing) {
		t.Errorf("an answer that came too late: %v", err)
	}
}

// Approvals of several agents wait side by side, also when their calls share an
// id, and each answer reaches its own.
func TestSeveralApprovalsWaitAtOnce(t *testing.T) {
	t.Parallel()
	var log event.Log
	cursor := log.Follow()
	defer cursor.Close()
	approvals := host.NewApprovals(log.Tell, nil, nil)
	h := host.New(t.Context(), host.Options{Events: &log, Approvals: approvals})
	const agents = 6
	var wg sync.WaitGroup
	for i := range agents {
		wg.Go(func() {
			want := strings.Repeat("x", i)
			got, err := approvals.Approve(t.Context(), gate.Prompt{Request: gate.Request{ID: "c1", Subagent: want, Tool: "bash"}})
			if err != nil || got.Message != want || got.Choice != gate.Session {
				t.Errorf("agent %d was answered %+v, %v", i, got, err)
			}
		})
	}
	open := map[string]event.Approval{}
	for len(open) < agents {
		for _, e := range read(t, cursor) {
			if a, ok := e.(event.Approval); ok {
				open[a.ID] = a
			}
		}
	}
	for id, a := range open {
		if err := h.Do(t.Context(), host.Decide{ID: id, Choice: "session", Message: a.Subagent}); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}

// An answer to a question that has just ended must not reach the next one: no
// id serves twice, also when the model uses its ids again.
func TestNoApprovalIDServesTwice(t *testing.T) {
	t.Parallel()
	var log event.Log
	cursor := log.Follow()
	defer cursor.Close()
	approvals := host.NewApprovals(log.Tell, nil, nil)
	h := host.New(t.Context(), host.Options{Events: &log, Approvals: approvals})
	ended, end := context.WithCancel(t.Context())
	end()
	ask := gate.Prompt{Request: gate.Request{ID: "c1", Tool: "bash"}}
	if _, err := approvals.Approve(ended, ask); err == nil {
		t.Fatal("an answer from nobody")
	}
	first, _ := read(t, cursor)[0].(event.Approval)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan gate.Answer)
	go func() {
		answer, _ := approvals.Approve(ctx, ask)
		done <- answer
	}()
	read(t, cursor) // it waits
	if err := h.Do(t.Context(), host.Decide{ID: first.ID, Choice: "once"}); !errors.Is(err, host.ErrNothing) {
		t.Errorf("a late answer: %v", err)
	}
	stop()
	if answer := <-done; answer.Choice != gate.Deny {
		t.Errorf("it was answered %q", answer.Choice)
	}
}

// An id is free for the next question only when the end of the last one was
// told: a front would close the wrong one otherwise.
func TestAnAnsweredApprovalKeepsItsIDToItsEnd(t *testing.T) {
	t.Parallel()
	var log event.Log
	cursor := log.Follow()
	defer cursor.Close()
	ending, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	approvals := host.NewApprovals(func(e event.Event) {
		if _, ok := e.(event.ApprovalDone); ok {
			once.Do(func() { close(ending); <-goOn })
		}
		log.Tell(e)
	}, nil, nil)
	h := host.New(t.Context(), host.Options{Events: &log, Approvals: approvals})
	var wg sync.WaitGroup
	ask := func(ctx context.Context) {
		wg.Go(func() {
			if _, err := approvals.Approve(ctx, gate.Prompt{Request: gate.Request{ID: "c1"}}); err != nil {
				t.Error(err)
			}
		})
	}
	ask(t.Context())
	first := read(t, cursor)[0].(event.Approval)
	if err := h.Do(t.Context(), host.Decide{ID: first.ID, Choice: "once"}); err != nil {
		t.Fatal(err)
	}
	<-ending
	ask(t.Context())
	second := read(t, cursor)[0].(event.Approval)
	if second.ID == first.ID {
		t.Error("two open questions share an id")
	}
	close(goOn)
	if err := h.Do(t.Context(), host.Decide{ID: second.ID, Choice: "once"}); err != nil {
		t.Errorf("the second cannot be answered: %v", err)
	}
	wg.Wait()
}

// An answer that was taken is the one that counts, whatever ends the question
// in the same moment: a call that the user denied must not run as one that a
// granted rule covers.
func TestAnAnswerThatWasTakenCounts(t *testing.T) {
	t.Parallel()
	for range 64 { // each try is a coin's throw where both are looked at alike
		ctx, end := context.WithCancelCause(t.Context())
		var h *host.Host
		var log event.Log
		approvals := host.NewApprovals(func(e event.Event) {
			a, ok := e.(event.Approval)
			if !ok {
				return
			}
			// Both are there before Approve begins to wait.
			if err := h.Do(t.Context(), host.Decide{ID: a.ID, Choice: "deny", Message: "not this"}); err != nil {
				t.Error(err)
			}
			end(gate.ErrCovered)
		}, nil, nil)
		h = host.New(t.Context(), host.Options{Events: &log, Approvals: approvals})
		got, err := approvals.Approve(ctx, gate.Prompt{Request: gate.Request{ID: "c1", Tool: "bash"}})
		if err != nil || got.Choice != gate.Deny || got.Message != "not this" {
			t.Fatalf("denied, but the gate hears %+v, %v", got, err)
		}
	}
}

func read(t *testing.T, c *event.Cursor) []event.Event {
	t.Helper()
	events, err := c.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// TestApprovalsHideSecrets: what is shown is masked, what would be granted is
// not.
func TestApprovalsHideSecrets(t *testing.T) {
	t.Parallel()
	var log event.Log
	cursor := log.Follow()
	defer cursor.Close()
	approvals := host.NewApprovals(log.Tell, func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := approvals.Approve(ctx, gate.Prompt{
			Request: gate.Request{ID: "c1", Title: "say hunter2", Detail: "say hunter2"}, Pattern: "bash(say hunter2)",
		}); err == nil {
			t.Error("an approval that nobody answered was answered")
		}
	})
	events, err := cursor.Next(t.Context())
	cancel()
	wg.Wait()
	if err != nil {
		t.Fatal(err)
	}
	a, ok := events[0].(event.Approval)
	if !ok || a.Title != "say ***" || a.Detail != "say ***" || a.Pattern != "bash(say hunter2)" {
		t.Errorf("got %+v", events[0])
	}
}

// A front asks what a pattern would grant while the question waits, and not
// afterwards.
func TestAPatternIsCheckedWhileItsQuestionWaits(t *testing.T) {
	t.Parallel()
	var log event.Log
	cursor := log.Follow()
	defer cursor.Close()
	approvals := host.NewApprovals(log.Tell, nil, nil)
	h := host.New(t.Context(), host.Options{Events: &log, Approvals: approvals})
	check := func(pattern string) ([]policy.Rule, error) {
		if pattern == "bad" {
			return nil, errors.New("no rule")
		}
		return []policy.Rule{{Tool: "bash", Pattern: pattern}}, nil
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = approvals.Approve(t.Context(), gate.Prompt{Request: gate.Request{ID: "c1", Tool: "bash"}, Check: check})
	}()
	read(t, cursor)
	if got, err := h.Ask(t.Context(), host.Always{ID: "c1", Pattern: "a *"}); err != nil || !reflect.DeepEqual(got, host.RuleList{Rules: []string{"bash(a *)"}}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := h.Ask(t.Context(), host.Always{ID: "c1", Pattern: "bad"}); err == nil || err.Error() != "no rule" {
		t.Errorf("got %v", err)
	}
	if err := h.Do(t.Context(), host.Decide{ID: "c1", Choice: "once"}); err != nil {
		t.Error(err)
	}
	<-done
	if _, err := h.Ask(t.Context(), host.Always{ID: "c1", Pattern: "a *"}); !errors.Is(err, host.ErrNothing) {
		t.Errorf("got %v", err)
	}
}
