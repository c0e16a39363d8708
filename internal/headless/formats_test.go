package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"go.uber.org/goleak"

	"assent/internal/event"
	"assent/internal/headless"
	"assent/internal/host"
	"assent/internal/llm"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// played is a conversation whose turn is a list of events.
type played struct {
	log    event.Log
	events []event.Event
	// hangs says that the turn ends by a cancel only.
	hangs bool

	mu       sync.Mutex
	commands []host.Command
}

func (p *played) Events() *event.Cursor {
	return p.log.Follow(event.Session{ID: "0199a1b2-c3d4-7000-8000-000000000000", CWD: "/src", Model: "m1", Provider: "test", Agent: "default"})
}

func (p *played) Do(_ context.Context, c host.Command) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.commands = append(p.commands, c)
	switch c.(type) {
	case host.Submit:
		for _, e := range p.events {
			p.log.Tell(e)
		}
	case host.Cancel:
		if p.hangs {
			p.hangs = false
			p.log.Tell(event.Done{Reason: "cancelled", Steps: 1})
		}
	default:
	}
	return nil
}

func (p *played) done() []host.Command {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]host.Command(nil), p.commands...)
}

var (
	cost  = 0.0123
	total = event.Usage{InputTokens: 1200, OutputTokens: 80, CachedTokens: 1000, ReasoningTokens: 12, CostUSD: &cost, Context: 1280, Window: 200000}
)

func call(id, name, input, title string) []event.Event {
	return []event.Event{event.ToolStart{ID: id, Name: name}, event.ToolCall{ID: id, Name: name, Input: json.RawMessage(input), Title: title}}
}

func join(parts ...any) []event.Event {
	var list []event.Event
	for _, p := range parts {
		switch p := p.(type) {
		case event.Event:
			list = append(list, p)
		case []event.Event:
			list = append(list, p...)
		}
	}
	return list
}

