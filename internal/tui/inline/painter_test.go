package inline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"

	"assent/internal/tui/inline"
)

// glass is a terminal that remembers all its rows.
type glass struct {
	em      *vt.Emulator
	written int
}

func newGlass(cols, rows int) *glass {
	em := vt.NewEmulator(cols, rows)
	em.SetScrollbackSize(100_000)
	return &glass{em: em}
}

func (g *glass) write(s string) {
	g.written += len(s)
	_, _ = g.em.WriteString(s)
}

// all is every row, the scrollback first, without empty rows at the end.
func (g *glass) all() []string {
	var rows []string
	for y := range g.em.ScrollbackLen() {
		var b strings.Builder
		for x := range g.em.Width() {
			if c := g.em.ScrollbackCellAt(x, y); c != nil && c.Content != "" {
				b.WriteString(c.Content)
			} else if c == nil || c.Width > 0 {
				b.WriteByte(' ')
			}
		}
		rows = append(rows, strings.TrimRight(b.String(), " "))
	}
	for row := range strings.SplitSeq(g.em.String(), "\n") {
		rows = append(rows, strings.TrimRight(row, " "))
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

func TestDrawWritesWhatDiffers(t *testing.T) {
	t.Parallel()
	f := func(rows ...string) inline.Frame { return inline.Frame{Rows: rows, X: 2, Y: len(rows) - 1} }
	tests := []struct {
		name    string
		old     inline.Frame
		printed []string
		next    inline.Frame
		want    string
	}{
		{"nothing", f("a", "> "), nil, f("a", "> "), ""},
		{"a typed letter", f("a", "> x"), nil, inline.Frame{Rows: []string{"a", "> xy"}, X: 4, Y: 1}, "\x1b[4Gy"},
		{"one row of three", f("a", "b", "> "), nil, f("a", "c", "> "), "\x1b[?25l\x1b[A\rc\x1b[K\x1b[B\x1b[3G\x1b[?25h"},
		{"a row that settles is left behind", f("done", "tail", "> "), []string{"done"}, f("tail", "> "), ""},
		{"a row is printed above", f("> "), []string{"new"}, f("> "), "\x1b[?25l\r\x1b[K\x1b[C\x1b[J\rnew\r\n> \x1b[?25h"},
		{"rows that stay are pushed down", f("tail", "> ", "status"), nil, f("tail", "more", "> ", "status"), "\x1b[?25l\r\n\x1b[2A\x1b[Lmore\x1b[2B\x1b[3G\x1b[?25h"},
		{"rows that go are erased", f("a", "b", "> "), nil, f("> "), "\x1b[?25l\x1b[2A\r> \x1b[K\x1b[B\r\x1b[J\x1b[A\x1b[3G\x1b[?25h"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var p inline.Painter
			p.Resize(20, 10)
			p.Draw(nil, tt.old)
			if got := p.Draw(tt.printed, tt.next); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TUI-02: a frame that the terminal can synchronise is one frame.
func TestSynchronisedFrame(t *testing.T) {
	t.Parallel()
	p := inline.Painter{Sync: true}
	p.Resize(20, 10)
	got := p.Draw(nil, inline.Frame{Rows: []string{"a"}})
	if !strings.HasPrefix(got, "\x1b[?2026h") || !strings.HasSuffix(got, "\x1b[?2026l") {
		t.Errorf("not synchronised: %q", got)
	}
}

// TUI-01, TUI-04, TUI-07: printed rows are in the scrollback once and in order,
// whatever is drawn below them, and nothing clears the screen.
func TestLawsOnATerminal(t *testing.T) {
	t.Parallel()
	pieces := []string{"", "a", "hello world", "日本語", "\x1b[1mbold\x1b[m", "x y z", "👩‍👩‍👧 family", "éé"}
	plain := strings.NewReplacer("\x1b[1m", "", "\x1b[m", "")
	rapid.Check(t, func(t *rapid.T) {
		cols, height := rapid.IntRange(26, 34).Draw(t, "cols"), rapid.IntRange(3, 8).Draw(t, "height")
		g := newGlass(cols, height)
		p := inline.Painter{Sync: rapid.Bool().Draw(t, "sync")}
		p.Resize(cols, height)
		var scrollback []string
		var f inline.Frame
		for n := range rapid.IntRange(1, 25).Draw(t, "frames") {
			var printed []string
			// Some of what was live settles, as answers do.
			for i := 0; i < len(f.Rows) && rapid.Bool().Draw(t, "settles"); i++ {
				printed = append(printed, f.Rows[i])
			}
			for i := range rapid.SampledFrom([]int{0, 0, 1, 2, 20}).Draw(t, "more") {
				printed = append(printed, fmt.Sprintf("%d.%d %s", n, i, rapid.SampledFrom(pieces).Draw(t, "line")))
			}
			f = inline.Frame{Rows: rapid.SliceOfN(rapid.SampledFrom(pieces), 1, height-1).Draw(t, "rows"), Hide: rapid.Bool().Draw(t, "hide")}
			f.Rows[len(f.Rows)-1] += "."
			if height > 5 && rapid.Bool().Draw(t, "foot") { // as a prompt and a status line are
				f.Rows = append(f.Rows[:min(len(f.Rows), height-4)], "> ", "status", "hint.")
			}
			f.Y = rapid.IntRange(0, len(f.Rows)-1).Draw(t, "y")
			f.X = rapid.IntRange(0, cols-1).Draw(t, "x")
			scrollback = append(scrollback, printed...)
			out := p.Draw(printed, f)
			g.write(out)
			if strings.Contains(out, "\x1b[2J") || strings.Contains(out, "\x1b[3J") {
				t.Fatalf("clears: %q", out)
			}
			want := strings.Split(strings.TrimRight(plain.Replace(strings.Join(append(scrollback[:len(scrollback):len(scrollback)], f.Rows...), "\n")), " "), "\n")
			for i := range want {
				want[i] = strings.TrimRight(want[i], " ")
			}
			if got := g.all(); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Fatalf("frame %d:\n%s\nwant:\n%s\nwrote %q", n, strings.Join(got, "\n"), strings.Join(want, "\n"), out)
			}
			if at := g.em.CursorPosition(); !f.Hide && (at.X != f.X || at.Y != len(want)-len(f.Rows)+f.Y-g.em.ScrollbackLen()) {
				t.Fatalf("frame %d: cursor at %v, want column %d of live row %d", n, at, f.X, f.Y)
			}
			if g.em.CursorHidden() != f.Hide {
				t.Fatalf("frame %d: hidden %v, want %v", n, g.em.CursorHidden(), f.Hide)
			}
		}
		g.write(p.Clear())
		for i := range scrollback {
			scrollback[i] = strings.TrimRight(plain.Replace(scrollback[i]), " ")
		}
		if got := strings.Join(g.all(), "\n"); got != strings.TrimRight(strings.Join(scrollback, "\n"), "\n") {
			t.Fatalf("after all:\n%s\nwant:\n%s", got, strings.Join(scrollback, "\n"))
		}
	})
}

// TUI-08: after a change of size all live rows are drawn again, and what was
// printed stays.
func TestResizeDrawsAgain(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{20, 4}, {20, 10}, {10, 6}, {40, 6}} {
		g := newGlass(20, 6)
		var p inline.Painter
		p.Resize(20, 6)
		f := inline.Frame{Rows: []string{"one", "two", "> "}, X: 2, Y: 2}
		g.write(p.Draw([]string{"printed"}, f))
		g.em.Resize(size[0], size[1])
		p.Resize(size[0], size[1])
		f.Rows[0] = "uno"
		g.write(p.Draw([]string{"more"}, f))
		if got, want := strings.Join(g.all(), "|"), "printed|more|uno|two|>"; got != want {
			t.Errorf("%v: got %s, want %s", size, got, want)
		}
	}
}

// A terminal that wraps rows anew has moved the live rows: what is above them
// must be left alone.
func TestReflow(t *testing.T) {
	t.Parallel()
	p := inline.Painter{Reflows: true}
	p.Resize(20, 10)
	p.Draw(nil, inline.Frame{Rows: []string{strings.Repeat("x", 19), "> "}, X: 2, Y: 1})
	p.Resize(10, 10)
	if got := p.Draw(nil, inline.Frame{Rows: []string{"x", "> "}, X: 2, Y: 1}); !strings.Contains(got, "\r\x1b[2A\x1b[K\x1b[C\x1b[J\r") {
		t.Errorf("the row of 19 takes two rows of 10 above the cursor: %q", got)
	}
}

// A frame costs what differs: nothing of it grows with what was printed.
func BenchmarkDraw(b *testing.B) {
	for _, lines := range []int{100, 100_000} {
		b.Run(fmt.Sprint(lines, " printed"), func(b *testing.B) {
			var p inline.Painter
			p.Resize(80, 24)
			for range lines {
				p.Draw([]string{"a line of an answer"}, inline.Frame{Rows: []string{"tail", "> "}})
			}
			n := 0
			for b.Loop() {
				n++
				p.Draw(nil, inline.Frame{Rows: []string{fmt.Sprint("tail ", n), "> ", "status"}})
			}
		})
	}
}

// What is known of where the cursor stands decides how far is climbed: never
// over the top of the screen, over rows wrapped for the width that holds now
// whatever widths came between, and again over what comes back when it grows.
func TestClimb(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 18)
	tests := []struct {
		name  string
		frame inline.Frame
		sizes [][3]int // columns, rows, row of the cursor (-1: not told)
		want  []string // the beginning of each next frame
	}{
		{"wrapped", inline.Frame{Rows: []string{long, "> "}, X: 2, Y: 1}, [][3]int{{10, 10, 7}}, []string{"\r\x1b[2A\x1b[K"}},
		{"there and back", inline.Frame{Rows: []string{long, "> "}, X: 2, Y: 1}, [][3]int{{10, 10, -1}, {20, 9, 7}}, []string{"", "\r\x1b[A\x1b[K"}},
		{"a cursor behind a full row", inline.Frame{Rows: []string{"> " + long[:8]}, X: 10, Y: 0}, [][3]int{{10, 10, 7}}, []string{"\r\x1b[K"}},
		{"a wide one at the edge", inline.Frame{Rows: []string{"aaaaaaaaa日本語", "> "}, Y: 1}, [][3]int{{10, 10, 7}}, []string{"\r\x1b[2A\x1b[K"}},
		{"over the top", inline.Frame{Rows: []string{"a", "b", "c", "> "}, Y: 3}, [][3]int{{20, 3, 2}, {20, 10, 3}}, []string{"\r\x1b[2A\x1b[K", "\r\x1b[3A\x1b[K"}},
		{"nothing is told", inline.Frame{Rows: []string{"a", "b", "> "}, Y: 2}, [][3]int{{19, 10, -1}}, []string{"\r\x1b[2A\x1b[K"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := inline.Painter{Reflows: true, Sync: true}
			p.Resize(20, 10)
			p.Draw(nil, tt.frame)
			for i, size := range tt.sizes {
				p.Resize(size[0], size[1])
				if size[2] >= 0 {
					p.At(size[2])
				}
				if tt.want[i] == "" {
					continue
				}
				next := inline.Frame{Rows: []string{"x", "y", "> "}, Y: 2}
				if out := p.Draw(nil, next); !strings.HasPrefix(out, "\x1b[?2026h"+tt.want[i]) {
					t.Errorf("size %v: wrote %q, want %q", size, out, tt.want[i])
				}
			}
		})
	}
}

// Tmux keeps what is erased from the first cell of the screen on in its
// scrollback, so no erasing may begin there.
func TestNothingIsErasedFromTheFirstCell(t *testing.T) {
	t.Parallel()
	p := inline.Painter{Reflows: true}
	p.Resize(20, 5)
	p.Draw(nil, inline.Frame{Rows: []string{"a", "> "}, Y: 1})
	p.At(1)
	for _, out := range []string{p.Draw(nil, inline.Frame{Rows: []string{"b", "> "}, Y: 1}), p.Clear()} {
		if strings.Contains(out, "A\x1b[J") || strings.Contains(out, "\r\x1b[J") || !strings.Contains(out, "\x1b[C\x1b[J") {
			t.Errorf("wrote %q", out)
		}
	}
}
