package jsonl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is how long a taker waits for somebody who only looks whether the
// lock is held; it is far longer than such a look takes.
const (
	lockWait  = 60 * time.Millisecond
	lockRetry = 5 * time.Millisecond
)

// LockedError says that another process, or another part of this one, writes
// the file.
type LockedError struct {
	// Path is the file that is locked.
	Path string
	// PID is the holder's process; 0 when it is not known.
	PID int
	// Since is when the holder took it; zero when it is not known.
	Since time.Time
}

// Error names the file and who holds it.
func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("lock %s: it is in use by another process", e.Path)
	}
	return fmt.Sprintf("lock %s: it is in use by process %d since %s", e.Path, e.PID, e.Since.Local().Format("2006-01-02 15:04:05"))
}

// Lock is the right to write a file, held in a file beside it that ends in
// ".lock". It ends with Release or with the process.
type Lock struct{ f *flock.Flock }

type holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

func lockPath(path string) string { return path + ".lock" }

func newFlock(path string) *flock.Flock {
	return flock.New(lockPath(path), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
}

// TryLock takes the lock of path or returns a *LockedError.
func TryLock(path string) (*Lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	l, err := WaitLock(ctx, path)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, lockedError(path)
	}
	return l, err
}

// WaitLock takes the lock of path as soon as it is free; a cancelled context
// ends the wait, but a lock that is free needs none.
func WaitLock(ctx context.Context, path string) (*Lock, error) {
	if err := missing(Plain(lockPath(path))); err != nil {
		return nil, fmt.Errorf("take a lock: %w", err)
	}
	f := newFlock(path)
	ok, err := f.TryLock()
	if err == nil && !ok {
		ok, err = f.TryLockContext(ctx, lockRetry)
	}
	if ctx.Err() != nil && !ok {
		// The time may have passed without a look, on a machine that is busy.
		if late, fault := f.TryLock(); fault == nil && late {
			ok, err = true, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !ok {
		return nil, lockedError(path)
	}
	return &Lock{f}, nil
}

// Sign writes into the lock who holds it, for those who are refused. It is
// best effort: the lock holds without it.
func (l *Lock) Sign(now time.Time) {
	if b, err := json.Marshal(holder{os.Getpid(), now}); err == nil {
		_ = os.WriteFile(l.f.Path(), b, 0o600)
	}
}

// Release gives the lock back. The lock file stays: removing it could let two
// processes hold two files of one name.
func (l *Lock) Release() error { return l.f.Unlock() }

// Held says whether somebody writes path now. The answer may be old when it
// arrives.
func Held(path string) bool {
	if Plain(lockPath(path)) != nil {
		return false // nobody took it, or nobody can
	}
	f := newFlock(path)
	ok, err := f.TryRLock()
	if err != nil {
		return false
	}
	if ok {
		_ = f.Unlock()
	}
	return !ok
}

// RemoveLock removes the lock file of a file that was itself removed.
func RemoveLock(path string) error {
	if err := os.Remove(lockPath(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove lock: %w", err)
	}
	return nil
}

func lockedError(path string) *LockedError {
	e := &LockedError{Path: path}
	var h holder
	if b, err := os.ReadFile(lockPath(path)); err == nil && json.Unmarshal(b, &h) == nil {
		e.PID, e.Since = h.PID, h.Since
	}
	return e
}
