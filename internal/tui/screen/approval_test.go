package screen_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

func approval(id string) event.Approval {
	return event.Approval{
		ID: id, Name: "bash", Title: "npm test", Reason: "exec asks", Pattern: "npm test *", Detail: "npm test",
		Subjects: []event.Subject{{Text: "npm test", Kind: "command", Decision: "ask"}},
	}
}

// asked is a turn with approvals on the screen, long enough to be answered.
func asked(t *testing.T, ids ...string) *ui {
	t.Helper()
	u := busy(t)
	for _, id := range ids {
		u.tell(event.ToolCall{ID: id, Name: "bash", Title: "npm test"}, approval(id))
	}
	u.after(time.Second)
	return u
}

func TestAnApprovalIsAnswered(t *testing.T) {
	t.Parallel()
	do := func(d host.Decide) []screen.Intent { d.ID = "1"; return []screen.Intent{screen.Do{Command: d}} }
	session := do(host.Decide{Choice: "session", Pattern: "npm test *"})
	tests := []struct {
		name string
		keys []string
		want []screen.Intent
	}{
		{"once", []string{"y"}, do(host.Decide{Choice: "once"})},
		{"capitals too", []string{"Y"}, do(host.Decide{Choice: "once"})},
		{"session", []string{"a"}, session},
		{"project", []string{"p"}, do(host.Decide{Choice: "project", Pattern: "npm test *"})},
		{"deny", []string{"n"}, do(host.Decide{Choice: "deny"})},
		{"TUI-26 by number", []string{"4"}, do(host.Decide{Choice: "deny"})},
		{"deny with a message", []string{"d", "use make", "enter"}, do(host.Decide{Choice: "deny", Message: "use make"})},
		{"deny with no message", []string{"d", "enter"}, do(host.Decide{Choice: "deny"})},
		{"back from the message", []string{"d", "use", "esc", "y"}, do(host.Decide{Choice: "once"})},
		{"enter takes the first", []string{"enter"}, do(host.Decide{Choice: "once"})},
		{"down and enter", []string{"down", "enter"}, session},
		{"tab and enter", []string{"tab", "enter"}, session},
		{"round and enter", []string{"up", "up", "enter"}, do(host.Decide{Choice: "deny"})},
		{"last is a field", []string{"up", "enter", "x", "enter"}, do(host.Decide{Choice: "deny", Message: "x"})},
		{"other pattern", []string{"e", "backspace", "backspace", "enter", "a"}, do(host.Decide{Choice: "session", Pattern: "npm test"})},
		{"pattern left as it was", []string{"e", "x", "esc", "p"}, do(host.Decide{Choice: "project", Pattern: "npm test *"})},
		{"empty pattern is the shown one", []string{"e", "ctrl+u", "enter", "p"}, do(host.Decide{Choice: "project", Pattern: "npm test *"})},
		{"ctrl+c denies", []string{"ctrl+c"}, do(host.Decide{Choice: "deny"})},
		{"ctrl+c leaves the field first", []string{"d", "ctrl+c", "ctrl+c"}, do(host.Decide{Choice: "deny"})},
		{"other keys do nothing", []string{"x", "z", "home", "left", "right"}, nil},
		{"esc denies and cancels", []string{"esc"}, []screen.Intent{
			screen.TakeBack{All: true}, screen.Do{Command: host.Decide{ID: "1", Choice: "deny", Cancel: true}}, screen.Do{Command: host.Cancel{}},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := asked(t, "1")
			want(t, u.answers(tt.keys...), tt.want...)
			if answered := tt.want != nil; answered != (len(u.s.Approvals) == 0) {
				t.Errorf("%d approvals are left", len(u.s.Approvals))
			}
			// The keys after an answer answer nothing.
			u.after(time.Second)
			for _, i := range u.keys("y", "n", "enter") {
				if d, ok := i.(screen.Do); ok && len(tt.want) > 0 {
					if _, ok := d.Command.(host.Decide); ok {
						t.Errorf("answered twice: %+v", d)
					}
				}
			}
		})
	}
}

