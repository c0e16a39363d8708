//go:build unix

package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent/internal/provider/providertest"
)

// tmux is the program in a real terminal multiplexer: what a user sees, types
// and has on disk afterwards.
type tmux struct {
	t *testing.T
	// home is the user's home folder, work the workspace.
	socket, home, work string
}

// script is what the scripted model says, a response a line.
func script(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// start runs the program with a script in a terminal of 90 by 30.
func start(t *testing.T, model string, args ...string) *tmux {
	t.Helper()
	x := open(t)
	x.run(model, args...)
	return x
}

// open makes a home and a workspace.
func open(t *testing.T) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: the journeys through a real terminal are left out")
	}
	t.Parallel()
	dir := t.TempDir()
	x := &tmux{t: t, socket: filepath.Join(dir, "tmux"), home: filepath.Join(dir, "home"), work: filepath.Join(dir, "work")}
	for _, d := range []string{x.home, x.work, filepath.Join(dir, "bin")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// Under its own name the test binary is the program.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "bin", "assent")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.cmd("kill-server").Run() })
	return x
}

// run starts the program in a shell that tells its exit code.
func (x *tmux) run(model string, args ...string) {
	x.t.Helper()
	line := "assent"
	if model != "" {
		file := filepath.Join(x.home, "model.jsonl")
		if err := os.WriteFile(file, []byte(model), 0o600); err != nil {
			x.t.Fatal(err)
		}
		line += " --provider script --model '" + file + "'"
	}
	for _, a := range args {
		line += " '" + a + "'"
	}
	x.shell(line + "; echo exit=$?")
}

// shell runs a line in the terminal.
func (x *tmux) shell(line string) {
	x.t.Helper()
	if x.cmd("has-session").Run() != nil {
		x.must(x.cmd("new-session", "-d", "-x", "90", "-y", "30", "-c", x.work, "exec /bin/sh"))
		x.must(x.cmd("set-option", "-g", "history-limit", "10000"))
	}
	x.must(x.cmd("send-keys", "-l", line))
	x.keys("Enter")
}

func (x *tmux) cmd(args ...string) *exec.Cmd {
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	x.t.Cleanup(stop)
	c := exec.CommandContext(ctx, "tmux", append([]string{"-S", x.socket, "-f", os.DevNull}, args...)...)
	c.Env = []string{
		"HOME=" + x.home, "PATH=" + filepath.Join(filepath.Dir(x.home), "bin") + ":" + os.Getenv("PATH"), "TERM=xterm-256color",
		"LANG=C.UTF-8", "SHELL=/bin/sh", "PS1=$ ", "ENV=", "EDITOR=" + filepath.Join(x.home, "editor"), "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent",
	}
	return c
}

func (x *tmux) must(c *exec.Cmd) {
	x.t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		x.t.Fatalf("%s: %v\n%s", strings.Join(c.Args[4:], " "), err, out)
	}
}

// keys presses keys by their names, text types a text.
func (x *tmux) keys(names ...string) {
	x.t.Helper()
	x.must(x.cmd(append([]string{"send-keys"}, names...)...))
}

func (x *tmux) text(s string) {
	x.t.Helper()
	x.must(x.cmd("send-keys", "-l", s))
}

// paste pastes a text as a terminal does.
func (x *tmux) paste(s string) {
	x.t.Helper()
	x.must(x.cmd("set-buffer", s))
	x.must(x.cmd("paste-buffer", "-p"))
}

// all is everything from the first row on.
func (x *tmux) all() string {
	out, _ := x.cmd("capture-pane", "-p", "-S", "-").Output()
	return string(out)
}

// deadline bounds every wait.
const deadline = 30 * time.Second

// see waits for texts; it returns what stands there then.
func (x *tmux) see(texts ...string) string {
	x.t.Helper()
	all, missing := "", ""
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		all, missing = x.all(), ""
		for _, text := range texts {
			if !strings.Contains(all, text) {
				missing = text
			}
		}
		if missing == "" {
			return all
		}
	}
	x.t.Fatalf("never saw %q:\n%s", missing, all)
	return ""
}

// settle waits until the screen stays as it is for a few looks.
func (x *tmux) settle() {
	x.t.Helper()
	before, same := "", 0
	for end := time.Now().Add(deadline); same < 5; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			x.t.Fatalf("the screen never settles:\n%s", before)
		}
		if now := x.all(); now == before {
			same++
		} else {
			before, same = now, 0
		}
	}
}

