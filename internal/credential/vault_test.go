package credential_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"assent/internal/credential"
	"assent/internal/lock"
)

// ring is a keyring in memory. One that is away is none; one that fails gives
// an error that says nothing of what it holds.
type ring struct {
	mu    sync.Mutex
	keys  map[string]string
	away  bool
	fails error
	// full takes no key; deaf takes it and forgets it.
	full, deaf bool
}

// state is the error of every question; the caller holds mu.
func (r *ring) state() error {
	if r.away {
		return fmt.Errorf("start a bus: %w", fs.ErrNotExist)
	}
	return r.fails
}

func (r *ring) Get(service, name string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.state(); err != nil {
		return "", err
	}
	key, ok := r.keys[service+"/"+name]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return key, nil
}

func (r *ring) Set(service, name, key string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch err := r.state(); {
	case err != nil:
		return err
	case r.full:
		return keyring.ErrSetDataTooBig
	case r.deaf:
		return nil
	}
	if r.keys == nil {
		r.keys = map[string]string{}
	}
	r.keys[service+"/"+name] = key
	return nil
}

func (r *ring) Delete(service, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.state(); err != nil {
		return err
	}
	delete(r.keys, service+"/"+name)
	return nil
}

func stored(t *testing.T, v *credential.Vault, provider, key, where string) {
	t.Helper()
	got, at, err := v.Get(t.Context(), provider)
	if got != key || at != where || err != nil {
		t.Errorf("key of %s is %q at %q, %v; want %q at %q", provider, got, at, err, key, where)
	}
}

func store(t *testing.T, v *credential.Vault, provider, key, where string) {
	t.Helper()
	if at, err := v.Store(t.Context(), provider, key); at != where || err != nil {
		t.Fatalf("stored at %q, %v; want %q", at, err, where)
	}
}

func TestKeyringIsUsedWhereThereIsOne(t *testing.T) {
	t.Parallel()
	v := credential.NewVault(&ring{}, t.TempDir())
	stored(t, v, "openai", "", "")
	store(t, v, "openai", "k1", "keyring")
	stored(t, v, "openai", "k1", "keyring")
	if _, err := os.Stat(v.File()); err == nil {
		t.Error("the key stands in a file as well")
	}
}

func TestFileWhereThereIsNoKeyring(t *testing.T) {
	t.Parallel()
	v := credential.NewVault(&ring{away: true}, filepath.Join(t.TempDir(), "state"))
	store(t, v, "openai", "k1", v.File())
	store(t, v, "gemini", "k2", v.File())
	store(t, v, "openai", "k3", v.File())
	stored(t, v, "openai", "k3", v.File())
	stored(t, v, "gemini", "k2", v.File())
	entries, err := os.ReadDir(filepath.Dir(v.File()))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 || strings.Contains(e.Name(), "new") {
			t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(filepath.Dir(v.File())); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
}

// A keyring that comes later takes over, and no copy of the key is left.
func TestNoSecondCopyIsLeft(t *testing.T) {
	t.Parallel()
	r := &ring{away: true}
	v := credential.NewVault(r, t.TempDir())
	store(t, v, "openai", "k1", v.File())
	r.away = false
	stored(t, v, "openai", "k1", v.File())
	store(t, v, "openai", "k2", "keyring")
	stored(t, v, "openai", "k2", "keyring")
	if text, err := os.ReadFile(v.File()); err == nil {
		t.Errorf("the file still holds %d bytes", len(text))
	}
}

// A keyring that cannot be used may hold an older key: what it says is told, and
// nothing is stored beside it.
func TestAKeyringThatFails(t *testing.T) {
	t.Parallel()
	r := &ring{keys: map[string]string{"assent/openai": "old"}, fails: errors.New("the collection is locked")}
	v := credential.NewVault(r, t.TempDir())
	at := func(err error) {
		t.Helper()
		if !errors.Is(err, credential.ErrRing) || errors.Is(err, credential.ErrSilent) || !strings.Contains(err.Error(), "the collection is locked") || strings.Contains(err.Error(), "new") {
			t.Errorf("error is %v", err)
		}
	}
	_, err := v.Store(t.Context(), "openai", "new")
	at(err)
	_, _, err = v.Get(t.Context(), "openai")
	at(err)
	if _, err := os.Stat(v.File()); err == nil {
		t.Error("the key stands in a file while the keyring may hold an older one")
	}
	if _, err := credential.New(credential.Options{Vault: v, Provider: "openai"}).Get(t.Context(), false); !errors.Is(err, credential.ErrRing) {
		t.Errorf("the keyring's error became %v", err)
	}
	r.fails = nil
	stored(t, v, "openai", "old", "keyring")
}

// The key that was stored last is used, whatever a keyring still holds that
// could not be reached then.
func TestAnOldKeyNeverWins(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		ring *ring
	}{
		{"away when the new one is stored", &ring{away: true}},
		{"full", &ring{full: true}},
		{"says yes and stores nothing", &ring{deaf: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.ring.keys = map[string]string{"assent/openai": "old"}
			v := credential.NewVault(c.ring, t.TempDir())
			store(t, v, "openai", "new", v.File())
			c.ring.away, c.ring.full, c.ring.deaf = false, false, false
			stored(t, v, "openai", "new", v.File())
			store(t, v, "openai", "newest", "keyring")
			stored(t, v, "openai", "newest", "keyring")
		})
	}
}

