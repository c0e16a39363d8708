//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
)

// scripted is a world with a script and these files.
func scripted(t *testing.T, files map[string]string, lines ...string) (w *world, flags []string) {
	t.Helper()
	w = newWorld(t)
	w.env = append(w.env, terminal...)
	for name, text := range files {
		w.write(name, text)
	}
	return w, w.script(lines...)
}

const threeReads = `{"text":"I look.","delayMs":1500,"calls":[{"name":"read_file","input":{"path":"a.txt"}},{"name":"read_file","input":{"path":"b.txt"}},{"name":"read_file","input":{"path":"c.txt"}}]}`

// resize changes the size of the terminal.
func (g *glass) resize(cols, rows int) {
	g.t.Helper()
	g.Resize(cols, rows)
	if err := pty.Setsize(g.tty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)}); err != nil {
		g.t.Fatal(err)
	}
}

// Reads that ask wait as a list: left and right turn it, they are decided in
// any order, and a change of size and a queued prompt leave them as they are.
func TestThreeReadsWaitAsAList(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, map[string]string{"a.txt": "in a\n", "b.txt": "in b\n", "c.txt": "in c\n"},
		threeReads, `{"text":"All read.","expect":"in a"}`, `{"text":"And the other."}`)
	w.config(`{"permission":{"read_file":"ask"}}`)
	g := behind(t, w.command(append(flags, "read them")...), 100, 40)
	g.see("> read them")
	g.keys("and the other\r")
	g.see("queued: 1")
	g.see("1 of 3", "allow read_file?")
	front := func(name string) {
		g.t.Helper()
		g.until(name+" in front", func() bool { return strings.Contains(g.asked(), name) })
	}
	front("a.txt")
	g.resize(60, 24)
	g.until("the narrow frame", func() bool { return strings.Contains(g.last("? allow"), "1 of 3") })
	g.resize(100, 40)
	g.until("the wide frame", func() bool { return strings.Contains(g.last("? allow"), "with the first queued prompt") })
	front("a.txt")
	g.answerable()
	g.keys("\x1b[D") // left: the last one
	front("c.txt")
	g.answerable()
	g.keys("n")
	g.see("1 of 2")
	front("a.txt")
	g.answerable()
	g.keys("\x1b[C")
	front("b.txt")
	g.answerable()
	g.keys("y")
	front("a.txt")
	g.answerable()
	g.keys("y")
	g.see("All read.", "And the other.", "✓ read_file a.txt", "✓ read_file b.txt", "✗ read_file c.txt")
	all := flat(g.all())
	a, b, c := strings.Index(all, "✓ read_file a.txt"), strings.Index(all, "✓ read_file b.txt"), strings.Index(all, "✗ read_file c.txt")
	if a > b || b > c {
		t.Errorf("the results are not in the order of the calls:\n%s", g.all())
	}
	if code := g.leave(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// An approval that waits when the process is killed is asked again on a resume,
// below the conversation as it was. What is decided then is what happens.
func TestAWaitingApprovalSurvivesAKill(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, nil, `{"text":"I write **it**.","calls":[{"name":"write_file","input":{"path":"made.txt","content":"x\n"}}]}`)
	g := behind(t, w.command(append(flags, "make it")...), 100, 40)
	g.see("allow write_file?", ask)
	check(t, g.cmd.Process.Signal(syscall.SIGKILL))
	_ = g.exit()

	flags = w.script(`{"text":"It is made.","expect":"Created made.txt"}`)
	g = behind(t, w.command(append(flags, "-c")...), 100, 40)
	g.see("> make it", "I write it.", "A call waited for you when this session ended; it is asked again.", "allow write_file?")
	if _, err := os.Stat(filepath.Join(w.dir, "made.txt")); err == nil {
		t.Error("it ran before it was decided")
	}
	g.answer("y", "made.txt")
	g.see("✓ write_file made.txt", "It is made.", "done")
	if text, err := os.ReadFile(filepath.Join(w.dir, "made.txt")); err != nil || string(text) != "x\n" {
		t.Errorf("made %q, %v", text, err)
	}
	g.leave()

	g = behind(t, w.command(append(flags, "-c")...), 100, 40)
	g.see("> make it", "I write it.", "✓ write_file made.txt", "It is made.")
	g.ready()
	if strings.Contains(g.all(), ask) {
		t.Errorf("it is asked a third time:\n%s", g.all())
	}
}

