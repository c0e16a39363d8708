package app

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assent/internal/tui"
)

// The user may leave while another conversation is being opened: it is closed
// as well, and its empty session leaves nothing behind.
func TestLeavingWhileAnotherConversationOpens(t *testing.T) {
	t.Parallel()
	for _, had := range []bool{false, true} {
		w := newWorld(t)
		f := w.script(`{"text":"never"}`)
		f.Print = false
		a := w.app()
		s := &seat{app: a, flags: f}
		if had {
			h, err := a.open(t.Context(), s.telling(f), false)
			if err != nil {
				t.Fatal(err)
			}
			s.host = h
		}
		opens, goes := make(chan struct{}), make(chan struct{})
		lookup, first := a.env.Lookup, true // one goroutine opens
		a.env.Lookup = func(name string) (string, bool) {
			if first {
				first = false
				close(opens)
				<-goes
			}
			return lookup(name)
		}
		changed := make(chan error, 1)
		go func() {
			_, err := s.change(t.Context(), tui.Target{})
			changed <- err
		}()
		<-opens
		left := make(chan struct{})
		go func() {
			defer close(left)
			s.leave()
		}()
		for gone := false; !gone; runtime.Gosched() {
			s.mu.Lock()
			gone = s.left
			s.mu.Unlock()
		}
		close(goes)
		if err := <-changed; err == nil {
			t.Errorf("had one %t: the other conversation was opened for nobody", had)
		}
		<-left
		err := filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.Contains(d.Name(), ".jsonl") {
				t.Errorf("had one %t: left behind: %s", had, path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// shell.login holds for the user's own commands too: it is where what is
// missing is found missing (SHEL-23).
func TestTheUsersOwnCommandsHaveTheLoginEnvironment(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	home := t.TempDir()
	put(t, filepath.Join(home, ".bash_profile"), "export WHO=profile\n")
	t.Setenv("HOME", home)
	t.Setenv("SHELL", bash)
	for config, want := range map[string]string{`{"shell":{"login":true}}`: "profile\n", `{}`: "\n"} {
		w := newWorld(t)
		w.config(config)
		f := w.script(`{"text":"never"}`)
		f.Print = false
		s := &seat{app: w.app(), flags: f}
		h, err := s.app.open(t.Context(), s.telling(f), false)
		if err != nil {
			t.Fatal(err)
		}
		s.host = h
		l, err := s.app.load(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, out, err := s.options(l).Shell(t.Context(), "echo $WHO", nil); err != nil || out != want {
			t.Errorf("%s: %q, %v", config, out, err)
		}
		s.leave()
	}
}
