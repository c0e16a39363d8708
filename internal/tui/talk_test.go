package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/event"
	"assent/internal/tui"
)

// submit is how the fake spells a prompt.
func submit(text string) string { return fmt.Sprintf("Submit{Text:%q}", text) }

func TestAnswerIsPrintedOnce(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.see("/ commands")
	p.keys("hello there")
	p.see("> hello there")
	p.keys("\r")
	p.did(submit("hello there"))
	p.host.tell(event.Text{Text: "A first paragraph.\n\nA **second** one that "})
	p.see("A second one that")
	p.host.tell(event.Text{Text: "goes on.\n\n- item\n"})
	p.see("goes on.")
	p.host.finish()
	p.see("done")
	p.keys("/exit\r")
	p.ended()
	p.once("> hello there", "A first paragraph.", "A second one that goes on.", "item", "assent 1.2.3", "assent -r 0123456789")
	if p.code != 0 || p.err != nil {
		t.Errorf("exit %d, %v", p.code, p.err)
	}
}

// TUI-01, TUI-05, TUI-24, TUI-30: nothing clears the terminal, no other screen,
// no mouse, and what was switched on is off at the end.
func TestTerminalIsGivenBack(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.see("/ commands")
	p.keys("\x04\x03\x03")
	p.ended()
	out := p.written()
	for _, bad := range []string{"\x1b[2J", "\x1b[3J", "\x1bc", "\x1b[?1049h", "\x1b[?47h", "\x1b[?1000h", "\x1b[?1002h", "\x1b[?1003h"} {
		if strings.Contains(out, bad) {
			t.Errorf("wrote %q", bad)
		}
	}
	for _, mode := range [][2]string{
		{"\x1b[?2004h", "\x1b[?2004l"}, {"\x1b[?1004h", "\x1b[?1004l"}, {"\x1b[>1u", "\x1b[<u"}, {"\x1b[>4;2m", "\x1b[>4m"}, {"\x1b[?25l", "\x1b[?25h"},
	} {
		on, off := strings.LastIndex(out, mode[0]), strings.LastIndex(out, mode[1])
		if on >= 0 && off < on {
			t.Errorf("%q is left on", mode[0])
		}
	}
}

// TUI-19: without a change nothing is written, and nothing runs. The time is
// that of a bubble, in which a minute passes when nothing else does.
func TestIdleWritesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := play(t, 80, 24, nil)
		p.see("/ commands")
		time.Sleep(time.Second) // what begins it
		n := p.bytes()
		time.Sleep(time.Minute)
		if got := p.bytes() - n; got != 0 {
			t.Errorf("%d bytes in an idle minute", got)
		}
	})
}

func TestPromptIsSentAtOnce(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, func(o *tui.Options) { o.Prompt = "fix it" })
	p.did(submit("fix it"))
	p.see("> fix it")
}

func TestQueueAndSteer(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("first\r")
	p.did(submit("first"))
	p.keys("second\r")
	p.see("queued: 1")
	p.keys("\r")
	p.did("Promote{}")
	p.lose("queued: 1")
	p.see("↳ second")
	p.keys("third\r")
	p.see("queued: 1")
	p.keys("\x1b[A")
	p.lose("queued: 1")
	p.see("> third")
	p.keys("\x7f\x7f\x7f\x7f\x7f")
	p.keys("fourth\r")
	p.see("queued: 1")
	p.keys("\x1b")
	p.did("Cancel{}")
	p.see("cancelled")
	if x, row := p.cursor(); row != "> fourth" || x != 8 {
		p.until("the queued prompt comes back", func() bool { x, row := p.cursor(); return row == "> fourth" && x == 8 })
	}
	if strings.Contains(strings.Join(p.host.done(), " "), submit("fourth")+" "+submit("fourth")) {
		t.Error("the prompt was sent twice")
	}
}

