package screen_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/tui/screen"
)

func usd(f float64) *float64 { return &f }

// print is blocks in short.
func printed(blocks []screen.Block) string {
	var out []string
	for _, b := range blocks {
		switch b := b.(type) {
		case screen.Answer:
			more := ""
			if b.More {
				more = "+"
			}
			out = append(out, fmt.Sprintf("answer%s %q", more, b.Markdown))
		case screen.User:
			out = append(out, "user "+b.Text)
		case screen.ToolLine:
			out = append(out, fmt.Sprintf("tool %s %d %s", b.ID, b.Outcome, b.Summary))
		case screen.Notice:
			out = append(out, "notice "+b.Text)
		case screen.Failure:
			out = append(out, "failure "+b.Message)
		case screen.Ended:
			out = append(out, "ended "+b.Reason)
		default:
			out = append(out, fmt.Sprintf("%T", b))
		}
	}
	return strings.Join(out, "\n")
}

func TestBlocksComeInOrder(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(
		event.Session{ID: "s", Model: "m", Agent: "default"}, event.State{Agent: "default", Model: "m"}, event.Session{ID: "s", Model: "m", Agent: "default"},
		event.Prompt{Text: "hi"}, event.Step{Number: 1}, event.Reasoning{Text: "hmm"}, event.Text{}, event.Text{Text: "one\n\ntw"},
		event.Notice{Text: "aside"},
	)
	u.s = screen.Settle(u.s, len("one\n\n"))
	if u.s.Tail != "tw" {
		t.Fatalf("tail %q", u.s.Tail)
	}
	u.tell(event.Notice{Text: "waits"}, event.Text{Text: "o"}, event.ToolStart{ID: "1", Name: "bash"}, event.ToolCall{ID: "1", Name: "bash", Title: "ls"},
		event.ToolCall{ID: "2", Name: "read_file"}, event.ToolCall{ID: "3", Name: "x"}, event.ToolCall{ID: "4", Name: "x"})
	u.tell(event.ToolResult{ID: "1", Summary: "ok"}, event.ToolError{ID: "2", Error: "e"}, event.ToolDenied{ID: "3", By: "user", Reason: "r"},
		event.ToolError{ID: "4", Status: llm.StatusInterrupted}, event.ToolError{ID: "none", Status: llm.StatusCancelled},
		event.Compacted{TokensAfter: 5}, event.Error{Message: "bad"}, event.Text{Text: "end"}, event.Done{Reason: "stop"})
	want := `screen.Banner
user hi
answer "one\n\n"
notice aside
answer "two"
notice waits
tool 1 0 ok
tool 2 1 e
tool 3 2 r
tool 4 3 
tool none 4 
screen.Compaction
failure bad
answer "end"
ended stop`
	if got := printed(u.blocks()); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
	if got := u.blocks(); got != nil { // TUI-04
		t.Errorf("printed again: %s", printed(got))
	}
}

func TestSettleOutOfRange(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.Text{Text: "abc"})
	u.s = screen.Settle(u.s, -5)
	u.s = screen.Settle(u.s, 99)
	u.s = screen.Settle(u.s, 1)
	if got := printed(u.blocks()); got != `answer "abc"` || u.s.Tail != "" {
		t.Errorf("printed %s, tail %q", got, u.s.Tail)
	}
}

func TestALineOfAMegabyteIsPrintedInPieces(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"one delta": strings.Repeat("日", 1<<20/3), "invalid": strings.Repeat("\x80", 1<<20), "lines": strings.Repeat("a line\n", 1<<17),
	} {
		u := start(t)
		u.tell(event.Text{Text: text})
		if len(u.s.Tail) > 32<<10 {
			t.Errorf("%s: the tail has %d bytes", name, len(u.s.Tail))
		}
		u.tell(event.Done{})
		var all strings.Builder
		for _, b := range u.blocks() {
			if b, ok := b.(screen.Answer); ok {
				all.WriteString(b.Markdown)
			}
		}
		if all.String() != text {
			t.Errorf("%s: %d of %d bytes came out", name, all.Len(), len(text))
		}
	}
}

