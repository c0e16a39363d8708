//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal ends it with the terminal as it was.
func TestJourneySignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			x := start(t, script(`{"text":"never","delayMs":60000}`), "go")
			x.see("waiting for the model")
			pid := strings.TrimSpace(x.output("list-panes", "-F", "#{pane_pid}"))
			out, err := exec.CommandContext(t.Context(), "ps", "--ppid", pid, "-o", "pid=").Output()
			if err != nil {
				t.Fatal(err)
			}
			child, err := strconv.Atoi(strings.TrimSpace(string(out)))
			if err != nil {
				t.Fatalf("the children of the shell: %q", out)
			}
			if err := syscall.Kill(child, signal); err != nil {
				t.Fatal(err)
			}
			x.see("exit=130", "assent -r ")
			x.shell("stty -a | grep -c ' echo '")
			x.see("\n1\n")
		})
	}
}

func TestJourneyPlain(t *testing.T) {
	x := start(t, script(`{"calls":[{"name":"bash","input":{"command":"touch made.txt"}}]}`, `{"text":"Plain enough."}`), "--plain")
	x.see("* assent", "\n>")
	x.text("go")
	x.keys("Enter")
	x.see(ask)
	const soon = "Answer it again:" // an answer that came before anybody could read the question, as this one's first
	for tries := 1; ; tries++ {
		x.text("1")
		x.keys("Enter")
		all := x.until("an answer", func(all string) bool {
			return strings.Contains(all, "Plain enough.") || strings.Count(all, soon) == tries
		})
		if strings.Contains(all, "Plain enough.") {
			break
		}
		// Plain mode draws nothing twice, so nothing can show when it takes an
		// answer: a reader's moment is played.
		time.Sleep(400 * time.Millisecond)
	}
	if _, err := os.Stat(filepath.Join(x.work, "made.txt")); err != nil {
		t.Error("it did not run")
	}
	x.text("/exit")
	x.keys("Enter")
	x.see("exit=0")
}

// What was queued is not lost with the turn, and a choice is confirmed.
func TestJourneyPlainCancels(t *testing.T) {
	x := start(t, script(`{"text":"never","delayMs":60000}`), "--plain")
	x.see("* assent", "\n>")
	x.text("go")
	x.keys("Enter")
	x.text("and then tests")
	x.keys("Enter")
	x.settle()
	x.keys("C-c")
	x.see("cancelled", "Not sent, type it again if it is to be: and then tests")
	x.text("/think high")
	x.keys("Enter")
	x.see("From now on: thinking high")
	x.text("/exit")
	x.keys("Enter")
	x.see("exit=0")
}

// A key is read without its echo; a signal meanwhile brings that back.
func TestJourneyPlainKeyAndSignal(t *testing.T) {
	x := open(t)
	x.run("", "--plain")
	x.see("Choose a provider")
	all := x.see(". anthropic")
	at := strings.Index(all, ". anthropic")
	x.text(all[strings.LastIndexByte(all[:at], '\n')+1 : at])
	x.keys("Enter")
	x.see("it is not shown")
	pid := strings.TrimSpace(x.output("list-panes", "-F", "#{pane_pid}"))
	out, err := exec.CommandContext(t.Context(), "ps", "--ppid", pid, "-o", "pid=").Output()
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatalf("the children of the shell: %q", out)
	}
	x.settle()
	if err := syscall.Kill(child, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.see("exit=130")
	x.shell("stty -a | grep -c ' echo '")
	x.see("\n1\n")
}
