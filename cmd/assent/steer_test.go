//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ctrl+d twice leaves while a call waits. It was not run, and a resume neither
// asks for it nor runs it.
func TestLeavingAtAnApprovalCancelsTheCall(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, nil, `{"text":"Now.","calls":[{"name":"write_file","input":{"path":"made.txt","content":"x\n"}}]}`)
	g := behind(t, w.command(append(flags, "make it")...), 100, 40)
	g.see("allow write_file?", ask)
	g.answerable()
	g.keys("\x04")
	g.see("ctrl+d again leaves; the call that waits is not run")
	g.keys("\x04")
	if code := g.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	g.see("Not run: write_file made.txt", "cancelled")
	w.paired(w.logs()[0])

	g = behind(t, w.command(append(flags, "-c")...), 100, 40)
	g.see("> make it", "write_file cancelled")
	g.ready()
	if strings.Contains(g.all(), ask) {
		t.Errorf("it is asked again:\n%s", g.all())
	}
	g.leave()
	if _, err := os.Stat(filepath.Join(w.dir, "made.txt")); err == nil {
		t.Error("it was run")
	}
}

// A prompt that was given to the running turn comes back when the turn is
// cancelled, and the model hears of it once: when it is sent.
func TestSteeringComesBackWithACancel(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, nil, `{"text":"never","delayMs":60000}`, `{"text":"Tabs it is."}`)
	g := behind(t, w.command(append(flags, "go")...), 100, 40)
	g.see("> go", "esc cancels")
	g.keys("use tabs" + keyEnter)
	g.see("queued: 1")
	g.keys(keyEnter)
	g.see("↳ use tabs (at the next step)")
	g.keys(keyEsc)
	g.see("cancelled")
	g.until("the prompt back", func() bool { return strings.HasPrefix(g.last("> use tabs"), "> use tabs\n") })
	if strings.Contains(g.all(), "↳") {
		t.Errorf("it stands there as if the model had it:\n%s", g.all())
	}
	g.keys(" please" + keyEnter)
	g.see("Tabs it is.")
	g.ready()
	g.leave()

	g = behind(t, w.command(append(flags, "-c")...), 100, 40)
	g.see("> use tabs please", "Tabs it is.")
	g.ready()
	if n := strings.Count(g.all(), "use tabs"); n != 1 {
		t.Errorf("the resume shows it %d times:\n%s", n, g.all())
	}
	g.leave()
	logs := w.logs()
	if len(logs) != 1 {
		t.Fatalf("%d logs", len(logs))
	}
	id := strings.TrimSuffix(logs[0][strings.LastIndex(logs[0], "_")+1:], ".jsonl")
	if out := w.run("sessions", "show", id); strings.Count(out.out, "use tabs") != 1 {
		t.Errorf("sessions show: %+v", out)
	}
}
