package gate_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/gate"
	"assent/internal/policy"
	filewalk "assent/internal/walk"
	"assent/internal/workspace"
)

// sweep returns what a sweep shows, sorted.
func sweep(t testing.TB, h gate.Hands, root string, o gate.WalkOptions) (string, gate.Skipped) {
	t.Helper()
	var mu sync.Mutex
	var names []string
	skipped, err := h.Sweep(context.Background(), root, o, nil, func(f gate.Found) error {
		mu.Lock()
		defer mu.Unlock()
		name := f.Name()
		if f.Link {
			name += "@"
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return strings.Join(names, " "), skipped
}

// TestSweepShowsWhatWalkShows: both ways down a tree leave out the same.
func TestSweepShowsWhatWalkShows(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "b", ".env", "private", "x.o", "build", "id_rsa", ".gitignore", "ä.txt"}
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		for i, name := range rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 3), 1, 12).Draw(rt, "files") {
			full := filepath.Join(append([]string{dir}, name...)...)
			if os.MkdirAll(filepath.Dir(full), 0o755) != nil {
				continue // one of them is a file
			}
			if i%4 == 3 {
				_ = os.Symlink(filepath.Join("..", parts[i%len(parts)]), full)
				continue
			}
			_ = os.WriteFile(full, []byte("*.o\nbuild\n"), 0o644)
		}
		ws, err := workspace.Open(workspace.Options{Root: dir})
		if err != nil {
			rt.Fatal(err)
		}
		defer ws.Close()
		g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "deny read_file(private/*)", "deny read_file(a/private/*)")})
		h := granted(t, g, searching("."))
		o := gate.WalkOptions{Ignored: rapid.Bool().Draw(rt, "ignored"), Depth: rapid.IntRange(0, 2).Draw(rt, "depth")}
		for _, root := range []string{".", "a"} {
			if info, err := os.Lstat(filepath.Join(dir, root)); err != nil || info.Mode()&fs.ModeSymlink != 0 {
				continue
			}
			want, counted := walk(t, h, root, o)
			list := strings.Fields(want)
			slices.Sort(list)
			got, skipped := sweep(t, h, root, o)
			if got != strings.Join(list, " ") || skipped != counted {
				rt.Fatalf("%s: swept %s %+v, walked %s %+v", root, got, skipped, want, counted)
			}
		}
	})
}

func TestSweepReadsAndEnds(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "aa", "b/c.txt": "ccc", ".env": "K=1"})
	g := gate.New(gate.Options{Workspace: ws})
	h := granted(t, g, searching("."))
	var mu sync.Mutex
	var kept []gate.Found
	for _, root := range []string{"b", "a.txt"} {
		if _, err := h.Sweep(t.Context(), root, gate.WalkOptions{}, nil, func(f gate.Found) error {
			data, err := f.Read(nil, 100)
			size, modified, infoErr := f.Info()
			if err != nil || infoErr != nil || int64(len(data)) != size || modified.IsZero() {
				t.Errorf("%s: %q, %v, %v", f.Name(), data, err, infoErr)
			}
			if _, err := f.Read(nil, 1); !errors.Is(err, filewalk.ErrTooLarge) {
				t.Errorf("%s over the limit: %v", f.Name(), err)
			}
			mu.Lock()
			defer mu.Unlock()
			kept = append(kept, f)
			return fs.SkipAll
		}); err != nil {
			t.Error(err)
		}
	}
	if len(kept) != 2 || kept[1].Rel != "a.txt" {
		t.Fatalf("kept %v", kept)
	}
	if got, skipped := sweep(t, h, ".env", gate.WalkOptions{}); got != "" || skipped.Secret != 1 {
		t.Errorf("a secret file as root: %q, %+v", got, skipped)
	}
	broken := errors.New("broken")
	for _, root := range []string{".", "a.txt"} {
		if _, err := h.Sweep(t.Context(), root, gate.WalkOptions{}, nil, func(gate.Found) error { return broken }); !errors.Is(err, broken) {
			t.Errorf("%s: %v", root, err)
		}
	}
	nothing := func(gate.Found) error { return nil }
	if _, err := h.Sweep(t.Context(), "none", gate.WalkOptions{}, nil, nothing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	one := granted(t, g, reading("a.txt"))
	for _, root := range []string{"a.txt", "."} {
		if _, err := one.Sweep(t.Context(), root, gate.WalkOptions{}, nil, nothing); !errors.Is(err, gate.ErrNotPlanned) {
			t.Errorf("%s: %v", root, err)
		}
	}
	state := searching(".")
	state.Effect = policy.State
	if _, err := granted(t, g, state).Sweep(t.Context(), ".", gate.WalkOptions{}, nil, nothing); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("a tool that reads no files: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Sweep(t.Context(), "b", gate.WalkOptions{}, nil, nothing); !errors.Is(err, workspace.ErrOutside) {
		t.Errorf("a folder that leads out now: %v", err)
	}
	h.Close()
	for _, f := range kept {
		if _, err := f.Read(nil, 100); !errors.Is(err, gate.ErrClosed) {
			t.Errorf("%s after the call: %v", f.Rel, err)
		}
		if _, _, err := f.Info(); !errors.Is(err, gate.ErrClosed) {
			t.Errorf("%s after the call: %v", f.Rel, err)
		}
	}
	if _, _, err := h.Matching(t.Context(), "x", kept); !errors.Is(err, gate.ErrClosed) {
		t.Errorf("got %v", err)
	}
}

func TestMatching(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "needle", "b/c.txt": "hay", "b/needle.txt": "needle"})
	g := gate.New(gate.Options{Workspace: ws})
	h := granted(t, g, searching("."))
	gather := func(h gate.Hands, root string) []gate.Found {
		var mu sync.Mutex
		var list []gate.Found
		if _, err := h.Sweep(t.Context(), root, gate.WalkOptions{}, nil, func(f gate.Found) error {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, f)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return list
	}
	files := gather(h, ".")
	found, ok, err := h.Matching(t.Context(), "need.e", files)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Skip("ripgrep is not installed")
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Rel)
	}
	slices.Sort(names)
	if strings.Join(names, " ") != "a.txt b/needle.txt" {
		t.Errorf("got %v", names)
	}
	if found, ok, err := h.Matching(t.Context(), "none at all", files); len(found) != 0 || !ok || err != nil {
		t.Errorf("got %v, %v, %v", found, ok, err)
	}
	if _, ok, err := h.Matching(t.Context(), "(", files); ok || err != nil {
		t.Errorf("an unreadable pattern: %v, %v", ok, err)
	}
	if found, _, err := h.Matching(t.Context(), "x", nil); len(found) != 0 || err != nil {
		t.Errorf("got %v, %v", found, err)
	}
	for name, list := range map[string][]gate.Found{
		"of another call": gather(granted(t, g, searching("b")), "b"), "of two sweeps": append(gather(h, "b"), files...), "alone": gather(h, "a.txt"),
	} {
		if _, _, err := h.Matching(t.Context(), "needle", list); !errors.Is(err, gate.ErrNotPlanned) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := h.Matching(ctx, "needle", files); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
