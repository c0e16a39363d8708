//go:build unix

package main

import (
	"os"
	"strings"
	"testing"
)

// What the prompt takes, in the real program: what goes along with a prompt
// reaches the model and the log.
func TestTourOfTheInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repository()
	w.write(".assent/context/house.md", "# House rules\n\nbe brief and kind\n")
	w.write("lines.txt", "one\ntwo\nthree\nfour\n")
	w.write("sub/src.txt", "below\n")
	w.write("src.txt", "above\n")
	w.write(".gitignore", "hidden.txt\n")
	w.write("with blank.txt", "blanks are in the name\n") // among the newest: the menu is short
	w.write("hidden.txt", "never offered\n")
	w.env = append(w.env, terminal...)
	flags := w.script(
		`{"expect":["be brief and kind","--- context house ---"],"text":"Answer one."}`,
		`{"expect":["blanks are in the name","-before","+after"],"text":"Answer two."}`,
		`{"expect":["two\n","three"],"text":"Answer three."}`,
		`{"expect":["seen by both"],"text":"Answer four."}`,
		`{"expect":["mail me@host about #12 and #nonsense"],"text":"Answer five."}`,
		`{"expect":["first line\nsecond line"],"text":"Answer six."}`,
	)
	g := behind(t, w.command(flags...), 100, 40)
	g.ready()

	// "#" explains each word, the project's own texts too; what was added is told.
	g.keys("hold to #")
	g.see("#diff", "what changed and is not committed", "#house", "House rules (project)")
	g.keys("hou\t")
	g.see("> hold to #house")
	g.keys(keyEnter)
	g.see("+ context house", "Answer one.")

	// "@" offers what is there now, without what is ignored, the prefix first.
	g.keys("read @")
	g.see("with blank.txt", "src.txt")
	if strings.Contains(g.all(), "hidden.txt") {
		t.Error("an ignored file is offered")
	}
	g.keys("src")
	g.see("❯ src.txt")
	g.keys("\x7f\x7f\x7fwith\t")
	g.see(`> read "with blank.txt"`)
	g.keys("and #diff" + keyEnter + keyEnter)
	g.see("+ with blank.txt", "+ uncommitted changes", "Answer two.")

	g.keys("see #file:lines.txt:2-3 " + keyEnter)
	g.see("+ lines.txt, lines 2 to 3", "Answer three.")

	// A command of the user's own needs no leave, stays local, and with a second
	// mark goes along.
	g.keys("!echo seen by nobody; cat box.txt" + keyEnter)
	g.see("! echo seen by nobody; cat box.txt seen by nobody after")
	g.ready()
	g.keys("!!echo seen by both" + keyEnter)
	g.see("goes with the next prompt")
	g.keys("what does it say" + keyEnter)
	g.see("+ output of echo seen by both", "Answer four.")

	// What only looks like a sign stays text.
	g.keys("mail me@host about #12 and #nonsense" + keyEnter)
	g.see("Answer five.")

	// History: a draft comes back, ctrl+s finds by words, a backslash breaks the
	// line.
	g.keys("a draft" + keyUp)
	g.see("> mail me@host")
	g.keys(keyDown)
	g.see("> a draft")
	g.keys("\x15\x13does say")
	g.see("❯ what does it say")
	g.keys(keyEnter)
	g.lose("❯ what does it say")
	if !strings.HasPrefix(g.last("> what does it say"), "> what does it say\n") {
		t.Errorf("what was found is not in the prompt:\n%s", g.all())
	}
	g.keys("\x15first line\\\rsecond line" + keyEnter)
	g.see("Answer six.")
	if code := g.leave(); code != 0 {
		t.Errorf("exit %d", code)
	}
	logs := w.logs()
	if len(logs) != 1 {
		t.Fatalf("%d logs", len(logs))
	}
	text, err := os.ReadFile(logs[0])
	check(t, err)
	for _, want := range []string{"--- context house ---", "--- lines.txt, lines 2 to 3 ---", "--- output of echo seen by both ---"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
	if strings.Contains(string(text), "seen by nobody") {
		t.Error("what the user ran for herself is in the log")
	}
}
