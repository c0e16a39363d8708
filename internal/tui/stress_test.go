package tui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui"
)

// An unclosed fence, a line without end and a table without end do not grow
// what is redrawn, and nothing of them is lost.
func TestAnswerWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]string{"fence": "```go\n", "one line": "", "table": "| a | b |\n|---|---|\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := play(t, 80, 24, nil)
			p.keys("go\r")
			p.did(submit("go"))
			p.host.tell(event.Text{Text: open})
			const pieces = 400
			for i := range pieces {
				switch name {
				case "fence":
					p.host.tell(event.Text{Text: fmt.Sprintf("call(%d) // number-%d.\n", i, i)})
				case "table":
					p.host.tell(event.Text{Text: fmt.Sprintf("| %d | number-%d. |\n", i, i)})
				default:
					p.host.tell(event.Text{Text: fmt.Sprintf("and number-%d. ", i)})
				}
				if i%50 == 49 {
					p.see(fmt.Sprintf("number-%d.", i))
				}
			}
			p.host.finish()
			p.see("done")
			all := p.all()
			for i := range pieces {
				if n := strings.Count(all, fmt.Sprintf("number-%d.", i)); n != 1 {
					t.Fatalf("number-%d stands there %d times", i, n)
				}
			}
		})
	}
}

func TestOneLineOfAMegabyte(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	for range 64 {
		p.host.tell(event.Text{Text: strings.Repeat("x", 16<<10)})
	}
	p.host.finish()
	p.see("done")
	if n := strings.Count(p.all(), "x"); n < 1<<20 {
		t.Errorf("%d characters of %d", n, 1<<20)
	}
}

// Nothing that a model, a file or a command wrote drives the terminal.
func TestHostileBytes(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Shell = func(_ context.Context, _ string, out func([]byte)) (int, string, error) {
			out([]byte(evil))
			return 0, evil, nil
		}
	})
	p.see("/ commands")
	mark := p.bytes()
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(event.Reasoning{Text: evil}, event.Text{Text: evil}, event.ToolStart{ID: "1", Name: evil},
		event.ToolCall{ID: "1", Name: evil, Title: evil}, event.ToolOutput{ID: "1", Chunk: evil})
	p.see("⚙")
	p.host.tell(event.ToolResult{ID: "1", Name: evil, Output: evil, Summary: evil, Diff: "--- a\n+++ b\n@@ -1 +1 @@\n-" + evil + "\n+" + evil + "\n"},
		event.Notice{Text: evil}, event.Error{Message: evil}, event.Queue{Prompts: []string{evil}},
		event.Approval{ID: "2", Name: evil, Title: evil, Reason: evil, Detail: evil, Pattern: evil, Subjects: []event.Subject{{Text: evil, Reason: evil, Source: evil, Pattern: evil}}})
	p.see("deny")
	p.unguard(t)
	p.keys("n")
	p.host.finish()
	p.see("done")
	p.host.tell(event.Queue{})
	p.keys("\x1b[200~" + strings.ReplaceAll(evil, "\x1b[201~", "") + "\x1b[201~")
	p.see("hidden31m")
	p.keys("\x03")
	p.lose("hidden31m")
	p.keys("!evil\r")
	p.see("! evil")
	p.keys("\x03/exit\r")
	p.ended()
	out := p.written()[mark:]
	for _, bad := range []string{
		"\x1b]0;", "\x1b]2;", "\x1b]52;", "\x1b[2J", "\x1b[3J", "\x1bc", "\x1bP", "\x1b_", "\x1b^", "\x00", "\x07", "\x08", "\x9b", "\u009b", "\u009d",
		"\u202e", "\x1b[6n", "\x1b[c", "\x1b[?1049h", "\x1b[5m", "\x1b[8m", "\x1b[H", "\x1b[1;1H", "\x7f",
	} {
		if at := strings.Index(out, bad); at >= 0 {
			t.Errorf("%q reached the terminal: …%q", bad, out[max(0, at-60):min(len(out), at+60)])
		}
	}
}

const evil = "e\x1b]0;title\a\x1b]52;c;ZXZpbA==\x1b\\\x1b[2J\x1b[3J\x1b[H\x1b[1;1H\x1bc\x1bPq\x1b\\\x1b_x\x1b\\\x1b^y\x1b\\\x1b[6n\x1b[c\x1b[?1049h" +
	"\x1b[5mblink\x1b[8mhidden\x00\b\x7f\u009b31m\u009d0;t\u009c\xff\xfe\u202eoverride\x1b[201~l"