func TestAFenceThatIsCutStaysCode(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.Text{Text: "text\n\n```go\n"})
	for range 20 {
		u.tell(event.Text{Text: strings.Repeat("x := 1\n", 1000)})
	}
	u.tell(event.Notice{Text: "n"}, event.Text{Text: "```\nafter ~~~ it\n"}, event.Done{})
	for i, b := range u.blocks() {
		b, ok := b.(screen.Answer)
		if !ok {
			continue
		}
		if i > 0 && !strings.HasPrefix(b.Markdown, "```go\nx := 1\n") {
			t.Errorf("piece %d begins %.30q", i, b.Markdown)
		}
	}
	got := only(u.keys("/copy", "enter"))
	if text := got[0].(screen.Copy).Text; strings.Count(text, "```") != 2 || len(text) != len("text\n\n```go\n")+20*7000+len("```\nafter ~~~ it\n") {
		t.Errorf("copied %d bytes with %d fences", len(text), strings.Count(text, "```"))
	}
}

func TestAFenceThatEndsWhereItIsCut(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.Text{Text: "~~~\n" + strings.Repeat("x\n", 16<<10)}, event.Done{})
	blocks := u.blocks()
	last, ok := blocks[len(blocks)-2].(screen.Answer)
	if !ok || last.Markdown == "~~~\n" {
		t.Errorf("printed %T %+.30v", blocks[len(blocks)-2], last)
	}
}

func TestAFenceWithALongOrOddOpenerIsNone(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"```" + strings.Repeat("x", 400) + "\n", "```a`b\n", "``\n", "```\n~~~\n```\n"} {
		u := start(t)
		u.tell(event.Text{Text: open + strings.Repeat("x\n", 17<<10)})
		if !strings.HasPrefix(u.s.Tail, "x") {
			t.Errorf("%.10q: the tail begins %.20q", open, u.s.Tail)
		}
	}
}

func TestAsidesDoNotPileUp(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.Text{Text: "open"})
	for range 101 {
		u.tell(event.Notice{Text: "n"})
	}
	if n := len(u.blocks()); n != 102 {
		t.Errorf("%d blocks, want 102", n)
	}
}

func TestReasoning(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.tell(event.Text{Text: "a"}, event.Reasoning{}, event.Reasoning{Text: strings.Repeat("é", 30<<10)}, event.Reasoning{Text: "end"}, event.Text{Text: "b"})
	r := u.s.Thinking
	if r.Tokens() != (60<<10+3+3)/4 || len(r.Text) > 32<<10 || !strings.HasSuffix(r.Text, "éend") || r.Open {
		t.Errorf("%d tokens, %d bytes kept, open %v", r.Tokens(), len(r.Text), r.Open)
	}
	if got := printed(u.blocks()); got != `answer "a"` {
		t.Errorf("printed %s", got)
	}
	u.keys("ctrl+r")
	u.tell(event.Done{})
	if r := u.s.Thinking; r.Bytes != 0 || r.Text != "" || !r.Open {
		t.Errorf("after the turn %+v", r)
	}
}

