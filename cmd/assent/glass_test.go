//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// glass is the real program, in a process of its own, before an emulated
// terminal: what a user sees and types, without tmux.
type glass struct {
	t    testing.TB
	cmd  *exec.Cmd
	tty  *os.File
	cols int

	mu    sync.Mutex
	em    *vt.Emulator
	raw   strings.Builder // all that the program wrote
	ended chan struct{}
}

// behind starts a command before a terminal of a size.
func behind(t testing.TB, cmd *exec.Cmd, cols, rows int) *glass {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)})
	if err != nil {
		t.Fatal(err)
	}
	g := &glass{t: t, cmd: cmd, tty: tty, cols: cols, em: vt.NewEmulator(cols, rows), ended: make(chan struct{})}
	g.em.SetScrollbackSize(50_000)
	go func() {
		defer close(g.ended)
		b := make([]byte, 32<<10)
		for {
			n, err := tty.Read(b)
			g.mu.Lock()
			g.raw.Write(b[:n])
			_, _ = g.em.Write(b[:n])
			g.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	go func() { // what the terminal answers
		b := make([]byte, 1024)
		for {
			n, err := g.em.Read(b)
			if err != nil {
				return
			}
			_, _ = tty.Write(b[:n])
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-g.ended
		_ = cmd.Wait()
		_ = tty.Close()
	})
	return g
}

// named makes the test binary the program: under its own name it is that. The
// folder that holds the link goes first in PATH.
func named(t testing.TB, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "assent"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "assent")
}

// terminal is what a terminal of the time says of itself.
var terminal = []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "SHELL=/bin/sh"}

// rows are all rows, those that scrolled off first.
func (g *glass) rows() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var rows []string
	for y := range g.em.ScrollbackLen() {
		var b strings.Builder
		for x := range g.cols {
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

func (g *glass) all() string { return strings.TrimRight(strings.Join(g.rows(), "\n"), "\n") }

// flat is a text with its blanks and line breaks as one blank each, so that it
// is found however the rows break.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// keys types what a terminal would send.
func (g *glass) keys(s string) {
	g.t.Helper()
	if _, err := g.tty.WriteString(s); err != nil {
		g.t.Fatalf("type %q: %v\n%s", s, err, g.all())
	}
}

// Keys as a terminal sends them.
const (
	keyUp, keyDown, keyEsc = "\x1b[A", "\x1b[B", "\x1b"
	keyEnter, keyTab       = "\r", "\t"
)

// until polls until a condition holds.
func (g *glass) until(what string, holds func() bool) {
	g.t.Helper()
	for end := time.Now().Add(deadline); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			g.t.Fatalf("never: %s\n%s", what, g.all())
		}
	}
}

// see waits until all texts stand anywhere, however the rows break; lose until
// one is gone.
func (g *glass) see(texts ...string) {
	g.t.Helper()
	for _, text := range texts {
		g.until("see "+text, func() bool { return strings.Contains(flat(g.all()), flat(text)) })
	}
}

func (g *glass) lose(text string) {
	g.t.Helper()
	g.until("lose "+text, func() bool { return !strings.Contains(flat(g.all()), flat(text)) })
}

// ready waits until the prompt is there and says nothing but what it offers.
func (g *glass) ready() { g.t.Helper(); g.see("/ commands, @ files") }

// last is the end of all rows from the last row on that holds a text.
func (g *glass) last(text string) string {
	rows := g.rows()
	for i := len(rows) - 1; i >= 0; i-- {
		if strings.Contains(rows[i], text) {
			return strings.TrimRight(strings.Join(rows[i:], "\n"), "\n")
		}
	}
	return ""
}

// ask is the row of a waiting approval that names the call.
const ask = "deny and say what to do instead"

// answer gives a key to the approval that shows these texts, and waits until
// it stands there no more.
func (g *glass) answer(key string, texts ...string) {
	g.t.Helper()
	g.see(append(texts, ask)...)
	g.answerable()
	before := g.asked()
	g.keys(key)
	g.until("an end of the approval", func() bool { return g.asked() != before })
}

// answerable waits until the approval takes keys: those of its choices are bold
// from then on.
func (g *glass) answerable() {
	g.t.Helper()
	g.until("an approval that takes keys", func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		for y := g.em.Height() - 1; y >= 0; y-- {
			row, signs := "", []*uv.Cell{} // what stands there, and its cells that are no blanks
			for x := range g.cols {
				c := g.em.CellAt(x, y)
				if c == nil || strings.TrimSpace(c.Content) == "" {
					row += " "
					continue
				}
				row, signs = row+c.Content, append(signs, c)
			}
			if before, _, ok := strings.Cut(row, ask); ok {
				key := len([]rune(strings.ReplaceAll(before, " ", ""))) - 1
				return key >= 0 && signs[key].Style.Attrs&uv.AttrBold != 0
			}
		}
		return false
	})
}

// asked is the waiting approval as it stands there, "" without one.
func (g *glass) asked() string {
	rows := g.rows()
	for i := len(rows) - 1; i >= 0; i-- {
		if !strings.Contains(rows[i], ask) {
			continue
		}
		for from := i; from >= 0; from-- {
			if strings.HasPrefix(rows[from], "? allow ") {
				return strings.Join(rows[from:i], "\n")
			}
		}
	}
	return ""
}

// leave types /exit, and returns the exit code.
func (g *glass) leave() int {
	g.t.Helper()
	g.keys("/exit\r")
	return g.exit()
}

// exit waits for the end of the program and returns its code.
func (g *glass) exit() int {
	g.t.Helper()
	select {
	case <-g.ended:
	case <-time.After(deadline):
		g.t.Fatalf("the program does not end:\n%s", g.all())
	}
	err := g.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		g.t.Fatal(err)
	}
	return g.cmd.ProcessState.ExitCode()
}
