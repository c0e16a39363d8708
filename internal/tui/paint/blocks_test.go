package paint_test

import (
	"strings"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/tui/ink"
	"assent/internal/tui/paint"
	"assent/internal/tui/screen"
)

func TestBlocks(t *testing.T) {
	t.Parallel()
	usd := 0.5
	lines := strings.Repeat("line\n", 30)
	tests := []struct {
		name  string
		block screen.Block
		want  string
	}{
		{
			"banner before the mode is known",
			screen.Banner{Version: "1", Session: event.Session{ID: "x", CWD: "/w", Model: "m", Provider: "p", Agent: "plan", Resumed: true}},
			"◆ assent 1 resumed\n  m · p · plan agent\n  /w · x",
		},
		{
			"banner with yolo",
			screen.Banner{Version: "1", Session: event.Session{CWD: "/w"}, Mode: event.State{Model: "m", Agent: "default", Yolo: true}},
			"◆ assent 1\n  m · default agent\n  /w\n  yolo: nothing asks; guards and deny rules still\n  refuse",
		},
		{
			"banner of a script, which is a file",
			screen.Banner{Version: "1", Session: event.Session{CWD: "/w", Model: "/tmp/x/script.jsonl", Provider: "script", Agent: "default"}},
			"◆ assent 1\n  script.jsonl · script · default agent\n  /w",
		},
		{"banner of a model with a maker", screen.Banner{Version: "1", Session: event.Session{CWD: "/w", Model: "maker/m", Provider: "p", Agent: "plan"}}, "◆ assent 1\n  maker/m · p · plan agent\n  /w"},
		{"prompt", screen.User{Text: "a\n  b"}, "> a\n    b"},
		{"folded prompt", screen.User{Text: "long", Shown: "[pasted 120 lines]"}, "> [pasted 120 lines]"},
		{"steer", screen.User{Text: "now", Steer: true}, "↳ now"},
		{"answer", screen.Answer{Markdown: "a **b**"}, "  a b"},
		{"empty answer", screen.Answer{}, ""},
		{"call", screen.ToolLine{Name: "glob", Title: "*.go", Summary: "3 files"}, "✓ glob *.go  3 files"},
		{"call without more", screen.ToolLine{Name: "x"}, "✓ x"},
		{"a command that said no", screen.ToolLine{Name: "bash", Title: "go test", Summary: "exit 1, 0.2s, 2 lines", Exit: 1, Output: "--- FAIL\nFAIL\n[exit code 1, 0.2s]"}, "✗ bash go test  exit 1, 0.2s, 2 lines\n  --- FAIL\n  FAIL"},
		{"a command that said no, silently", screen.ToolLine{Name: "bash", Title: "false", Summary: "exit 1", Exit: 1, Output: "[exit code 1, 1ms]"}, "✗ bash false  exit 1"},
		{"a failed call", screen.ToolLine{Name: "bash", Title: "make", Outcome: screen.Failed, Summary: "no such file"}, "✗ bash make  failed · no such file"},
		{"slow call that says so", screen.ToolLine{Name: "bash", Title: "make", Elapsed: 75 * time.Second, Summary: "exit 0, 1m15.2s, 3 lines"}, "✓ bash make  exit 0, 1m15.2s, 3 lines"},
		{"slow call", screen.ToolLine{Name: "bash", Title: "make", Elapsed: 75 * time.Second, Summary: "exit 0"}, "✓ bash make  exit 0, 1m15"},
		{"subagent", screen.ToolLine{Name: "task", Title: "find", Summary: "found", Calls: 1}, "✓ task find  found, 1 call"},
		{
			"output when nothing sums it up",
			screen.ToolLine{Name: "x", Output: lines, Lines: 30, Artifact: "a.txt"},
			"✓ x\n  … 22 more lines\n" + strings.Repeat("  line\n", 8) + "  whole output: a.txt",
		},
		{"a very long line of output", screen.ToolLine{Name: "x", Output: strings.Repeat("y", 5000)}, "✓ x\n  " + strings.Repeat("y", 47) + "\n  " + strings.Repeat("y", 47) + "\n  " + strings.Repeat("y", 46) + "…"},
		{"interrupted", screen.ToolLine{Name: "bash", Title: "sleep 9", Outcome: screen.Interrupted}, "■ bash sleep 9  interrupted"},
		{"cancelled", screen.ToolLine{Name: "bash", Outcome: screen.Cancelled}, "■ bash  cancelled"},
		{"denied", screen.ToolLine{Name: "bash", Outcome: screen.Denied, By: "user", Summary: "use make"}, "✗ bash  denied by you · use make"},
		{"denied without a word", screen.ToolLine{Name: "bash", Outcome: screen.Denied, By: "user", Summary: "the user said no"}, "✗ bash  denied · the user said no"},
		{"denied with words", screen.ToolLine{Name: "bash", Outcome: screen.Denied, By: "user", Summary: "the user says: use make"}, "✗ bash  denied · the user says: use make"},
		{"denied by what says so", screen.ToolLine{Name: "bash", Outcome: screen.Denied, By: "guard", Summary: "guard refused rm"}, "✗ bash  denied · guard refused rm"},
		{"interrupted with output", screen.ToolLine{Name: "bash", Outcome: screen.Interrupted, Output: "one\ntwo", Lines: 2}, "■ bash  interrupted\n  one\n  two"},
		{"denied by nobody", screen.ToolLine{Name: "bash", Outcome: screen.Denied}, "✗ bash  denied"},
		{"failed at length", screen.ToolLine{Name: "bash", Outcome: screen.Failed, Summary: lines}, "✗ bash  failed\n" + strings.Repeat("  line\n", 12) + "  … 18 more lines"},
		{"failed in one long line", screen.ToolLine{Name: "x", Outcome: screen.Failed, Summary: strings.Repeat("why ", 200)}, "✗ x  failed\n" + strings.TrimSuffix(strings.Repeat("  why why why why why why why why why why why why\n", 12), "\n")},
		{"a title over many rows", screen.ToolLine{Name: "bash", Title: strings.Repeat("word ", 60)}, "✓ bash word word word word word word word word\n" +
			strings.Repeat("  word word word word word word word word word\n", 2) + "  word word word word word word word word word…"},
		{"diff that was cut", screen.ToolLine{Name: "edit", Diff: "@@ -1 +1 @@\n-a\n+b\n", Cut: 4}, "✓ edit\n  1 - a\n  1 + b\n  … 4 more lines"},
		{"notice", screen.Notice{Text: "one\ntwo"}, "• one\n  two"},
		{"failure", screen.Failure{Message: "too many requests", Kind: llm.KindRateLimit}, "✗ rate limit: too many requests"},
		{"failure of no kind", screen.Failure{Message: "x"}, "✗ error: x"},
		{"attached", screen.Attached{Labels: []string{"#diff, 12 lines", "a.go"}}, "+ #diff, 12 lines\n+ a.go"},
		{"own command", screen.Ran{Command: "ls", Output: "a\nb\n", Lines: 2}, "! ls\n  a\n  b"},
		{"own command, long", screen.Ran{Command: "ls", Output: "a\nb\n", Lines: 12}, "! ls\n  … 10 more lines\n  a\n  b"},
		{"own command that could not run", screen.Ran{Command: "x", Err: "not found"}, "! x\n  not found"},
		{"folded history", screen.Compaction{Compacted: event.Compacted{Before: 80, After: 12, TokensBefore: 1_500_000, TokensAfter: 900}}, "• history folded: 80 items to 12, about 1.5M\n  tokens to 900"},
		{"ended", screen.Ended{Reason: "stop", Steps: 1, Elapsed: 2 * time.Hour, CostUSD: &usd}, "  done · 2h00 · 1 step · $0.50"},
		{"page", screen.Page{Title: "Cost", Markdown: "- a"}, "▸ Cost\n\n  • a"},
		{"page without a title", screen.Page{Markdown: "a"}, "  a"},
		{"farewell", screen.Farewell{ID: "0198", Title: "Fix it", Prompts: 2}, "  2 prompts · Fix it\n  assent -c goes on\n  assent -r 0198 goes on with this one"},
		{"farewell of an empty session", screen.Farewell{ID: "0198"}, "  assent -c goes on\n  assent -r 0198 goes on with this one"},
		{"farewell of a demo", screen.Farewell{ID: "0198", Title: "Fix it", Prompts: 1, Passing: true}, "  1 prompt · Fix it\n  assent begins in a project of yours"},
		{"farewell of none", screen.Farewell{}, ""},
	}
	st := paint.Style{Width: 50, Color: ink.Mono}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := escapes.ReplaceAllString(strings.Join(paint.Blocks(nil, []screen.Block{tt.block}, st), "\n"), "")
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"max_steps", "max_cost", "timeout", "question", "refusal", "length", "content_filter", "context", "error", "cancelled", "stop"} {
		got := strings.Join(paint.Blocks(nil, []screen.Block{screen.Ended{Reason: word}}, paint.Style{}), "")
		if strings.Contains(got, "_") || got == "" {
			t.Errorf("%s gives %q", word, got)
		}
	}
	if got := strings.Join(paint.Blocks(nil, []screen.Block{screen.Ended{Reason: "new"}}, paint.Style{}), ""); !strings.Contains(got, "new") {
		t.Errorf("an unknown reason gives %q", got)
	}
}