// A storm of sizes leaves no garbage and loses nothing.
func TestResizeStorm(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.keys("what is being typed")
	p.see("> what is being typed")
	for i := range 60 {
		p.resized(60+i%40, 10+i%20)
		p.host.tell(event.Text{Text: fmt.Sprintf("paragraph-%d.\n\n", i)})
	}
	p.resized(80, 24)
	p.host.finish()
	p.see("done")
	all := p.all()
	for i := range 60 {
		if n := strings.Count(all, fmt.Sprintf("paragraph-%d.", i)); n != 1 {
			t.Errorf("paragraph-%d stands there %d times", i, n)
		}
	}
	if n := strings.Count(all, "> what is being typed"); n != 1 {
		t.Errorf("the prompt stands there %d times:\n%s", n, all)
	}
}

// Too small a terminal says so and comes back.
func TestTooSmall(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("kept text")
	p.see("> kept text")
	p.resized(20, 5)
	p.see("assent needs")
	p.lose("> kept text")
	p.keys("!")
	p.resized(80, 24)
	p.see("> kept text!")
	p.lose("assent needs")
}

// When the input ends, the front does.
func TestInputEnds(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.see("/ commands")
	_ = p.in.Close()
	p.ended()
	if p.code != 0 || !strings.Contains(p.all(), "assent -r 0123456789") {
		t.Errorf("exit %d:\n%s", p.code, p.all())
	}
}

// A signal ends it with the terminal as it was.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.stop()
	p.ended()
	if p.code != 130 || !strings.HasSuffix(p.written(), "\x1b[?25h") || !strings.Contains(p.written(), "\x1b[?2004l") {
		t.Errorf("exit %d, wrote …%q", p.code, p.written()[max(0, len(p.written())-80):])
	}
}

// The user's own command: its output is shown; with !! it goes along.
func TestOwnCommand(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Shell = func(ctx context.Context, command string, out func([]byte)) (int, string, error) {
			if command == "wait" {
				out([]byte("waiting\n"))
				<-ctx.Done()
				return -1, "waiting\n", nil
			}
			return 1, "said " + command + "\n", errors.New("exit 1")
		}
	})
	p.keys("!wait\r")
	p.see("waiting")
	p.keys("\x03")
	p.see("you ended it")
	p.keys("!!ls\r")
	p.see("said ls")
	p.keys("look\r")
	p.until("the output goes along", func() bool {
		return strings.Contains(strings.Join(p.host.done(), "\n"), "said ls")
	})
}

func TestExternalEditor(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Edit = func(_ context.Context, text string) (string, error) { return text + " and\nwritten\n", nil }
	})
	p.keys("typed\x07")
	p.see("  written")
	p.keys("\r")
	p.did(submit("typed and\nwritten"))
}

// A user who looks elsewhere is told, one who looks on is not.
func TestNotification(t *testing.T) {
	t.Parallel()
	told := make(chan string, 4)
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Notify.Channels = []string{"bell", "osc9", "osc777"}
		o.Notify.Command = func(_ context.Context, event, text string) { told <- event + " " + text }
	})
	p.keys("go\r")
	p.did(submit("go"))
	p.host.finish()
	p.see("done")
	p.keys("\x1b[O")
	p.keys("again\r")
	p.did(submit("again"))
	p.host.tell(asks("1")...)
	if got := <-told; !strings.HasPrefix(got, "approval.waiting assent asks: bash npm test") {
		t.Errorf("told %q", got)
	}
	out := p.written()
	if strings.Count(out, "\x1b]9;assent asks: bash npm test && rm build/one.js\a") != 1 || strings.Count(out, "\x1b]777;notify;assent asks;bash") != 1 {
		t.Errorf("wrote %q", out)
	}
}

