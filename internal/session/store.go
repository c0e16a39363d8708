package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"assent/internal/jsonl"
	"assent/internal/lock"
)

// Store is the folder of all sessions: one folder a project, one file a
// session. It is a value and holds nothing open.
type Store struct {
	// Dir is the folder; it is made when the first session is.
	Dir string
	// Program is the version that new sessions name.
	Program string
	// Redact masks secrets before they reach the disk; nil masks nothing.
	Redact Redact
	// Now is the clock; nil takes the system's.
	Now func() time.Time
}

// ErrNone says that there is no session to continue.
var ErrNone = errors.New("no session to continue here; start one by giving a prompt")

// UnknownError says that no session has an id that begins with Ref.
type UnknownError struct{ Ref string }

// Error says what to do next.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("find session %q: no session has this id; `assent sessions list --all` shows them", e.Ref)
}

// AmbiguousError says that several sessions have an id that begins with Ref.
type AmbiguousError struct {
	Ref string
	IDs []string
}

// Error lists the ids.
func (e *AmbiguousError) Error() string {
	ids, more := e.IDs, ""
	if len(ids) > 10 {
		ids, more = ids[:10], fmt.Sprintf(" and %d more", len(e.IDs)-10)
	}
	return fmt.Sprintf("find session %q: %d sessions begin like this: %s%s; give more of the id", e.Ref, len(e.IDs), strings.Join(ids, ", "), more)
}

// InUseError says that a session is open elsewhere.
type InUseError struct {
	ID  string
	Err *lock.HeldError
}

// Error names the process and the way out.
func (e *InUseError) Error() string {
	return fmt.Sprintf("open session %s: %v; end that one first, or continue a copy with --fork", e.ID, e.Err)
}

// Unwrap returns the lock's error.
func (e *InUseError) Unwrap() error { return e.Err }

// Create begins a new session of a workspace.
func (s Store) Create(cwd string) (*Log, error) {
	return s.create(cwd, nil)
}

func (s Store) create(cwd string, from *Origin) (*Log, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	real, now := RealPath(cwd), s.now()
	dir := filepath.Join(s.Dir, Project(real))
	if err := folder(dir); err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	path := filepath.Join(dir, fileName(id.String(), now))
	file, err := jsonl.Create(path)
	if err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	h := Entry{
		Meta:   Meta{ID: id.String(), Time: now},
		Record: Header{Version: Version, CWD: real, Created: now.UTC(), Program: s.Program, ForkedFrom: from},
	}
	line, err := encode(h.Meta, h.Record)
	if err == nil {
		err = file.Append(line, false)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create session: %w", err), removeFiles(path, file.Discard))
	}
	l := &Log{store: s, path: path, file: file, fresh: true, leaf: h.ID}
	l.tree.accept(h)
	l.tree.blob = l.artifacts().Read
	return l, nil
}

// Open opens a session by its id or an unambiguous beginning of it. A file of
// a newer format opens for reading only. Errors: *UnknownError,
// *AmbiguousError, *InUseError, or one of the medium.
func (s Store) Open(ref string) (*Log, error) {
	path, err := s.Find(ref)
	if err != nil {
		return nil, err
	}
	return s.OpenFile(path)
}

// OpenFile opens the session in a file.
func (s Store) OpenFile(path string) (*Log, error) {
	file, err := jsonl.Open(path)
	if locked := (*lock.HeldError)(nil); errors.As(err, &locked) {
		_, id, _ := splitName(filepath.Base(path))
		return nil, &InUseError{ID: id, Err: locked}
	}
	if err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	t, faults, err := Load(path)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	l := &Log{store: s, path: path, file: file, faults: faults, tree: t, leaf: t.Leaf()}
	if l.ReadOnly() != nil {
		l.file = nil
		if err := file.Close(); err != nil {
			return nil, fmt.Errorf("open session: %w", err)
		}
	} else {
		l.artifacts().sweep()
	}
	l.recount()
	return l, nil
}

// Find gives the file of a session by its id or an unambiguous beginning.
func (s Store) Find(ref string) (string, error) {
	files, err := s.files("")
	if err != nil {
		return "", err
	}
	var found, ids []string
	for _, path := range files {
		_, id, _ := splitName(filepath.Base(path))
		if id == ref {
			return path, nil
		}
		if ref != "" && strings.HasPrefix(id, strings.ToLower(ref)) {
			found, ids = append(found, path), append(ids, id)
		}
	}
	switch len(found) {
	case 0:
		return "", &UnknownError{Ref: ref}
	case 1:
		return found[0], nil
	}
	slices.Sort(ids)
	return "", &AmbiguousError{Ref: ref, IDs: ids}
}

// files lists the session files of a project, or of all for the empty name.
func (s Store) files(project string) ([]string, error) {
	projects := []string{project}
	if project == "" {
		entries, err := os.ReadDir(s.Dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		projects = projects[:0]
		for _, e := range entries {
			if e.IsDir() {
				projects = append(projects, e.Name())
			}
		}
	}
	var files []string
	for _, p := range projects {
		dir := filepath.Join(s.Dir, p)
		if err := folder(dir); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		for _, e := range entries {
			if _, _, ok := splitName(e.Name()); ok && e.Type().IsRegular() {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files, nil
}

// folder refuses a project's folder that is a link: it leads out of the store.
func folder(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link, which may lead anywhere; put a folder in its place", dir)
	}
	return nil // what else is wrong is told by those who use it
}

// Remove deletes a session with everything beside it. One that is in use is
// refused.
func (s Store) Remove(ref string) error {
	path, err := s.Find(ref)
	if err != nil {
		return err
	}
	_, id, _ := splitName(filepath.Base(path))
	held, err := lock.Try(path)
	if locked := (*lock.HeldError)(nil); errors.As(err, &locked) {
		return &InUseError{ID: id, Err: locked}
	}
	if err != nil {
		return fmt.Errorf("remove session %s: %w", id, err)
	}
	if err := removeFiles(path, held.Remove); err != nil {
		return fmt.Errorf("remove session %s: %w", id, err)
	}
	return nil
}

// removeFiles deletes a session's file and what is beside it; the caller holds
// the lock and says how to let go of it, which takes the lock file along. Where
// a file that is open cannot be deleted, as on Windows, it goes after that.
func removeFiles(path string, release func() error) error {
	raw := Artifacts{Dir: artifactsOf(path)}
	all := filepath.Dir(raw.Dir)
	info, err := os.Lstat(all)
	own := err == nil && info.IsDir() // a link leads to what is not ours
	err = nil
	if own {
		err = os.RemoveAll(raw.Dir)
	}
	early := removeFile(path)
	err = errors.Join(err, release())
	if early != nil {
		err = errors.Join(err, removeFile(path))
	}
	// The folders go with the last session in them; else they stay.
	if own {
		_ = os.Remove(all)
	}
	_ = os.Remove(filepath.Dir(path))
	return err
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