func TestToolsInFlight(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.tell(event.ToolStart{ID: "1", Name: "bash"})
	if x := u.s.Tools[0]; x.Name != "bash" || x.Phase != screen.Naming {
		t.Errorf("named %+v", x)
	}
	u.after(time.Second).tell(event.ToolCall{ID: "1", Name: "bash", Title: "go test"}, event.ToolOutput{ID: "1"}, event.ToolOutput{ID: "none", Chunk: "x"})
	if x := u.s.Tools[0]; x.Title != "go test" || x.Phase != screen.Waiting || !x.Started.Equal(u.now) {
		t.Errorf("called %+v", x)
	}
	u.tell(event.ToolOutput{ID: "1", Chunk: "one\ntw"}, event.ToolOutput{ID: "1", Chunk: "o\n10%\r50%\r"}, event.ToolOutput{ID: "1", Chunk: "99%"})
	if x := u.s.Tools[0]; x.Phase != screen.Running || !reflect.DeepEqual(x.Tail, []string{"one", "two", "99%"}) || x.Lines != 3 {
		t.Errorf("running %+v", x)
	}
	u.tell(event.ToolOutput{ID: "1", Chunk: "\r\nok\r\n"})
	if x := u.s.Tools[0]; !reflect.DeepEqual(x.Tail, []string{"one", "two", "99%", "ok"}) || x.Lines != 4 {
		t.Errorf("running %+q", x.Tail)
	}
	u.after(2*time.Second).tell(approval("1"), event.ApprovalDone{ID: "1"}, event.ToolRun{ID: "1", Name: "bash"})
	u.after(3 * time.Second).tell(event.ToolResult{ID: "1", Name: "bash", Output: "a\nb\nc", Diff: "+x\n", Artifact: "f"})
	got := u.blocks()[0].(screen.ToolLine)
	want := screen.ToolLine{ID: "1", Name: "bash", Title: "go test", Output: "a\nb\nc", Lines: 3, Diff: "+x\n", Artifact: "f", Elapsed: 3 * time.Second}
	if got != want {
		t.Errorf("printed %+v", got)
	}
	if len(u.s.Tools) != 0 {
		t.Errorf("left %+v", u.s.Tools)
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.tell(event.ToolCall{ID: "1"})
	for range 100 {
		u.tell(event.ToolOutput{ID: "1", Chunk: strings.Repeat("line\n", 3000)})
	}
	u.tell(event.ToolOutput{ID: "1", Chunk: strings.Repeat("x", 1<<20)}, event.ToolOutput{ID: "1", Chunk: strings.Repeat("y", 1<<20)})
	x := u.s.Tools[0]
	if x.Lines != 300_001 || len(x.Tail) != 8 || x.Tail[6] != "line" || len(x.Tail[7]) > 513 {
		t.Errorf("%d lines, tail of %d, last of %d", x.Lines, len(x.Tail), len(x.Tail[7]))
	}
	u.tell(event.ToolResult{ID: "1", Output: strings.Repeat("o\n", 1<<20), Diff: strings.Repeat("+d\n", 1<<20), Summary: strings.Repeat("s", 1<<20)})
	b := u.blocks()[0].(screen.ToolLine)
	if len(b.Output) > 16<<10 || b.Lines != 1<<20 || len(b.Diff) > 256<<10 || strings.Count(b.Diff, "\n")+b.Cut != 1<<20 || len(b.Summary) > 64<<10 {
		t.Errorf("%d bytes of output, %d of diff with %d lines cut", len(b.Output), len(b.Diff), b.Cut)
	}
}

func TestManyCallsAreBounded(t *testing.T) {
	t.Parallel()
	u := busy(t)
	for i := range 300 {
		u.tell(event.ToolStart{ID: fmt.Sprint(i), Name: "x"})
	}
	for i := range 300 {
		u.tell(event.ToolCall{ID: fmt.Sprint(i), Name: "x"})
	}
	if len(u.s.Tools) != 200 || u.s.HiddenTools != 100 {
		t.Errorf("%d and %d calls", len(u.s.Tools), u.s.HiddenTools)
	}
	for i := range 300 {
		u.tell(event.ToolResult{ID: fmt.Sprint(i), Name: "x"})
	}
	if n := len(u.blocks()); n != 300 || len(u.s.Tools) != 0 || u.s.HiddenTools != 0 {
		t.Errorf("%d lines, left %d and %d", n, len(u.s.Tools), u.s.HiddenTools)
	}
}

func TestWhatATurnLeavesOpenIsClosed(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.tell(event.ToolStart{ID: "1", Name: "never came"}, event.ToolCall{ID: "2", Name: "x"}, event.Subagent{ID: "2", Kind: "explore", Event: event.Step{}},
		event.Retry{Reason: "r"}, event.Done{Reason: "cancelled"})
	if got := printed(u.blocks()); got != "tool 2 4 \nended cancelled" {
		t.Errorf("printed %s", got)
	}
	if len(u.s.Tools)+len(u.s.Agents) != 0 || u.s.Retry.Reason != "" || u.s.Ticking() {
		t.Errorf("left %+v", u.s)
	}
}

func TestSubagents(t *testing.T) {
	t.Parallel()
	u := busy(t)
	nest := func(e event.Event) event.Event { return event.Subagent{ID: "1", Kind: "explore", Event: e} }
	u.tell(event.ToolCall{ID: "1", Name: "task", Title: "find callers"},
		nest(event.ToolCall{ID: "9", Name: "grep", Title: "foo("}), nest(nest(event.ToolCall{ID: "8", Name: "ls"})),
		nest(event.Usage{InputTokens: 10, OutputTokens: 5, CostUSD: usd(0.5), Context: 99, Window: 100}), nest(event.Text{Text: "hidden"}))
	if a := u.s.Agents[0]; a != (screen.Agent{ID: "1", Kind: "explore", Title: "find callers", Calls: 2, Tokens: 15, Doing: "ls"}) {
		t.Errorf("agent %+v", a)
	}
	if u.s.Usage.Context != 0 || u.s.Usage.CostUSD != 0.5 {
		t.Errorf("usage %+v", u.s.Usage)
	}
	u.tell(nest(approval("q")), nest(event.Notice{Text: "careful"}))
	if a := u.s.Approvals[0]; a.Subagent != "explore" {
		t.Errorf("approval %+v", a)
	}
	u.tell(nest(event.ApprovalDone{ID: "q"}), event.ToolResult{ID: "1", Name: "task", Summary: "done"})
	got := u.blocks()
	if printed(got) != "notice explore: careful\ntool 1 0 done" || got[1].(screen.ToolLine).Calls != 2 || len(u.s.Agents)+len(u.s.Approvals) != 0 {
		t.Errorf("printed %+v, left %+v", got, u.s.Agents)
	}
	for i := range 60 {
		u.tell(event.Subagent{ID: fmt.Sprint(i), Event: event.ToolCall{}})
	}
	if n := len(u.s.Agents); n != 50 {
		t.Errorf("%d agents", n)
	}
	var deep event.Event = event.Notice{Text: "deep"}
	for range 20 {
		deep = event.Subagent{ID: "0", Event: deep}
	}
	u.tell(deep)
}

func TestTasks(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.Todos{Todos: make([]event.Todo, 500)})
	if n := len(u.s.Tasks); n != 200 {
		t.Errorf("%d tasks", n)
	}
	u.tell(event.Todos{Todos: []event.Todo{{Content: "a"}}})
	if n := len(u.s.Tasks); n != 1 {
		t.Errorf("%d tasks", n)
	}
}

