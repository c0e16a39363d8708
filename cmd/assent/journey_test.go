//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestJourneyAnswerHistoryResume(t *testing.T) {
	x := start(t, script(`{"text":"The **first** answer.\n\n`+"```go\\nfunc main() {}\\n```"+`\n"}`, `{"text":"The second answer."}`))
	x.ready()
	x.text("a question")
	x.keys("Enter")
	x.see("> a question", "The first answer.", "func main() {}", "done")
	x.keys("Up")
	x.see("> a question\n")
	x.keys("C-u")
	all := x.exit()
	for _, once := range []string{"> a question", "The first answer.", "func main() {}", "◆ assent"} {
		if n := strings.Count(all, once); n != 1 {
			t.Errorf("%q stands there %d times:\n%s", once, n, all)
		}
	}
	if !strings.Contains(all, "1 prompt · a question") {
		t.Errorf("the last words lack the count and the title:\n%s", all)
	}
	x.must(x.cmd("clear-history"))
	x.shell("clear")
	x.run(script(`{"text":"The first answer."}`, `{"text":"Resumed well.","expect":["a question","go on"]}`), "-c", "go on")
	x.see("resumed", "> a question", "The first answer.", "Resumed well.")
	x.exit()
}

func TestJourneyApproveAndEdit(t *testing.T) {
	x := open(t)
	x.write("greet.txt", "hello wrld\n")
	x.run(script(
		`{"calls":[{"name":"bash","input":{"command":"touch made.txt && touch other.txt"}}]}`,
		`{"calls":[{"name":"read_file","input":{"path":"greet.txt"}}]}`,
		`{"calls":[{"name":"edit_file","input":{"path":"greet.txt","old_string":"wrld","new_string":"world"}}]}`,
		`{"text":"All done."}`), "make it")
	x.answerable()
	x.see("touch made.txt", "touch other.txt")
	if _, err := os.Stat(filepath.Join(x.work, "made.txt")); err == nil {
		t.Error("it ran before it was allowed")
	}
	x.text("y")
	x.see("allow edit_file", "1 - hello wrld", "1 + hello world")
	x.answerable()
	x.text("y")
	x.see("All done.")
	if got := x.read("greet.txt"); got != "hello world\n" {
		t.Errorf("greet.txt holds %q", got)
	}
	if _, err := os.Stat(filepath.Join(x.work, "made.txt")); err != nil {
		t.Error("it did not run")
	}
	x.exit()
}

func TestJourneyDenyWithMessageAndAlways(t *testing.T) {
	x := start(t, script(
		`{"calls":[{"name":"bash","input":{"command":"touch denied.txt"}}]}`,
		`{"expect":"use mkdir instead","calls":[{"name":"bash","input":{"command":"mkdir first"}}]}`,
		`{"calls":[{"name":"bash","input":{"command":"mkdir second"}}]}`,
		`{"text":"All done."}`), "go")
	x.answerable()
	x.text("d")
	x.see("enter denies and says this")
	x.text("use mkdir instead")
	x.keys("Enter")
	x.see("mkdir first")
	x.answerable()
	x.text("e")
	x.see("enter keeps the pattern")
	x.keys("C-u")
	x.text("mkdir *")
	x.keys("Enter")
	x.see("always allow bash(mkdir *)")
	x.text("a")
	x.see("All done.")
	for _, dir := range []string{"first", "second"} {
		if _, err := os.Stat(filepath.Join(x.work, dir)); err != nil {
			t.Errorf("%s was not made", dir)
		}
	}
	if _, err := os.Stat(filepath.Join(x.work, "denied.txt")); err == nil {
		t.Error("a denied call ran")
	}
	x.exit()
}

func TestJourneyQueueSteerInterrupt(t *testing.T) {
	x := start(t, script(
		`{"calls":[{"name":"bash","input":{"command":"echo begun; sleep 100"}}]}`,
		`{"expect":["interrupted","look here"],"text":"Seen the steer."}`,
		`{"expect":"and then","text":"Seen the queued one.","chunkMs":20}`,
		`{"text":"never","delayMs":60000}`), "--allow", "bash(*)", "go")
	x.see("begun")
	x.text("look here")
	x.keys("Enter")
	x.see("queued: 1")
	x.keys("Enter")
	x.lose("queued: 1")
	x.text("and then")
	x.keys("Enter")
	x.see("queued: 1")
	x.keys("C-c")
	x.see("interrupted", "Seen the steer.", "> and then", "Seen the queued one.")
	x.text("one more")
	x.keys("Enter")
	x.see("waiting for the model")
	x.keys("Escape")
	x.see("cancelled")
	x.exit()
}

func TestJourneyPastePickerEditor(t *testing.T) {
	x := open(t)
	x.write("notes file.md", "what is in the notes\n")
	if err := os.WriteFile(filepath.Join(x.home, "editor"), []byte("#!/bin/sh\nprintf 'from the editor' >>\"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	x.run(script(`{"expect":["line 12","what is in the notes","from the editor"],"text":"Got all of it."}`))
	x.ready()
	lines := ""
	for i := range 20 {
		lines += fmt.Sprintf("line %d\n", i)
	}
	x.paste(lines)
	x.see("[pasted 20 lines]")
	x.text(" see @note")
	x.see("notes file.md")
	x.keys("Tab")
	x.see(`"notes file.md"`)
	x.keys("C-g")
	x.see("from the editor")
	x.keys("Enter")
	x.see("Got all of it.")
	x.exit()
}

func TestJourneySuspendAndHangUp(t *testing.T) {
	x := start(t, script(`{"text":"Awake again."}`))
	x.ready()
	x.text("half a prompt")
	x.keys("C-z")
	x.see("topped")
	x.shell("echo between; stty -a | grep -c ' echo '")
	x.see("between\n1")
	x.shell("fg")
	x.see("> half a prompt")
	x.keys("Enter")
	x.see("Awake again.")
	pid := strings.TrimSpace(x.output("list-panes", "-F", "#{pane_pid}"))
	x.must(x.cmd("kill-session"))
	// The program must end with its terminal, and with it the shell.
	for end := time.Now().Add(deadline); ; time.Sleep(20 * time.Millisecond) {
		out, _ := exec.CommandContext(t.Context(), "ps", "--ppid", pid, "-o", "pid=").Output()
		if strings.TrimSpace(string(out)) == "" {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("still there after SIGHUP: %s", out)
		}
	}
}

func (x *tmux) output(args ...string) string {
	out, err := x.cmd(args...).Output()
	if err != nil {
		x.t.Errorf("%v: %v", args, err)
	}
	return string(out)
}
