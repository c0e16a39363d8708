package screen_test

import (
	"testing"

	"assent/internal/event"
	"assent/internal/tui/screen"
)

func TestCutReopensWhatItCuts(t *testing.T) {
	t.Parallel()
	s := screen.New(screen.Options{})
	s = screen.Apply(s, event.Prompt{Text: "x"})
	s = screen.Apply(s, event.Text{Text: "```go\none\ntwo\n"})
	s = screen.Cut(s, len("```go\none\n"), "```go\n", true)
	if s.Tail != "```go\ntwo\n" || !s.TailMore {
		t.Fatalf("tail %q, more %v", s.Tail, s.TailMore)
	}
	s = screen.Cut(s, len("```go\ntwo\n"), "```go\n", true)
	s = screen.Apply(s, event.Text{Text: "three\n```\n"})
	s = screen.Cut(s, 0, "ignored", true)
	s = screen.Apply(s, event.Done{Reason: "stop"})
	s, blocks := screen.Drain(s)
	var got []screen.Answer
	for _, b := range blocks {
		if a, ok := b.(screen.Answer); ok {
			got = append(got, a)
		}
	}
	want := []screen.Answer{
		{Markdown: "```go\none\n", More: true},
		{Markdown: "```go\ntwo\n", More: true},
		{Markdown: "```go\nthree\n```\n"},
	}
	if len(got) != len(want) {
		t.Fatalf("blocks %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("block %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	// What was copied is what was said: no fence twice.
	_, intents := screen.Press(screen.Resize(s, 80, 24), screen.Key{Name: "enter", Editor: screen.Snapshot{Text: "/copy", Cursor: 5}})
	for _, i := range intents {
		if c, ok := i.(screen.Copy); ok && c.Text != "```go\none\ntwo\nthree\n```\n" {
			t.Errorf("copied %q", c.Text)
		}
	}
}
