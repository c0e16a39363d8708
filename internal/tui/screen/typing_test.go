package screen_test

import (
	"strings"
	"testing"
	"time"

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
			if got := u.s.Hint(); got != "enter sends what you wrote; y a p n d answer" {
				t.Errorf("the hint says %q", got)
			}
			// The enter is the text's, however long its writer thought about it.
			u.keys("enter")
			if len(u.s.Approvals) != 1 || u.text != "" {
				t.Errorf("enter answered; the prompt is %q", u.text)
			}
			u.after(time.Second)
			want(t, u.keys("enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
		})
	}
}

// A letter that hit the wrong key is no prompt, and can be taken back.
func TestOneWrongKeyAtAnApproval(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	want(t, u.keys("x"))
	if u.text != "x" {
		t.Errorf("the prompt is %q", u.text)
	}
	want(t, u.after(time.Second).keys("enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})

	u = asked(t, "1")
	u.keys("xx", "backspace", "backspace")
	if u.text != "" {
		t.Errorf("the prompt is %q", u.text)
	}
	want(t, u.after(time.Second).keys("enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
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
		u.keys(keys)
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
