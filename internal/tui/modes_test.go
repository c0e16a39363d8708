package tui_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"assent/internal/event"
	"assent/internal/tui"
)

// modes is how a terminal stands after what was written to it.
func modes(t testing.TB, out string) map[string]int {
	t.Helper()
	now := map[string]int{}
	mode := regexp.MustCompile(`^\x1b\[\?([0-9;]+)([hl])$`)
	state := byte(0)
	for len(out) > 0 {
		seq, _, n, next := ansi.DecodeSequence(out, state, nil)
		state, out = next, out[n:]
		if m := mode.FindStringSubmatch(seq); m != nil {
			for name := range strings.SplitSeq(m[1], ";") {
				now[name] = strings.Index("lh", m[2])
			}
			continue
		}
		switch {
		case seq == "\x1b[>1u":
			now["kitty"]++
		case seq == "\x1b[<u":
			now["kitty"]--
		case strings.HasPrefix(seq, "\x1b[>4;"):
			now["other keys"] = 1
		case seq == "\x1b[>4m":
			now["other keys"] = 0
		case seq == "\x1b[m":
			now["style"] = 0
		case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			now["style"] = 1
		case strings.HasPrefix(seq, "\x1b]0;"), strings.HasPrefix(seq, "\x1b]1;"), strings.HasPrefix(seq, "\x1b]2;"), strings.HasSuffix(seq, "t") && strings.HasPrefix(seq, "\x1b[2"):
			t.Errorf("the title is touched: %q", seq)
		}
	}
	return now
}

// free is a terminal as a shell wants it, taken as this front needs it: 7 is
// that rows wrap, 25 the cursor, 2004 marked pastes, 1004 focus, 2026 frames.
var (
	free  = map[string]int{"7": 1, "25": 1, "1004": 0, "2004": 0, "2026": 0, "kitty": 0, "other keys": 0, "style": 0}
	taken = map[string]int{"1004": 1, "2004": 1, "kitty": 1, "other keys": 1}
)

// stands fails unless modes are as they shall be. No other mode may ever be
// touched: mouse, alternate screen, and what else there is.
func stands(t testing.TB, when, out string, want map[string]int) {
	t.Helper()
	now := modes(t, out)
	for name, on := range want {
		if now[name] != on {
			t.Errorf("%s: mode %s is %d, want %d; wrote …%q", when, name, now[name], on, out[max(0, len(out)-200):])
		}
	}
	for name := range maps.Keys(now) {
		if _, ok := free[name]; !ok {
			t.Errorf("%s: mode %s was touched", when, name)
		}
	}
}

// TUI-24, TUI-30, TUI-05: on every way out the terminal is as it was, also in
// the middle of a turn, and while something else has it.
func TestModesOnEveryWayOut(t *testing.T) {
	t.Parallel()
	ways := map[string]func(*played){
		"exit":    func(p *played) { p.keys("/exit\r") },
		"ctrl+c":  func(p *played) { p.keys("\x03\x03") },
		"signal":  func(p *played) { p.stop() },
		"hang up": func(p *played) { _ = p.in.Close() },
		"in a turn": func(p *played) {
			p.keys("go\r")
			p.did(submit("go"))
			p.host.tell(event.Text{Text: strings.Repeat("**many** `words` ", 20)})
			p.see("many words")
			p.stop()
		},
	}
	for name, leave := range ways {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := play(t, 80, 24, nil)
			p.see("/ commands")
			stands(t, "at work", p.written(), taken)
			leave(p)
			p.ended()
			stands(t, "at the end", p.written(), free)
		})
	}
}

func TestModesWhileAnEditorHasTheTerminal(t *testing.T) {
	t.Parallel()
	meanwhile := make(chan string, 1)
	p := play(t, 80, 24, func(o *tui.Options) {
		glass := o.Out.(*glass)
		o.Edit = func(_ context.Context, text string) (string, error) {
			meanwhile <- glass.written()
			return text + "written", nil
		}
	})
	p.see("/ commands")
	p.keys("\x07")
	p.see("> written")
	stands(t, "in the editor", <-meanwhile, free)
	stands(t, "after it", p.written(), taken)
}

// What breaks down leaves the terminal as it was.
func TestModesAfterABreakdown(t *testing.T) {
	t.Parallel()
	out := &paper{}
	func() {
		defer func() { _ = recover() }()
		_, _ = tui.Run(context.Background(), newFake(), tui.Options{In: breaking{}, Out: out, Size: func() (int, int) { return 80, 24 }})
	}()
	stands(t, "after a panic", out.String(), free)
}

