package screen_test

import (
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/tui/screen"
)

func TestStatus(t *testing.T) {
	t.Parallel()
	u := start(t)
	if st := u.s.Status(); st.Share != -1 || st.HasCost || st.Elapsed != 0 || u.s.Ticking() { // TUI-19
		t.Errorf("at rest %+v", st)
	}
	tests := []struct {
		context, share int
		heat           screen.Heat
	}{
		{0, -1, screen.Calm},
		{10_000, 13, screen.Calm},
		{49_999, 66, screen.Calm},
		{50_000, 66, screen.Amber}, // two thirds
		{67_499, 89, screen.Amber},
		{67_500, 90, screen.Red},
		{1 << 40, 999, screen.Red},
	}
	for _, tt := range tests {
		u := start(t)
		u.tell(event.Usage{Context: tt.context, Window: 100_000, Threshold: 75_000})
		if st := u.s.Status(); st.Share != tt.share || st.Heat != tt.heat {
			t.Errorf("%d: share %d, heat %d", tt.context, st.Share, st.Heat)
		}
	}
	s := screen.New(screen.Options{})
	if st := screen.Apply(s, event.Usage{Context: 25, Window: 100}).Status(); st.Share != -1 {
		t.Errorf("share %d of a threshold that is not known", st.Share)
	}
	u.tell(event.State{Agent: "plan", Model: "m", Level: llm.LevelHigh, Yolo: true}, event.Usage{CostUSD: usd(0.25)}, event.Usage{CostUSD: usd(0.5)})
	if st := u.s.Status(); st.Mode.Agent != "plan" || st.CostUSD != 0.75 || !st.HasCost || st.AtLeast {
		t.Errorf("priced %+v", st)
	}
	u.tell(event.Usage{})
	if st := u.s.Status(); !st.AtLeast {
		t.Errorf("partly priced %+v", st)
	}
	u.tell(event.Prompt{Text: "go"})
	u.after(90 * time.Second).tell(event.Retry{Reason: "overloaded", Attempt: 2, Wait: 5 * time.Second})
	u.after(2 * time.Second).tell()
	if st := u.s.Status(); st.Elapsed != 92*time.Second || st.Retry != "overloaded" || st.Attempt != 2 || st.RetryIn != 3*time.Second || !u.s.Ticking() {
		t.Errorf("waiting %+v", st)
	}
	u.tell(event.Text{Text: "x"})
	if st := u.s.Status(); st.Retry != "" {
		t.Errorf("after the wait %+v", st)
	}
	u.tell(event.Retry{})
	if st := u.s.Status(); st.Retry != "the request failed" || st.RetryIn != 0 {
		t.Errorf("without a time %+v", st)
	}
	u.tell(event.Done{})
	u.after(time.Hour).tell()
	if st := u.s.Status(); st.Elapsed != 92*time.Second || st.Retry != "" || u.s.Ticking() {
		t.Errorf("afterwards %+v", st)
	}
}

// The time of a turn stands still while a question waits for the user, in the
// status and at the end.
func TestTheTimeOfTheUserIsNotTheAgents(t *testing.T) {
	t.Parallel()
	u := start(t)
	elapsed := func(want time.Duration) {
		t.Helper()
		u.tell()
		if got := u.s.Status().Elapsed; got != want {
			t.Errorf("elapsed %v, want %v", got, want)
		}
	}
	u.tell(event.Prompt{Text: "go"})
	u.after(2 * time.Second).tell(approval("1"))
	u.after(40 * time.Second).tell(approval("2"))
	elapsed(2 * time.Second)
	u.after(time.Second).keys("y")
	elapsed(2 * time.Second)
	u.after(20 * time.Second).keys("y")
	u.after(3 * time.Second)
	elapsed(5 * time.Second)
	u.tell(approval("3"))
	u.after(time.Minute).tell(event.ApprovalDone{ID: "3"})
	u.after(time.Second).tell(approval("4"))
	u.after(time.Minute).tell(event.Done{Reason: "cancelled"})
	u.after(time.Minute)
	elapsed(6 * time.Second)
	u.tell(event.Prompt{Text: "again"})
	u.after(4 * time.Second)
	elapsed(4 * time.Second)

	// One that a subagent asks stays open over the end of a turn.
	e := approval("5")
	e.Subagent = "worker"
	u.tell(e, event.Done{}, event.Prompt{Text: "more"})
	u.after(time.Minute)
	elapsed(0)
	u.tell(event.ApprovalDone{ID: "5"})
	u.after(time.Second)
	elapsed(time.Second)
}

