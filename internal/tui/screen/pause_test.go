package screen_test

import (
	"testing"
	"time"

	"assent/internal/host"
	"assent/internal/tui/screen"
)

// Who was writing when a question came is not answering it, at whatever pace
// they write; a pause says that they have seen it.
func TestAQuestionWaitsForAPauseInTheWriting(t *testing.T) {
	t.Parallel()
	const pace = 600 * time.Millisecond
	once := screen.Do{Command: host.Decide{ID: "1", Choice: "once"}}
	for _, c := range []struct {
		name   string
		before func(*ui)
		deaf   bool // to a letter that comes at the pace
	}{
		{"nothing is written", func(*ui) {}, false},
		{"a letter before", func(u *ui) { u.keys("x"); u.after(pace) }, true},
		{"the only letter was erased", func(u *ui) { u.keys("x", "backspace"); u.after(pace) }, true},
		{"a text that is left alone", func(u *ui) { u.keys("draft"); u.after(time.Minute) }, true},
		{"an empty prompt, long since", func(u *ui) { u.keys("x", "backspace"); u.after(time.Minute) }, false},
		{"a prompt that was sent", func(u *ui) { u.keys("go", "enter") }, false},
		{"the next prompt", func(u *ui) { u.keys("go", "enter", "a"); u.after(pace) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			c.before(u)
			u.did = nil
			text := u.text
			u.tell(approval("1"))
			u.after(pace)
			u.s = screen.Tick(u.s, u.now)
			if deaf := u.s.Deaf() > 0; deaf != c.deaf {
				t.Errorf("shown to be deaf: %v", deaf)
			}
			if !c.deaf {
				want(t, u.keys("y"), once)
				return
			}
			for _, letter := range []string{"y", "a", "p", "n"} {
				want(t, u.keys(letter))
				text += letter
				u.after(pace)
			}
			u.prompt(text)
			u.after(time.Second)
			want(t, u.keys("y")) // a prompt with a text has the letters
			want(t, u.after(time.Second).keys("down", "enter"), once)
		})
	}
}

// Who answers one question after another needs no pause, also with a draft.
func TestADraftDoesNotHoldUpTheNextAnswer(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("draft")
	u.tell(approval("1"), approval("2"))
	u.after(2 * time.Second)
	want(t, u.keys("down", "enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
	u.after(400 * time.Millisecond)
	want(t, u.keys("down", "enter"), screen.Do{Command: host.Decide{ID: "2", Choice: "once"}})
	u.prompt("draft")
}