// The choices stay with the user when a new session begins, and what was
// allowed for the last one is said to be over.
func TestClearKeepsTheChoices(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, nil, `{"text":"I write it.","calls":[{"name":"write_file","input":{"path":"made.txt","content":"x\n"}}]}`, `{"text":"ok"}`)
	g := behind(t, w.command(flags...), 100, 40)
	g.ready()
	g.keys("/agent deep\r")
	g.see("deep ·")
	g.keys("/think low\r")
	g.see("· low")
	g.keys("make it\r")
	g.answer("a", "made.txt")
	g.see("done")
	g.keys("/clear\r")
	g.see("asks again: write_file(made.txt)")
	g.until("deep and low", func() bool {
		last := flat(g.last("◆ assent"))
		return strings.Contains(last, "deep agent") && strings.Contains(last, "deep · ") && strings.Contains(last, "· low")
	})
}

// The header says what the status line says, in words.
func TestTheHeaderSaysWhatHolds(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, nil, `{"text":"ok"}`)
	g := behind(t, w.command(append(flags, "--think", "high", "--agent", "deep", "--yolo")...), 100, 40)
	g.ready()
	g.see("deep agent · thinking high", "yolo: nothing asks; guards and deny rules still refuse")
}

// "Always in this project", with a pattern that the user changed, lands in the
// user's own config, whose remarks stay; nothing lands in the project. It holds
// in the next session and in the next process.
func TestAlwaysInThisProject(t *testing.T) {
	t.Parallel()
	call := func(name string) string {
		return `{"calls":[{"name":"write_file","input":{"path":"` + name + `","content":"x\n"}}]}`
	}
	w, flags := scripted(t, nil, call("a.txt"), `{"text":"One."}`)
	file := w.config("{\n  // mine\n  \"thinking\": \"low\",\n}\n")
	g := behind(t, w.command(append(flags, "make it")...), 100, 40)
	g.see("allow write_file?", "p always allow write_file(a.txt) in this project")
	g.answerable()
	g.keys("e")
	g.see("pattern: a.txt")
	g.keys("\x15*.txt\r")
	g.see("p always allow write_file(*.txt) in this project")
	g.keys("p")
	g.see("One.", "done")
	text, err := os.ReadFile(file)
	check(t, err)
	for _, part := range []string{"// mine", `"projects"`, w.dir, `"write_file"`, `"*.txt"`, `"allow"`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s is not in the config:\n%s", part, text)
		}
	}
	if entries, err := os.ReadDir(w.dir); err != nil || len(entries) != 1 {
		t.Errorf("the project holds %v, %v", entries, err)
	}
	g.keys("/clear\r")
	g.until("a new session", func() bool { return strings.Count(g.all(), "◆ assent") == 2 })
	g.leave()
	if strings.Contains(g.all(), "asks again") {
		t.Errorf("a grant of the project is said to be over:\n%s", g.all())
	}

	g = behind(t, w.command(append(w.script(call("b.txt"), `{"text":"Two."}`), "again")...), 100, 40)
	g.see("Two.", "✓ write_file b.txt")
	if strings.Contains(g.all(), ask) {
		t.Errorf("it asks again:\n%s", g.all())
	}
	g.leave()
}

// Every simple command of a line stands there with the rule that decided it.
// ctrl+c denies and the turn goes on, esc denies and cancels it.
func TestNoByKeysThatEndThings(t *testing.T) {
	t.Parallel()
	w, flags := scripted(t, nil,
		`{"calls":[{"name":"bash","input":{"command":"git status && touch made | cat > out.txt"}}]}`,
		`{"expect":"denied","calls":[{"name":"bash","input":{"command":"touch more"}}]}`, `{"text":"never"}`)
	w.config("{\n  \"permission\": { \"bash\": { \"git *\": \"allow\" } }\n}\n")
	g := behind(t, w.command(append(flags, "do it")...), 110, 45)
	g.see("allow bash?", "✓ git status allowed by ‹git *› · "+filepath.Join(w.home, "config.json")+":2", "? touch made asks", "? out.txt asks")
	g.answer("\x03", "touch made")
	g.see("denied · the user said no", "touch more")
	g.answer(keyEsc, "touch more")
	g.see("cancelled")
	g.ready()
	for _, name := range []string{"made", "out.txt", "more"} {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	g.leave()
}
