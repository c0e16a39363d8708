//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// absent fails for each of these names that is in the workspace.
func (w *world) absent(names ...string) {
	w.t.Helper()
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(w.dir, name)); err == nil {
			w.t.Errorf("%s was made", name)
		}
	}
}

// PERM-28: the agent becomes one that only looks while a call waits and others
// stand behind it: none of them runs, whatever is answered.
func TestAWaitingCallOfAnAgentThatOnlyLooks(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, nil,
		`{"calls":[{"name":"write_file","input":{"path":"one.txt","content":"x\n"}},{"name":"bash","input":{"command":"touch two.txt"}},{"name":"read_file","input":{"path":"three.txt"}},{"name":"write_file","input":{"path":"four.txt","content":"x\n"}}]}`,
		`{"text":"I see.","expect":"may not do this"}`)
	w.config(`{"permission":{"bash":{"touch *":"allow"}}}`)
	g := behind(t, w.command(append(flags, "make them")...), 110, 40)
	g.see("allow write_file?", ask)
	g.keys("/agent plan\r")
	g.see("plan ·")
	g.answer("y", "one.txt")
	g.see("I see.", `the agent "plan" may not do this`)
	g.leave()
	w.absent("one.txt", "two.txt", "four.txt")
	denied := 0
	for _, r := range results(w.load(w.logs()[0])) {
		if strings.Contains(r.Output, "denied (by mode)") {
			denied++
		}
	}
	if denied != 3 {
		t.Errorf("%d calls were refused by the mode:\n%s", denied, g.all())
	}
}

// What was granted before, for the session and for the project, and with
// --yolo, is nothing to an agent that only looks; what was started before can
// be followed. Under the former agent it counts again.
func TestGrantsOfBeforeUnderAnAgentThatOnlyLooks(t *testing.T) {
	t.Parallel()
	call := func(command, more string) string {
		return `{"name":"bash","input":{"command":"` + command + `"` + more + `}}`
	}
	write := func(name string) string {
		return `{"name":"write_file","input":{"path":"` + name + `","content":"x\n"}}`
	}
	w, flags := scripted(t, nil,
		`{"calls":[`+call("touch a1", "")+`,`+write("b1.txt")+`,`+call("sleep 300", `,"background":true`)+`]}`, `{"text":"Begun."}`,
		`{"calls":[`+call("touch a2", "")+`,`+write("b1.txt")+`,`+write("b2.txt")+`,`+call("touch a3; sleep 300", `,"background":true`)+`,`+call("ls", "")+`,{"name":"bash_output","input":{"id":"1"}}]}`, `{"text":"Looked."}`,
		`{"calls":[`+call("touch a4", "")+`]}`, `{"text":"Back."}`)
	w.config(`{"readOnly":["ls"]}`)
	g := behind(t, w.command(append(flags, "begin")...), 110, 40)
	g.answer("a", "touch a1")
	g.answer("p", "b1.txt")
	g.answer("y", "sleep 300")
	g.see("Begun.", "done")
	g.keys("/agent plan\r")
	g.see("plan ·")
	g.keys("look\r")
	g.see("Looked.", "✓ bash ls")
	g.keys("/agent default\r")
	g.see("default ·")
	g.keys("go on\r")
	g.see("Back.")
	g.leave()
	w.absent("a2", "a3", "b2.txt")
	for _, name := range []string{"a1", "b1.txt", "a4"} {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err != nil {
			t.Errorf("%s is not there: %v", name, err)
		}
	}
	denied, said := 0, ""
	for _, r := range results(w.load(w.logs()[0])) {
		said += r.Output + "\n---\n"
		if strings.Contains(r.Output, "denied (by mode)") && strings.Contains(r.Output, `the agent "plan" may not do this`) {
			denied++
		}
	}
	if denied != 4 {
		t.Errorf("%d calls were refused by the mode, want 4:\n%s", denied, said)
	}
}

// A call that waited when its session ended is not asked again where an agent
// that only looks goes on with it.
func TestAWaitingCallThatIsResumedByAnAgentThatOnlyLooks(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, nil, `{"calls":[{"name":"write_file","input":{"path":"made.txt","content":"x\n"}},{"name":"bash","input":{"command":"touch more.txt"}}]}`)
	g := behind(t, w.command(append(flags, "make it")...), 100, 40)
	g.see("allow write_file?", ask)
	check(t, g.cmd.Process.Signal(syscall.SIGKILL))
	_ = g.exit()
	flags = w.script(`{"text":"I look."}`)
	g = behind(t, w.command(append(flags, "-c", "--agent", "plan")...), 100, 40)
	g.see("interrupted")
	g.ready()
	g.keys("go on\r")
	g.see("I look.")
	if strings.Contains(g.all(), ask) {
		t.Errorf("it asks:\n%s", g.all())
	}
	g.leave()
	w.absent("made.txt", "more.txt")
}
