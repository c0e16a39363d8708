package tui_test

import (
	"strings"
	"testing"

	"assent/internal/event"
)

// What the running turn was given and has not taken in yet is seen until it
// has, and stands in the conversation then.
func TestSteeringIsSeenUntilItEnters(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.host.slow = true
	p.keys("go\r")
	p.did(submit("go"))
	p.keys("use tabs\r")
	p.see("queued: 1")
	p.keys("\r")
	p.did("Promote{}")
	p.lose("queued: 1")
	p.see("↳ use tabs  (at the next step)")
	p.keys("use tabs\r") // the same words again, in the queue
	p.see("queued: 1")
	p.see("↳ use tabs  (at the next step)")
	p.host.next()
	p.lose("(at the next step)")
	p.once("↳ use tabs")
	p.see("queued: 1")
	p.keys("and hurry\x1b[13;5u") // ctrl+enter
	p.did(`Steer{Text:"and hurry"}`)
	p.see("↳ and hurry  (at the next step)")
	p.host.next()
	p.host.finish()
	p.lose("(at the next step)")
	p.once("↳ use tabs", "↳ and hurry")
}

// A cancel gives back what had not entered, before what stands in the prompt
// and before what was queued behind it.
func TestACancelGivesSteeringBack(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"esc": "\x1b", "ctrl+c": "\x03"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := play(t, 80, 24, nil)
			p.host.slow = true
			p.keys("go\r")
			p.did(submit("go"))
			p.keys("first\r")
			p.see("queued: 1")
			p.keys("\r")
			p.see("↳ first")
			p.host.next()
			p.lose("(at the next step)")
			p.keys("see \x1b[200~" + strings.Repeat("line\r", 40) + "\x1b[201~ too\r")
			p.see("queued: 1")
			p.keys("\r")
			p.see("↳ see [pasted 40 lines] too  (at the next step)")
			p.keys("last\r")
			p.see("queued: 1")
			p.keys("a draft" + key)
			p.did("Cancel{}")
			p.see("cancelled")
			p.until("all in the prompt", func() bool {
				rows := p.all()
				return strings.Contains(rows, "> see [pasted 40 lines] too\n  last\n  a draft") && !strings.Contains(rows, "(at the next step)")
			})
			p.once("↳ first", "[pasted 40 lines]")
			p.keys("\r")
			p.did(submit("see " + strings.Repeat("line\n", 40) + " too\nlast\na draft"))
		})
	}
}

// An end that nobody asked for gives nothing back: the model was told.
func TestSteeringIntoTheEndStays(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.host.slow = true
	p.keys("go\r")
	p.did(submit("go"))
	p.keys("late\r")
	p.see("queued: 1")
	p.keys("\r")
	p.see("(at the next step)")
	p.host.next()
	p.host.finish()
	p.see("done")
	p.once("↳ late")
	if _, row := p.cursor(); row != ">" {
		t.Errorf("the prompt holds %q", row)
	}
}

// Plain mode says what became of it in lines.
func TestPlainModeTellsOfSteering(t *testing.T) {
	t.Parallel()
	l := playLines(t, nil)
	l.host.slow = true
	l.see("> ")
	l.say("go")
	l.did(submit("go"))
	l.host.tell(event.Text{Text: "I begin.\n\nMore\n"})
	l.see("I begin.")
	l.say("use tabs")
	l.see("Queued: use tabs")
	l.did(submit("use tabs"))
	l.host.tell(event.Text{Text: "\nI go on.\n\nMore\n"}) // behind the news of the queue
	l.see("I go on.")
	l.say("")
	l.see("Goes in at the next step: use tabs")
	l.did("Promote{}")
	l.host.mu.Lock()
	l.host.end("cancelled")
	l.host.mu.Unlock()
	l.see("Not sent, type it again if it is to be: use tabs")
}

// Who leaves sees what nobody was told.
func TestLeavingPrintsSteeringThatWaits(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.host.slow = true
	p.keys("go\r")
	p.did(submit("go"))
	p.keys("use tabs\r")
	p.see("queued: 1")
	p.keys("\r")
	p.see("(at the next step)")
	p.keys("/exit\r")
	p.ended()
	p.once("Not sent, type it again if it is to be: use tabs")
}