func TestFileThatIsNoSecretOrDamaged(t *testing.T) {
	t.Parallel()
	v := credential.NewVault(&ring{away: true}, t.TempDir())
	store(t, v, "openai", "secret-word", v.File())
	if err := os.Chmod(v.File(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := v.Get(t.Context(), "openai"); err == nil || !strings.Contains(err.Error(), "chmod 600") || strings.Contains(err.Error(), "secret-word") {
		t.Errorf("error is %v", err)
	}
	if err := os.WriteFile(v.File(), []byte(`{"openai": "secret-word`), 0o600); err != nil || os.Chmod(v.File(), 0o600) != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		func() error { _, _, err := v.Get(t.Context(), "openai"); return err }(),
		func() error { _, err := v.Store(t.Context(), "gemini", "k"); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), "damaged") || strings.Contains(err.Error(), "secret-word") {
			t.Errorf("error is %v", err)
		}
	}
}

func TestStoringAtOnceLosesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			v := credential.NewVault(&ring{away: true}, dir)
			if _, err := v.Store(t.Context(), fmt.Sprint("p", i), fmt.Sprint("k", i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	v := credential.NewVault(&ring{away: true}, dir)
	for i := range 8 {
		stored(t, v, fmt.Sprint("p", i), fmt.Sprint("k", i), v.File())
	}
}

// While another process stores a key, one waits, until it is told not to.
func TestStoringWaitsForTheLock(t *testing.T) {
	t.Parallel()
	v := credential.NewVault(&ring{away: true}, t.TempDir())
	other, err := lock.Try(v.File())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := v.Store(ctx, "openai", "k"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("stored: %v", err)
	}
	if err := other.Release(); err != nil {
		t.Fatal(err)
	}
	store(t, v, "openai", "k", v.File())
}

// A stored key that was refused is given again only when it was replaced.
func TestRefusedStoredKey(t *testing.T) {
	t.Parallel()
	v := credential.NewVault(&ring{}, t.TempDir())
	store(t, v, "openai", "old-word", "keyring")
	s := credential.New(credential.Options{Vault: v, Provider: "openai", Another: "/provider stores another"})
	if k := get(t, s, false); k != "old-word" {
		t.Fatalf("got %s", k)
	}
	if _, err := s.Get(t.Context(), true); err == nil || strings.Contains(err.Error(), "old-word") || !strings.Contains(err.Error(), "stored in keyring") || !strings.HasSuffix(err.Error(), "the one refused: /provider stores another") {
		t.Errorf("error is %v", err)
	}
	store(t, v, "openai", "new-word", "keyring")
	if k := get(t, s, true); k != "new-word" {
		t.Errorf("got %s", k)
	}
}