var turns = map[string][]event.Event{
	"hello": {
		event.Prompt{Text: "hi"},
		event.Step{Number: 1},
		event.Reasoning{Text: "short"},
		event.Text{Text: "hello "},
		event.Text{Text: "there"},
		event.Usage{InputTokens: 10, OutputTokens: 5},
		event.Done{Reason: "stop", Usage: event.Usage{InputTokens: 10, OutputTokens: 5}, Steps: 1, DurationMS: 1234},
	},
	"work": join(
		event.Step{Number: 1}, event.Text{Text: "I look."},
		call("c1", "read_file", `{"path":"a.go"}`, "a.go"), call("c2", "bash", `{"command":"go test"}`, "go test"), call("c3", "bash", `not json`, ""),
		event.ToolResult{ID: "c1", Name: "read_file", Output: "1\tpackage a\n2\tfunc f()"},
		event.ToolOutput{ID: "c2", Chunk: "--- FAIL"}, event.ToolOutput{ID: "c2", Chunk: ": TestA\nFAIL\n"},
		event.ToolResult{ID: "c2", Name: "bash", Output: "--- FAIL: TestA\nFAIL\nexit code 1", Summary: "exit 1", Artifact: "c2.txt", Exit: 1},
		event.ToolError{ID: "c3", Name: "bash", Error: "invalid arguments: want an object", Status: llm.StatusError},
		event.Queue{Prompts: []string{"next"}}, event.State{Agent: "plan"}, event.Todos{Todos: []event.Todo{{Content: "x", Status: "done"}}},
		event.Step{Number: 2}, event.Text{Text: "Now I edit.\n"},
		call("c4", "edit_file", `{"path":"a.go"}`, "a.go\nand more"),
		event.ToolResult{ID: "c4", Name: "edit_file", Output: "Replaced 1.", Summary: "+1 -1", Diff: "--- a\n+++ a\n-old\n+new"},
		call("c5", "bash", `{"command":"git push"}`, "git push"),
		event.ToolDenied{ID: "c5", Name: "bash", By: "headless", Reason: "nobody can be asked"},
		event.Usage{InputTokens: 1200}, event.Step{Number: 3}, event.Text{Text: "Done."},
		event.Done{Reason: "stop", Usage: total, Steps: 3, DurationMS: 65432},
	),
	"retry": {
		event.Retry{Reason: "rate limited (429)", Attempt: 1, Wait: 1500 * time.Millisecond},
		event.Notice{Text: "Responses are refused here; Chat Completions are used."},
		event.Compacted{Before: 40, After: 12, TokensBefore: 90000, TokensAfter: 20000},
		event.Error{Message: "the stream broke off", Kind: llm.KindNetwork, Retryable: true},
		event.Step{Number: 1},
		event.Text{Text: "survived"},
		event.Done{Reason: "stop", Steps: 1},
	},
	"void": {
		event.Step{Number: 1},
		event.Text{Text: "I look."},
		event.Step{Number: 2},
		event.Text{Text: "half an ans"},
		event.Void{Step: 2},
		event.Retry{Reason: "the connection was reset", Attempt: 1, Wait: 2 * time.Second},
		event.Text{Text: "half again"},
		event.Void{Step: 2},
		event.Retry{Reason: "the connection was reset", Attempt: 2, Wait: 2 * time.Second},
		event.Text{Text: "The whole "},
		event.Text{Text: "answer."},
		event.Done{Reason: "stop", Steps: 2},
	},
	"void before all": {
		event.Step{Number: 1}, event.Text{Text: "half"}, event.Void{Step: 1}, event.Text{Text: "whole"}, event.Done{Reason: "stop", Steps: 1},
	},
	// HEAD-01, HEAD-08: a failure is told as one, with what there was before it.
	"failure": {
		event.Step{Number: 1},
		event.Text{Text: "half an ans"},
		event.Error{Message: "rate limited: try again at 12:00", Kind: llm.KindRateLimit},
		event.Done{Reason: "error", Steps: 1},
	},
	"limit": {event.Step{Number: 1}, event.Text{Text: "so far"}, event.Done{Reason: "max_steps", Steps: 1}},
	"subagent": join(
		call("t1", "task", `{"kind":"explore"}`, "explore"),
		event.Subagent{ID: "t1", Kind: "explore", Event: event.ToolCall{ID: "n1", Name: "grep", Input: json.RawMessage(`{"pattern":"x"}`), Title: "x"}},
		event.Subagent{ID: "t1", Kind: "explore", Event: event.Step{Number: 2}},
		event.Subagent{ID: "t1", Kind: "explore", Event: event.Retry{Reason: "overloaded", Attempt: 2, Wait: time.Second}},
		event.Subagent{ID: "t1", Kind: "explore", Event: event.Text{Text: "found"}},
		event.ToolResult{ID: "t1", Name: "task", Output: "found"}, event.Done{Reason: "stop"},
	),
	// SHEL-19: nothing that comes from outside reaches the terminal as a command.
	"escapes": join(
		event.Step{Number: 1}, event.Text{Text: "red \x1b[3"}, event.Text{Text: "1mtext\x1b]0;title\a, \u009b2J, \u202edesrever\r"}, event.Text{Text: "\nend\x1b"},
		call("c1", "ba\x1b[2Jsh", `{}`, "echo \x1b]52;c;aGk=\a"),
		event.ToolOutput{ID: "c1", Chunk: "10%\r20%\r\x1b[32mok\x1b"}, event.ToolOutput{ID: "c1", Chunk: "[0m\n\x1b"},
		event.ToolResult{ID: "c1", Name: "bash", Summary: "ex\x1bit 0"},
		event.ToolDenied{ID: "c2", Name: "bash", By: "hook", Reason: "no\x1b[1A"},
		event.Notice{Text: "a\x1bcb"}, event.Error{Message: "\x1b[?1049h", Kind: llm.KindProvider},
		event.Done{Reason: "stop"},
	),
	"long output": join(
		call("c1", "bash", `{"command":"seq"}`, "seq 70"),
		event.ToolOutput{ID: "c1", Chunk: seq(70)}, event.ToolResult{ID: "c1", Name: "bash", Output: "…", Summary: "70 lines"},
		event.ToolResult{ID: "c2", Name: "read_file", Output: seq(20)},
		event.Done{Reason: "stop"},
	),
}

func seq(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d\n", i+1)
	}
	return b.String()
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for name, events := range turns {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got txtar.Archive
			for _, format := range headless.Formats() {
				var out, people bytes.Buffer
				code, err := headless.Run(t.Context(), &played{events: events}, headless.Options{
					Prompt: "hi", Format: headless.Format(format), Out: &out, Err: &people,
				})
				if err != nil {
					t.Fatal(err)
				}
				got.Comment = fmt.Appendf(nil, "exit code %d\n", code)
				for _, f := range []struct {
					name string
					data *bytes.Buffer
				}{{"stdout", &out}, {"stderr", &people}} {
					if format == "text" && bytes.ContainsFunc(f.data.Bytes(), func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }) {
						t.Errorf("%s holds control characters: %q", f.name, f.data)
					}
					if data := f.data.Bytes(); len(data) > 0 {
						got.Files = append(got.Files, txtar.File{Name: format + "/" + f.name, Data: bytes.TrimSuffix(data, []byte("\n"))})
					}
				}
			}
			file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".txtar")
			if *update {
				if err := os.WriteFile(file, txtar.Format(&got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, txtar.Format(&got)) {
				t.Errorf("%s differs; look at it and run with -update; got\n%s", file, txtar.Format(&got))
			}
		})
	}
}

