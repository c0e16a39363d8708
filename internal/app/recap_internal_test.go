package app

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/session"
)

func path(list ...session.Record) session.Branch {
	var b session.Branch
	for _, r := range list {
		b.Entries = append(b.Entries, session.Entry{Record: r})
	}
	return b
}

func said(text string, calls ...session.SaidCall) session.Assistant {
	return session.Assistant{Text: text, Calls: calls}
}

// told writes events out, a line each.
func told(events []event.Event) string {
	var b strings.Builder
	for _, e := range events {
		switch e := e.(type) {
		case event.Prompt:
			fmt.Fprintf(&b, "prompt %q steer=%t\n", e.Text, e.Steer)
		case event.Text:
			fmt.Fprintf(&b, "text %q\n", e.Text)
		case event.ToolCall:
			fmt.Fprintf(&b, "call %s %s\n", e.Name, e.Title)
		case event.ToolResult:
			fmt.Fprintf(&b, "result %q exit=%d\n", e.Summary, e.Exit)
		case event.ToolError:
			fmt.Fprintf(&b, "%s %q\n", e.Status, e.Error)
		case event.ToolDenied:
			fmt.Fprintf(&b, "denied %s %q\n", e.By, e.Reason)
		case event.Notice:
			fmt.Fprintf(&b, "notice %q\n", e.Text)
		case event.Done:
			fmt.Fprintf(&b, "done %s\n", strings.TrimSpace(fmt.Sprintf("%s %d steps %d ms", e.Reason, e.Steps, e.DurationMS)))
		case event.Error:
			fmt.Fprintf(&b, "error %s %q\n", e.Kind, e.Message)
		}
	}
	return b.String()
}

func TestEarlierTellsWhatWasSaid(t *testing.T) {
	t.Parallel()
	call := func(id, name string) session.SaidCall {
		return session.SaidCall{ID: id, Name: name, Input: []byte(`{}`)}
	}
	r := earlier(path(
		session.Header{}, session.User{Text: "fix it\nplease", Expanded: "long"},
		said("I look.", call("1", "bash"), call("2", "edit_file"), call("3", "bash")),
		session.Call{CallID: "1", Title: "go test", Decide: policy.Allow, By: policy.ByUser},
		session.Usage{}, session.Result{CallID: "1", Status: llm.StatusOK, Summary: "exit 1", Exit: 1, Output: "FAIL"},
		session.Call{CallID: "2", Title: "a.go", Decide: policy.Deny, By: policy.ByUser, Reason: "the user said no\nmore"},
		session.Result{CallID: "2", Status: llm.StatusDenied, Output: "denied"},
		session.Call{CallID: "3", Title: "make", Decide: policy.Allow, By: policy.ByYolo},
		session.Result{CallID: "3", Status: llm.StatusInterrupted, Output: "The user interrupted it."},
		session.Steer{Text: "use the other"}, said("Done.", call("4", "read_file"), call("5", "bash")),
		session.Call{CallID: "4", Title: "b.go", Decide: policy.Allow}, session.Result{CallID: "4", Status: llm.StatusOK, Output: "package b\n\nfunc"},
		session.Timing{Reason: "cancelled", Steps: 2, DurationMS: 4962},
		session.User{Text: "again"}, session.Assistant{Text: "Half", Void: true}, said("Whole."), session.Timing{Reason: "stop"},
		session.User{Text: "more"}, session.Timing{Reason: "error", Error: "the server is down", Kind: llm.KindNetwork, Steps: 1, DurationMS: 700},
	), nil)
	want := `prompt "fix it\nplease" steer=false
text "I look."
call bash go test
result "exit 1" exit=1
call edit_file a.go
denied user "the user said no"
call bash make
interrupted "The user interrupted it."
prompt "use the other" steer=true
text "Done."
call read_file b.go
result "package b" exit=0
call bash 
interrupted "The session ended before this call was decided. It was not run."
done cancelled 2 steps 4962 ms
prompt "again" steer=false
text "Whole."
prompt "more" steer=false
error network "the server is down"
done error 1 steps 700 ms
`
	if got := told(r.Events); got != want || r.Left != 0 || r.Cut || r.Title != "fix it" || r.Prompts != 3 {
		t.Errorf("%+v\ngot\n%s\nwant\n%s", r, got, want)
	}
	if r := earlier(path(session.Header{}), nil); r.Events != nil || r.Prompts != 0 {
		t.Errorf("nothing was said, told %+v", r)
	}
}

// The newest exchanges are told in full, those before them in short, and how
// many are left out.
func TestEarlierIsShort(t *testing.T) {
	t.Parallel()
	var list []session.Record
	long := strings.Repeat("a line\n", 50)
	for i := range 60 {
		list = append(list, session.User{Text: fmt.Sprintf("prompt %d\n%s", i, strings.Repeat("more\n", 9))})
		for c := range 10 {
			id := fmt.Sprintf("%d.%d", i, c)
			list = append(list, said("step "+id, session.SaidCall{ID: id, Name: "bash"}),
				session.Call{CallID: id, Title: id}, session.Result{CallID: id, Status: llm.StatusOK, Summary: "ok"})
		}
		list = append(list, said("```go\n"+long+"```\nthe end"), session.Timing{Reason: "stop"})
	}
	r := earlier(path(list...), nil)
	if r.Left != 40 || r.Prompts != 60 || !r.Cut {
		t.Errorf("left %d of %d, cut %t", r.Left, r.Prompts, r.Cut)
	}
	text := told(r.Events)
	for part, n := range map[string]int{
		"prompt \"prompt 39": 0, "prompt \"prompt 40": 1, "prompt \"prompt 59": 1, // the last twenty
		`text "step`:               30,          // only of the last three
		"call bash":                17*8 + 3*10, // the last ones
		`notice "2 calls before`:   17,
		`\nthe end"`:               3,
		"a line\\n```\\n\\n…":      17, // a fence that is cut is closed
		`prompt 40\nmore\nmore …"`: 1,
		"done":                     0,
	} {
		if got := strings.Count(text, part); got != n {
			t.Errorf("%q stands there %d times, want %d", part, got, n)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, want string
		cut              bool
	}{
		{"short", "a\nb\n", "a\nb", false},
		{"lines", "a\nb\nc\nd", "a\nb\nc …", true},
		{"one long line", strings.Repeat("é", 20), strings.Repeat("é", 10) + " …", true},
		{"within a character", "x" + strings.Repeat("é", 20), "x" + strings.Repeat("é", 9) + " …", true},
		{"a fence", "~~~~\na\n~~~\nd\n", "~~~~\na\n~~~\n~~~~\n\n…", true},
		{"a closed fence", "```\na\n```\nd\n", "```\na\n``` …", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := exchange{room: room{bytes: 20}, replay: &host.Replay{}}
			if got := x.cut(tt.text, 3); got != tt.want || x.replay.Cut != tt.cut {
				t.Errorf("got %q, cut %t", got, x.replay.Cut)
			}
		})
	}
}

// Only the end is told, so a session of 50 MB costs what its prompts cost to
// find.
func BenchmarkEarlier(b *testing.B) {
	var list []session.Record
	for i := range 5000 {
		id := fmt.Sprint(i)
		list = append(list, session.User{Text: "go on"}, said("I look.", session.SaidCall{ID: id, Name: "bash"}),
			session.Call{CallID: id}, session.Result{CallID: id, Status: llm.StatusOK, Output: strings.Repeat("x", 10_000)}, said("done"), session.Timing{})
	}
	br := path(list...)
	for b.Loop() {
		earlier(br, nil)
	}
}
