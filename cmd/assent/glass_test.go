//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/creack/pty"

	"assent/internal/tui/tuitest"
)

// glass is the real program, in a process of its own, before an emulated
// terminal: what a user sees and types, without tmux.
type glass struct {
	*tuitest.Glass
	t     testing.TB
	cmd   *exec.Cmd
	tty   *os.File
	ended chan struct{}
}

// behind starts a command before a terminal of a size.
func behind(t testing.TB, cmd *exec.Cmd, cols, rows int) *glass {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)})
	if err != nil {
		t.Fatal(err)
	}
	g := &glass{t: t, Glass: tuitest.New(cols, rows), cmd: cmd, tty: tty, ended: make(chan struct{})}
	go func() {
		defer close(g.ended)
		b := make([]byte, 32<<10)
		for {
			n, err := tty.Read(b)
			_, _ = g.Write(b[:n])
			if err != nil {
				return
			}
		}
	}()
	go func() { // what the terminal answers
		b := make([]byte, 1024)
		for {
			n, err := g.Read(b)
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

func (g *glass) rows() []string { return g.Rows() }
func (g *glass) all() string    { return g.All() }

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
	if key == "a" || key == "p" {
		key += keyEnter // what lasts waits for it, or for a moment
	}
	g.keys(key)
	g.until("an end of the approval", func() bool { return g.asked() != before })
}

// answerable waits until the approval takes keys: those of its choices are bold
// from then on.
func (g *glass) answerable() {
	g.t.Helper()
	g.until("an approval that takes keys", func() bool {
		key := g.Before(ask)
		return key != nil && key.Style.Attrs&uv.AttrBold != 0
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
