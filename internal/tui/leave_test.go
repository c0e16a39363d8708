package tui_test

import (
	"context"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/tui"
)

// Whatever way the front ends in: what was told before is printed, also what
// it had not come to draw.
func TestLeavingAtOnceLosesNothing(t *testing.T) {
	t.Parallel()
	ways := []struct {
		name  string
		plain bool
		leave func(*played)
	}{
		{"a command", false, func(p *played) { p.keys("/exit\r") }},
		{"ctrl+d twice", false, func(p *played) { p.keys("\x04\x04") }},
		{"the end of the input", false, func(p *played) { _ = p.in.Close() }},
		{"the context", false, func(p *played) { p.stop() }},
		{"a command, plain", true, func(p *played) { p.keys("/exit\n") }},
		{"the end of the input, plain", true, func(p *played) { _ = p.in.Close() }},
		{"the context, plain", true, func(p *played) { p.stop() }},
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			p := play(t, 80, 24, func(o *tui.Options) { o.Plain = way.plain })
			p.keys(map[bool]string{false: "go\r", true: "go\n"}[way.plain])
			p.did(submit("go"))
			p.host.tell(event.Text{Text: "Half of it.\n\nThe rest of it"})
			p.host.tell(event.ToolCall{ID: "1", Name: "bash", Title: "make it"}, event.ToolRun{ID: "1", Name: "bash"})
			p.host.tell(event.ToolResult{ID: "1", Name: "bash", Summary: "it is made"})
			p.host.finish()
			way.leave(p)
			p.ended()
			all := p.all()
			if way.plain {
				all = p.written() // the emulator goes down in steps
			}
			for _, want := range []string{"Half of it.", "The rest of it", "it is made", "assent -r 0123456789"} {
				if n := strings.Count(all, want); n != 1 {
					t.Errorf("%q stands there %d times:\n%s", want, n, all)
				}
			}
		})
	}
}

// The answer so far and the command that runs are not lost either.
func TestLeavingInATurn(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(event.Text{Text: "Said before it. "}, event.ToolCall{ID: "1", Name: "bash", Title: "make it"}, event.ToolRun{ID: "1", Name: "bash"})
	p.see("make it")
	p.keys("/exit\r")
	p.ended()
	p.once("Said before it.", "make it")
	p.see("cancelled")
}

// A call that waits is not run, and that is said.
func TestLeavingAnApproval(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(event.ToolCall{ID: "1", Name: "bash", Title: "make it"}, event.Approval{ID: "1", Name: "bash", Title: "make it"})
	p.see("allow once")
	p.stop()
	p.ended()
	p.once("Not run: bash make it", "cancelled")
}

// What the user's own command printed is there, also when leaving ends it.
func TestLeavingAnOwnCommand(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Shell = func(ctx context.Context, _ string, out func([]byte)) (int, string, error) {
			out([]byte("printed\n"))
			<-ctx.Done()
			return -1, "printed\n", nil
		}
	})
	p.keys("!wait\r")
	p.see("printed")
	p.keys("/exit\r")
	p.ended()
	p.once("printed", "you ended it")
}

// A prompt waits for the output of the command before it.
func TestAPromptWithTheOutputOfARunningCommand(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Shell = func(context.Context, string, func([]byte)) (int, string, error) {
			<-goOn
			return 0, "built\n", nil
		}
	})
	p.keys("!!make\r")
	p.see("make")
	p.keys("look\r")
	p.see("The prompt waits for the output of make")
	close(goOn)
	p.until("it goes with the output", func() bool {
		return strings.Contains(strings.Join(p.host.done(), "\n"), `Submit{Text:"look", Expanded:"look\n\n--- output of make`)
	})
}