// TUI-16: esc closes, then cancels; ctrl+c ends the command, clears, leaves.
func TestCtrlCHasAnOrder(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("run\r")
	p.did(submit("run"))
	p.host.tell(event.ToolStart{ID: "1", Name: "bash"}, event.ToolCall{ID: "1", Name: "bash", Title: "sleep 100", Input: []byte(`{}`)}, event.ToolRun{ID: "1", Name: "bash"},
		event.ToolOutput{ID: "1", Chunk: "line one\nline two\n"})
	p.see("line two")
	p.see("ctrl+c ends the command")
	p.keys("\x03")
	p.did(`Interrupt{CallID:""}`)
	p.host.tell(event.ToolError{ID: "1", Name: "bash", Error: "The user interrupted this command.", Status: "interrupted"})
	p.see("interrupted")
	p.host.finish()
	p.see("done")
	p.keys("some text\x03")
	p.lose("> some text")
	p.see("ctrl+c again leaves")
	p.keys("\x1f")
	p.see("> some text")
	p.keys("\x03\x03")
	p.ended()
	p.once("bash sleep 100")
}

// TUI-14: every way to break a line works.
func TestLineBreaks(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("a\x1b[13;2ub\x1b[27;2;13~c\x1b\rd\x0ae\\\rf")
	p.see("  f")
	p.keys("\r")
	p.did(submit("a\nb\nc\nd\ne\nf"))
}

func TestPasteOfFiveMegabytes(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	text := strings.Repeat("a line of a long text\r", 5<<20/22)
	lines := strings.Count(text, "\r")
	p.keys("see \x1b[200~" + text + "\x1b[201~ please")
	p.see(fmt.Sprintf("> see [pasted %d lines] please", lines))
	p.keys("\r")
	want := submit("see " + strings.ReplaceAll(text, "\r", "\n") + " please")
	p.did(want)
	if n := p.bytes(); n > 20_000 {
		t.Errorf("the paste cost %d bytes", n)
	}
}

// TUI-12, TUI-13: the cursor stands behind the last character, however wide.
func TestCursorFollowsWideCharacters(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.see("/ commands")
	for _, step := range []struct {
		keys, row string
		x         int
	}{
		{"日本", "> 日本", 6},
		{"e\u0301", "> 日本e\u0301", 7},
		{"\x1b[D\x1b[D", "> 日本e\u0301", 4},
		{"\x7f", "> 本e\u0301", 2},
		{"\x05", "> 本e\u0301", 5},
	} {
		p.keys(step.keys)
		p.until(fmt.Sprintf("cursor at %d of %q", step.x, step.row), func() bool {
			x, row := p.cursor()
			return x == step.x && row == step.row
		})
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("draft\x1b[A")
	p.see("> the one before")
	p.keys("\x1b[A")
	p.see("> oldest")
	p.keys("\x1b[B\x1b[B")
	p.see("> draft")
	p.keys("\x13")
	p.keys("old")
	p.see("oldest")
	p.keys("\r")
	p.see("> oldest")
}

// A long paste that was sent is an earlier prompt like any: up brings it back by
// its name, and ctrl+s finds it by its words.
func TestALongPasteIsInTheHistory(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	text := strings.Repeat("a line of it\r", 9999) + "the end of it"
	p.keys("\x1b[200~" + text + "\x1b[201~\r")
	p.did(submit(strings.ReplaceAll(text, "\r", "\n")))
	p.host.finish()
	p.see("done")
	p.keys("\x1b[A")
	p.see("> [pasted 10000 lines]")
	p.keys("\x15\x13line of it")
	p.see("❯ a line of it")
	p.keys("\r")
	p.until("it is found", func() bool { _, row := p.cursor(); return strings.HasPrefix(row, "> [pasted 10000 lines") })
}

func TestPathPicker(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("read @sr")
	p.see("src/old.go")
	p.keys("\x1b[B\t")
	p.see("> read src/old.go")
	p.keys("and mail me@host\r")
	p.did(`Submit{Text:"read src/old.go and mail me@host", Expanded:"read src/old.go and mail me@host\n\n--- added @src/old.go ---\ncontent"}`)
	p.see("added @src/old.go")
}

func TestCommandsOfTheMenu(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 30, nil)
	p.keys("/co")
	p.see("/context")
	p.keys("st\r")
	p.did(`Report{Name:"cost"}`)
	p.see("report of cost")
	p.keys("/model\r")
	p.see("model-2")
	p.keys("2\r")
	p.did(`Use{Agent:"", Provider:"maker", Model:"model-2", Level:""}`)
	p.see("model-2 · medium")
	p.keys("/nonsense\r")
	p.see("There is no command /nonsense")
}
