package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/tui"
)

// Nothing is asked until a size has changed, so that a key is echoed at once.
func TestTheSizeIsAskedForWhenItChanged(t *testing.T) {
	t.Parallel()
	const where = "\x1b[18t\x1b[6n"
	for _, tmux := range []bool{true, false} {
		t.Run(fmt.Sprint(tmux), func(t *testing.T) {
			t.Parallel()
			p := play(t, 80, 24, func(o *tui.Options) {
				o.Lookup = func(name string) (string, bool) {
					if name == "TMUX" && tmux {
						return "/tmp/tmux-1/default,1,0", true
					}
					v, ok := environment[name]
					return v, ok
				}
			})
			p.keys("go\r")
			p.did(submit("go"))
			p.host.tell(event.Text{Text: "An answer.\n\n"})
			p.host.finish()
			p.see("done")
			if strings.Contains(p.written(), where) {
				t.Error("asked before")
			}
			p.resized(60, 20)
			p.keys("typed")
			p.see("> typed")
			if !strings.Contains(p.written(), where) {
				t.Error("not asked after a change of size")
			}
			p.keys("\x15/exit\r")
			p.ended()
			p.once("An answer.", "> go", "assent -r")
		})
	}
}