// until polls until the screen is as wanted, and returns it.
func (x *tmux) until(what string, holds func(all string) bool) string {
	x.t.Helper()
	all := ""
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if all = x.all(); holds(all) {
			return all
		}
	}
	x.t.Fatalf("never: %s\n%s", what, all)
	return ""
}

// lose waits until a text is gone.
func (x *tmux) lose(text string) {
	x.t.Helper()
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if !strings.Contains(x.all(), text) {
			return
		}
	}
	x.t.Fatalf("still there: %q\n%s", text, x.all())
}

// ready waits until the prompt is there.
func (x *tmux) ready() { x.t.Helper(); x.see("/ commands, @ files") }

// bold is how tmux tells that what follows is.
var bold = regexp.MustCompile(`\x1b\[(0;)?1[;m]`)

// answerable waits until an approval takes keys: those of its choices are bold
// from then on.
func (x *tmux) answerable() {
	x.t.Helper()
	row := ""
	for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		out, _ := x.cmd("capture-pane", "-p", "-e").Output()
		for line := range strings.Lines(string(out)) {
			if row = line; strings.Contains(line, ask) {
				if bold.MatchString(line) {
					return
				}
				break
			}
		}
	}
	x.t.Fatalf("no approval takes keys: %q", row)
}

// exit leaves, and checks that the last words stand there once.
func (x *tmux) exit() string {
	x.t.Helper()
	x.text("/exit")
	x.keys("Enter")
	all := x.see("exit=0", "assent -c")
	if n := strings.Count(all, "assent -c"); n != 1 {
		x.t.Errorf("the last words stand there %d times:\n%s", n, all)
	}
	return all
}

