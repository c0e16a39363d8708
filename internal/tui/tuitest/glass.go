// Package tuitest holds an emulated terminal before a front, to see what its
// user sees.
//
// It owns the emulator, what was written into it, and the rows, those that
// scrolled off as well. It must never know what draws or who types: a test
// writes into it what a program wrote. It is for tests only.
package tuitest

import (
	"io"
	"strings"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

const (
	// scrolled is how many rows are kept that scrolled off, mostRaw how many
	// bytes of what was written.
	scrolled = 200_000
	mostRaw  = 16 << 20
)

// Glass is an emulated terminal with everything that scrolled off it. It may be
// used by several goroutines.
type Glass struct {
	mu  sync.Mutex
	em  *vt.Emulator
	raw strings.Builder
	n   int
}

// New makes a terminal of a size in cells.
func New(cols, rows int) *Glass {
	em := vt.NewEmulator(cols, rows)
	em.SetScrollbackSize(scrolled)
	return &Glass{em: em}
}

// Write takes in what a program writes.
func (g *Glass) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n += len(b)
	if g.raw.Len() < mostRaw {
		g.raw.Write(b)
	}
	return g.em.Write(b)
}

// Read waits for what the terminal answers to what was written, until Close.
func (g *Glass) Read(b []byte) (int, error) { return g.em.Read(b) }

// Close ends the answers.
func (g *Glass) Close() error {
	return g.em.InputPipe().(io.Closer).Close() // Close of the emulator races with Read
}

// Size is the size in cells.
func (g *Glass) Size() (cols, rows int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.em.Width(), g.em.Height()
}

// Resize gives it another size.
func (g *Glass) Resize(cols, rows int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.em.Resize(cols, rows)
}

// Rows are all rows without the blanks at their ends, those that scrolled off
// first.
func (g *Glass) Rows() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var rows []string
	for y := range g.em.ScrollbackLen() {
		var b strings.Builder
		for x := range g.em.Width() {
			switch c := g.em.ScrollbackCellAt(x, y); {
			case c != nil && c.Content != "":
				b.WriteString(c.Content)
			case c == nil || c.Width > 0:
				b.WriteByte(' ')
			}
		}
		rows = append(rows, strings.TrimRight(b.String(), " "))
	}
	for row := range strings.SplitSeq(g.em.String(), "\n") {
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return rows
}

// All is all rows as a text, without the empty ones at the end.
func (g *Glass) All() string { return strings.TrimRight(strings.Join(g.Rows(), "\n"), "\n") }

// Cells are the cells that the terminal shows now, row by row; nil where there
// is none.
func (g *Glass) Cells() [][]*uv.Cell {
	g.mu.Lock()
	defer g.mu.Unlock()
	rows := make([][]*uv.Cell, g.em.Height())
	for y := range rows {
		for x := range g.em.Width() {
			c := g.em.CellAt(x, y)
			if c != nil {
				c = c.Clone()
			}
			rows[y] = append(rows[y], c)
		}
	}
	return rows
}

// Before is the last cell that is no blank before a text, in the lowest row
// that shows it; nil when none does.
func (g *Glass) Before(text string) *uv.Cell {
	rows := g.Cells()
	for y := len(rows) - 1; y >= 0; y-- {
		row, signs := "", []*uv.Cell{}
		for _, c := range rows[y] {
			if c == nil || strings.TrimSpace(c.Content) == "" {
				row += " "
				continue
			}
			row, signs = row+c.Content, append(signs, c)
		}
		if before, _, ok := strings.Cut(row, text); ok {
			if n := len([]rune(strings.ReplaceAll(before, " ", ""))); n > 0 {
				return signs[n-1]
			}
			return nil
		}
	}
	return nil
}

// Cursor is where the cursor stands, and the row that it stands on.
func (g *Glass) Cursor() (x int, row string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := g.em.CursorPosition()
	rows := strings.Split(g.em.String(), "\n")
	return at.X, strings.TrimRight(rows[at.Y], " ")
}

// Written is what was written, the first 16 MB of it.
func (g *Glass) Written() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.raw.String()
}

// Bytes is how many bytes were written.
func (g *Glass) Bytes() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n
}
