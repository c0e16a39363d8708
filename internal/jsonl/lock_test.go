package jsonl_test

import (
	"context"
	"path/filepath"
	"testing"

	"assent/internal/jsonl"
)

// A lock that is free is had at once, also by who has no time to wait: on a
// machine that is busy the time may be over before the first look.
func TestAFreeLockNeedsNoTime(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	lock, err := jsonl.WaitLock(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := jsonl.WaitLock(ctx, path); err == nil {
		t.Errorf("it is held twice: %v", other)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if lock, err = jsonl.WaitLock(ctx, path); err != nil {
		t.Fatal(err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
}
