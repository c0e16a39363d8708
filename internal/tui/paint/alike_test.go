package paint_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/tui/ink"
	"assent/internal/tui/paint"
	"assent/internal/tui/screen"
)

// A loop is one line with its rule, and its values stand below it, all of them.
func TestALoopIsListedOnce(t *testing.T) {
	t.Parallel()
	const call = "for i in $(seq 1 50); do echo line $i; rm \"$i.txt\"; echo line 3; done"
	a := event.Approval{ID: "a", Name: "bash", Title: call, Detail: call, Reason: "asks", Pattern: "echo *"}
	add := func(text, decision string) {
		a.Subjects = append(a.Subjects, event.Subject{Text: text, Kind: "command", Decision: decision, Source: "default", Reason: fmt.Sprintf("no rule speaks of %q", text)})
	}
	add("seq 1 50", "ask")
	add("echo line $i", "ask")
	for i := range 8 {
		add(fmt.Sprintf("echo line %d", i+1), "ask")
	}
	add("rm $i.txt", "ask")
	add("rm 1.txt", "ask")
	add("rm 2.txt", "deny") // decided in another way
	add("rm x", "ask")      // is no value of it
	u := start(t)
	u.s = screen.Apply(screen.Apply(u.s, event.Prompt{Text: "go"}), a)
	st := paint.Style{Width: 130, Height: 40, Color: ink.Mono}
	_, f := u.show(st)
	text := escapes.ReplaceAllString(strings.Join(f.Lines, "\n"), "")
	for _, want := range []string{
		"? echo line $i  asks", "that is echo line 1 · echo line 2 · echo line 4 · echo line 5 · echo line 6 · echo line 7 · echo line 8\n",
		"? rm $i.txt ", "that is rm 1.txt\n", "✗ rm 2.txt ", "? rm x ", "? echo line 3 ", "? seq 1 50 ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "no rule speaks of \"echo"); n != 2 {
		t.Errorf("the reason stands there %d times:\n%s", n, text)
	}
}
