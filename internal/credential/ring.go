package credential

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"

	"assent/internal/crew"
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

// ErrRing tells that a keyring is there and cannot be used: it is locked, its
// question was dismissed, or its bus is broken. Whether it holds a key is not
// known. The error that is ErrRing says which.
var ErrRing = errors.New("the keyring cannot be used")

// ErrSilent tells that a keyring did not answer in time, as one does that waits
// for somebody to unlock it. It is ErrRing as well.
var ErrSilent = fmt.Errorf("%w", &ringError{"the keyring did not answer (is it locked?)", nil})

// ringError is what a keyring said.
type ringError struct {
	text string
	err  error
}

func (e *ringError) Error() string { return e.text }

func (e *ringError) Unwrap() error { return e.err }

func (*ringError) Is(target error) bool { return target == ErrRing }

// fault words an error of a keyring: nil where there is no keyring or no entry.
func fault(err error) error {
	if err == nil || errors.Is(err, keyring.ErrNotFound) || absent(err) {
		return nil
	}
	return &ringError{"the keyring gave no answer that helps (is it locked?): " + err.Error(), err}
}

// absent reports whether an error says that there is no keyring on this
// machine: nothing can be kept in it, and nothing is.
func absent(err error) bool {
	if errors.Is(err, keyring.ErrUnsupportedPlatform) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return true
	}
	// The program that would start a bus, or ask the keyring.
	var ended interface{ ExitCode() int }
	if strings.Contains(err.Error(), "executable file not found") || errors.As(err, &ended) && !programIsRing {
		return true
	}
	// No session bus, or nobody on it who keeps secrets.
	var said dbus.Error
	if errors.As(err, &said) {
		switch strings.TrimPrefix(said.Name, "org.freedesktop.DBus.Error.") {
		case "ServiceUnknown", "NameHasNoOwner", "Spawn.ServiceNotFound", "UnknownObject", "UnknownInterface", "UnknownMethod":
			return true
		}
	}
	return strings.Contains(err.Error(), "determine address of session bus")
}

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
	done, broke := make(chan struct{}), ""
	crew.Beside(ask, func(text string) { broke = text }, func() { close(done) })
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var err error
	select {
	case <-done:
		if broke != "" {
			panic(broke) // it is the caller's
		}
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
// error, an ErrRing or the context's, says that it is not known.
func (b *bounded) get(ctx context.Context, provider string) (key string, err error) {
	got := make(chan error, 1)
	var found string
	err = b.within(ctx, readWait, func() {
		k, err := b.ring.Get(service, provider)
		if err = fault(err); err == nil {
			found = k
		}
		got <- err
	})
	if err != nil {
		return "", err // found may still be written
	}
	err = <-got
	return found, err
}

// set reports whether the keyring took the key; where there is none it did not.
// The error is as that of get.
func (b *bounded) set(ctx context.Context, provider, key string) (took bool, err error) {
	done := make(chan error, 1)
	var is bool
	err = b.within(ctx, storeWait, func() {
		err := b.ring.Set(service, provider, key)
		if err == nil {
			// Some say yes when the person was asked and said no.
			var back string
			back, err = b.ring.Get(service, provider)
			is = err == nil && back == key
		} else if strings.Contains(err.Error(), key) {
			err = errors.New("it refused the key") // an error never holds one
		}
		done <- fault(err)
	})
	if err != nil {
		return false, err // is may still be written
	}
	err = <-done
	return is, err
}

// forget removes a key. Where there is no keyring, nothing can be removed.
func (b *bounded) forget(ctx context.Context, provider string) error {
	gone := make(chan error, 1)
	err := b.within(ctx, readWait, func() {
		old, err := b.ring.Get(service, provider)
		if err == nil && old != "" {
			err = b.ring.Delete(service, provider)
		}
		gone <- fault(err)
	})
	if err != nil {
		return err
	}
	return <-gone
}