func TestBlankLinesBetweenBlocks(t *testing.T) {
	t.Parallel()
	short, long := screen.ToolLine{Name: "a", Summary: "b"}, screen.ToolLine{Name: "a", Diff: "@@ -1 +1 @@\n-a\n+b\n"}
	tests := []struct {
		name string
		a, b screen.Block
		want bool
	}{
		{"answers", screen.Answer{Markdown: "a"}, screen.Answer{Markdown: "b"}, true},
		{"pieces of a block", screen.Answer{Markdown: "a", More: true}, screen.Answer{Markdown: "b"}, false},
		{"a piece and something else", screen.Answer{Markdown: "a", More: true}, screen.Notice{Text: "b"}, true},
		{"short calls", short, short, false},
		{"long calls", short, long, true},
		{"a call and an answer", short, screen.Answer{Markdown: "b"}, true},
		{"remarks", screen.Notice{Text: "a"}, screen.Compaction{}, false},
		{"a remark and a prompt", screen.Notice{Text: "a"}, screen.User{Text: "b"}, true},
		{"what was added and its prompt", screen.Attached{Labels: []string{"a"}}, screen.User{Text: "b"}, false},
		{"what was added and a remark", screen.Attached{Labels: []string{"a"}}, screen.Notice{Text: "b"}, false},
		{"prompt and answer", screen.User{Text: "a"}, screen.Answer{Markdown: "b"}, true},
	}
	for _, tt := range tests {
		st := paint.Style{}
		both := paint.Blocks(nil, []screen.Block{tt.a, tt.b}, st)
		second := paint.Blocks(tt.a, []screen.Block{tt.b}, st)
		if got := second[0] == ""; got != tt.want {
			t.Errorf("%s: parted is %v, want %v", tt.name, got, tt.want)
		}
		if first := paint.Blocks(nil, []screen.Block{tt.a}, st); len(first)+len(second) != len(both) {
			t.Errorf("%s: printed at once they take %d rows, one by one %d", tt.name, len(both), len(first)+len(second))
		}
	}
}
