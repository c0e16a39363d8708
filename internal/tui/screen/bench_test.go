package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

// turns is a state after a number of turns, drained as the glue does.
func turns(n int) screen.State {
	s := screen.New(screen.Options{Now: began})
	s = screen.Apply(s, event.Session{ID: "s"})
	for i := range n {
		id := fmt.Sprint(i)
		for _, e := range []event.Event{
			event.Prompt{Text: "prompt " + id},
			event.Step{Number: 1},
			event.Reasoning{Text: "hmm"},
			event.Text{Text: "answer " + id},
			event.ToolCall{ID: id, Name: "bash", Title: "ls"},
			event.ToolOutput{ID: id, Chunk: "out\n"},
			event.ToolResult{ID: id, Output: "out\n"},
			event.Text{Text: strings.Repeat("word ", 200)},
			event.Done{Reason: "stop"},
		} {
			s = screen.Apply(s, e)
		}
		s, _ = screen.Drain(s)
	}
	return s
}

// BenchmarkKey is a typed key at turn 1 and at turn 1,000 (TUI-21): the figures
// must not differ.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprint("turn ", n), func(b *testing.B) {
			s := turns(n)
			e := screen.Snapshot{Text: "a prompt of some words", Cursor: 22, Top: true, Bottom: true}
			b.ReportAllocs()
			for b.Loop() {
				s, _ = screen.Press(s, screen.Key{Name: "x", Text: "x", At: began, Editor: e})
				s, _ = screen.Edited(s, e)
			}
		})
	}
}

// BenchmarkDelta is a token of an answer of 5 KB and of 500 KB, settled every
// 200 bytes: the figures must not differ.
func BenchmarkDelta(b *testing.B) {
	for _, size := range []int{5 << 10, 500 << 10} {
		b.Run(fmt.Sprint(size>>10, " KB"), func(b *testing.B) {
			s := turns(1)
			deltas := size / 4
			step := func(i int) {
				s = screen.Apply(s, event.Text{Text: "abc "})
				if i%50 == 0 {
					s = screen.Settle(s, len(s.Tail))
					s, _ = screen.Drain(s)
				}
			}
			for i := range deltas {
				step(i)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				step(i)
				i++
			}
		})
	}
}

// BenchmarkOpenLine is a token of one line of a megabyte that never settles.
func BenchmarkOpenLine(b *testing.B) {
	s := turns(1)
	b.ReportAllocs()
	for b.Loop() {
		s = screen.Apply(s, event.Text{Text: "abcd"})
		s, _ = screen.Drain(s)
	}
}

// BenchmarkFlood is a second of a command that writes 10,000 lines in it.
func BenchmarkFlood(b *testing.B) {
	s := screen.Apply(turns(1), event.ToolCall{ID: "1", Name: "bash"})
	chunk := event.ToolOutput{ID: "1", Chunk: strings.Repeat(strings.Repeat("x", 79)+"\n", 200)}
	b.ReportAllocs()
	for b.Loop() {
		for range 50 {
			s = screen.Apply(s, chunk)
		}
	}
}

// BenchmarkPaths is a key in the path picker of 50,000 files.
func BenchmarkPaths(b *testing.B) {
	paths := make([]string, 50_000)
	for i := range paths {
		paths[i] = fmt.Sprintf("internal/package%d/some/folder/file%d.go", i%300, i)
	}
	s := screen.New(screen.Options{})
	e := screen.Snapshot{Text: "@file49", Cursor: 7}
	s, _ = screen.Edited(s, e)
	s, _ = screen.Answered(s, host.Paths{}, host.PathList{Paths: paths}, nil)
	b.ReportAllocs()
	for b.Loop() {
		s, _ = screen.Edited(s, e)
	}
}

// BenchmarkSearch is a key in the search through a full history.
func BenchmarkSearch(b *testing.B) {
	prompts := make([]string, 1000)
	for i := range prompts {
		prompts[i] = strings.Repeat(fmt.Sprint("prompt ", i, " "), 400)
	}
	s := screen.New(screen.Options{})
	s, _ = screen.Press(s, screen.Key{Name: "ctrl+s", At: began})
	s, _ = screen.Answered(s, host.History{}, host.PromptList{Prompts: prompts}, nil)
	b.ReportAllocs()
	for b.Loop() {
		s, _ = screen.Press(s, screen.Key{Name: "x", Text: "x", At: began})
		s, _ = screen.Press(s, screen.Key{Name: "backspace", At: began})
	}
}

// BenchmarkPaste is a paste of 5 MB of lines with a terminal sequence in it.
func BenchmarkPaste(b *testing.B) {
	text := strings.Repeat("a line of text\n", 5<<20/15) + "\x1b[0m"
	for b.Loop() {
		screen.Paste(screen.New(screen.Options{}), text)
	}
}

// BenchmarkHostileSecond is what a command, a model and a user send at their
// worst.
func BenchmarkHostileSecond(b *testing.B) {
	for b.Loop() {
		hostile(busy(b))
	}
}

// What is hostile leaves a prompt in which the user goes on.
func TestHostileInputIsTaken(t *testing.T) {
	t.Parallel()
	u := busy(t)
	hostile(u)
	if !strings.HasPrefix(u.text, "[pasted ") || !strings.HasSuffix(u.text, "done") {
		t.Errorf("the prompt holds %q", u.text)
	}
}

func hostile(u *ui) {
	u.paste(strings.Repeat("x\n", 5<<19))
	u.tell(event.ToolCall{ID: "1"})
	for range 50 {
		u.tell(event.ToolOutput{ID: "1", Chunk: strings.Repeat("\x1b[31mline\x00\xff\n", 200)})
	}
	for range 1000 {
		u.tell(event.Text{Text: strings.Repeat("y", 1000)})
	}
	u.tell(event.Text{Text: strings.Repeat("\x1b]0;", 1<<18)})
	u.keys("done")
}
