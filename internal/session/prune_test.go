package session_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
	old, other := made(40*day, 40*day, a, false), made(32*day, 32*day, b, false)
	kept := map[string]string{
		"of yesterday":            made(1*day, 1*day, a, false),
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

// The clock alone removes nothing: one that is years ahead for an hour, or was,
// costs no session; what was used counts, by its own records.
func TestPruneDoesNotBelieveAClock(t *testing.T) {
	t.Parallel()
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	now := time.Date(2026, 10, 25, 1, 30, 0, 0, time.UTC) // in the hour that a change of summer time repeats
	for name, c := range map[string]struct {
		used  []time.Duration // how long ago the sessions were used
		clock time.Duration   // what the clock is off by when it is pruned
		left  []time.Duration
	}{
		"used every day":            {[]time.Duration{0, day, 2 * day, 31 * day, 32 * day}, 0, []time.Duration{0, day, 2 * day, 31 * day}},
		"years ahead":               {[]time.Duration{0, day, 20 * day, 29 * day}, 10 * year, []time.Duration{0, day, 20 * day, 29 * day}},
		"years ahead, second run":   {[]time.Duration{-10 * year, 0, day, 29 * day}, 10*year + time.Hour, []time.Duration{-10 * year, 0, day, 29 * day}},
		"years ahead, it was":       {[]time.Duration{-10 * year, 0, day, 29 * day, 40 * day}, 0, []time.Duration{-10 * year, 0, day, 29 * day}},
		"years back":                {[]time.Duration{0, day, 40 * day}, -10 * year, []time.Duration{0, day, 40 * day}},
		"an hour back":              {[]time.Duration{0, day, 40 * day}, -time.Hour, []time.Duration{0, day, 40 * day}},
		"the last one, long ago":    {[]time.Duration{100 * day}, 0, []time.Duration{100 * day}},
		"back from a long holiday":  {[]time.Duration{100 * day, 120 * day, 140 * day}, 0, []time.Duration{100 * day, 120 * day}},
		"the day after the holiday": {[]time.Duration{day, 100 * day, 120 * day}, 0, []time.Duration{day}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := store(t)
			paths := map[string]time.Duration{}
			for _, ago := range c.used {
				at := now.Add(-ago)
				s.Now = func() time.Time { return at }
				l := create(t, s, t.TempDir())
				add(t, l, session.User{Text: "hello"})
				shut(t, l)
				if err := os.Chtimes(l.Path(), at, at); err != nil {
					t.Fatal(err)
				}
				paths[l.Path()] = ago
			}
			s.Now = func() time.Time { return now.Add(c.clock) }
			n, err := s.Prune(30 * day)
			if err != nil || n != len(c.used)-len(c.left) {
				t.Errorf("%d removed, %v", n, err)
			}
			for path, ago := range paths {
				if _, err := os.Stat(path); (err == nil) != slices.Contains(c.left, ago) {
					t.Errorf("the session of %s ago: %v", ago, err)
				}
			}
		})
	}
}

// A session is as young as its newest record, however long that is, and one
// whose end is damaged may be young: the times of files that were copied say
// nothing.
func TestPruneLooksAtTheRecords(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	now := time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)
	s := store(t)
	made := func(begun, used time.Duration, text, tail string) string {
		t.Helper()
		at := now.Add(-begun)
		s.Now = func() time.Time { return at }
		l := create(t, s, t.TempDir())
		add(t, l, session.User{Text: "hello"})
		at = now.Add(-used)
		add(t, l, session.Result{CallID: "c", Output: text})
		shut(t, l)
		appendTo(t, l.Path(), tail)
		old := now.Add(-400 * day)
		if err := os.Chtimes(l.Path(), old, old); err != nil {
			t.Fatal(err)
		}
		return l.Path()
	}
	long := strings.Repeat("long ", 200_000)
	witness := made(day, day, "", "")
	kept := map[string]string{
		"a long record":        made(100*day, 2*day, long, ""),
		"a damaged end":        made(100*day, 2*day, "", strings.Repeat("garbage\n", 60)),
		"a long damaged end":   made(100*day, 2*day, "", strings.Repeat("garbage ", 60_000)+"\n"),
		"the clock went back":  made(2*day, 100*day, "", ""),
		"a torn end, and long": made(100*day, 2*day, long, `{"type":"result","id":"`),
	}
	gone := made(100*day, 90*day, long, "")
	s.Now = func() time.Time { return now }
	if n, err := s.Prune(30 * day); n != 1 || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	if _, err := os.Stat(gone); err == nil {
		t.Error("an old one with a long record is kept")
	}
	kept["the witness"] = witness
	for what, path := range kept {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	list, err := s.List("", true)
	if err != nil || len(list) != len(kept) {
		t.Fatalf("%d listed, %v", len(list), err)
	}
	if at := list[0].Updated; at.Before(now.Add(-2 * day)) {
		t.Errorf("the newest was used %s", at)
	}
}

// A session that is resumed while old ones are removed is either gone before
// or stays whole: what is acknowledged is on the disk.
func TestPruneWhileASessionIsResumed(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	now := time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)
	s := store(t)
	at := func(ago time.Duration) session.Store {
		s := s
		s.Now = func() time.Time { return now.Add(-ago) }
		return s
	}
	cwd := t.TempDir()
	witness := create(t, at(day), cwd)
	add(t, witness, session.User{Text: "hello"})
	gone, kept := 0, 0
	for range 40 {
		l := create(t, at(100*day), cwd)
		add(t, l, session.User{Text: "hello"})
		if _, err := l.Artifact("out.txt", []byte("raw")); err != nil {
			t.Fatal(err)
		}
		shut(t, l)
		old := now.Add(-100 * day)
		if err := os.Chtimes(l.Path(), old, old); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := at(0).Prune(30 * day); err != nil {
				t.Error(err)
			}
		})
		again, err := at(0).Open(l.ID())
		if err != nil {
			gone++
			wg.Wait()
			continue
		}
		kept++
		add(t, again, session.User{Text: "on"})
		wg.Wait()
		if b, err := again.Artifacts().Read("out.txt"); err != nil || string(b) != "raw" {
			t.Errorf("the artifact holds %q, %v", b, err)
		}
		shut(t, again)
		tree, faults := load(t, l.Path())
		if got := show(session.Fold(tree.Branch(""))); got != "user hello | user on" || faults.Count > 0 {
			t.Errorf("it reads %s, %v", got, faults)
		}
	}
	t.Logf("%d were removed first, %d resumed first", gone, kept)
}
