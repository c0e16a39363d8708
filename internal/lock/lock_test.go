package lock_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/lock"
)

// A lock that is free is had at once, also by who has no time to wait: on a
// machine that is busy the time may be over before the first look.
func TestAFreeLockNeedsNoTime(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	mine, err := lock.Wait(ctx, path, time.Nanosecond)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := lock.Wait(ctx, path, 0); err == nil {
		t.Errorf("it is held twice: %v", other)
	}
	if err := mine.Release(); err != nil {
		t.Fatal(err)
	}
	if mine, err = lock.Wait(ctx, path, 0); err != nil {
		t.Fatal(err)
	}
	if err := mine.Release(); err != nil {
		t.Fatal(err)
	}
}

// Who does not get a lock is told who has it, whether it was waited for, and
// why the wait ended.
func TestWhoHoldsALock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.json")
	mine, err := lock.Try(path)
	if err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("stopped by the user")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	if _, err := lock.Wait(ctx, path, time.Hour); !errors.Is(err, stopped) || !strings.Contains(err.Error(), path+": it is in use by another process") {
		t.Errorf("the end of the context: %v", err)
	}
	mine.Sign(time.Unix(1, 0))
	var held *lock.HeldError
	if _, err := lock.Wait(t.Context(), path, time.Millisecond); !errors.As(err, &held) || held.PID != os.Getpid() || held.Waited != time.Millisecond || !strings.Contains(err.Error(), "for all of 1ms; try again") {
		t.Errorf("the end of the wait: %v", err)
	}
	if _, err := lock.Try(path); !errors.As(err, &held) || strings.Contains(err.Error(), "for all of") || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("without a wait: %v", err)
	}
	if !lock.Held(path) {
		t.Error("it is not held")
	}
	if err := mine.Remove(); err != nil {
		t.Error(err)
	}
	if lock.Held(path) {
		t.Error("it is held after its end")
	}
	if _, err := os.Lstat(path + ".lock"); err == nil {
		t.Error("its file is left")
	}
}

// A holder that does not sign is not taken for the one before it.
func TestASignatureGoesWithItsHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	first, err := lock.Try(path)
	if err != nil {
		t.Fatal(err)
	}
	first.Sign(time.Unix(1, 0))
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	second, err := lock.Try(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Release()
	var held *lock.HeldError
	if _, err := lock.Try(path); !errors.As(err, &held) || held.PID != 0 {
		t.Errorf("held by %+v: %v", held, err)
	}
}
