package credential

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

// service is the name under which keys stand in the keyring.
const service = "assent"

// Ring is a keyring: the operating system's, or another for tests. An entry
// that is not there is keyring.ErrNotFound.
type Ring interface {
	Get(service, name string) (string, error)
	Set(service, name, key string) error
	Delete(service, name string) error
}

// System is the operating system's keyring.
type System struct{}

// Get returns an entry.
func (System) Get(service, name string) (string, error) { return keyring.Get(service, name) }

// Set makes or replaces an entry.
func (System) Set(service, name, key string) error { return keyring.Set(service, name, key) }

// Delete removes an entry.
func (System) Delete(service, name string) error { return keyring.Delete(service, name) }

// ErrSilent tells that a keyring did not answer in time, as one does that waits
// for somebody to unlock it.
var ErrSilent = errors.New("the keyring did not answer (is it locked?)")

// How long a keyring may take: to answer, and to take a key, for which a person
// may have to type a password.
const (
	readWait  = 3 * time.Second
	storeWait = time.Minute
)

// bounded asks a keyring and waits no longer than a limit. A keyring knows no
// context, so what it was asked goes on behind a wait that ended; until that is
// over, everybody else is told at once that it does not answer.
type bounded struct {
	ring Ring

	mu sync.Mutex
	// late is closed when the question that was given up has its answer.
	late chan struct{}
}

// within runs one question. The error is ErrSilent, or the context's.
func (b *bounded) within(ctx context.Context, limit time.Duration, ask func()) error {
	b.mu.Lock()
	late := b.late
	b.mu.Unlock()
	if late != nil {
		select {
		case <-late:
		default:
			return ErrSilent
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ask()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var err error
	select {
	case <-done:
		return nil
	case <-timer.C:
		err = ErrSilent
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	b.mu.Lock()
	b.late = done
	b.mu.Unlock()
	return err
}

// get gives the key of a provider, "" where there is none or no keyring. The
// error says that the keyring did not answer.
func (b *bounded) get(ctx context.Context, provider string) (string, error) {
	got := make(chan string, 1)
	err := b.within(ctx, readWait, func() {
		key, err := b.ring.Get(service, provider)
		if err != nil {
			key = "" // no keyring or no entry
		}
		got <- key
	})
	if err != nil {
		return "", err
	}
	return <-got, nil
}

// set reports whether the keyring took the key.
func (b *bounded) set(ctx context.Context, provider, key string) (bool, error) {
	took := make(chan bool, 1)
	err := b.within(ctx, storeWait, func() { took <- b.ring.Set(service, provider, key) == nil })
	if err != nil {
		return false, err
	}
	return <-took, nil
}

// forget removes a key. Where there is no keyring, nothing can be removed.
func (b *bounded) forget(ctx context.Context, provider string) error {
	gone := make(chan error, 1)
	err := b.within(ctx, readWait, func() {
		if old, err := b.ring.Get(service, provider); err != nil || old == "" {
			gone <- nil // no keyring or no entry
			return
		}
		err := b.ring.Delete(service, provider)
		if errors.Is(err, keyring.ErrNotFound) {
			err = nil
		}
		gone <- err
	})
	if err != nil {
		return err
	}
	return <-gone
}
