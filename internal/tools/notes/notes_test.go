package notes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/gate/gatetest"
	"assent/internal/tool"
	"assent/internal/tools/notes"
	"assent/internal/workspace"
)

// call runs a tool with a grant of a real gate.
func call(t *testing.T, tl tool.Tool, input string) (tool.Result, error) {
	t.Helper()
	ws, err := workspace.Open(workspace.Options{Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	p, err := tl.Prepare("c1", json.RawMessage(input))
	if err != nil {
		return tool.Result{}, err
	}
	return p.Run(t.Context(), gatetest.Grant(t, ws, p.Request()))
}

func TestTodoWrite(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, todos, want string }{
		{"empty", `[]`, "The task list is empty."},
		{
			"good", `[{"content":"a","status":"done"},{"content":"b","status":"in_progress"},{"content":"c","status":"pending"}]`,
			"3 tasks: 1 done, 1 in progress, 1 pending.",
		},
		{"all done", `[{"content":"a","status":"done"}]`, "1 task: 1 done."},
		{
			"two in progress", `[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]`,
			"2 tasks: 2 in progress.\nWarning: 2 tasks are in progress; work on one at a time.",
		},
		{
			"none in progress", `[{"content":"a","status":"pending"}]`,
			"1 task: 1 pending.\nWarning: work remains and no task is in progress; mark the one that you work on.",
		},
		{"blocked", `[{"content":"a","status":"blocked","note":"needs a key"}]`, "1 task: 1 blocked."},
		{
			"blocked without a note", `[{"content":"a  b\n","status":"blocked","note":" "}]`,
			"1 task: 1 blocked.\nWarning: \"a b\" is blocked without a note; say what it waits for.",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []event.Todo
			tl := notes.TodoWrite(func(_ context.Context, todos []event.Todo) error { got = todos; return nil })
			res, err := call(t, tl, `{"todos":`+c.todos+`}`)
			if err != nil || res.Output != c.want {
				t.Errorf("got %q, %v", res.Output, err)
			}
			if n := strings.Count(c.todos, "content"); len(got) != n {
				t.Errorf("stored %v", got)
			}
		})
	}
	refuse := notes.TodoWrite(func(context.Context, []event.Todo) error { return errors.New("disk full") })
	if _, err := call(t, refuse, `{"todos":[]}`); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("got %v", err)
	}
	for _, input := range []string{
		`{}`, `{"todos":[{"content":"a","status":"doing"}]}`, `{"todos":[{"content":"","status":"done"}]}`, `{"todos":[{"content":" ","status":"done"}]}`,
		`{"todos":[{"status":"done"}]}`, `{"todos":[` + strings.TrimSuffix(strings.Repeat(`{"content":"a","status":"done"},`, 101), ",") + `]}`,
	} {
		if _, err := call(t, refuse, input); err == nil || strings.Contains(err.Error(), "disk full") {
			t.Errorf("%.60s: %v", input, err)
		}
	}
}

func TestCurrentTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 10, 31, 23, 5, 0, 0, time.FixedZone("X", 2*3600))
	res, err := call(t, notes.CurrentTime(func() time.Time { return at }), "")
	if want := "2026-10-31T23:05:00+02:00 (Saturday, week 44); 2026-10-31 21:05:00 UTC"; err != nil || res.Output != want {
		t.Errorf("got %q, %v", res.Output, err)
	}
}

type kept map[string]string

func (k kept) Read(name string) ([]byte, error) {
	text, ok := k[name]
	if !ok {
		return nil, fmt.Errorf("read artifact %q: %w", name, fs.ErrNotExist)
	}
	if text == "broken" {
		return nil, errors.New("disk broke")
	}
	return []byte(text), nil
}

func TestReadOutput(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&long, "line %d\n", i+1)
	}
	tl := notes.ReadOutput(kept{
		"long": long.String(), "empty": "", "two": "a\nb", "broken": "broken", "wide": strings.Repeat("ä", 3000) + "\nend\n",
		"huge": strings.Repeat(strings.Repeat("x", 1900)+"\n", 40),
	})
	cases := []struct {
		input string
		parts []string
		lines int
	}{
		{`{"id":"two"}`, []string{"1: a\n2: b\n(2 lines of 2 lines)"}, 3},
		{`{"id":"empty"}`, []string{"(0 lines of 0 lines)"}, 1},
		{`{"id":"long"}`, []string{"1: line 1\n", "500: line 500\n", "more from offset 501)"}, 501},
		{`{"id":"long","offset":501,"limit":2}`, []string{"501: line 501\n502: line 502\n(2 lines of 1200 lines; more from offset 503)"}, 3},
		{`{"id":"long","offset":1200}`, []string{"1200: line 1200\n(1 lines of 1200 lines)"}, 2},
		{`{"id":"long","offset":2000}`, []string{"(the output has 1200 lines; offset 2000 is behind its end)"}, 1},
		{`{"id":"long","pattern":"^line 11..$"}`, []string{"1100: line 1100\n", "1199: line 1199\n(100 matching lines of 1200 lines)"}, 101},
		{`{"id":"long","pattern":"line"}`, []string{"200: line 200\n", "more from offset 201)"}, 201},
		{`{"id":"long","pattern":"none"}`, []string{"(0 matching lines of 1200 lines)"}, 1},
		{`{"id":"wide"}`, []string{"… (4000 more bytes)\n2: end"}, 3},
		{`{"id":"huge"}`, []string{"more from offset 13)"}, 13},
	}
	for _, c := range cases {
		res, err := call(t, tl, c.input)
		if err != nil {
			t.Errorf("%s: %v", c.input, err)
		}
		for _, p := range c.parts {
			if !strings.Contains(res.Output, p) {
				t.Errorf("%s: %q is missing in %.300s", c.input, p, res.Output)
			}
		}
		if n := strings.Count(res.Output, "\n") + 1; n != c.lines {
			t.Errorf("%s: %d lines", c.input, n)
		}
	}
	for input, part := range map[string]string{
		`{"id":"none"}`: "none of that name", `{"id":"broken"}`: "disk broke", `{"id":"two","pattern":"("}`: "no regular expression",
		`{"id":""}`: "id: it is empty", `{"id":"two","offset":0}`: "want at least 1", `{"id":"two","limit":501}`: "want at most 500",
	} {
		if _, err := call(t, tl, input); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", input, err)
		}
	}
}

func TestToolsMakeSense(t *testing.T) {
	t.Parallel()
	for _, tl := range []tool.Tool{notes.TodoWrite(nil), notes.CurrentTime(time.Now), notes.ReadOutput(kept{})} {
		if err := tl.Check(); err != nil {
			t.Error(err)
		}
	}
}
