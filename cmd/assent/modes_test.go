//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/term"
)

// written is all that the program wrote.
func (g *glass) written() string {
	return g.Written()
}

// given fails unless every mode that was switched on in what was written is off
// at its end, and the keys are told apart no more.
func given(t testing.TB, out string) {
	t.Helper()
	for _, m := range [][2]string{
		{"\x1b[?2004h", "\x1b[?2004l"},
		{"\x1b[?1004h", "\x1b[?1004l"},
		{"\x1b[>1u", "\x1b[<u"},
		{"\x1b[>4;2m", "\x1b[>4m"},
		{"\x1b[?25l", "\x1b[?25h"},
		{"\x1b[?7l", "\x1b[?7h"},
		{"\x1b[?2026h", "\x1b[?2026l"},
	} {
		if strings.LastIndex(out, m[0]) > strings.LastIndex(out, m[1]) {
			t.Errorf("%q is left on: …%q", m[0], out[max(0, len(out)-200):])
		}
	}
	if strings.Count(out, "\x1b[>1u") != strings.Count(out, "\x1b[<u") {
		t.Errorf("the keys are not given back as often as they were taken: …%q", out[max(0, len(out)-200):])
	}
	for _, never := range []string{"\x1b[?1000h", "\x1b[?1002h", "\x1b[?1003h", "\x1b[?1006h", "\x1b[?1049h", "\x1b]0;", "\x1b]2;", "\x1b[22;", "\x1b[2J", "\x1b[3J"} {
		if strings.Contains(out, never) {
			t.Errorf("wrote %q", never)
		}
	}
}

// TUI-24: the real program gives a real terminal back: its modes and how it
// reads lines, when it is left, ended, and when it breaks down.
func TestTheTerminalIsGivenBack(t *testing.T) {
	t.Parallel()
	ways := []struct {
		name  string
		leave func(*world, *glass)
		code  int
		says  string
	}{
		{"left", func(_ *world, g *glass) { g.keys("/exit\r") }, 0, "assent -r"},
		{"ended", func(w *world, g *glass) { check(w.t, g.cmd.Process.Signal(syscall.SIGTERM)) }, 130, "assent -r"},
		{"broken down", func(w *world, g *glass) {
			check(w.t, os.WriteFile(filepath.Join(filepath.Dir(w.dir), "home", broken), nil, 0o600))
			g.keys("/copy\r")
		}, 1, "assent broke down: broken inside; the report is in "},
		{"suspended before", func(_ *world, g *glass) {
			g.keys("typed\x1a") // nobody continues it, so it goes on by itself
			g.until("the terminal was given away and taken again", func() bool {
				return strings.Count(g.written(), "\x1b[?2004h") == 2
			})
			out := g.written()
			given(g.t, out[:strings.LastIndex(out, "\x1b[?2004h")])
			g.see("> typed")
			g.keys("\x15/exit\r")
		}, 0, "assent -r"},
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			program := "assent"
			if way.code == 1 {
				program = "assent-breaks"
			}
			cmd := exec.Command(program, append(w.script(`{"text":"An answer."}`), "go")...)
			cmd.Dir, cmd.Env = w.dir, append(w.env, terminal...)
			g := behind(t, cmd, 80, 24)
			cooked, err := term.GetState(int(g.tty.Fd())) // as the pty is made
			check(t, err)
			shows := runtime.GOOS == "linux" // others forget it with the last process
			g.see("An answer.", "done")
			way.leave(w, g)
			if code := g.exit(); code != way.code {
				t.Errorf("exit %d, want %d", code, way.code)
			}
			if !strings.Contains(flat(g.all()), way.says) {
				t.Errorf("it does not say %q:\n%s", way.says, g.all())
			}
			given(t, g.written())
			if now, err := term.GetState(int(g.tty.Fd())); shows && (err != nil || *now != *cooked) {
				t.Errorf("the terminal reads lines in another way: %+v, not %+v", now, cooked)
			}
		})
	}
}
