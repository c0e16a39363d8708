package trust_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/lock"
	"assent/internal/trust"
)

func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func look(t *testing.T, s *trust.Store, root string) trust.State {
	t.Helper()
	state, err := s.Look(root)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// SEC-10: trust is bound to content and real path.
func TestTrustIsBoundToContentAndPlace(t *testing.T) {
	t.Parallel()
	root := project(t, map[string]string{".mcp.json": `{"a":1}`})
	s := trust.Open(filepath.Join(t.TempDir(), "deep", "trust.json"))
	if look(t, s, root).Trusted {
		t.Error("trusted before anyone said so")
	}
	if _, err := s.Trust(t.Context(), look(t, s, root), time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	if got := look(t, s, link); !got.Trusted || len(got.Brings) != 1 {
		t.Errorf("through a link: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(root, ".mcp.json"), []byte(`{"a":2}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := look(t, s, root); got.Trusted || !got.Changed {
		t.Errorf("after a change: %+v", got)
	}
	if other := project(t, map[string]string{".mcp.json": `{"a":1}`}); look(t, s, other).Trusted {
		t.Error("another folder of the same content is trusted")
	}
	if _, err := s.Revoke(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	if got := look(t, s, root); got.Trusted || got.Changed {
		t.Errorf("after revoking: %+v", got)
	}
}

func TestContentCannotMoveBetweenFiles(t *testing.T) {
	t.Parallel()
	s := trust.Open(filepath.Join(t.TempDir(), "trust.json"))
	a := look(t, s, project(t, map[string]string{".mcp.json": "x"}))
	b := look(t, s, project(t, map[string]string{".assent/hooks.json": "x"}))
	if a.Hash == b.Hash {
		t.Error("the same hash for different files")
	}
}

func TestOddFilesAreRefused(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".mcp.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := trust.Open(filepath.Join(t.TempDir(), "t")).Look(root); err == nil {
		t.Error("a folder named .mcp.json was read")
	}
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "trust.json")
	roots := make([]string, 10)
	var wg sync.WaitGroup
	for i := range roots {
		roots[i] = t.TempDir()
		wg.Go(func() {
			if _, err := trust.Open(file).Trust(t.Context(), look(t, trust.Open(file), roots[i]), time.Unix(0, 0)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, root := range roots {
		if !look(t, trust.Open(file), root).Trusted {
			t.Errorf("%s was lost", root)
		}
	}
}

func TestADamagedStoreIsSaidAndKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "trust.json")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	store := trust.Open(file)
	if _, err := store.Look(t.TempDir()); err == nil || !strings.Contains(err.Error(), file+" is damaged") {
		t.Errorf("got %v", err)
	}
	if _, err := store.Trust(t.Context(), trust.State{Root: t.TempDir(), Hash: "x"}, time.Now()); err == nil {
		t.Error("a damaged store was overwritten")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "{" {
		t.Errorf("%q, %v", text, err)
	}
}

// What was looked at is trusted, and nothing that came in between.
func TestWhatNobodySawIsNotTrusted(t *testing.T) {
	t.Parallel()
	root := project(t, map[string]string{".mcp.json": `{"a":1}`})
	s := trust.Open(filepath.Join(t.TempDir(), "trust.json"))
	seen := look(t, s, root)
	if len(seen.Texts) != 1 || string(seen.Texts[0]) != `{"a":1}` {
		t.Fatalf("seen %q", seen.Texts)
	}
	if err := os.WriteFile(filepath.Join(root, ".mcp.json"), []byte(`{"a":2}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Trust(t.Context(), seen, time.Unix(0, 0)); err != nil || !got.Trusted {
		t.Errorf("trusting gives %+v, %v", got, err)
	}
	if got := look(t, s, root); got.Trusted || !got.Changed {
		t.Errorf("what came in between: %+v", got)
	}
	if _, err := s.Trust(t.Context(), trust.State{}, time.Unix(0, 0)); err == nil {
		t.Error("nothing was trusted")
	}
}

// While another process keeps a decision, one waits, until it is told not to.
func TestADecisionWaitsForTheLock(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "trust.json")
	other, err := lock.Try(file)
	if err != nil {
		t.Fatal(err)
	}
	s, root := trust.Open(file), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := s.Trust(ctx, look(t, s, root), time.Unix(0, 0)); !errors.Is(err, context.Canceled) || got.Trusted || !strings.Contains(err.Error(), file+": it is in use by another process") {
		t.Errorf("%+v, %v", got, err)
	}
	if err := other.Release(); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Trust(ctx, look(t, s, root), time.Unix(0, 0)); err != nil || !got.Trusted {
		t.Errorf("a lock that is free: %+v, %v", got, err)
	}
}