// Where the hint does not fit there are shorter ones, that name the same keys.
func TestHintsHaveShorterForms(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.tell(approval("1"))
	u.after(time.Second).tell()
	check := func(width int, want string) {
		t.Helper()
		hints := u.s.Hints()
		if hints[0] != u.s.Hint() {
			t.Errorf("the first of %q is not %q", hints, u.s.Hint())
		}
		for _, h := range hints {
			if len(h) <= width {
				if h != want {
					t.Errorf("in %d cells %q, want %q", width, h, want)
				}
				return
			}
		}
		t.Errorf("none of %q fits into %d cells", hints, width)
	}
	check(100, "esc denies and cancels the turn, ctrl+c only denies; e changes the pattern")
	check(58, "esc cancels the turn, ctrl+c denies, e changes the pattern")
	check(38, "esc cancels, ctrl+c denies, e pattern")
	u.keys("x")
	check(38, "enter sends it; arrows, enter answer")
	u.keys("backspace")
	u.tell(event.Queue{Prompts: []string{"q"}})
	check(38, "enter steers; y a p n d answer")
	u.tell(event.Queue{}, approval("2"))
	u.after(time.Second).tell()
	check(200, "1 of 2, left and right turn; esc denies and cancels the turn, ctrl+c only denies; e changes the pattern")
	check(58, "1 of 2 (left, right); esc cancels the turn, ctrl+c denies")
	check(38, "1 of 2 (left, right); esc, ctrl+c, e")
	u.tell(event.Queue{Prompts: []string{"q"}})
	check(58, "1 of 2 (left, right); enter steers")
}

func TestHintsFollowTheState(t *testing.T) { // TUI-18
	t.Parallel()
	u := busy(t)
	hint := func(want string) {
		t.Helper()
		if got := u.s.Hint(); got != want {
			t.Errorf("hint %q, want %q", got, want)
		}
	}
	hint("esc cancels, enter queues")
	u.tell(event.ToolCall{ID: "1"}, event.ToolRun{ID: "1"})
	hint("ctrl+c ends the command, esc cancels the turn")
	u.tell(event.Queue{Prompts: []string{"q"}})
	hint("enter steers with the first queued prompt, up takes the last one back, esc cancels")
	e := approval("1")
	e.Pattern = ""
	u.tell(e)
	hint("enter steers with the first queued prompt; y n d or arrows and enter answer")
	u.tell(event.Queue{})
	hint("esc denies and cancels the turn, ctrl+c only denies")
	u.after(time.Second).keys("d")
	hint("enter denies and says this, esc goes back")
	u.tell(event.ApprovalDone{ID: "1"}, approval("2"))
	hint("esc denies and cancels the turn, ctrl+c only denies; e changes the pattern")
	u.after(time.Second).keys("e")
	hint("enter keeps the pattern, esc leaves it as it was")
	u.keys("esc", "y")
	u.keys("!x", "enter")
	hint("ctrl+c ends your command")
	u.s, _ = screen.ShellDone(u.s, 0, "", nil)
	u.tell(event.Queue{}, event.Done{})
	hint("/ commands, @ files, # context, ! shell")
	u.keys("x")
	hint("")
}

func TestAlerts(t *testing.T) {
	t.Parallel()
	u := busy(t)
	before := u.s
	u.tell(approval("1"))
	if e, got := screen.Alert(before, u.s); got != "assent asks: bash npm test" || e != "approval.waiting" {
		t.Errorf("alert %s %q", e, got)
	}
	if e, got := screen.Alert(u.s, u.s); got != "" || e != "" {
		t.Errorf("alert %s %q", e, got)
	}
	before = u.s
	u.tell(event.Done{})
	if e, got := screen.Alert(before, u.s); got != "assent is done: go" || e != "turn.done" {
		t.Errorf("alert %s %q", e, got)
	}
}

func TestFarewellAndSize(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.tell(event.Session{ID: "s"}, event.Prompt{Text: "\n  fix the bug \nnow"}, event.Prompt{Text: "x"})
	if f := u.s.Leave(); f != (screen.Farewell{ID: "s", Title: "fix the bug", Prompts: 2}) {
		t.Errorf("farewell %+v", f)
	}
	if u.s.Small() {
		t.Error("80 columns are too small")
	}
	if s := screen.Resize(u.s, 20, 5); !s.Small() {
		t.Error("20x5 is not too small")
	}
	if s := screen.Resize(u.s, -1, 0); s.Width != 1 || s.Height != 1 {
		t.Errorf("size %dx%d", s.Width, s.Height)
	}
}
