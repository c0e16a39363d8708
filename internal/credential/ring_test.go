package credential_test

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/credential"
)

// mute is a keyring that waits for somebody to unlock it.
type mute struct {
	ring
	unlocked chan struct{}
	asked    atomic.Int32
}

func (m *mute) Get(service, name string) (string, error) {
	m.asked.Add(1)
	<-m.unlocked
	return m.ring.Get(service, name)
}

func (m *mute) Set(service, name, key string) error {
	m.asked.Add(1)
	<-m.unlocked
	return m.ring.Set(service, name, key)
}

// TestAKeyringThatDoesNotAnswer is waited for once and not for long, holds up
// nobody whose context ends, and is used again when it answers.
func TestAKeyringThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &mute{ring: ring{keys: map[string]string{"assent/openai": "k1"}}, unlocked: make(chan struct{})}
		v := credential.NewVault(m, t.TempDir())
		begun := time.Now()
		for _, provider := range []string{"openai", "gemini", "openai"} {
			if _, _, err := v.Get(t.Context(), provider); !errors.Is(err, credential.ErrSilent) {
				t.Errorf("error is %v", err)
			}
		}
		if _, err := v.Store(t.Context(), "openai", "k2"); !errors.Is(err, credential.ErrSilent) {
			t.Errorf("error of Store is %v", err)
		}
		if waited := time.Since(begun); waited > 5*time.Second || m.asked.Load() != 1 {
			t.Errorf("waited %v, asked %d times", waited, m.asked.Load())
		}
		if _, err := os.Stat(v.File()); err == nil {
			t.Error("the key stands in a file while the keyring may hold an older one")
		}
		close(m.unlocked)
		synctest.Wait()
		stored(t, v, "openai", "k1", "keyring")
		store(t, v, "openai", "k3", "keyring")
	})
}

func TestAContextEndsTheWaitForAKeyring(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &mute{unlocked: make(chan struct{})}
		v := credential.NewVault(m, t.TempDir())
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, _, err := v.Get(ctx, "openai")
			done <- err
		}()
		synctest.Wait()
		begun := time.Now()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || time.Since(begun) != 0 {
			t.Errorf("error is %v after %v", err, time.Since(begun))
		}
		close(m.unlocked)
	})
}
