package paint_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/tui/ink"
	"assent/internal/tui/paint"
	"assent/internal/tui/screen"
)

func text(f paint.Frame) string { return strings.Join(f.Lines, "\n") }

// TestATinyTerminalSaysWhatItNeeds is issue 4's 20 by 5, and what comes back.
func TestATinyTerminalSaysWhatItNeeds(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.edit("half a prompt")
	for _, size := range [][2]int{{20, 5}, {1, 1}, {200, 3}, {10, 50}} {
		st := paint.Style{Width: size[0], Height: size[1]}
		f := paint.Live(screen.Resize(u.s, size[0], size[1]), st)
		sound(t, nil, f, st)
		if size[0] == 20 && (!strings.Contains(text(f), "24x6") || !f.Cursor.Hidden) {
			t.Errorf("%v: %q", size, f.Lines)
		}
	}
	back := paint.Live(screen.Resize(u.s, 80, 24), paint.Style{})
	if !strings.Contains(text(back), "half a prompt") {
		t.Errorf("after it grew: %q", back.Lines)
	}
	u.run(`{"type":"approval","id":"a","name":"bash","title":"ls"}`)
	if f := paint.Live(screen.Resize(u.s, 20, 6), paint.Style{}); !strings.Contains(strings.Join(f.Lines, " "), "a call waits") {
		t.Errorf("a waiting call is not told: %q", f.Lines)
	}
}

// TestWhatGivesWay draws one full state on ever fewer rows.
func TestWhatGivesWay(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.run(`type my draft
{"type":"prompt","text":"go"}
{"type":"step","number":1}
{"type":"tool-call","id":"x","name":"read_file","title":"other.go"}
{"type":"text","text":"tail 1\n\ntail 2\n\ntail 3\n\ntail 4\n\ntail 5"}
{"type":"approval","id":"a","name":"bash","title":"one","detail":"cmd 1\ncmd 2\ncmd 3\ncmd 4\ncmd 5\ncmd 6","pattern":"one *","subjects":[{"text":"one","kind":"command","decision":"ask"}]}
wait 1s`)
	count := func(f paint.Frame, what string) int { return strings.Count(text(f), what) }
	before := 100
	for h := 40; h >= screen.MinHeight; h-- {
		st := paint.Style{Width: 60, Height: h}
		f := paint.Live(screen.Resize(u.s, 60, h), st)
		sound(t, nil, f, st)
		now := map[string]int{"tail": count(f, "tail "), "cmd": count(f, "cmd "), "choice": count(f, "once"), "draft": count(f, "my draft")}
		if now["tail"] > 0 && now["cmd"] < 6 {
			t.Errorf("%d rows: the tail is drawn and the call is not whole:\n%s", h, text(f))
		}
		if now["cmd"] < 6 != f.Clipped {
			t.Errorf("%d rows: clipped is %v with %d of 6 lines of the call", h, f.Clipped, now["cmd"])
		}
		if now["choice"] == 0 || now["draft"] != 1 {
			t.Errorf("%d rows: no choices or no draft:\n%s", h, text(f))
		}
		if now["tail"] > before {
			t.Errorf("%d rows show more of the tail than %d", h, h+1)
		}
		before = now["tail"]
	}
}

func TestQuestionIsWholeOnAPlainTerminal(t *testing.T) {
	t.Parallel()
	// TUI-26: nothing is drawn twice, and the choices are numbered.
	a := screen.Approval{Approval: event.Approval{
		Name: "bash", Title: "make", Detail: "make all\nmake test", Reason: "asks by default", Pattern: "make *", Subagent: "worker",
		Subjects: []event.Subject{{Text: "make all", Kind: "command", Decision: "ask", Pattern: "*", Source: "default"}},
	}}
	got := strings.Join(paint.Question(a, paint.Style{Width: 60}), "\n")
	want := `
? allow bash? asked by the subagent worker
  make all
  make test

  ? make all  asks by ‹*› - default

  why: asks by default

  1  y  allow once
  2  a  always allow bash(make *) in this session
  3  p  always allow bash(make *) in this project
  4  n  deny
  5  d  deny and say what to do instead`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLiveTakesAPromptDrawnByTheTextArea(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.edit("x")
	in := paint.Input{Lines: []string{"\x1b[1mone\x1b[m", "two", "three"}, X: 3, Y: 2}
	f := paint.LiveWith(screen.Resize(u.s, 80, 24), paint.Style{Color: ink.Mono}, in)
	if line := f.Lines[f.Cursor.Y]; line != "  three" || f.Cursor.X != 5 {
		t.Errorf("the cursor is at %d in %q", f.Cursor.X, line)
	}
	// Of a prompt taller than the screen the rows around the cursor are drawn.
	for i := range 50 {
		in.Lines = append(in.Lines, fmt.Sprint("row ", i))
	}
	for _, y := range []int{0, 20, 52, 99, -1} {
		in.Y = y
		f := paint.LiveWith(screen.Resize(u.s, 80, 12), paint.Style{Color: ink.Mono}, in)
		want := in.Lines[min(max(y, 0), len(in.Lines)-1)]
		if got := f.Lines[f.Cursor.Y]; !strings.HasSuffix(got, want) {
			t.Errorf("row %d: the cursor stands in %q, want %q", y, got, want)
		}
	}
}

func TestAHugePromptIsDrawnAroundTheCursor(t *testing.T) {
	t.Parallel()
	for _, s := range []string{strings.Repeat("word ", 1<<20), strings.Repeat("line\n", 1<<20), strings.Repeat("日", 1<<20)} {
		for _, at := range []int{0, len(s) / 2, len(s)} {
			in := paint.Prompt(screen.Snapshot{Text: s, Cursor: at}, paint.Style{Width: 80})
			if len(in.Lines) > 20_000 || in.Y >= len(in.Lines) {
				t.Errorf("%.10q at %d: %d rows, cursor in row %d", s, at, len(in.Lines), in.Y)
			}
		}
	}
}

// BenchmarkLive is the cost of a frame, at turn 1 and at turn 1,000, with
// nothing going on and with much.
func BenchmarkLive(b *testing.B) {
	st := paint.Style{Color: ink.TrueColor}
	busy := `{"type":"prompt","text":"go"}
{"type":"step","number":1}
{"type":"tool-call","id":"x","name":"bash","title":"go test ./..."}
{"type":"tool-output","id":"x","chunk":"a\nb\nc\nd\n"}
{"type":"todos","todos":[{"content":"a","status":"in_progress"}]}`
	fence := "```go\n" + strings.Repeat("func f(x int) error { return g(x) }\n", 800)
	for _, tt := range []struct {
		name  string
		turns int
		more  func(u *ui)
	}{
		{"idle/turn1", 1, func(*ui) {}},
		{"idle/turn1000", 1000, func(*ui) {}},
		{"busy/turn1", 1, func(u *ui) { u.run(busy) }},
		{"busy/turn1000", 1000, func(u *ui) { u.run(busy) }},
		{"fence28KB", 1, func(u *ui) { u.s = screen.Apply(u.s, event.Text{Text: fence}) }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			u := start(b)
			for range tt.turns {
				u.s = screen.Apply(u.s, event.Prompt{Text: "go"})
				u.s = screen.Apply(u.s, event.Text{Text: "Some text.\n\nMore."})
				u.s = screen.Apply(u.s, event.Done{Reason: "stop"})
				u.s, _ = screen.Drain(u.s)
			}
			tt.more(u)
			u.edit("a prompt")
			b.ReportAllocs()
			for b.Loop() {
				paint.Live(u.s, st)
			}
		})
	}
}
