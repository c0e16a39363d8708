package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
	"go.uber.org/goleak"

	"assent/internal/event"
	"assent/internal/host"
)

func TestMain(m *testing.M) {
	keyring.MockInit() // no test reads the keyring of who runs it
	goleak.VerifyTestMain(m)
}

// world is a machine with nothing set up: a home, a project, an environment.
type world struct {
	t        *testing.T
	home     string // holds config.json and everything else
	root     string
	env      map[string]string
	out, err bytes.Buffer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	return &world{t: t, home: home, root: root, env: map[string]string{"ASSENT_HOME": home, "HOME": t.TempDir(), "PATH": os.Getenv("PATH")}}
}

// app is the program as it is started in this world.
func (w *world) app() *App {
	w.out.Reset()
	w.err.Reset()
	return New(Env{Version: "1.2.3", Out: &w.out, Err: &w.err, Lookup: func(name string) (string, bool) {
		v, ok := w.env[name]
		return v, ok
	}})
}

// write makes a file of the project.
func (w *world) write(name, text string) {
	w.t.Helper()
	put(w.t, filepath.Join(w.root, filepath.FromSlash(name)), text)
}

// config makes the user's config.
func (w *world) config(text string) {
	w.t.Helper()
	put(w.t, filepath.Join(w.home, "config.json"), text)
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// script makes a script of lines and returns the flags that play it here.
func (w *world) script(lines ...string) Flags {
	w.t.Helper()
	file := filepath.Join(w.t.TempDir(), "model.jsonl")
	put(w.t, file, strings.Join(lines, "\n"))
	return Flags{Provider: "script", Model: file, Dir: w.root, Print: true}
}

// open opens a conversation that somebody can be asked in.
func (w *world) open(f Flags) *host.Host {
	w.t.Helper()
	h, err := w.app().open(w.t.Context(), f, false)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := h.Do(context.Background(), host.Close{}); err != nil {
			w.t.Error(err)
		}
	})
	return h
}

// run carries out one headless turn.
func (w *world) run(f Flags, prompt string) (int, error) {
	f.Print, f.Dir = true, w.root
	return w.app().Run(w.t.Context(), f, []string{prompt})
}

// turn submits a prompt and follows it to its end.
func turn(t *testing.T, h *host.Host, c *event.Cursor, prompt string) []event.Event {
	t.Helper()
	if err := h.Do(t.Context(), host.Submit{Text: prompt}); err != nil {
		t.Fatal(err)
	}
	return follow(t, c)
}

// follow reads events to the end of a turn.
func follow(t *testing.T, c *event.Cursor) []event.Event {
	t.Helper()
	_, all := waitFor[event.Done](t, c)
	return all
}

// waitFor reads events until one of a type comes, and returns all that came up
// to the end of its batch. One that is told beside it is not waited for again.
func waitFor[E event.Event](t *testing.T, c *event.Cursor) (found E, all []event.Event) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute) // it ends what would hang
	defer stop()
	for {
		events, err := c.Next(ctx)
		if err != nil {
			t.Fatalf("waiting for %T: %v; told so far: %v", found, err, all)
		}
		all = append(all, events...)
		for _, e := range events {
			if e, ok := e.(E); ok {
				return e, all
			}
		}
	}
}

// ask asks a query that must be answered.
func ask[A host.Answer](t *testing.T, h *host.Host, q host.Query) A {
	t.Helper()
	answer, err := h.Ask(t.Context(), q)
	if err != nil {
		t.Fatalf("%T: %v", q, err)
	}
	return answer.(A)
}
