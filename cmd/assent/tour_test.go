//go:build unix

package main

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assent/internal/tui/screen"
)

// stop is one command of the tour: what is typed, what the screen must show
// then, and what else must be true.
type stop struct {
	command string
	keys    []string // each is typed when the texts of the one before are there
	see     []string
	check   func(t *testing.T, g *glass, w *world)
}

// command types a command. Its menu is closed by the enter.
func command(text string) []string { return []string{"/" + text + keyEnter} }

// TestTour goes through every command of the table in one session of the real
// program, with a real model server on loopback.
func TestTour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repository()
	w.env = append(w.env, terminal...)
	_, flags := w.serve("text The **first** answer.\nusage 1000 20 0 0 0\n")
	cmd := w.command(flags...)
	g := behind(t, cmd, 110, 45)
	g.ready()
	g.keys("a first question\r")
	g.see("The first answer.", "done")
	seen := map[string]bool{}
	for _, s := range tour() {
		name, _, _ := strings.Cut(s.command, " ")
		seen[name] = true
		t.Log(s.command)
		keys := s.keys
		if keys == nil {
			keys = command(s.command)
		}
		for i, k := range keys {
			g.keys(k)
			if i < len(keys)-1 {
				g.see(s.see[i])
			}
		}
		g.see(s.see[len(keys)-1:]...)
		if s.check != nil {
			s.check(t, g, w)
		}
	}
	if code := g.leave(); code != 0 {
		t.Errorf("/exit: code %d", code)
	}
	if !strings.Contains(g.all(), "assent -r ") {
		t.Errorf("/exit says no way back:\n%s", g.all())
	}
	seen["exit"] = true
	for _, c := range screen.Commands() {
		if !seen[c.Name] {
			t.Errorf("the tour lacks /%s", c.Name)
		}
	}
}

func tour() []stop {
	return []stop{
		{command: "help", see: []string{"▸ Help", "the sessions of this folder", "search earlier prompts"}, check: func(t *testing.T, g *glass, _ *world) {
			help := flat(g.last("▸ Help"))
			for _, c := range screen.Commands() {
				if !strings.Contains(help, "/"+c.Name) || !strings.Contains(help, c.Help) {
					t.Errorf("/help lacks /%s: %s", c.Name, c.Help)
				}
			}
		}},
		{command: "agent", keys: []string{"/agent\r", "plan\r"}, see: []string{"review", "plan · claude-sonnet-4-5"}},
		{command: "agent default", see: []string{"default · claude-sonnet-4-5"}},
		{command: "think high", see: []string{"claude-sonnet-4-5 · high"}},
		{command: "think", keys: []string{"/think\r", "low\r"}, see: []string{"medium", "claude-sonnet-4-5 · low"}},
		{command: "models", see: []string{"▸ Models", "model-a", "model-b"}},
		{command: "model", keys: []string{"/model\r", "model-b\r"}, see: []string{"❯ model-a", "default · model-b"}},
		{command: "model claude-sonnet-4-5", see: []string{"default · claude-sonnet-4-5"}},
		{command: "provider", keys: []string{"/provider\r", keyEsc}, see: []string{"key found in ANTHROPIC_API_KEY", "/ commands, @ files"}},
		{command: "tools", see: []string{"▸ tools", "bash", "exec", "git_diff"}},
		{command: "permissions", see: []string{"▸ permissions", "writing, running and the network ask"}},
		{command: "context", see: []string{"▸ context", "tool schemas", "together"}},
		{command: "cost", see: []string{"▸ cost", "cache read", "Cost: $0.0033"}},
		{command: "sessions", see: []string{"▸ Sessions", "a first question"}},
		{command: "export talk.md", see: []string{"▸ export", "talk.md"}, check: func(t *testing.T, _ *glass, w *world) {
			text, err := os.ReadFile(filepath.Join(w.dir, "talk.md"))
			if err != nil || !strings.Contains(string(text), "The **first** answer.") {
				t.Errorf("the export: %v\n%s", err, text)
			}
		}},
		{command: "copy", see: []string{"Copied the last answer"}, check: func(t *testing.T, g *glass, _ *world) {
			if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("The **first** answer.")); !strings.Contains(g.Written(), want) {
				t.Error("/copy: the clipboard was not told the answer")
			}
		}},
		{command: "diff", see: []string{"▸ diff", "before", "after"}},
		{command: "config", see: []string{"▸ config", "provider"}},
		{command: "config agent plan", see: []string{"agent is set in", "holds from the next start on"}, check: func(t *testing.T, g *glass, w *world) {
			file := filepath.Join(w.home, "config.json")
			g.until("the field in the config", func() bool {
				text, err := os.ReadFile(file)
				return err == nil && regexp.MustCompile(`"agent":\s*"plan"`).Match(text)
			})
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the config: %v %v", info, err)
			}
		}},
		{command: "theme", keys: []string{"/theme\r", "dark\r"}, see: []string{"❯ auto", "/ commands, @ files"}, check: func(_ *testing.T, g *glass, w *world) {
			g.until("the theme in the config", func() bool {
				text, err := os.ReadFile(filepath.Join(w.home, "config.json"))
				return err == nil && regexp.MustCompile(`"theme":\s*"dark"`).Match(text)
			})
		}},
		{command: "doctor", see: []string{"▸ doctor", "git", "workspace"}},
		{command: "fork", see: []string{"assent dev resumed", "forked from"}},
		{command: "clear", see: []string{"/ commands, @ files"}, check: func(_ *testing.T, g *glass, _ *world) {
			g.until("a third session", func() bool { return len(sessions(g)) == 3 })
		}},
		{command: "resume", keys: []string{"/resume\r", "first\r"}, see: []string{"❯ a first question", "default · claude-sonnet-4-5"}},
	}
}

// sessions are the ids that the banners name.
func sessions(g *glass) []string {
	var ids []string
	for _, id := range regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).FindAllString(g.all(), -1) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// repository makes the workspace a git repository with one change that is not
// committed.
func (w *world) repository() {
	w.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		w.t.Skip("git is not installed: /diff needs it")
	}
	w.write("box.txt", "before\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "begin"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = w.dir, w.env
		if out, err := cmd.CombinedOutput(); err != nil {
			w.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	w.write("box.txt", "after\n")
}
