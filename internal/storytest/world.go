package storytest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"assent/internal/session"
)

// World is where one telling of a story plays: a workspace and a home that
// nothing else uses.
type World struct {
	// Dir is the workspace, Home the folder of the program's own files, Top
	// holds both.
	Dir, Home, Top string
	// Script is the file that the script provider plays.
	Script string

	t     testing.TB
	front string
	story Story
}

// newWorld builds the world of a story.
func newWorld(t testing.TB, s Story, front string) *World {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &World{
		Dir: filepath.Join(top, "work"), Home: filepath.Join(top, "assent"), Top: top, Script: filepath.Join(top, "model.jsonl"),
		t: t, front: front, story: s,
	}
	w.put(w.Script, s.Model(front))
	w.put(filepath.Join(top, "home", "empty"), "")
	w.put(filepath.Join(w.Dir, ".keep"), "")
	if s.Config != "" {
		w.put(filepath.Join(w.Home, "config.json"), s.Config)
	}
	for name, text := range s.Work {
		w.put(filepath.Join(w.Dir, filepath.FromSlash(name)), text)
	}
	return w
}

func (w *World) put(file, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// Args are the arguments that make the program play the story's model under
// the story's rules.
func (w *World) Args() []string {
	return append([]string{"--provider", "script", "--model", w.Script}, w.story.Flags(w.front)...)
}

// Env is the environment of the program: nothing of the machine's but PATH.
func (w *World) Env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(w.Top, "home"), "ASSENT_HOME=" + w.Home, "TMPDIR=" + w.Top,
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
	}
}

// patience bounds every wait.
const patience = 30 * time.Second

// Until polls until something is true, and fails the test when it never is;
// seen is what to show then.
func (w *World) Until(what string, seen func() string, holds func() bool) {
	w.t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("never: %s\n%s", what, seen())
		}
	}
}

// Has reports whether the workspace has a file.
func (w *World) Has(name string) bool {
	_, err := os.Stat(filepath.Join(w.Dir, filepath.FromSlash(name)))
	return err == nil
}

// Touch makes an empty file of the workspace.
func (w *World) Touch(name string) {
	w.t.Helper()
	w.put(filepath.Join(w.Dir, filepath.FromSlash(name)), "")
}

// Log is the session of the story; ok is false before there is one.
func (w *World) Log() (tree session.Tree, ok bool) {
	files, err := filepath.Glob(filepath.Join(w.Home, "sessions", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		return tree, false
	}
	if len(files) > 1 {
		w.t.Fatalf("one story, %d sessions: %q", len(files), files)
	}
	tree, _, err = session.Load(files[0])
	return tree, err == nil
}

// Turns is how many turns have ended.
func (w *World) Turns() int {
	tree, ok := w.Log()
	if !ok {
		return 0
	}
	n := 0
	for _, e := range tree.Branch("").Entries {
		if _, ended := e.Record.(session.Timing); ended {
			n++
		}
	}
	return n
}
