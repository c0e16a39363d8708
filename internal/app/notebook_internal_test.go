package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/proc"
	"assent/internal/prompt"
	"assent/internal/provider/providertest"
)

// repository makes the project a repository on the branch main, with a commit
// and with work that is not committed.
func (w *world) repository() {
	w.t.Helper()
	w.write("kept.txt", "one\n")
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"add", "kept.txt"},
		{"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "first"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = w.root
		cmd.Env = append(os.Environ(), "HOME="+w.env["HOME"], "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			w.t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	w.write("kept.txt", "two\n")
	w.write("new.txt", "three\n")
}

// bodies are the requests of conversations that a server was sent.
func bodies(s *providertest.Server) (list []string) {
	for _, r := range s.Requests() {
		if strings.Contains(string(r.Body), `"messages"`) {
			list = append(list, string(r.Body))
		}
	}
	return list
}

// The model is told nothing of the state of a repository that nobody looked
// at, and it is told the shell that its commands run in.
func TestWhatTheModelIsToldOfARepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repository()
	w.env["SHELL"] = "/usr/bin/fish"
	s := providertest.Start(t, "text hello")
	if code, err := w.run(Flags{Provider: "custom-openai", Model: "m", BaseURL: s.URL()}, "hi"); code != 0 || err != nil {
		t.Fatalf("code %d, %v, %s", code, err, &w.err)
	}
	body := bodies(s)[0]
	if !strings.Contains(body, "git branch: main") {
		t.Errorf("the branch is not told: %s", body)
	}
	if strings.Contains(body, "clean") {
		t.Errorf("the model is told that a repository with uncommitted work is clean: %s", body)
	}
	argv, err := proc.Shell("")
	if err != nil {
		t.Fatal(err)
	}
	shell := filepath.Base(argv[0])
	if strings.Contains(body, "fish") || !strings.Contains(body, ", "+shell+`\n`) {
		t.Errorf("the model is told another shell than %s: %s", shell, body)
	}
}

// What changes while the model works is told at the next step: the branch that
// it checked out itself, and the day.
func TestTheEnvironmentIsReadAtEveryStep(t *testing.T) {
	t.Parallel()
	t.Run("branch", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.repository()
		s := providertest.Start(t, `call bash {"command":"git checkout -q -b feature"}
---
text done`)
		f := Flags{Provider: "custom-openai", Model: "m", BaseURL: s.URL(), Yolo: true}
		if code, err := w.run(f, "hi"); code != 0 || err != nil {
			t.Fatalf("code %d, %v, %s", code, err, &w.err)
		}
		first, second := bodies(s)[0], bodies(s)[1]
		if strings.Contains(first, "git branch: feature") || !strings.Contains(second, "git branch: feature") {
			t.Errorf("the branch of the second step is not told: %s", second)
		}
	})
	t.Run("day", func(t *testing.T) {
		t.Parallel()
		now := time.Date(2026, 10, 1, 23, 59, 0, 0, time.UTC)
		n := &notebook{place: prompt.Environment{Dir: t.TempDir()}, now: func() time.Time { return now }}
		for _, want := range []string{"2026-10-01", "2026-10-02"} {
			if notes := n.current(nil); !strings.Contains(notes[0].Text, "date: "+want) {
				t.Errorf("got %q, want the day %s", notes[0].Text, want)
			}
			now = now.Add(time.Hour)
		}
	})
}
