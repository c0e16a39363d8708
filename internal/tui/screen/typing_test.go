package screen_test

import (
	"strings"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

// Who writes a prompt does not answer, also when the first letters are no
// answers; and nothing that was written is lost.
func TestWhatIsWrittenBelowAnApprovalIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"say yes, please do", " what", "run it", "help me: a, p, n", "日本 yan"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			u := asked(t, "1")
			for _, r := range text {
				want(t, u.after(120*time.Millisecond).keys(string(r)))
			}
			if u.text != text || len(u.s.Approvals) != 1 || u.s.Approvals[0].Field != screen.NoField {
				t.Fatalf("the prompt is %q, the approvals %+v", u.text, u.s.Approvals)
			}
			u.after(time.Second)
			if got := u.s.Hint(); got != "enter sends what you wrote; to answer: arrows and enter, or ctrl+u first" {
				t.Errorf("the hint says %q", got)
			}
			// The enter is the text's, however long its writer thought about it.
			u.keys("enter")
			if len(u.s.Approvals) != 1 || u.text != "" {
				t.Errorf("enter answered; the prompt is %q", u.text)
			}
			// Nor is the next one an answer, until an arrow has chosen.
			u.after(time.Second)
			want(t, u.keys("enter"))
			want(t, u.after(time.Second).keys("down", "enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
		})
	}
}

// While a prompt is being written no letter answers, however slowly it is
// written; emptied, it leaves the letters to the answer again.
func TestNoLetterOfAPromptAnswers(t *testing.T) {
	t.Parallel()
	once := screen.Do{Command: host.Decide{ID: "1", Choice: "once"}}
	u := asked(t, "1")
	for _, letter := range []string{"m", "a", "k", "e", "y", "1"} {
		want(t, u.after(5*time.Second).keys(letter))
	}
	u.prompt("makey1")
	want(t, u.after(time.Second).keys("left", "home"))
	if a := u.s.Approvals; len(a) != 1 || a[0].Field != screen.NoField || u.at != 0 {
		t.Fatalf("the approval is %+v, the cursor at %d", a, u.at)
	}
	want(t, u.after(time.Second).keys("down", "down", "up", "enter"), once)
	u.prompt("makey1")

	u = asked(t, "1")
	u.keys("x", "backspace")
	want(t, u.after(time.Second).keys("y"), once)

	u = asked(t, "1")
	u.keys("x")
	want(t, u.after(time.Second).keys("down", "z", "enter"), screen.Do{Command: host.Submit{Text: "xz"}})
	if len(u.s.Approvals) != 1 {
		t.Error("what was chosen before the text went on was answered")
	}
}