func TestAsidesWaitForTheEndOfABlockThatIsCut(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.tell(event.Text{Text: "```\na\nb\nc\n"}, event.Notice{Text: "calm"})
	u.s = screen.Cut(u.s, len("```\na\n"), "```\n", true)
	u.s = screen.Cut(u.s, 0, "", false)
	if got := printed(u.blocks()); got != "answer+ \"```\\na\\n\"" || u.s.Tail != "```\nb\nc\n" || !u.s.TailMore {
		t.Errorf("printed %s, tail %q", got, u.s.Tail)
	}
	u.keys("/help", "enter")
	u.s = screen.Cut(u.s, len("```\nb\n"), "```\n", true)
	if got := printed(u.blocks()); got != "answer+ \"```\\nb\\n\"\nnotice calm\nscreen.Page" {
		t.Errorf("printed %s", got)
	}
}

// A call waits until it is told that it runs, and its time counts from there:
// neither the wait for an approval nor that for its turn is time that it took.
func TestACallWaitsUntilItRuns(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.tell(event.ToolCall{ID: "1", Name: "bash"}, event.ToolCall{ID: "2", Name: "bash"}, event.ToolCall{ID: "3", Name: "bash"}, approval("1"))
	phases := func(want ...screen.Phase) {
		t.Helper()
		for i, p := range want {
			if got := u.s.Tools[i].Phase; got != p {
				t.Errorf("call %d is in phase %v, want %v", i+1, got, p)
			}
		}
	}
	u.after(time.Minute).tell(event.ApprovalDone{ID: "1", Choice: "once"})
	phases(screen.Waiting, screen.Waiting, screen.Waiting)
	u.tell(event.ToolRun{ID: "1", Name: "bash"})
	phases(screen.Running, screen.Waiting, screen.Waiting)
	u.after(2*time.Second).tell(event.ToolResult{ID: "1", Name: "bash"}, event.ToolDenied{ID: "2", Name: "bash"}, event.ToolRun{ID: "3"}, event.ToolRun{ID: "none"})
	phases(screen.Running)
	var took []time.Duration
	for _, b := range u.blocks() {
		if l, ok := b.(screen.ToolLine); ok {
			took = append(took, l.Elapsed)
		}
	}
	if !reflect.DeepEqual(took, []time.Duration{2 * time.Second, 0}) {
		t.Errorf("took %v", took)
	}
}

// What broke off is marked where it stands, and is no answer to copy.
func TestAResponseThatBrokeOffIsNoAnswer(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.Prompt{Text: "hi"}, event.Step{Number: 1}, event.Text{Text: "half an ans"}, event.Void{Step: 1},
		event.Retry{Reason: "reset", Attempt: 1}, event.Void{Step: 1}, event.Text{Text: "The whole answer."}, event.Done{Reason: "stop"})
	const want = "user hi\nanswer \"half an ans\"\n" +
		"notice This answer broke off and counts for nothing; the model is asked for all of it again.\n" +
		"answer \"The whole answer.\"\nended stop"
	if got := printed(u.blocks()); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
	if got := only(u.keys("/copy", "enter")); len(got) != 1 || got[0].(screen.Copy).Text != "The whole answer." {
		t.Errorf("copied %v", got)
	}
}
