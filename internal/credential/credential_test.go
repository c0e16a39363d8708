package credential_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/credential"
)

// counter is a command that prints a new key each time and counts its runs.
func counter(t *testing.T, template string) (command []string, runs func() int) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "runs")
	script := `echo run >> "$0"; n=$(wc -l < "$0" | tr -d ' '); ` + template
	return []string{"sh", "-c", script, log}, func() int {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), "\n")
	}
}

func get(t *testing.T, s *credential.Source, refresh bool) string {
	t.Helper()
	key, err := s.Get(t.Context(), refresh)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestCommandIsCachedUntilRefresh(t *testing.T) {
	t.Parallel()
	command, runs := counter(t, `echo key-$n`)
	s := credential.New(credential.Options{Command: command, Cache: t.TempDir()})
	if a, b := get(t, s, false), get(t, s, false); a != "key-1" || b != "key-1" || runs() != 1 {
		t.Errorf("got %s, %s after %d runs", a, b, runs())
	}
	if k := get(t, s, true); k != "key-2" || runs() != 2 {
		t.Errorf("after a refusal: %s, %d runs", k, runs())
	}
}

func TestExpiredKeyIsRenewed(t *testing.T) {
	t.Parallel()
	command, runs := counter(t, `echo "{\"key\":\"key-$n\",\"expiresIn\":60}"`)
	now := time.Unix(1000, 0)
	s := credential.New(credential.Options{Command: command, Cache: t.TempDir(), Now: func() time.Time { return now }})
	get(t, s, false)
	now = now.Add(20 * time.Second)
	if k := get(t, s, false); k != "key-1" {
		t.Errorf("renewed too early: %s", k)
	}
	now = now.Add(20 * time.Second)
	if k := get(t, s, false); k != "key-2" || runs() != 2 {
		t.Errorf("not renewed before the expiry: %s", k)
	}
}

// A command that names a time beyond reckoning is run once, not before every
// request.
func TestExpiryBeyondReckoning(t *testing.T) {
	t.Parallel()
	for _, fields := range []string{`"expiresIn":1e10`, `"expires_in":1e300`, `"expires":1e300`, `"expires_at":99999999999999`, `"expires_in":1e300,"expiresIn":1e300`} {
		command, runs := counter(t, `echo '{"key":"k",`+fields+`}'`)
		cache := t.TempDir()
		for range 2 {
			s := credential.New(credential.Options{Command: command, Cache: cache})
			for range 2 {
				get(t, s, false)
			}
		}
		if runs() != 1 {
			t.Errorf("%s: %d runs", fields, runs())
		}
	}
}

// PROV-20: the loser of a race takes the winner's fresh key, and a failed
// renewal erases nothing.
func TestRenewalIsSharedAndNeverErased(t *testing.T) {
	t.Parallel()
	command, runs := counter(t, `[ "$n" -le 2 ] && echo "{\"key\":\"key-$n\",\"expiresIn\":3600}"`)
	cache := t.TempDir()
	sources := make([]*credential.Source, 5)
	for i := range sources {
		sources[i] = credential.New(credential.Options{Command: command, Cache: cache})
		if k := get(t, sources[i], false); k != "key-1" {
			t.Fatalf("got %s", k)
		}
	}
	var wg sync.WaitGroup
	for _, s := range sources {
		wg.Go(func() {
			if k, err := s.Get(context.Background(), true); k != "key-2" || err != nil {
				t.Errorf("got %q, %v", k, err)
			}
		})
	}
	wg.Wait()
	if runs() != 2 {
		t.Errorf("%d runs, want 2: everyone renewed", runs())
	}
	if _, err := sources[0].Get(t.Context(), true); err == nil {
		t.Error("the third run fails, but a key came")
	}
	late := credential.New(credential.Options{Command: command, Cache: cache})
	if k := get(t, late, false); k != "key-2" {
		t.Errorf("a failed renewal erased the shared key: %s", k)
	}
}

func TestErrorsNeverHoldTheKey(t *testing.T) {
	t.Parallel()
	for _, script := range []string{`echo secret-word; exit 3`, `echo "secret-word and more"`, `echo '{"secret-word":1}'`, `echo '{secret-word'`, `true`} {
		s := credential.New(credential.Options{Command: []string{"sh", "-c", script}})
		_, err := s.Get(t.Context(), false)
		if err == nil || strings.Contains(err.Error(), "secret-word") {
			t.Errorf("%s: %v", script, err)
		}
	}
}

func TestCacheIsPrivate(t *testing.T) {
	t.Parallel()
	cache := filepath.Join(t.TempDir(), "c")
	get(t, credential.New(credential.Options{Command: []string{"echo", `{"key":"k","expiresIn":3600}`}, Cache: cache}), false)
	entries, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
}

func TestSourcesInTheirOrder(t *testing.T) {
	t.Parallel()
	vault := func(key string) *credential.Vault {
		return credential.NewVault(&ring{keys: map[string]string{"assent/": key}}, t.TempDir())
	}
	tests := []struct {
		name string
		o    credential.Options
		want string
	}{
		{"given", credential.Options{Key: "k", Command: []string{"false"}}, "k"},
		{"command", credential.Options{Command: []string{"echo", "c"}, Vault: vault("r")}, "c"},
		{"stored", credential.Options{Vault: vault("r")}, "r"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if k := get(t, credential.New(tt.o), false); k != tt.want {
				t.Errorf("got %s", k)
			}
		})
	}
	for _, o := range []credential.Options{{}, {Vault: vault("")}} {
		if _, err := credential.New(o).Get(t.Context(), false); !errors.Is(err, credential.ErrNone) {
			t.Errorf("got %v, want ErrNone", err)
		}
	}
	if _, err := credential.New(credential.Options{Key: "k"}).Get(t.Context(), true); err == nil {
		t.Error("a refused key was given again")
	}
}
