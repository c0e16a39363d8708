package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"assent/internal/jsonl"
)

// pruneMost bounds how many sessions one Prune removes, so that who begins a
// session does not wait for years of them.
const pruneMost = 200

// Prune removes the sessions of all projects that nobody has used for longer
// than keep, with everything beside them, and returns how many. One that is
// open, here or elsewhere, stays; so does one whose file or newest record is
// younger. A keep of zero or less keeps all. The error says what could not be
// removed; the others are.
func (s Store) Prune(keep time.Duration) (removed int, err error) {
	if keep <= 0 {
		return 0, nil
	}
	files, err := s.files("")
	if err != nil {
		return 0, err
	}
	before := s.now().Add(-keep)
	for _, path := range files {
		if removed == pruneMost {
			break
		}
		if !s.unused(path, before) || jsonl.Held(path) {
			continue
		}
		gone, fault := s.prune(path, before)
		if gone {
			removed++
		}
		err = errors.Join(err, fault)
	}
	return removed, err
}

// unused reports whether a session's file and its newest record are older than
// a time. A file that was copied back is young, one that was touched too.
func (s Store) unused(path string, before time.Time) bool {
	stat, err := os.Stat(path)
	return err == nil && stat.ModTime().Before(before) && s.info(path).Updated.Before(before)
}

// prune removes one session, if nobody has it open and nobody used it since it
// was looked at.
func (s Store) prune(path string, before time.Time) (bool, error) {
	lock, err := jsonl.TryLock(path)
	if locked := (*jsonl.LockedError)(nil); errors.As(err, &locked) {
		return false, nil
	}
	if err == nil && !s.unused(path, before) {
		return false, lock.Release()
	}
	if err == nil {
		err = removeFiles(path, lock.Release)
	}
	if err != nil {
		_, id, _ := splitName(filepath.Base(path))
		return false, fmt.Errorf("remove the old session %s: %w", id, err)
	}
	return true, nil
}
