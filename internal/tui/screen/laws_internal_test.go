package screen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent/internal/event"
)

func TestNothingTypedIsLostAndNothingIsAnsweredTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{
			t: t, now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), decided: map[string]int{}, appeared: map[string]time.Time{},
		}
		w.s = New(Options{Agents: []string{"default", "plan"}, Now: w.now})
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			w.act()
			if lost := w.lost(); lost != "" {
				t.Fatalf("%q is lost", lost)
			}
			if e := w.s.Editor; e.Text != w.text {
				t.Fatalf("the state holds %q, the text area %q", e.Text, w.text)
			}
		}
		// Everything comes to rest and is printed.
		for len(w.events)+len(w.commands)+len(w.queries) > 0 || w.busy {
			w.work()
			w.hear()
			w.answer()
			w.finish()
		}
		w.drain()
		if w.s.out.n != 0 || w.s.held.n != 0 || w.s.Turn.Busy {
			t.Fatalf("not at rest: %d and %d blocks, busy %v", w.s.out.n, w.s.held.n, w.s.Turn.Busy)
		}
		if lost := w.lost(); lost != "" {
			t.Fatalf("%q is lost", lost)
		}
		var users strings.Builder
		for _, b := range w.printed {
			if b, ok := b.(User); ok {
				users.WriteString(b.Text)
			}
		}
		if len(users.String()) > w.entered.Len() {
			t.Fatalf("prompts were printed twice")
		}
	})
}

// Blocks come out once and in order, whatever the order of Apply, Settle and
// Drain.
func TestBlocksComeOutOnceAndInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := New(Options{})
		s = Apply(s, event.Prompt{Text: "p"})
		var out []Block
		var told, facts strings.Builder
		asides := 0
		drain := func() {
			var list []Block
			s, list = Drain(s)
			out = append(out, list...)
		}
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0, 1:
				text := rapid.StringMatching("[a-c]{1,3}\n{0,2}").Draw(t, "text")
				told.WriteString(text)
				s = Apply(s, event.Text{Text: text})
			case 2:
				s = Settle(s, rapid.IntRange(-1, len(s.Tail)+1).Draw(t, "n"))
			case 3:
				drain()
			case 4:
				fmt.Fprintf(&told, "<%d>", i)
				s = Apply(s, event.ToolResult{ID: fmt.Sprint(i)})
			case 5:
				asides++
				fmt.Fprintf(&facts, "<%d>", asides)
				s = Apply(s, event.Notice{Text: fmt.Sprint(asides)})
			default:
				s = Apply(s, event.Reasoning{Text: "r"})
			}
		}
		s = Apply(s, event.Done{})
		drain()
		var got, asideOrder strings.Builder
		for _, b := range out {
			switch b := b.(type) {
			case Answer:
				got.WriteString(b.Markdown)
			case ToolLine:
				fmt.Fprintf(&got, "<%s>", b.ID)
			case Notice:
				fmt.Fprintf(&asideOrder, "<%s>", b.Text)
			default:
			}
		}
		// Blank pieces are not printed.
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(got.String()) != squeeze(told.String()) || asideOrder.String() != facts.String() {
			t.Fatalf("told %q %q\ngot  %q %q", told.String(), facts.String(), got.String(), asideOrder.String())
		}
	})
}
