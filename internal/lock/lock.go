// Package lock owns the right to write a file that several processes, or
// several parts of one, share: a lock file beside it, whose name ends in
// ".lock".
//
// It knows nothing of what the file holds. The flow: [Wait] or [Try] takes the
// lock, Release gives it back, and so does the end of the process. Remove is
// Release for a file that was removed itself.
//
// Laws:
//
//   - Of those who hold the lock of one name at once there is one, also where
//     lock files are removed meanwhile: who locked a file looks whether it still
//     has its name, and begins anew when it has not.
//   - A lock that is free needs no time: the last look comes after the end of
//     the wait, however busy the machine is.
//   - Nothing waits for what is no file, and nothing is opened through a link.
package lock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"assent/internal/whole"
)

// Patience is how long to wait for somebody who changes a small file.
const Patience = 10 * time.Second

const (
	// glance is how long a taker waits for somebody who only looks whether the
	// lock is held; it is far longer than such a look takes.
	glance = 60 * time.Millisecond
	retry  = 5 * time.Millisecond
	// displaced bounds how often one look begins anew because the lock file was
	// removed meanwhile.
	displaced = 100
)

// HeldError says that another process, or another part of this one, writes the
// file.
type HeldError struct {
	// Path is the file that is locked.
	Path string
	// PID is the holder's process; 0 when it is not known.
	PID int
	// Since is when the holder took it; zero when it is not known.
	Since time.Time
	// Waited is how long the lock was waited for; 0 when it was not.
	Waited time.Duration
}

// Error names the file and who holds it.
func (e *HeldError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d since %s", e.PID, e.Since.Local().Format("2006-01-02 15:04:05"))
	}
	text := fmt.Sprintf("lock %s: it is in use by %s", e.Path, who)
	if e.Waited > 0 {
		text += fmt.Sprintf(", and was for all of %s; try again when that has ended", e.Waited)
	}
	return text
}

// Lock is the right to write a file. It ends with Release, with Remove, or with
// the process.
type Lock struct{ f *flock.Flock }

type holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

func beside(path string) string { return path + ".lock" }

func newFlock(path string) *flock.Flock {
	return flock.New(beside(path), flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
}

// Try takes the lock of path, or returns a *HeldError when somebody has it. It
// waits as long as a look of another one at the lock may take, see glance.
func Try(path string) (*Lock, error) {
	l, err := Wait(context.Background(), path, glance)
	if held := (*HeldError)(nil); errors.As(err, &held) {
		held.Waited = 0
	}
	return l, err
}

// Wait takes the lock of path as soon as it is free. It waits as long as most,
// 0 for no limit, and then returns a *HeldError; a context that is done ends
// the wait with its cause.
func Wait(ctx context.Context, path string, most time.Duration) (*Lock, error) {
	var over <-chan time.Time
	if most > 0 {
		timer := time.NewTimer(most)
		defer timer.Stop()
		over = timer.C
	}
	again := time.NewTicker(retry)
	defer again.Stop()
	for ended, late := false, false; ; {
		l, err := look(path)
		switch {
		case err != nil:
			return nil, fmt.Errorf("lock %s: %w", path, err)
		case l != nil:
			return l, nil
		case late:
			return nil, heldError(path, most)
		case ended:
			return nil, fmt.Errorf("lock %s: it is in use by another process, and the wait for it was ended: %w", path, context.Cause(ctx))
		}
		select {
		case <-again.C:
		case <-over:
			late = true
		case <-ctx.Done():
			ended = true
		}
	}
}

// look takes the lock when it is free; nil and no error mean that it is not.
func look(path string) (*Lock, error) {
	for range displaced {
		if err := whole.Free(beside(path)); err != nil {
			return nil, err
		}
		f := newFlock(path)
		ok, err := f.TryLock()
		if err != nil || !ok {
			return nil, err
		}
		if named(f) {
			return &Lock{f}, nil
		}
		_ = f.Unlock() // closing the file unlocks it as well
	}
	return nil, nil
}

// named says whether a lock file that was locked still has its name. Between
// opening and locking it, its holder may have removed it: then the next taker
// makes another file, and locks that.
func named(f *flock.Flock) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(f.Path())
	return err == nil && os.SameFile(mine, there)
}

// Sign writes into the lock who holds it, for those who are refused. It is
// best effort: the lock holds without it.
func (l *Lock) Sign(now time.Time) {
	if b, err := json.Marshal(holder{os.Getpid(), now}); err == nil {
		_ = os.WriteFile(l.f.Path(), b, 0o600)
	}
}

// Release gives the lock back. The lock file stays, without the signature: its
// next holder may write none.
func (l *Lock) Release() error {
	_ = os.Truncate(l.f.Path(), 0) // as Sign, best effort
	return l.f.Unlock()
}

// Remove gives the lock back and removes its file, for a name that is not used
// any more. The file goes while it is still locked, so that it is this one; who
// waits for it finds that it lost its name. Where an open file cannot be
// removed, as on Windows, it goes right after: there it also cannot go while
// somebody else has it open, who would be its next holder.
func (l *Lock) Remove() error {
	err := os.Remove(l.f.Path())
	released := l.f.Unlock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err != nil && heldStay:
		err = nil
		_ = os.Remove(l.f.Path()) // one that stays has another holder by now
	}
	if err = errors.Join(err, released); err != nil {
		return fmt.Errorf("remove lock: %w", err)
	}
	return nil
}

// Held says whether somebody writes path now. The answer may be old when it
// arrives.
func Held(path string) bool {
	if whole.Plain(beside(path)) != nil {
		return false // nobody took it, or nobody can
	}
	f := flock.New(beside(path), flock.SetFlag(os.O_RDWR)) // a look makes no file
	ok, err := f.TryRLock()
	if err != nil {
		return false
	}
	if ok {
		_ = f.Unlock()
	}
	return !ok
}

// heldError says who holds the lock of path.
func heldError(path string, waited time.Duration) *HeldError {
	e := &HeldError{Path: path, Waited: waited}
	var h holder
	if b, err := os.ReadFile(beside(path)); err == nil && json.Unmarshal(b, &h) == nil {
		e.PID, e.Since = h.PID, h.Since
	}
	return e
}