// rich is an answer and a call with everything that has a colour.
func rich(p *played) {
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(
		event.Reasoning{Text: "thinking"}, event.Text{Text: "# Head\n\n**bold** `code` [link](https://a.example)\n\n- one\n\n| a | b |\n|---|---|\n| c | d |\n\n> quote\n\n```go\nfunc main() { s := \"text\" + 1 } // remark\n```\n\n"},
		event.ToolCall{ID: "1", Name: "edit_file", Title: "main.go", Input: []byte(`{}`)},
		event.ToolResult{ID: "1", Name: "edit_file", Summary: "1 line", Diff: "--- a/main.go\n+++ b/main.go\n@@ -1 +1 @@\n-old text\n+new text\n"},
		event.Notice{Text: "a notice"}, event.Error{Message: "a fault"})
	p.see("a fault")
	p.host.tell(asks("2")...)
	p.see("deny")
	p.unguard(p.t)
	p.keys("n")
	p.did(`Decide{ID:"2", Choice:"deny", Pattern:"", Message:"", Cancel:false}`)
	p.host.finish()
	p.see("done")
	p.keys("/exit\r")
	p.ended()
}

// Without colours the marks of Markdown are not shown either.
func TestNoColourShowsNoMarkdown(t *testing.T) {
	t.Parallel()
	env := map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Lookup = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	})
	p.keys("/sessions\r")
	p.see("an earlier one")
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(event.Text{Text: "Run `make` *now*, **please**.\n\nMore\n"})
	p.see("Run make now, please.")
	if all := p.all(); strings.ContainsAny(all, "`*") {
		t.Errorf("marks of Markdown:\n%s", all)
	}
	if out := p.written(); !strings.Contains(out, "\x1b[1mmake") {
		t.Error("code is not bold")
	}
}

// NO_COLOR takes away every colour, and colours only.
func TestNoColour(t *testing.T) {
	t.Parallel()
	for _, off := range []bool{true, false} {
		t.Run(fmt.Sprint(off), func(t *testing.T) {
			t.Parallel()
			p := play(t, 80, 24, func(o *tui.Options) {
				lookup := o.Lookup
				o.Lookup = func(name string) (string, bool) {
					if name == "NO_COLOR" && off {
						return "1", true
					}
					return lookup(name)
				}
			})
			rich(p)
			colours, looks := 0, 0
			for _, m := range regexp.MustCompile(`\x1b\[([0-9;:]*)m`).FindAllStringSubmatch(p.written(), -1) {
				for code := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return r == ';' || r == ':' }) {
					if len(code) == 2 && strings.ContainsAny(code[:1], "34") && code != "39" && code != "49" || len(code) == 2 && code[0] == '9' || len(code) == 3 {
						colours++
					} else {
						looks++
					}
				}
			}
			if (colours == 0) != off || looks == 0 {
				t.Errorf("%d colours, %d other looks", colours, looks)
			}
		})
	}
}

// TUI-26: a terminal that knows no escapes gets none.
func TestDumbTerminalGetsNoEscape(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Plain = true
		o.Lookup = func(name string) (string, bool) { return "dumb", name == "TERM" }
	})
	p.see("assent 1.2.3")
	p.keys("go\n")
	p.did(submit("go"))
	p.host.tell(event.Text{Text: "# Head\n\n**bold** `code` [link](https://a.example) and " + evil + "\n\n"},
		event.ToolCall{ID: "1", Name: "edit_file", Title: "main.go", Input: []byte(`{}`)},
		event.ToolResult{ID: "1", Name: "edit_file", Diff: "--- a/main.go\n+++ b/main.go\n@@ -1 +1 @@\n-old\n+new\n"})
	p.host.finish()
	p.see("done")
	p.keys("/exit\n")
	p.ended()
	for at, r := range p.written() {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			t.Fatalf("wrote %q: …%q", r, p.written()[max(0, at-60):at+1])
		}
	}
}

// In 40 columns no row needs the last one, where terminals differ.
func TestFortyColumns(t *testing.T) {
	t.Parallel()
	p := play(t, 40, 24, nil)
	rich(p)
	widest := 0
	for row := range strings.SplitSeq(p.all(), "\n") {
		widest = max(widest, ansi.StringWidth(row))
	}
	if widest > 39 || widest < 30 {
		t.Errorf("the widest row has %d cells:\n%s", widest, p.all())
	}
}

// A console has no clipboard, and would show what is written to it.
func TestNoClipboardOnAConsole(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Lookup = func(name string) (string, bool) { return "linux", name == "TERM" }
	})
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(event.Text{Text: "an answer\n"})
	p.host.finish()
	p.see("done")
	p.keys("/copy\r")
	p.see("no clipboard")
	p.keys("/exit\r")
	p.ended()
	for _, bad := range []string{"\x1b]52", "\x1b[>", "\x1b[<u"} {
		if strings.Contains(p.written(), bad) {
			t.Errorf("wrote %q", bad)
		}
	}
}
