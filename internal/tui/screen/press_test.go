package screen_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/tui/screen"
)

func submit(text string) screen.Do { return screen.Do{Command: host.Submit{Text: text}} }

func TestEnterSends(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want []screen.Intent
		left string
	}{
		{"a prompt", []string{"hi", "enter"}, []screen.Intent{submit("hi")}, ""},
		{"nothing", []string{"enter"}, nil, ""},
		{"blanks", []string{"  ", "enter"}, nil, "  "},
		{"TUI-14 a trailing backslash breaks the line", []string{`a\`, "enter", "b", "enter"}, []screen.Intent{submit("a\nb")}, ""},
		{"TUI-14 so do other keys", []string{"a", "shift+enter", "b", "alt+enter", "c", "ctrl+j", "d", "enter"}, []screen.Intent{submit("a\nb\nc\nd")}, ""},
		{"a backslash inside does not", []string{`a\b`, "enter"}, []screen.Intent{submit(`a\b`)}, ""},
		{"a path is no command", []string{"/usr/bin/x fails", "enter"}, []screen.Intent{submit("/usr/bin/x fails")}, ""},
		{"the exact text", []string{" a ", "enter"}, []screen.Intent{submit(" a ")}, ""},
		{"wide and combining", []string{"日本e\u0301👩‍💻", "enter"}, []screen.Intent{submit("日本e\u0301👩‍💻")}, ""},
		{"ctrl-enter when idle", []string{"hi", "ctrl+enter"}, []screen.Intent{submit("hi")}, ""},
		{"a tab types nothing", []string{"a", "tab", "shift+tab", "enter"}, []screen.Intent{submit("a")}, ""},
		{"suspend", []string{"a", "ctrl+z"}, []screen.Intent{screen.Suspend{}}, "a"},
		{"redraw", []string{"a", "ctrl+l"}, []screen.Intent{screen.Redraw{}}, "a"},
		{"external editor", []string{"a", "ctrl+g"}, []screen.Intent{screen.Edit{Text: "a"}}, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			want(t, u.keys(tt.keys...), tt.want...)
			u.prompt(tt.left)
		})
	}
}

// TUI-10: without paste markers a burst of keys and enter is just that.
func TestABurstSubmits(t *testing.T) {
	t.Parallel()
	u := start(t)
	want(t, u.keys(strings.Repeat("burst ", 200), "enter"), submit(strings.Repeat("burst ", 200)))
}

// TUI-16: close what is open, then interrupt, then clear, then leave; the
// cleared text can be brought back.
func TestCtrlCInItsOrder(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.tell(event.ToolCall{ID: "1", Name: "bash", Title: "sleep 9"}, event.ToolRun{ID: "1", Name: "bash"})
	u.keys("draft @")
	u.answer(host.Paths{}, host.PathList{Paths: []string{"a.go"}})
	if !u.s.Menu.Open() {
		t.Fatal("no menu")
	}
	u.did = nil
	steps := []struct {
		name string
		want []screen.Intent
		then func()
	}{
		{"closes the menu", nil, nil},
		{"ends the command", []screen.Intent{screen.Do{Command: host.Interrupt{}}}, func() {
			u.tell(event.ToolError{ID: "1", Name: "bash", Status: "interrupted"})
		}},
		{"ends the turn", []screen.Intent{screen.TakeBack{All: true}, screen.Do{Command: host.Cancel{}}}, func() {
			u.prompt("draft @")
			u.tell(event.Done{Reason: "cancelled"})
		}},
		{"clears the prompt", nil, func() { u.prompt("") }},
		{"leaves", []screen.Intent{screen.Quit{}}, nil},
	}
	for _, step := range steps {
		got := u.keys("ctrl+c")
		if want(t, got, step.want...); t.Failed() {
			t.Fatal(step.name)
		}
		if step.then != nil {
			step.then()
		}
	}
	u.keys("up")
	u.prompt("draft @")
}

func TestCtrlCTwice(t *testing.T) {
	t.Parallel()
	u := start(t)
	want(t, u.keys("ctrl+c"))
	if h := u.s.Hint(); h != "ctrl+c again leaves" { // TUI-18
		t.Errorf("hint %q", h)
	}
	want(t, u.keys("a", "ctrl+c"))
	u.prompt("")
	want(t, u.keys("left", "ctrl+c"))
	want(t, u.keys("ctrl+c"), screen.Quit{})
}

func TestASecondCtrlCLeavesAStuckTurn(t *testing.T) {
	t.Parallel()
	u := busy(t)
	want(t, u.keys("ctrl+c"), screen.TakeBack{All: true}, screen.Do{Command: host.Cancel{}})
	if h := u.s.Hint(); h != "cancelling" {
		t.Errorf("hint %q", h)
	}
	want(t, u.keys("ctrl+c", "ctrl+c"), screen.Quit{})
}

func TestEscInItsOrder(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.keys("one", "enter", "two", "enter")
	u.tell(event.Queue{Prompts: []string{"one", "two"}})
	u.keys("/mo")
	if !u.s.Menu.Open() {
		t.Fatal("no menu")
	}
	u.did = nil
	want(t, u.keys("esc"))
	want(t, u.keys("esc"), screen.TakeBack{All: true}, screen.Do{Command: host.Cancel{}})
	u.take(screen.TookBack(u.s, []string{"one", "two"}))
	u.tell(event.Queue{}, event.Done{Reason: "cancelled"})
	u.prompt("one\ntwo\n/mo")
	want(t, u.keys("esc", "esc"))
	u.prompt("one\ntwo\n/mo") // esc never clears
}

func TestQueueAndSteer(t *testing.T) {
	t.Parallel()
	u := busy(t)
	want(t, u.keys("one", "enter"), submit("one"))
	want(t, u.keys("enter")) // it is not known to wait yet
	u.tell(event.Queue{Prompts: []string{"one"}})
	if st := u.s.Status(); st.Queue != 1 {
		t.Errorf("status %+v", st)
	}
	want(t, u.keys("enter"), screen.Do{Command: host.Promote{}})
	want(t, u.keys("ctrl+enter"), screen.Do{Command: host.Promote{}})
	u.tell(event.Queue{}, event.Prompt{Text: "one", Steer: true})
	want(t, u.keys("enter"))
	// A steer of its own goes before what waits.
	want(t, u.keys("now", "ctrl+enter"), submit("now"), screen.Do{Command: host.Promote{}})
	u.tell(event.Prompt{Text: "now", Steer: true})
	u.keys("later", "enter")
	u.tell(event.Queue{Prompts: []string{"later"}})
	want(t, u.keys("first", "ctrl+enter"), screen.Do{Command: host.Steer{Text: "first"}})
	u.tell(event.Prompt{Text: "first", Steer: true})
	var texts []string
	for _, b := range u.blocks() {
		if b, ok := b.(screen.User); ok && b.Steer {
			texts = append(texts, b.Text)
		}
	}
	if !reflect.DeepEqual(texts, []string{"one", "now", "first"}) {
		t.Errorf("steers %q", texts)
	}
}

func TestUpTakesTheLastQueuedBack(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.keys("one", "enter", "two", "enter")
	u.tell(event.Queue{Prompts: []string{"one", "two"}})
	want(t, u.keys("up"), screen.TakeBack{})
	u.keys("typed meanwhile")
	u.take(screen.TookBack(u.s, []string{"two"}))
	u.prompt("two\ntyped meanwhile")
	u.take(screen.TookBack(u.s, nil)) // it had begun
	u.prompt("two\ntyped meanwhile")
}

func TestARefusedPromptComesBack(t *testing.T) {
	t.Parallel()
	u := start(t)
	long := strings.Repeat("line\n", 100)
	u.keys("see ")
	u.paste(long)
	u.keys(" please", "enter")
	u.keys("more")
	u.take(screen.Refused(u.s, host.Submit{Text: "see " + long + " please"}, errors.New("the disk is full")))
	u.prompt("see [pasted 100 lines] please\nmore")
	if n := u.notes(); !strings.Contains(n, "the disk is full") {
		t.Errorf("notes %q", n)
	}
	want(t, u.keys("enter"), submit("see "+long+" please\nmore"))
	u.take(screen.Refused(u.s, host.Steer{Text: "steer"}, errors.New("no")))
	u.prompt("steer")
	u.take(screen.Refused(u.s, host.Promote{}, errors.New("nothing")))
	u.take(screen.Refused(u.s, host.Decide{}, errors.New("nothing")))
	u.take(screen.Refused(u.s, host.Interrupt{}, errors.New("nothing")))
	u.take(screen.Refused(u.s, host.Use{}, errors.New("unknown agent")))
	if n := u.notes(); n != "no\nunknown agent" {
		t.Errorf("notes %q", n)
	}
}

func TestAPromptThatCannotBeginIsInTheHistory(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("hello", "enter")
	u.tell(event.Error{Message: "no key"}, event.Done{Reason: "error"})
	if n := u.notes(); !strings.Contains(n, "up brings it back") {
		t.Errorf("notes %q", n)
	}
	u.keys("up")
	u.prompt("hello")
	if u.s.Turn.Busy {
		t.Error("still busy")
	}
	u.keys("ctrl+c")
	want(t, u.keys("esc")) // nothing is on its way any more
}

func TestTheExternalEditor(t *testing.T) {
	t.Parallel()
	u := start(t)
	long := strings.Repeat("x\n", 50)
	u.paste(long)
	want(t, u.keys("ctrl+g"), screen.Edit{Text: long})
	u.take(screen.Wrote(u.s, "new\r\ntext\n\n", true))
	u.prompt("new\ntext")
	u.take(screen.Wrote(u.s, "", false))
	u.prompt("new\ntext")
	u.take(screen.Wrote(u.s, "", true))
	u.prompt("")
	u.keys("up") // what was emptied there is not lost
	u.prompt("new\ntext")
}

func TestOwnCommands(t *testing.T) {
	t.Parallel()
	u := start(t)
	want(t, u.keys("!", "enter", "ctrl+c", "!! ", "enter", "ctrl+c"))
	want(t, u.keys("!!ls -l", "enter"), screen.Shell{Command: "ls -l"})
	want(t, u.keys("!pwd", "enter"))
	u.prompt("!pwd")
	u.s = screen.ShellOutput(u.s, "a\nb\n")
	if r := u.s.Shell; r.Lines != 2 || !reflect.DeepEqual(r.Tail, []string{"a", "b"}) || !u.s.Ticking() {
		t.Errorf("running %+v", r)
	}
	want(t, u.keys("ctrl+c"), screen.KillShell{})
	u.take(screen.ShellDone(u.s, 1, "a\nb\n", errors.New("stopped")))
	blocks := u.blocks()
	ran, ok := blocks[len(blocks)-1].(screen.Ran)
	if !ok || ran.Output != "a\nb\n" || ran.Exit != 1 || ran.Err != "stopped" || !ran.Kept || ran.Lines != 2 {
		t.Errorf("printed %+v", blocks)
	}
	u.keys("ctrl+c")
	got := only(u.keys("why", "enter"))
	s := got[0].(screen.Do).Command.(host.Submit)
	if s.Text != "why" || s.Expanded != "why\n\n--- output of ls -l ---\n$ ls -l\na\nb\n\n(exit code 1)" {
		t.Errorf("sent %+v", s)
	}
	// It goes with one prompt only; #last names it again.
	want(t, u.keys("again", "enter"), submit("again"))
	got = only(u.keys("see #last.", "enter"))
	if s := got[0].(screen.Do).Command.(host.Submit); !strings.Contains(s.Expanded, "$ ls -l") {
		t.Errorf("sent %+v", s)
	}
	u.take(screen.ShellDone(screen.ShellOutput(u.s, "late"), 0, "late", nil))
	if u.s.Shell.Command != "" {
		t.Error("a command is running")
	}
}

func TestKeptOutputsAreFew(t *testing.T) {
	t.Parallel()
	u := start(t)
	for range 8 {
		u.keys("!!ls", "enter")
		u.take(screen.ShellDone(u.s, 0, strings.Repeat("x", 1<<20), nil))
	}
	want(t, u.keys("!!ls", "enter"))
	u.prompt("!!ls")
	u.keys("ctrl+c")
	got := only(u.keys("go", "enter"))
	if n := len(got[0].(screen.Do).Command.(host.Submit).Expanded); n > 600<<10 {
		t.Errorf("%d bytes go along", n)
	}
}

func TestExpansions(t *testing.T) {
	t.Parallel()
	u := start(t)
	ask := func(w string) screen.Intent { return screen.Ask{Query: host.Expand{Word: w}} }
	want(t, u.keys("see #diff, @a.go and #nope", "enter"),
		screen.Ask{Query: host.Paths{}}, ask("#diff"), ask("@a.go"), ask("#nope"))
	u.prompt("")
	// What comes after it waits for it.
	want(t, u.keys("next", "enter"))
	want(t, u.answer(host.Expand{Word: "@a.go"}, host.Expansion{OK: true, Label: "a.go", Text: "package a"}))
	want(t, u.answer(host.Expand{Word: "#nope"}, host.Expansion{}))
	got := only(u.answer(host.Expand{Word: "#diff"}, host.Expansion{OK: true, Label: "diff", Text: "+x"}))
	want(t, got, screen.Do{Command: host.Submit{
		Text:     "see #diff, @a.go and #nope",
		Expanded: "see #diff, @a.go and #nope\n\n--- a.go ---\npackage a\n\n--- diff ---\n+x",
	}}, submit("next"))
	blocks := u.blocks()
	if b, ok := blocks[0].(screen.Attached); !ok || !reflect.DeepEqual(b.Labels, []string{"a.go", "diff"}) {
		t.Errorf("printed %+v", blocks)
	}
	want(t, u.answer(host.Expand{Word: "#diff"}, host.Expansion{OK: true})) // nobody waits for it
}

// An image that is named by its path goes along, as a prompt and as a steer.
func TestAnExpansionWithAnImage(t *testing.T) {
	t.Parallel()
	images := []llm.Image{{MIME: "image/png", Name: "a.png", Data: []byte("p")}}
	answer := host.Expansion{OK: true, Label: "a.png", Text: "[a.png: PNG image]", Images: images}
	expanded := "see @a.png\n\n--- a.png ---\n[a.png: PNG image]"
	u := start(t)
	u.keys("see @a.png")
	u.answer(host.Paths{}, host.PathList{})
	u.keys("enter")
	want(t, u.answer(host.Expand{Word: "@a.png"}, answer),
		screen.Do{Command: host.Submit{Text: "see @a.png", Expanded: expanded, Images: images}})
	u = busy(t)
	u.keys("later", "enter")
	u.tell(event.Queue{Prompts: []string{"later"}})
	u.keys("see @a.png", "ctrl+enter")
	want(t, u.answer(host.Expand{Word: "@a.png"}, answer),
		screen.Do{Command: host.Steer{Text: "see @a.png", Expanded: expanded, Images: images}})
}

func TestAnExpansionThatFailsStaysText(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("see #diff", "enter")
	want(t, u.fail(host.Expand{Word: "#diff"}, "no git"), submit("see #diff"))
	if n := u.notes(); !strings.Contains(n, "#diff: no git") {
		t.Errorf("notes %q", n)
	}
}

func TestCancelGivesBackWhatWasNotSentYet(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.keys("see #diff", "enter", "more")
	want(t, u.keys("esc"), screen.TakeBack{All: true}, screen.Do{Command: host.Cancel{}})
	u.prompt("see #diff\nmore")
	want(t, u.answer(host.Expand{Word: "#diff"}, host.Expansion{OK: true}))
	u.keys("ctrl+c", "ctrl+c")
	u.did = nil
	u.tell(event.Done{Reason: "cancelled"})
	// The same with up.
	u.keys("see #tree", "enter", "up")
	u.prompt("see #tree")
}

func TestSteerWithAnExpansion(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.keys("later", "enter")
	u.tell(event.Queue{Prompts: []string{"later"}})
	u.keys("see #diff", "ctrl+enter")
	want(t, u.answer(host.Expand{Word: "#diff"}, host.Expansion{OK: true, Label: "d", Text: "+x"}),
		screen.Do{Command: host.Steer{Text: "see #diff", Expanded: "see #diff\n\n--- d ---\n+x"}})
	u.tell(event.Prompt{Text: "see #diff", Steer: true})
	blocks := u.blocks()
	if b, ok := blocks[len(blocks)-1].(screen.User); !ok || b.Shown != "see #diff" {
		t.Errorf("printed %+v", blocks)
	}
}

func TestTooManyPromptsStay(t *testing.T) {
	t.Parallel()
	u := busy(t)
	for range 256 {
		u.keys("x", "enter")
	}
	u.did = nil
	want(t, u.keys("last", "enter"))
	u.prompt("last")
}

func TestAHostThatChangesAPromptIsFollowed(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("my key is secret", "enter")
	u.tell(event.Prompt{Text: "my key is ***"}, event.Done{Reason: "stop"})
	want(t, u.keys("esc")) // it has arrived
	if u.s.Hint() != "/ commands, @ files, # context, ! shell" {
		t.Errorf("hint %q", u.s.Hint())
	}
}

// ctrl+d on the empty prompt leaves like ctrl+c, and deletes forward elsewhere.
func TestCtrlDLeavesAtTheSecondPress(t *testing.T) {
	t.Parallel()
	u := start(t)
	want(t, u.keys("ctrl+d"))
	if !u.s.Armed {
		t.Error("the first press says nothing")
	}
	want(t, u.keys("ctrl+d"), screen.Quit{})
	u = start(t)
	u.keys("ctrl+d", "x")
	if u.s.Armed {
		t.Error("another key leaves it armed")
	}
	if want(t, u.keys("ctrl+d")); u.s.Armed {
		t.Error("in a text it leaves")
	}
}
