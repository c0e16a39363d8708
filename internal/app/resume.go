package app

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode"

	"assent/internal/redact"
	"assent/internal/session"
)

// opened is the session of a conversation.
type opened struct {
	log     *session.Log
	resumed bool
	// notices say which session it is, where that may surprise.
	notices []string
}

// log opens the session: a new one, the newest of the directory, a named one,
// or a copy of one.
func (a *App) log(l loaded, f Flags, mask *redact.Masker) (at opened, err error) {
	store := a.store(l.paths, mask)
	ref := f.Resume
	if f.Continue {
		newest, passed, err := newest(store, l.root)
		if err != nil {
			return at, err
		}
		ref, at.notices = newest.ID, passed
	}
	if ref == "" {
		if at.log, err = store.Create(l.root); err != nil {
			return at, sessionError(err)
		}
		at.notices = pruned(store, l.Sessions.KeepDays)
		return at, nil
	}
	at.resumed = true
	if f.Fork {
		if at.log, err = store.Fork(ref, "", l.root); err != nil {
			return at, sessionError(err)
		}
		at.notices = append(at.notices, fmt.Sprintf("This is a copy, forked from %s.", from(at.log, ref)))
	} else if at.log, err = store.Open(ref); err != nil {
		return at, sessionError(err)
	}
	err = at.log.ReadOnly()
	if err == nil && !f.Fork {
		err = belongs(at.log, l.root)
	}
	if err != nil {
		return at, &UsageError{errors.Join(err, at.log.Close())}
	}
	return at, nil
}

// pruned removes what the user wants kept no longer, and tells of it. What goes
// wrong keeps nobody from a new session.
func pruned(store session.Store, days int) (notices []string) {
	n, err := store.Prune(time.Duration(min(days, 36_500)) * 24 * time.Hour)
	if n > 0 {
		notices = append(notices, fmt.Sprintf("Sessions that nobody used for %d days were removed: %d (sessions.keepDays in your config).", days, n))
	}
	if err != nil {
		notices = append(notices, fmt.Sprintf("Old sessions could not all be removed: %v.", err))
	}
	return notices
}

// from is the session that a log was copied from.
func from(log *session.Log, ref string) string {
	if parent := log.Header().ForkedFrom; parent != nil {
		return parent.Session
	}
	return ref
}

// newest is the session that goes on, with a word on a newer one that cannot.
func newest(store session.Store, root string) (session.Info, []string, error) {
	found, err := store.Newest(root)
	if err != nil && !errors.Is(err, session.ErrNone) {
		return found, nil, sessionError(err)
	}
	all, listing := store.List(root, false)
	if listing != nil {
		return found, nil, sessionError(listing)
	}
	switch {
	case err != nil && len(all) == 0:
		return found, nil, usagef("no session to continue here; leave out -c")
	case err != nil:
		return found, nil, usagef("continue session %s: it is open in another process, and there is no other here; end that one, or leave out -c", all[0].ID)
	case len(all) > 0 && all[0].ID != found.ID:
		return found, []string{fmt.Sprintf("A newer session, %s, is open in another process; this one is the newest that is not.", all[0].ID)}, nil
	}
	return found, nil, nil
}

// belongs refuses the session of another folder: what was read and said there
// is not true here, and its log would tell of two places.
func belongs(log *session.Log, root string) error {
	dir := log.Header().CWD
	if dir == "" || session.RealPath(dir) == root {
		return nil
	}
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("resume session %s: it belongs to %s, which is not there any more; use --fork to continue here", log.ID(), dir)
	}
	return fmt.Errorf("resume session %s: it belongs to %s; use -C %s, or --fork to continue here", log.ID(), dir, quoted(dir))
}

// quoted is a word as a shell reads it back.
func quoted(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-", r)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