// Enter queues, enter on the empty prompt steers: neither answers the question
// above it.
func TestEnterTwiceSteersAndDoesNotAnswer(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	u.keys("steer")
	want(t, u.after(time.Second).keys("enter"), screen.Do{Command: host.Submit{Text: "steer"}})
	u.tell(event.Queue{Prompts: []string{"steer"}})
	if got := u.s.Hint(); got != "enter steers with the first queued prompt; y a p n d or arrows and enter answer" {
		t.Errorf("the hint says %q", got)
	}
	want(t, u.after(400*time.Millisecond).keys("enter"), screen.Do{Command: host.Promote{}})
	u.tell(event.Queue{})
	want(t, u.after(time.Minute).keys("enter"))
	if a := u.s.Asked(); a.Cursor != -1 {
		t.Errorf("choice %d looks as if enter took it", a.Cursor)
	}
	want(t, u.after(time.Second).keys("down", "enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})

	u = asked(t, "1")
	u.tell(event.Queue{Prompts: []string{"before"}})
	want(t, u.keys("enter"), screen.Do{Command: host.Promote{}})
	want(t, u.after(time.Second).keys("y"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
}

// A letter that allows for longer is no answer when a word follows it.
func TestAWordIsNoAlways(t *testing.T) {
	t.Parallel()
	session := screen.Do{Command: host.Decide{ID: "1", Choice: "session", Pattern: "npm test *"}}
	for _, text := range []string{"please do", "add a test", "page", "aa"} {
		u := asked(t, "1")
		for _, r := range text {
			want(t, u.keys(string(r)))
			u.after(125 * time.Millisecond)
			u.take(screen.Due(u.s, u.now))
		}
		u.prompt(text)
		if len(u.s.Approvals) != 1 {
			t.Errorf("%s answered", text)
		}
	}
	u := asked(t, "1")
	want(t, u.keys("a"))
	if got := u.s.Asked().Cursor; got != 1 {
		t.Errorf("choice %d is under the cursor", got)
	}
	if got := u.s.Settles(u.now); got != held {
		t.Errorf("settles in %v", got)
	}
	want(t, u.take(screen.Due(u.s, u.now.Add(held-1))))
	want(t, u.take(screen.Due(u.s, u.now.Add(held))), session)
	if got := u.s.Settles(u.now); got != 0 {
		t.Errorf("settles in %v", got)
	}

	u = asked(t, "1")
	want(t, u.keys("a", "enter"), session) // enter confirms it
	u = asked(t, "1")
	want(t, u.keys("a", "esc")) // that takes it back
	want(t, u.after(time.Second).take(screen.Due(u.s, u.now)))
	want(t, u.keys("y"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
	u = asked(t, "1")
	u.keys("a")
	want(t, u.after(time.Second).keys("z"), session) // it was due
	u.prompt("z")
}

// A pattern is kept only when it is one that the gate takes for this call.
func TestAPatternIsLookedAtBeforeItIsKept(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	q := host.Always{ID: "1", Pattern: "bash("}
	want(t, u.keys("e"))
	for range "npm test *" {
		u.keys("backspace")
	}
	want(t, u.keys("bash(", "enter"), screen.Ask{Query: q})
	want(t, u.keys("a", "enter", "y"))
	u.fail(q, "the bracket is not closed")
	if a := u.s.Approvals[0]; a.Field != screen.PatternField || a.Note != "the bracket is not closed" || a.Line.Text != "bash(" {
		t.Errorf("got %+v", a)
	}
	q.Pattern = "bash(*)"
	want(t, u.keys("*)", "enter"), screen.Ask{Query: q})
	if note := u.s.Approvals[0].Note; note != "" {
		t.Errorf("still says %q", note)
	}
	u.answer(host.Always{ID: "1", Pattern: "bash("}, host.RuleList{Rules: []string{"bash(x)"}}) // too late
	u.answer(q, host.RuleList{Rules: []string{"bash(*)"}})
	if got := u.s.Approvals[0].Choices()[1].Label; got != "always allow bash(*) in this session" {
		t.Errorf("the choice says %q", got)
	}
	want(t, u.after(time.Second).answers("a"), screen.Do{Command: host.Decide{ID: "1", Choice: "session", Pattern: "bash(*)"}})
}

// Where nothing can be seen, nothing can be written.
func TestNoKeyGoesIntoAPromptThatIsOutOfSight(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	u.s = screen.Resize(u.s, 20, 5)
	u.keys("yy", "enter")
	u.s = screen.Resize(screen.Tick(u.s, u.now), 80, 24)
	if u.text != "" || len(u.s.Approvals) != 1 {
		t.Errorf("the prompt is %q, %d approvals wait", u.text, len(u.s.Approvals))
	}
}

// What was allowed for longer stands in the scrollback when the question is
// gone, each rule whole.
func TestAlwaysIsNoted(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"a": "Allowed from now on in this session: bash(npm test *)",
		"p": "Allowed from now on in this project: bash(npm test *)",
		"y": "",
	} {
		u := asked(t, "1")
		u.blocks()
		u.answers(keys)
		got := ""
		for _, b := range u.blocks() {
			if n, ok := b.(screen.Notice); ok {
				got = n.Text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", keys, got, want)
		}
	}
}

// Text that comes at once is no answer, whatever it begins with.
func TestABurstOfTextIsNoAnswer(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	u.press(screen.Key{Name: "a", Text: "a", Burst: true})
	u.keys("dd tests")
	if u.text != "add tests" || len(u.s.Approvals) != 1 || len(u.did) > 0 {
		t.Errorf("the prompt is %q, %d approvals wait, did %v", u.text, len(u.s.Approvals), u.did)
	}
}

// The output of a command that goes along anyway is not added a second time.
func TestNothingIsAttachedTwice(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("!!ls", "enter")
	u.take(screen.ShellDone(u.s, 0, "a.go", nil))
	u.keys("ctrl+c")
	u.did = nil
	got := u.keys("see #last.", "enter")
	for _, i := range got {
		if d, ok := i.(screen.Do); ok {
			if s, ok := d.Command.(host.Submit); ok && strings.Count(s.Expanded, "a.go") == 1 {
				return
			}
		}
	}
	t.Errorf("sent %+v", got)
}

// The clock of a command of one's own begins with it, however long nothing was
// drawn before.
func TestTheClockOfACommandBeginsWithIt(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("!sleep 20")
	u.after(time.Minute).keys("enter")
	if got := u.s.Shell.Started; !got.Equal(u.now) {
		t.Errorf("began %v before the key", u.now.Sub(got))
	}
}

// What still waited when the program ends is printed.
func TestQueuedPromptsAreToldOnLeaving(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	u.keys("keep this", "enter")
	u.tell(event.Queue{Prompts: []string{"keep this"}})
	u.s = screen.Left(u.s)
	if got := u.notes(); !strings.Contains(got, "Not sent, type it again if it is to be: keep this") {
		t.Errorf("told %q", got)
	}
}
