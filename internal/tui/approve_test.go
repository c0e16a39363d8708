package tui_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/tui"
)

// asks is a call that waits for the user.
func asks(id string) []event.Event {
	return []event.Event{
		event.ToolStart{ID: id, Name: "bash"},
		event.ToolCall{ID: id, Name: "bash", Title: "npm test && rm build/one.js", Input: []byte(`{}`)},
		event.Approval{
			ID: id, Name: "bash", Title: "npm test && rm build/one.js", Reason: "no rule allows it", Pattern: "npm test *",
			Detail: "npm test && rm build/one.js",
			Subjects: []event.Subject{
				{Text: "npm test", Kind: "command", Decision: "ask", Source: "default"},
				{Text: "rm build/one.js", Kind: "command", Decision: "ask", Pattern: "rm *", Source: "config.json:3"},
			},
		},
	}
}

func TestApprove(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, keys, want string }{
		{"once", "y", `Decide{ID:"1", Choice:"once", Pattern:"", Message:"", Cancel:false}`},
		{"deny", "n", `Decide{ID:"1", Choice:"deny", Pattern:"", Message:"", Cancel:false}`},
		{"by arrows", "\x1b[B\x1b[B\r", `Decide{ID:"1", Choice:"project", Pattern:"npm test *", Message:"", Cancel:false}`},
		{"deny with a message", "d|use make\r", `Decide{ID:"1", Choice:"deny", Pattern:"", Message:"use make", Cancel:false}`},
		{"always with an edited pattern", "e\x7f\x7f -- *\ra", `Decide{ID:"1", Choice:"session", Pattern:"npm test -- *", Message:"", Cancel:false}`},
		{"esc denies and cancels", "\x1b", `Decide{ID:"1", Choice:"deny", Pattern:"", Message:"", Cancel:true}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := play(t, 80, 24, nil)
			p.keys("go\r")
			p.did(submit("go"))
			p.host.tell(asks("1")...)
			p.see("deny and say what to do instead")
			p.see("no rule allows it")
			p.see("rm build/one.js")
			p.unguard(t)
			key, text, field := strings.Cut(tt.keys, "|")
			if before, after, edited := strings.Cut(key, "\r"); edited && after != "" {
				p.keys(before + "\r")
				p.see("always allow bash(npm test -- *)")
				key = after
			}
			p.keys(key)
			if field {
				p.see("instead:")
				p.keys(text)
			}
			p.did(tt.want)
			p.lose("deny and say what to do instead")
		})
	}
}

// ctrl+d twice leaves while a call waits, as it does everywhere on the empty
// prompt; it answers nothing, and says what becomes of the call.
func TestCtrlDAtAnApproval(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(asks("1")...)
	p.see("deny and say what to do instead")
	p.unguard(t)
	p.keys("ab\x1b[D\x04") // in a text it erases
	p.see("> a")
	p.lose("> ab")
	p.keys("\x7f\x04")
	p.see("ctrl+d again leaves; the call that waits is not run")
	p.unguard(t)
	p.keys("x") // any other key is no second one
	p.lose("ctrl+d again leaves")
	p.keys("\x7f\x04")
	p.see("ctrl+d again leaves")
	p.keys("\x04")
	p.ended()
	p.once("Not run: bash npm test && rm build/one.js")
	for _, c := range p.host.done() {
		if strings.HasPrefix(c, "Decide") {
			t.Errorf("it answered: %s", c)
		}
	}
	if p.code != 0 {
		t.Errorf("exit %d", p.code)
	}
}

// ctrl+c denies a call also when ctrl+d was pressed before it.
func TestCtrlCAfterCtrlDOnlyDenies(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(asks("1")...)
	p.see("deny and say what to do instead")
	p.unguard(t)
	p.keys("\x04")
	p.see("ctrl+d again leaves")
	p.unguard(t)
	p.keys("\x03")
	p.did(`Decide{ID:"1", Choice:"deny", Pattern:"", Message:"", Cancel:false}`)
	p.lose("again leaves")
}

// The choices are dim until a key answers; that they are not any more is shown
// without one.
func TestApprovalShowsWhenItTakesKeys(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(asks("1")...)
	p.see("deny and say what to do instead")
	dim := strings.LastIndex(p.written(), "deny and say what to do instead")
	if before := p.written()[:dim]; strings.Contains(before[strings.LastIndex(before, "\n")+1:], "\x1b[1;") {
		t.Errorf("the choices are not dim at first: %q", before[strings.LastIndex(before, "\n")+1:])
	}
	p.until("bold keys", func() bool {
		out := p.written()
		at := strings.LastIndex(out, "deny and say what to do instead")
		return at > dim && strings.Contains(out[max(0, at-30):at], "\x1b[1;")
	})
	p.keys("y")
	p.did(`Decide{ID:"1", Choice:"once", Pattern:"", Message:"", Cancel:false}`)
}

// Keys that were already being typed answer nothing.
func TestApprovalTakesNoTypedKey(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(asks("1")...)
	p.see("deny and say what to do instead")
	p.keys("yes please")
	p.see("yes please")
	p.unguard(t)
	p.keys("\x15")
	p.lose("yes please")
	p.unguard(t)
	p.keys("n")
	p.did(`Decide{ID:"1", Choice:"deny", Pattern:"", Message:"", Cancel:false}`)
	for _, c := range p.host.done() {
		if strings.Contains(c, "once") {
			t.Errorf("a typed key allowed the call: %s", c)
		}
	}
}

// Several wait, none is lost; a waiting one survives a change of size and a
// queued prompt.
func TestApprovalsWaitInAList(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(asks("1")...)
	p.host.tell(event.Subagent{ID: "9", Kind: "worker", Event: event.Approval{ID: "2", Name: "edit_file", Title: "main.go", Reason: "writes", Detail: "--- a/main.go\n+++ b/main.go\n@@ -1 +1 @@\n-old\n+new\n"}})
	p.see("1 of 2")
	p.resized(50, 20)
	p.resized(100, 30)
	p.see("1 of 2")
	p.unguard(t)
	p.keys("\x1b[C")
	p.see("main.go")
	p.see("worker")
	p.unguard(t)
	p.keys("y")
	p.did(`Decide{ID:"2", Choice:"once", Pattern:"", Message:"", Cancel:false}`)
	p.lose(" of 2")
	p.unguard(t)
	p.keys("y")
	p.did(`Decide{ID:"1", Choice:"once", Pattern:"", Message:"", Cancel:false}`)
}

// What does not fit is printed above, whole and once.
func TestLongCallIsPrintedWhole(t *testing.T) {
	t.Parallel()
	p := play(t, 60, 16, nil)
	p.keys("go\r")
	p.did(submit("go"))
	detail := ""
	for _, n := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"} {
		detail += "echo line-" + n + "\n"
	}
	p.host.tell(event.Approval{ID: "1", Name: "bash", Title: "a script", Reason: "asks", Pattern: "echo *", Detail: detail})
	p.see("line-one")
	p.see("line-nine")
	p.see("line-fourteen")
	p.unguard(t)
	p.keys("y")
	p.lose("allow once")
	for _, n := range []string{"line-one\n", "line-seven\n", "line-fourteen\n"} {
		if c := strings.Count(p.all()+"\n", n); c != 1 {
			t.Errorf("%q stands there %d times:\n%s", n, c, p.all())
		}
	}
}

// A call that waits while the terminal is too small is not answered by a key
// that is pressed unseen, and can be when the terminal has grown.
func TestApprovalInATerminalThatIsTooSmall(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.keys("a draft")
	p.see("a draft")
	p.resized(20, 5)
	p.see("assent needs")
	p.host.tell(asks("1")...)
	p.see("waits for")
	p.unguard(t)
	p.keys("yap1\r")
	p.did(submit("a draft")) // and none went into the prompt, which is unseen too
	p.resized(80, 24)
	p.see("deny and say what to do instead")
	for _, c := range p.host.done() {
		if strings.HasPrefix(c, "Decide") {
			t.Errorf("it was answered unseen: %s", c)
		}
	}
	p.unguard(t)
	p.keys("y")
	p.did(`Decide{ID:"1", Choice:"once", Pattern:"", Message:"", Cancel:false}`)
}

// slow is a terminal that takes its time with one text, and tells of it.
type slow struct {
	*glass
	text  string
	began chan struct{}
	once  sync.Once
}

func (s *slow) Write(b []byte) (int, error) {
	if strings.Contains(string(b), s.text) {
		s.once.Do(func() {
			close(s.began)
			s.time.mu.Lock()
			defer s.time.mu.Unlock()
			s.time.ahead += time.Second
		})
	}
	return s.glass.Write(b)
}

// A key that comes before the question stands on the terminal answers nothing,
// however long the terminal takes to show it.
func TestApprovalTakesNoKeyBeforeItIsShown(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	p := play(t, 80, 24, func(o *tui.Options) {
		o.Out = &slow{glass: o.Out.(*glass), text: "deny and say what to do instead", began: began}
	})
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(asks("1")...)
	<-began
	p.keys("y")
	p.see("> y")
	p.unguard(t)
	p.keys("\x7f")
	p.lose("> y")
	p.unguard(t)
	p.keys("n")
	p.did(`Decide{ID:"1", Choice:"deny", Pattern:"", Message:"", Cancel:false}`)
}

// A text that the terminal sends at once begins with no answer.
func TestATextThatComesAtOnceIsNoAnswer(t *testing.T) {
	t.Parallel()
	p := play(t, 80, 24, nil)
	p.keys("go\r")
	p.did(submit("go"))
	p.host.tell(asks("1")...)
	p.see("allow once")
	p.unguard(t)
	p.keys("add a test")
	p.see("add a test")
	p.unguard(t)
	p.keys("\x1b[B\r")
	p.did(`Decide{ID:"1", Choice:"once", Pattern:"", Message:"", Cancel:false}`)
}
