package app

import (
	"strings"
	"testing"
)

// TestWhatHasNoEffectIsTold: at the start of a run, by the check, by doctor and
// by show.
func TestWhatHasNoEffectIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.config(`{"mcpServers":{"x":{"command":"y"}}}`)
	const want = "starts no MCP servers"
	f := w.script(`{"text":"hello"}`)
	if code, err := w.run(f, "hi"); code != 0 || err != nil || !strings.Contains(w.err.String(), want) {
		t.Errorf("run: code %d, %v, %s", code, err, &w.err)
	}
	for name, command := range map[string]func(*App) error{
		"check":  func(a *App) error { return a.ConfigCheck(w.root, nil, false) },
		"doctor": func(a *App) error { return a.Doctor(t.Context(), f, false) },
		"show":   func(a *App) error { return a.ConfigShow(f, false) },
		"json":   func(a *App) error { return a.ConfigShow(f, true) },
	} {
		if err := command(w.app()); err != nil || !strings.Contains(w.out.String()+w.err.String(), want) {
			t.Errorf("%s: %v, %s%s", name, err, &w.out, &w.err)
		}
	}
}

// TestAProjectsHooks keep a run in a trusted project from beginning, and only
// there.
func TestAProjectsHooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".assent/hooks.json", `{"hooks":{"PreToolUse":[{"hooks":[{"command":"exit 2"}]}]}}`)
	f := w.script(`{"text":"hello"}`)
	if code, err := w.run(f, "hi"); code != 0 || err != nil {
		t.Errorf("not trusted: code %d, %v, %s", code, err, &w.err)
	}
	if err := w.app().Trust(t.Context(), w.root, false, false, false); err != nil || !strings.Contains(w.out.String()+w.err.String(), "runs no hooks yet") {
		t.Errorf("trust: %v, %s%s", err, &w.out, &w.err)
	}
	if code, err := w.run(f, "hi"); code == 0 && err == nil || !strings.Contains(err.Error(), "--no-hooks") {
		t.Errorf("trusted: code %d, %v", code, err)
	}
	f.NoHooks = true
	if code, err := w.run(f, "hi"); code != 0 || err != nil {
		t.Errorf("with --no-hooks: code %d, %v, %s", code, err, &w.err)
	}
	f.NoHooks = false
	if err := w.app().Trust(t.Context(), w.root, false, true, false); err != nil {
		t.Fatal(err)
	}
	if code, err := w.run(f, "hi"); code != 0 || err != nil {
		t.Errorf("trusted no longer: code %d, %v, %s", code, err, &w.err)
	}
}
