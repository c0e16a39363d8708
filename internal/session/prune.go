package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assent/internal/lock"
)

// pruneMost bounds how many sessions one Prune removes, so that who begins a
// session does not wait for years of them.
const pruneMost = 200

// witnessAge is how old another session has to be to tell how late it is.
const witnessAge = 24 * time.Hour

// Prune removes the sessions of all projects that nobody has used for longer
// than keep, with everything beside them, and returns how many. One that is
// open, here or elsewhere, stays; so does one whose file or newest record is
// younger, or cannot be dated. A keep of zero or less keeps all. The error says
// what could not be removed; the others are.
//
// The clock alone removes nothing, since it may be years off for an hour: how
// late it is says the newest session that was used a day ago or before.
func (s Store) Prune(keep time.Duration) (removed int, err error) {
	if keep <= 0 {
		return 0, nil
	}
	files, err := s.files("")
	if err != nil {
		return 0, err
	}
	before := s.now().Add(-keep - witnessAge)
	written := byWrite(files)
	if n := len(written); n == 0 || !written[n-1].at.Before(before) {
		return 0, nil // and nothing more is read
	}
	latest := before
	before = s.witness(written).Add(-keep)
	for _, w := range slices.Backward(written) {
		path := w.path
		if removed == pruneMost || !w.at.Before(latest) {
			break
		}
		if !s.unused(path, before) || lock.Held(path) {
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

// written is a session's file and when it was written last.
type written struct {
	path string
	at   time.Time
}

// byWrite are the files that can be looked at, the one that was written last
// first.
func byWrite(files []string) (list []written) {
	for _, path := range files {
		if stat, err := os.Lstat(path); err == nil {
			list = append(list, written{path, stat.ModTime()})
		}
	}
	slices.SortStableFunc(list, func(a, b written) int { return b.at.Compare(a.at) })
	return list
}

// witness is the newest time at which a session was used that lies a day back
// or more; zero when there is none. A file is written when its session is used,
// so none behind the first that was written before that time is read: one old
// session that cannot go would else have each start read all there are. Where a
// file bears an older date than its records, less is removed.
func (s Store) witness(list []written) (newest time.Time) {
	latest := s.now().Add(-witnessAge)
	for _, w := range list {
		if !w.at.After(newest) {
			break
		}
		if at := s.info(w.path).Updated; at.After(newest) && !at.After(latest) {
			newest = at
		}
	}
	return newest
}

// unused reports whether a session's file and its newest record are older than
// a time. A file that was copied back is young, one that was touched too; one
// whose end cannot be read may be.
func (s Store) unused(path string, before time.Time) bool {
	stat, err := os.Lstat(path)
	if err != nil || !stat.ModTime().Before(before) {
		return false
	}
	i := s.info(path)
	return i.Updated.Before(before) && (i.dated || i.Size == 0)
}

// prune removes one session, if nobody has it open and nobody used it since it
// was looked at.
func (s Store) prune(path string, before time.Time) (bool, error) {
	held, err := lock.Try(path)
	if locked := (*lock.HeldError)(nil); errors.As(err, &locked) {
		return false, nil
	}
	if err == nil && !s.unused(path, before) {
		return false, held.Release()
	}
	if err == nil {
		err = removeFiles(path, held.Remove)
	}
	if err != nil {
		_, id, _ := splitName(filepath.Base(path))
		return false, fmt.Errorf("remove the old session %s: %w", id, err)
	}
	return true, nil
}
