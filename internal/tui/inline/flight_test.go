package inline_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assent/internal/tui/inline"
)

// wrapping is a terminal of single-width characters that keeps all its rows. It
// wraps them anew when its width changes, or leaves them as they are; a
// backspace goes back over a wrap where it rewinds.
type wrapping struct {
	cols, height     int
	reflows, rewinds bool
	rows             []wrapped // the scrollback, and the screen behind it
	top, row, col    int       // of the screen, and of the cursor in all rows
	fixed, full      bool      // does not wrap; stands behind the last cell
}

type wrapped struct {
	text []rune
	more bool // goes on in the next row
}

func (w *wrapping) write(s string) {
	state := byte(0)
	for len(s) > 0 {
		seq, width, n, next := ansi.DecodeSequence(s, state, nil)
		state, s = next, s[n:]
		switch {
		case width > 0:
			w.put([]rune(seq)[0])
		case seq == "\r":
			w.col, w.full = 0, false
		case seq == "\n":
			w.rows[w.row].more = false
			w.feed()
		case seq == "\b":
			w.back()
		case strings.HasPrefix(seq, "\x1b["):
			w.control(seq[2:])
		}
	}
}

func (w *wrapping) put(r rune) {
	if w.full && !w.fixed {
		w.rows[w.row].more = true
		w.feed()
		w.col = 0
	}
	w.full = false
	line := &w.rows[w.row]
	for len(line.text) <= w.col {
		line.text = append(line.text, ' ')
	}
	line.text[w.col] = r
	if w.col == w.cols-1 {
		w.full = true
		return
	}
	w.col++
}

func (w *wrapping) feed() {
	w.row++
	if w.row == len(w.rows) {
		w.rows = append(w.rows, wrapped{})
	}
	w.top = max(w.top, w.row-w.height+1)
	w.full = false
}

func (w *wrapping) back() {
	switch {
	case w.full:
		w.full = false
	case w.col > 0:
		w.col--
	case w.rewinds && w.row > w.top && w.rows[w.row-1].more:
		w.row, w.col = w.row-1, w.cols-1
	}
}

func (w *wrapping) control(seq string) {
	n, err := strconv.Atoi(seq[:len(seq)-1])
	if err != nil {
		n = 1
	}
	if k := seq[len(seq)-1]; k != 'h' && k != 'l' {
		w.full = false
	}
	switch seq[len(seq)-1] {
	case 'A':
		w.row = max(w.row-n, w.top)
	case 'B':
		w.row = min(w.row+n, w.top+w.height-1)
		for len(w.rows) <= w.row {
			w.rows = append(w.rows, wrapped{})
		}
	case 'C':
		w.col = min(w.col+n, w.cols-1)
	case 'G':
		w.col = min(n, w.cols) - 1
	case 'K':
		w.clear(w.row, w.col)
	case 'J':
		w.clear(w.row, w.col)
		for i := w.row + 1; i < len(w.rows); i++ {
			w.clear(i, 0)
		}
	case 'L':
		blank := make([]wrapped, n)
		w.rows = append(w.rows[:w.row:w.row], append(blank, w.rows[w.row:]...)...)
		w.rows, w.col = w.rows[:min(len(w.rows), w.top+w.height)], 0
	case 'h', 'l':
		if seq[:len(seq)-1] == "?7" {
			w.fixed = seq == "?7l"
		}
	default:
		panic("unknown sequence " + seq)
	}
}

func (w *wrapping) clear(row, col int) {
	line := &w.rows[row]
	line.text = line.text[:min(col, len(line.text))]
	if col == 0 {
		line.more = false
		if row > 0 {
			w.rows[row-1].more = false
		}
	}
}

// resize gives the terminal another size. The cursor stays on its character.
func (w *wrapping) resize(cols, height int) {
	if w.reflows && cols != w.cols {
		w.wrap(cols)
	}
	w.cols, w.height, w.full = cols, height, false
	w.col = min(w.col, cols-1)
	w.top = max(len(w.rows)-height, 0)
	for w.row < w.top { // rows below the cursor go before those above
		w.rows, w.top = w.rows[:len(w.rows)-1], w.top-1
	}
}