func (x *tmux) read(name string) string {
	b, err := os.ReadFile(filepath.Join(x.work, name))
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func (x *tmux) write(name, text string) {
	x.t.Helper()
	if err := os.WriteFile(filepath.Join(x.work, name), []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
}

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

// TUI-08 and what a change of size does to rows that the terminal wraps anew.
func TestJourneyResize(t *testing.T) {
	x := start(t, script(`{"text":"Begin.\n\n`+strings.Repeat("many words on one long line of the answer ", 12)+`","chunkMs":15}`), "go")
	x.see("many words")
	x.storm([2]int{70, 30}, [2]int{50, 30}, [2]int{41, 30}, [2]int{60, 30}, [2]int{90, 30}, [2]int{45, 30}, [2]int{90, 12}, [2]int{90, 30})
	x.see("done")
	x.storm([2]int{20, 5})
	x.see("assent needs")
	x.storm([2]int{90, 30})
	x.ready()
	x.lose("assent needs")
	x.whole(x.exit(), []string{"Begin.", "> go", "script ·"})
}

// Storms of sizes, each faster than anything is drawn, with moments of rest
// between them, while an answer streams: every line of it stands there once
// afterwards, and nothing of the live rows twice.
func TestJourneyResizeStorm(t *testing.T) {
	const paragraphs, storms = 48, 11
	answer := ""
	for i := range paragraphs {
		answer += fmt.Sprintf("paragraph-%d goes on with some words so that it is longer than the narrow ones are wide, end-%d.\\n\\n", i, i)
	}
	x := start(t, script(`{"text":"Begin.\n\n`+answer+`","chunkMs":6}`), "go")
	x.see("paragraph-0")
	x.text("what is being typed")
	widths, heights := []int{70, 50, 41, 60, 90, 45, 81, 33, 90, 52}, []int{30, 22, 30, 26, 18, 30, 30}
	for n := range storms {
		var sizes [][2]int
		for i := range 30 {
			i += 7 * n
			sizes = append(sizes, [2]int{widths[i%len(widths)], heights[i%len(heights)]})
		}
		x.storm(sizes...)
		time.Sleep(time.Duration(n*37%220) * time.Millisecond) // a hand that pauses
	}
	x.storm([2]int{90, 30})
	x.see("done")
	x.lose("esc cancels")
	x.see("> what is being typed", "model.jsonl · medium")
	x.settle()
	once := []string{"Begin.", "> go", "◆ assent", "> what is being typed", "model.jsonl · medium"}
	for i := range paragraphs {
		once = append(once, fmt.Sprintf("paragraph-%d goes on with some words so that it is longer than the narrow ones are wide, end-%d.", i, i))
	}
	x.whole(x.all(), once)
}

// storm changes the size many times, some of them together.
func (x *tmux) storm(sizes ...[2]int) {
	x.t.Helper()
	var args []string
	for i, size := range sizes {
		args = append(args, "resize-window", "-x", strconv.Itoa(size[0]), "-y", strconv.Itoa(size[1]), ";")
		if i%3 != 1 || i == len(sizes)-1 {
			x.must(x.cmd(args[:len(args)-1]...))
			args = nil
		}
	}
}

// whole checks that texts stand there once, however their lines are broken, and
// that nothing stands twice of what the answer repeats.
func (x *tmux) whole(all string, once []string) {
	x.t.Helper()
	joined := strings.Join(strings.Fields(all), "")
	for _, text := range once {
		if n := strings.Count(joined, strings.ReplaceAll(text, " ", "")); n != 1 {
			x.t.Errorf("%q stands there %d times", text, n)
		}
	}
	if n := strings.Count(joined, "manywordsononelongline"); n != 0 && n != 12 {
		x.t.Errorf("the answer's phrase stands there %d times, not 12", n)
	}
	if x.t.Failed() {
		x.t.Log(all)
	}
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

func TestJourneyFirstRun(t *testing.T) {
	x := open(t)
	x.run("")
	x.see("Choose a provider", "anthropic", "needs a key")
	x.keys("Down") // the demo is the second
	x.see("❯ demo")
	x.keys("Enter")
	x.see("◆ assent", "script", "allow bash?", "sh test.sh") // the demo asks as any session does
	x.answerable()
	x.keys("Escape")
	x.see("cancelled")
	x.text("/exit")
	x.keys("Enter")
	if all := x.see("exit=0", "begins in a project of yours"); strings.Contains(all, "assent -c") {
		t.Errorf("the demo cannot go on, and says that it can:\n%s", all)
	}
}

// The set-up keeps a key out of sight and comments in the config, and the first
// prompt is sent after it.
func TestJourneySetUpWithAKey(t *testing.T) {
	x := open(t)
	model, err := providertest.NewServer("text Set up well.\n")
	if err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(model)
	t.Cleanup(func() { served.CloseClientConnections(); served.Close() })
	dir := filepath.Join(x.home, ".config", "assent")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "config.json")
	if err := os.WriteFile(file, []byte("{\n  // keep this remark\n  \"thinking\": \"off\",\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := strings.Repeat("k3y", 12)
	x.run("", "hello there")
	x.see("Choose a provider")
	x.text("custom-openai")
	x.see("❯ custom-openai")
	x.keys("Enter")
	x.see("type the address")
	x.text(served.URL)
	x.keys("Enter")
	x.see("paste the key")
	x.paste(key)
	x.keys("Enter")
	x.see("to name a model")
	x.text("some-model")
	x.keys("Enter")
	x.see("does not list some-model") // and is asked about
	x.keys("Enter")
	all := x.see("◆ assent", "Set up well.", "> hello there")
	if strings.Contains(all, "k3y") {
		t.Errorf("the key is on the screen:\n%s", all)
	}
	x.exit()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"// keep this remark", `"custom-openai"`, served.URL} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the config lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), key) {
		t.Errorf("the key is in the config:\n%s", text)
	}
	kept := filepath.Join(x.home, ".local", "state", "assent", "keys.json")
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key is not kept for the user alone: %v, %v", info, err)
	}
}

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

// Before a terminal a project is trusted when all that it brings was shown, a
// page at a time.
func TestJourneyTrustInPages(t *testing.T) {
	x := open(t)
	file := filepath.Join(x.work, ".assent", "config.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "{\n" + strings.Repeat("// padding\n", 60) + `"permission": {"bash": {"hidden *": "allow"}}` + "\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x.run("", "trust")
	if all := x.see("enter shows more"); strings.Contains(all, "hidden") {
		t.Fatalf("it did not wait:\n%s", all)
	}
	x.keys("C-c")
	x.see("exit=130")
	x.run("", "trust")
	x.settle()
	x.text("q")
	x.keys("Enter")
	x.see("nothing is trusted", "exit=1\n")
	x.run("", "trust")
	for range 2 {
		x.settle()
		x.keys("Enter")
	}
	x.see("hidden", "state:  trusted", "exit=0")
}