// Enter that keeps a pattern allows nothing when it bounces.
func TestEnterTwiceInThePattern(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	want(t, u.keys("e", "enter", "enter"))
	want(t, u.after(time.Second).keys("enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
}

// A second telling of a waiting question changes nothing, and never has what
// is being written answer it. Another question in its place is new to the eye.
func TestAQuestionToldTwice(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	u.keys("d", "sa")
	u.tell(approval("1"))
	want(t, u.keys("y", "enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "deny", Message: "say"}})

	u = asked(t, "1")
	u.keys("d", "sa")
	other := approval("1")
	other.Detail = "rm -r ."
	u.tell(other)
	want(t, u.keys("y"))
	want(t, u.after(time.Second).keys("backspace"))
	want(t, u.after(time.Second).keys("y"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
}

// What the end of a turn brings to the front is new to the eye too.
func TestTheQuestionBehindAnEndedTurnIsGuarded(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	u.tell(event.Subagent{ID: "9", Kind: "worker", Event: approval("2")})
	u.after(time.Second)
	u.tell(event.Done{Reason: "cancelled"})
	want(t, u.keys("y", "backspace"))
	want(t, u.after(time.Second).keys("y"), screen.Do{Command: host.Decide{ID: "2", Choice: "once"}})
}

func TestAnApprovalWithoutPatternOffersNoAlways(t *testing.T) {
	t.Parallel()
	u := busy(t)
	e := approval("1")
	e.Pattern = ""
	u.tell(e)
	u.after(time.Second)
	want(t, u.keys("a", "p", "e"))
	if n := len(u.s.Approvals[0].Choices()); n != 3 {
		t.Errorf("%d choices, want 3", n)
	}
	want(t, u.keys("2"), screen.Do{Command: host.Decide{ID: "1", Choice: "deny"}})
}

func TestTypingDoesNotAnswerAnApproval(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.keys("sa")
	u.tell(approval("1"))
	// The words go on through the moment at which the question appears, and
	// longer than the guard by itself.
	for _, r := range "y and n p" {
		u.after(200 * time.Millisecond).keys(string(r))
	}
	u.prompt("say and n p")
	if len(u.s.Approvals) != 1 {
		t.Fatal("typing answered the approval")
	}
	u.after(999 * time.Millisecond).keys("!")
	u.prompt("say and n p!")
	want(t, u.after(time.Second).keys("y"))
	u.keys("ctrl+u")
	u.text, u.at = "", 0
	u.edited()
	want(t, u.after(time.Second).keys("y"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
}

// An approval says for how long it takes no key, so that this can be shown.
func TestAnApprovalSaysHowLongItIsDeaf(t *testing.T) {
	t.Parallel()
	u := busy(t)
	deaf := func(want time.Duration) {
		t.Helper()
		if got := u.s.Deaf(); got != want {
			t.Errorf("deaf for %v, want %v", got, want)
		}
	}
	later := func(d time.Duration) {
		u.now = u.now.Add(d)
		u.s = screen.Tick(u.s, u.now)
	}
	deaf(0)
	u.tell(event.Approval{ID: "1", Name: "bash", Title: "ls"})
	deaf(300 * time.Millisecond)
	later(100 * time.Millisecond)
	deaf(200 * time.Millisecond)
	u.keys("x")
	deaf(300 * time.Millisecond)
	u.keys("backspace")
	later(300 * time.Millisecond)
	deaf(0)
	u.keys("d")
	deaf(0) // what is written into it belongs to it
}

func TestEnterAtTheWrongMomentQueues(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.keys("next")
	u.tell(approval("1"))
	want(t, u.after(10*time.Millisecond).keys("enter"), screen.Do{Command: host.Submit{Text: "next"}})
	if len(u.s.Approvals) != 1 {
		t.Error("enter answered the approval")
	}
}

func TestSeveralApprovalsWait(t *testing.T) {
	t.Parallel()
	u := asked(t, "1", "2", "3")
	u.tell(approval("2")) // told again is no second question
	if n := len(u.s.Approvals); n != 3 {
		t.Fatalf("%d approvals, want 3", n)
	}
	if h := u.s.Hint(); !strings.Contains(h, "1 of 3") {
		t.Errorf("hint %q", h)
	}
	// What comes to the front is new to the eye and has a guard of its own.
	u.keys("right")
	if id := u.s.Approvals[0].ID; id != "2" {
		t.Fatalf("%s is first, want 2", id)
	}
	want(t, u.keys("y"))
	u.prompt("y")
	u.keys("backspace")
	want(t, u.after(time.Second).keys("y", "n"), screen.Do{Command: host.Decide{ID: "2", Choice: "once"}})
	u.keys("backspace")
	u.after(time.Second).keys("left")
	if id := u.s.Approvals[0].ID; id != "1" {
		t.Fatalf("%s is first, want 1", id)
	}
	u.tell(event.ApprovalDone{ID: "1"}, event.ApprovalDone{ID: "nobody"})
	if len(u.s.Approvals) != 1 || u.s.Approvals[0].ID != "3" || !u.s.Approvals[0].Since.Equal(u.now) {
		t.Errorf("left %+v", u.s.Approvals)
	}
}

// Reads are decided side by side and ask as it comes: the list has the order of
// the calls, those of subagents last, and what can be answered stays in front.
func TestApprovalsStandInTheOrderOfTheCalls(t *testing.T) {
	t.Parallel()
	u := busy(t)
	for _, id := range []string{"1", "2", "3", "4"} {
		u.tell(event.ToolCall{ID: id, Name: "read_file"})
	}
	ids := func(want, hint string) {
		t.Helper()
		var got []string
		for _, a := range u.s.Approvals {
			got = append(got, a.ID)
		}
		if s := strings.Join(got, " "); s != want || !strings.Contains(u.s.Hint(), hint) {
			t.Errorf("waiting %s, hint %q, want %s and %q", s, u.s.Hint(), want, hint)
		}
	}
	nested := func(id string) event.Event { return event.Subagent{ID: "4", Kind: "worker", Event: approval(id)} }
	u.tell(nested("x"), approval("3"))
	ids("3 x", "1 of 2") // nobody could have answered the other
	u.after(10 * time.Millisecond).tell(approval("2"))
	ids("2 3 x", "1 of 3")
	if since := u.s.Approvals[0].Since; !since.Equal(u.now) {
		t.Errorf("the new one has stood there since %v", since)
	}
	u.after(time.Second).tell(approval("1"), nested("y"))
	ids("2 3 x y 1", "2 of 5")
	u.keys("right", "right", "right", "right")
	ids("3 x y 1 2", "3 of 5") // the guard holds after each turn
	for _, want := range []struct{ ids, hint string }{{"x y 1 2 3", "4 of 5"}, {"y 1 2 3 x", "5 of 5"}, {"1 2 3 x y", "1 of 5"}} {
		u.after(time.Second).keys("right")
		ids(want.ids, want.hint)
	}
	u.after(time.Second).keys("left")
	ids("y 1 2 3 x", "5 of 5")
	u.after(time.Second).keys("n")
	ids("1 2 3 x", "1 of 4")
	u.tell(event.ToolDenied{ID: "1"})
	u.tell(event.ApprovalDone{ID: "1"})
	ids("2 3 x", "1 of 3")
}

func TestAnApprovalSurvives(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	u.keys("d", "no")
	u.s = screen.Resize(u.s, 40, 10)
	u.tell(event.Queue{Prompts: []string{"later"}}, event.Notice{Text: "n"}, event.Text{Text: "x"})
	a := u.s.Approvals[0]
	if a.Field != screen.MessageField || a.Line.Text != "no" {
		t.Fatalf("got %+v", a)
	}
	// A paste is text, never an answer.
	u.paste("y\nn")
	if got := u.s.Approvals[0].Line.Text; got != "noy n" {
		t.Errorf("message %q", got)
	}
	u.keys("esc")
	u.paste("yes")
	u.prompt("yes")
	if len(u.s.Approvals) != 1 {
		t.Error("a paste answered")
	}
}

func TestEscInAnApprovalBringsTheQueueBack(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.keys("later", "enter")
	u.tell(event.Queue{Prompts: []string{"later"}}, approval("1"))
	got := u.after(time.Second).keys("esc")
	want(t, got, screen.TakeBack{All: true}, screen.Do{Command: host.Decide{ID: "1", Choice: "deny", Cancel: true}}, screen.Do{Command: host.Cancel{}})
	u.take(screen.TookBack(u.s, []string{"later"}))
	u.prompt("later")
}

func TestDoneEndsTheQuestionsOfTheTurn(t *testing.T) {
	t.Parallel()
	u := asked(t, "1")
	sub := approval("2")
	sub.Subagent = "worker"
	u.tell(sub, event.Done{Reason: "cancelled"})
	if len(u.s.Approvals) != 1 || u.s.Approvals[0].ID != "2" {
		t.Errorf("left %+v", u.s.Approvals)
	}
}

// What the choices would grant is what the list says, also after an edit.
func TestRulesOfAlways(t *testing.T) {
	t.Parallel()
	several := event.Approval{ID: "1", Name: "bash", Pattern: "bash(a *); write_file(log)", Rules: []string{"bash(a *)", "write_file(log)"}}
	tests := []struct {
		name string
		e    event.Approval
		keys []string
		want []string
	}{
		{"a command", event.Approval{ID: "1", Name: "bash", Pattern: "npm *", Rules: []string{"bash(npm *)"}}, nil, []string{"bash(npm *)"}},
		{"a file", event.Approval{ID: "1", Name: "write_file", Pattern: "a/*", Rules: []string{"write_file(a/*)"}}, nil, []string{"write_file(a/*)"}},
		{"a rule of another tool", event.Approval{ID: "1", Name: "bash", Pattern: "write_file(log)", Rules: []string{"write_file(log)"}}, nil, []string{"write_file(log)"}},
		{"several", several, nil, []string{"bash(a *)", "write_file(log)"}},
		{"several, edited", several, []string{"e", "ctrl+u", "bash(b *); bash(c)", "enter"}, []string{"bash(b *)", "bash(c)"}},
		{"one, edited", event.Approval{ID: "1", Name: "bash", Pattern: "x", Rules: []string{"bash(x)"}}, []string{"e", "*", "enter"}, []string{"x*"}},
		{"edited, and back", event.Approval{ID: "1", Name: "bash", Pattern: "x", Rules: []string{"bash(x)"}}, []string{"e", "*", "enter", "e", "backspace", "enter"}, []string{"bash(x)"}},
		{"none", event.Approval{ID: "1", Name: "bash"}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := busy(t)
			u.tell(tt.e)
			u.after(time.Second).answers(tt.keys...)
			if got := u.s.Approvals[0].Rules(); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// What cannot be seen is not answered: a terminal that is too small says only
// that a call waits, and one whose size changes shows nothing to be read.
func TestAnApprovalOutOfSightTakesNoAnswer(t *testing.T) {
	t.Parallel()
	small := func(u *ui, hide bool) {
		if hide {
			u.s = screen.Resize(u.s, 20, 5)
			return
		}
		u.s = screen.Resize(screen.Tick(u.s, u.now), 80, 24)
	}
	covered := func(u *ui, hide bool) { u.s = screen.Covered(u.s, hide, u.now) }
	for name, hide := range map[string]func(*ui, bool){"too small": small, "covered": covered} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, key := range []string{"y", "Y", "1", "a", "p", "2", "n", "d", "e", "enter", "down", "right"} {
				u := asked(t, "1", "2")
				hide(u, true)
				want(t, u.keys(key))
				if a := u.s.Approvals; len(a) != 2 || a[0].ID != "1" || a[0].Cursor != 0 || a[0].Field != screen.NoField {
					t.Errorf("%s moved something: %+v", key, a)
				}
			}
			u := asked(t, "1")
			u.keys("d")
			hide(u, true)
			want(t, u.keys("text", "enter"), screen.Do{Command: host.Decide{ID: "1", Choice: "deny", Message: "text"}})
			u = asked(t, "1")
			u.keys("e")
			hide(u, true)
			want(t, u.keys("enter", "enter", "a", "y")) // the pattern is kept, nothing is allowed
			if a := u.s.Approvals; len(a) != 1 || a[0].Field != screen.NoField {
				t.Errorf("the field stays open: %+v", a)
			}
			u = asked(t, "1")
			hide(u, true)
			want(t, u.keys("ctrl+c"), screen.Do{Command: host.Decide{ID: "1", Choice: "deny"}})

			u = asked(t, "1")
			hide(u, true)
			u.after(time.Second)
			hide(u, false)
			want(t, u.keys("y", "backspace")) // it has only just come back
			u.after(time.Second)
			want(t, u.keys("y"), screen.Do{Command: host.Decide{ID: "1", Choice: "once"}})
		})
	}
}