// pipe is a reader that nobody reads.
type pipe struct{ after int }

func (b *pipe) Write(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		return 0, &os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
	}
	return len(p), nil
}

func TestAReaderThatLeftEndsTheTurn(t *testing.T) {
	t.Parallel()
	for _, format := range []headless.Format{headless.Text, headless.StreamJSON} {
		p := &played{hangs: true, events: turns["work"][:20]}
		code, err := headless.Run(t.Context(), p, headless.Options{Format: format, Out: &pipe{after: 1}, Err: io.Discard})
		if code != headless.ExitError || !errors.Is(err, syscall.EPIPE) || !strings.HasPrefix(err.Error(), "write the output: ") {
			t.Errorf("%s: code %d, %v", format, code, err)
		}
		if c := p.done(); len(c) != 2 || c[1] != (host.Cancel{}) {
			t.Errorf("%s: the turn was not cancelled once: %v", format, c)
		}
	}
	_, err := headless.Run(t.Context(), &played{events: turns["hello"]}, headless.Options{Format: headless.JSON, Out: &pipe{}, Err: io.Discard})
	if !errors.Is(err, syscall.EPIPE) {
		t.Errorf("json: %v", err)
	}
}

func TestNobodyNeedsToReadStderr(t *testing.T) {
	t.Parallel()
	for _, format := range headless.Formats() {
		var out bytes.Buffer
		code, err := headless.Run(t.Context(), &played{events: turns["work"]}, headless.Options{Format: headless.Format(format), Out: &out, Err: &pipe{}})
		if code != headless.ExitOK || err != nil || !strings.Contains(out.String(), "Done.") {
			t.Errorf("%s: code %d, %v, %s", format, code, err, &out)
		}
	}
}

func TestTheEndOfTheContextCancelsAndIsFollowedToTheEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := &played{hangs: true, events: []event.Event{event.Step{Number: 1}, event.Text{Text: "half"}}}
	var out bytes.Buffer
	cancel()
	code, err := headless.Run(ctx, p, headless.Options{Out: &out, Err: io.Discard})
	if code != headless.ExitInterrupted || err != nil || out.String() != "half\n" {
		t.Errorf("code %d, %v, %q", code, err, &out)
	}
}

func TestAConversationThatEndsBeforeItsTurnIsAnError(t *testing.T) {
	t.Parallel()
	p := &played{}
	p.log.Close()
	code, err := headless.Run(t.Context(), p, headless.Options{Out: io.Discard, Err: io.Discard})
	if code != headless.ExitError || err == nil {
		t.Errorf("code %d, %v", code, err)
	}
}

// Where answer and news end in one place no line holds a piece of both, and
// one empty line parts two steps.
func TestAnswerAndNewsInOnePlace(t *testing.T) {
	t.Parallel()
	var place bytes.Buffer
	_, err := headless.Run(t.Context(), &played{events: join(
		event.Step{Number: 1}, event.Text{Text: "I look."}, call("c1", "bash", `{}`, "ls"),
		event.ToolOutput{ID: "c1", Chunk: "a\n"}, event.ToolResult{ID: "c1", Name: "bash", Summary: "exit 0"},
		event.Step{Number: 2}, call("c2", "bash", `{}`, "pwd"), event.ToolResult{ID: "c2", Name: "bash", Summary: "exit 0"},
		event.Step{Number: 3}, event.Text{Text: "Found."}, event.Done{Reason: "stop", Steps: 3},
	)}, headless.Options{Out: &place, Err: &place, Shared: true})
	const want = "assent · 0199a1b2-c3d4 · test/m1 · default\nI look.\n⚙ bash ls\n  │ a\n✓ bash: exit 0\n⚙ bash pwd\n✓ bash: exit 0\n\nFound.\n" +
		"stop · 3 steps · 0.0s\n"
	if err != nil || place.String() != want {
		t.Errorf("%v\n got %q\nwant %q", err, &place, want)
	}
}