func (w *wrapping) wrap(cols int) {
	var rows []wrapped
	at, col := 0, 0
	for i := 0; i < len(w.rows); i++ {
		var line []rune
		held, off := false, 0
		for ; ; i++ {
			if i == w.row {
				held, off = true, len(line)+w.col
			}
			line = append(line, w.rows[i].text...)
			if !w.rows[i].more || i == len(w.rows)-1 {
				break
			}
			for len(line)%w.cols > 0 {
				line = append(line, ' ')
			}
		}
		first := len(rows)
		for {
			n := min(len(line), cols)
			rows = append(rows, wrapped{append([]rune(nil), line[:n]...), len(line) > n})
			if line = line[n:]; len(line) == 0 {
				break
			}
		}
		if held {
			at = min(first+off/cols, len(rows)-1)
			col = min(off-(at-first)*cols, cols-1)
		}
	}
	w.rows, w.row, w.col = rows, at, col
}

// text is all that stands there, without wraps.
func (w *wrapping) text() string {
	var b strings.Builder
	for _, row := range w.rows {
		if row.more {
			b.WriteString(string(row.text))
			continue
		}
		b.WriteString(strings.TrimRight(string(row.text), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// Sizes change while frames are on their way, unknown to the painter. Once it
// knows, every printed row stands there once, and nothing of an earlier frame;
// but for live rows, on a terminal that wraps anew and cannot rewind,
// where one frame may meet each change.
func TestFramesInFlight(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct {
		name             string
		reflows, rewinds bool
	}{{"tmux", true, true}, {"a terminal that wraps nothing anew", false, false}, {"another that wraps anew", true, false}} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				fly(t, kind.reflows, kind.rewinds)
			})
		})
	}
}

func fly(t *rapid.T, reflows, rewinds bool) {
	const wide, high = 60, 40
	w := &wrapping{cols: wide, height: high, reflows: reflows, rewinds: rewinds, rows: make([]wrapped, 1)}
	p := inline.Painter{Reflows: reflows, Rewinds: rewinds}
	p.Resize(wide, high)
	var printed []string
	var f inline.Frame
	cut := false // a live row may have been cut at an edge, or stand there twice, and must not stay
	draw := func(more int) {
		var rows []string
		for i := 0; i < len(f.Rows)-1 && !cut && rapid.Bool().Draw(t, "settles"); i++ {
			rows = append(rows, f.Rows[i])
		}
		for range more {
			rows = append(rows, fmt.Sprintf("printed %d %s.", len(printed)+len(rows), strings.Repeat("p", rapid.IntRange(0, 45).Draw(t, "long"))))
		}
		printed = append(printed, rows...)
		f = inline.Frame{}
		for i := range rapid.IntRange(1, 5).Draw(t, "live") {
			f.Rows = append(f.Rows, fmt.Sprintf("live %d.%d %s.", len(printed), i, strings.Repeat("l", rapid.IntRange(0, 45).Draw(t, "wide"))))
		}
		f.Y = rapid.IntRange(0, len(f.Rows)-1).Draw(t, "y")
		f.X = rapid.IntRange(0, len(f.Rows[f.Y])).Draw(t, "x")
		w.write(p.Draw(rows, f))
	}
	draw(0)
	most := 3
	if reflows && !rewinds {
		most = 1
	}
	for range rapid.IntRange(1, 8).Draw(t, "rounds") {
		for range rapid.IntRange(0, most).Draw(t, "unknown") {
			w.resize(rapid.IntRange(25, wide).Draw(t, "cols"), rapid.IntRange(20, high).Draw(t, "height"))
			cut = !rewinds
			draw(rapid.IntRange(0, 2).Draw(t, "more"))
		}
		w.resize(wide, high)
		p.At(w.row - w.top)
		draw(rapid.IntRange(0, 2).Draw(t, "more"))
		cut = false
	}
	want := strings.Join(append(printed, f.Rows...), "\n")
	got := w.text()
	if reflows && !rewinds {
		got, want = onlyPrinted(got), onlyPrinted(want)
	}
	if got != want {
		t.Fatalf("got:\n%s\nwant:\n%s", got, want)
	}
}

// onlyPrinted is a text without its live rows.
func onlyPrinted(text string) string {
	var rows []string
	for row := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(row, "printed") {
			rows = append(rows, row)
		}
	}
	return strings.Join(rows, "\n")
}