// TUI-29: what is copied is the source.
func TestCopy(t *testing.T) {
	t.Parallel()
	p := play(t, 40, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(event.Text{Text: "A **long** line that is broken on the screen but not in the copy."})
	p.host.finish()
	p.see("done")
	p.keys("/copy\r")
	p.see("Copied")
	if want := "\x1b]52;c;QSAqKmxvbmcqKiBsaW5lIHRoYXQgaXMgYnJva2VuIG9uIHRoZSBzY3JlZW4gYnV0IG5vdCBpbiB0aGUgY29weS4=\a"; !strings.Contains(p.written(), want) {
		t.Error("not copied")
	}
}

func TestAnotherConversation(t *testing.T) {
	t.Parallel()
	next := newFake()
	var went tui.Target
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Reopen = func(_ context.Context, to tui.Target) (tui.Host, string, error) {
			if to.Session == "gone" {
				return nil, "", errors.New("there is no such session")
			}
			went = to
			return next, "", nil
		}
	})
	p.keys("/resume gone\r")
	p.see("there is no such session")
	p.keys("old\r")
	p.did(submit("old"))
	p.host.finish()
	p.see("done")
	p.keys("/resume\r")
	p.see("an earlier one")
	p.keys("\r")
	p.until("the other one answers", func() bool {
		return strings.Count(p.all(), "assent 1.2.3") == 2
	})
	p.keys("new\r")
	p.until("the prompt goes there", func() bool { return slices.Contains(next.done(), submit("new")) })
	if went.Session != "abc" {
		t.Errorf("went to %+v", went)
	}
}

// What was said before is shown, once, as it was when it was new; then the host
// goes on with what waited for the user.
func TestResumedShowsWhatWasSaid(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.see("assent 1.2.3")
	p.host.mu.Lock()
	p.host.answer = func(q host.Query) (host.Answer, error) {
		if _, ok := q.(host.Earlier); !ok {
			return nil, nil
		}
		return host.Replay{Left: 7, Cut: true, Title: "the first", Prompts: 8, Events: []event.Event{
			event.Prompt{Text: "why does it fail?"},
			event.ToolCall{ID: "1", Name: "bash", Title: "go test"},
			event.ToolResult{ID: "1", Name: "bash", Summary: "exit 1, 2s", Exit: 1},
			event.Text{Text: "It is **one** short."},
		}}, nil
	}
	p.host.mu.Unlock()
	p.host.tell(event.Session{ID: "0123456789", CWD: "/work", Model: "model-1", Provider: "maker", Agent: "default", Resumed: true})
	p.did("Continue{}")
	p.see("It is one short.")
	p.once("> why does it fail?", "bash go test  exit 1, 2s", "7 earlier prompts", "assent sessions show", "It is one short.")
	p.keys("/exit\r")
	p.ended()
	p.once("8 prompts · the first")
}

// The terminal is given back before a panic goes on.
func TestPanicGivesTheTerminalBack(t *testing.T) {
	t.Parallel()
	p, in := &paper{}, newPipe()
	h := newFake()
	h.answer = func(host.Query) (host.Answer, error) { panic("broken inside") }
	var got any
	func() {
		defer func() { got = recover() }()
		_, _ = in.Write([]byte("x\x1b[A"))
		_, _ = tui.Run(context.Background(), h, tui.Options{In: in, Out: p, Size: func() (int, int) { return 80, 24 }})
	}()
	_ = in.Close()
	if text, ok := got.(string); !ok || !strings.Contains(text, "broken inside") || !strings.Contains(text, "kit_test.go") {
		t.Errorf("recovered %v", got)
	}
	if out := p.String(); !strings.HasSuffix(out, "\x1b[?25h") || !strings.Contains(out, "\x1b[?2004l") || !strings.Contains(out, "\x1b[<u") {
		t.Errorf("wrote …%q", out[max(0, len(out)-120):])
	}
}

// What breaks while the terminal is read ends the front as any panic does.
func TestPanicWhileReading(t *testing.T) {
	t.Parallel()
	p := &paper{}
	var got any
	func() {
		defer func() { got = recover() }()
		_, _ = tui.Run(context.Background(), newFake(), tui.Options{In: breaking{}, Out: p, Size: func() (int, int) { return 80, 24 }})
	}()
	if text, ok := got.(string); !ok || !strings.Contains(text, "broken reader") {
		t.Errorf("recovered %v", got)
	}
	if out := p.String(); !strings.HasSuffix(out, "\x1b[?25h") || !strings.Contains(out, "\x1b[?2004l") || !strings.Contains(out, "\x1b[<u") {
		t.Errorf("wrote …%q", out[max(0, len(out)-120):])
	}
}

type breaking struct{}

func (breaking) Read([]byte) (int, error) { panic("broken reader") }
