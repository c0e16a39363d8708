package session_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"assent/internal/session"
)

// SESS-14: what nobody used for longer than the user wants it kept goes, with
// everything beside it, and nothing else does.
func TestPrune(t *testing.T) {
	t.Parallel()
	s := store(t)
	now := time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)
	at := func(age time.Duration) session.Store {
		old := s
		old.Now = func() time.Time { return now.Add(-age) }
		return old
	}
	const day = 24 * time.Hour
	// made makes a session whose newest record has one age and its file another.
	made := func(record, file time.Duration, cwd string, keepOpen bool) string {
		t.Helper()
		l := create(t, at(record), cwd)
		if err := l.Append(session.User{Text: "hello", Turn: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Artifact("out.txt", []byte("raw")); err != nil {
			t.Fatal(err)
		}
		if !keepOpen {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(l.Path(), now.Add(-file), now.Add(-file)); err != nil {
			t.Fatal(err)
		}
		return l.Path()
	}
	a, b := t.TempDir(), t.TempDir()
	old, other := made(40*day, 40*day, a, false), made(31*day, 31*day, b, false)
	kept := map[string]string{
		"young":                   made(29*day, 29*day, a, false),
		"open":                    made(40*day, 40*day, a, true),
		"a file copied back":      made(40*day, 1*day, a, false),
		"a file with an old date": made(1*day, 40*day, a, false),
	}
	if n, err := at(0).Prune(0); n != 0 || err != nil {
		t.Errorf("without a limit %d are removed, %v", n, err)
	}
	if n, err := at(0).Prune(30 * day); n != 2 || err != nil {
		t.Errorf("%d are removed, %v", n, err)
	}
	for _, path := range []string{old, other} {
		left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*", filepath.Base(path)[:20]+"*"))
		if _, err := os.Stat(path); err == nil || len(left) > 0 {
			t.Errorf("%s is still there, with %v", path, left)
		}
	}
	if _, err := os.Stat(filepath.Dir(other)); err == nil {
		t.Error("the folder of a project without sessions is still there")
	}
	for what, path := range kept {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s is gone", what)
		}
	}
	if n, err := at(0).Prune(30 * day); n != 0 || err != nil {
		t.Errorf("the second time %d are removed, %v", n, err)
	}
}
