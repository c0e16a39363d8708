package workspace

import (
	"errors"
	"fmt"
	"sync"
)

// Undo keeps the former content of files that turns change, so that a turn's
// changes can be taken back and made again. It knows only files that were
// changed through the Workspace that records to it; what commands did to the
// disk is not its business. Contents are kept by hash below a folder of its
// own, each once, up to a total size; the oldest turns are forgotten first.
type Undo struct {
	w     *Workspace
	store *store

	mu   sync.Mutex
	turn string
	memory
}

// UndoOptions says where former contents are kept, and how much of them.
type UndoOptions struct {
	// Dir is made when it is missing; nobody else may write there.
	Dir string
	// MaxFile is the size in bytes above which a file's former content is not
	// kept (0: 16 MiB), MaxTotal the size of all that is kept (0: 256 MiB).
	MaxFile, MaxTotal int64
}

// Turn is one turn that changed files.
type Turn struct {
	ID string
	// Files are the real paths of the changed files, in order of their first
	// change.
	Files []string
	// Undone says that the changes were taken back.
	Undone bool
}

// Report says what Undo or Redo did, by the real paths of the files.
type Report struct {
	Turn string
	// Restored files got back other content, Created ones exist again, Removed
	// ones do not any more.
	Restored, Created, Removed []string
	// Changed files were left alone because other hands changed them since.
	Changed []string
	// Lost files were left alone because their content was not kept.
	Lost []string
}

// ErrNothing says that there is no turn to undo or redo.
var ErrNothing = errors.New("no file changes")

// OpenUndo opens the memory in o.Dir, which may hold turns of an earlier run.
// Give it to Workspace.Record to have it fed.
func OpenUndo(w *Workspace, o UndoOptions) (*Undo, error) {
	if o.MaxFile <= 0 {
		o.MaxFile = 16 << 20
	}
	if o.MaxTotal <= 0 {
		o.MaxTotal = 256 << 20
	}
	u := &Undo{w: w}
	s, entries, err := openStore(o)
	if err != nil {
		return nil, fmt.Errorf("open the undo store: %w", err)
	}
	u.store = s
	for _, e := range entries {
		u.replay(e)
	}
	if s.written > compactAt {
		if err := s.rewrite(u.entries()); err != nil {
			return nil, errors.Join(fmt.Errorf("open the undo store: %w", err), u.Close())
		}
	}
	return u, nil
}

// compactAt is the size of a journal in bytes from which opening it leaves out
// what later lines made void.
const compactAt = 1 << 20

// Close gives the store's folder back. What was kept stays on disk.
func (u *Undo) Close() error { return u.store.dir.Close() }

// Begin says that later changes belong to the turn with this id.
func (u *Undo) Begin(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.turn = id
}

// Turns lists the turns that changed files, oldest first.
func (u *Undo) Turns() []Turn {
	u.mu.Lock()
	defer u.mu.Unlock()
	list := make([]Turn, 0, len(u.turns))
	for _, t := range u.turns {
		shown := Turn{ID: t.id, Undone: t.undone}
		for _, c := range t.files {
			shown.Files = append(shown.Files, c.path)
		}
		list = append(list, shown)
	}
	return list
}

// before keeps what is at a real path, unless the turn changed it already, and
// notes what will be there afterwards. It is called before every change.
func (u *Undo) before(w *Workspace, root int, path string, after state) error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.current()
	e := entry{Turn: t.id, Path: rawPath(path), After: after}
	if t.find(path) == nil {
		was, data, err := w.state(root, path, u.store.maxFile)
		if err != nil {
			return err
		}
		if was.Kind == kindFile {
			switch room, err := u.room(was.Hash, int64(len(data))); {
			case err != nil:
				return err
			case !room:
				was.Kind = kindLarge
			default:
				if err := u.store.put(was.Hash, data); err != nil {
					return err
				}
			}
		}
		e.Before = &was
	}
	if err := u.store.append(e); err != nil {
		return err
	}
	u.replay(e)
	return nil
}

// current is the turn that changes belong to now.
func (u *Undo) current() *turn {
	if n := len(u.turns); n > 0 && u.turns[n-1].id == u.turn && !u.turns[n-1].undone {
		return u.turns[n-1]
	}
	return &turn{id: u.turn}
}

// settle notes what a change that failed really left at a path, in place of
// what it would have left.
func (u *Undo) settle(w *Workspace, root int, path string) error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	is, _, err := w.state(root, path, 0)
	if err != nil {
		return err
	}
	e := entry{Turn: u.turn, Path: rawPath(path), After: is, Settled: true}
	if err := u.store.append(e); err != nil {
		return err
	}
	u.replay(e)
	return nil
}

// made notes folders that were made for a change, so that undoing it can take
// them away again.
func (u *Undo) made(path string, made []string) error {
	if u == nil || len(made) == 0 {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	e := entry{Turn: u.turn, Path: rawPath(path), Made: rawPaths(made)}
	if err := u.store.append(e); err != nil {
		return err
	}
	u.replay(e)
	return nil
}

// room makes room for a content of so many bytes by forgetting the oldest
// turns, but never the one that is running. It reports false when that is not
// enough.
func (u *Undo) room(hash string, size int64) (bool, error) {
	if u.store.has(hash) {
		return true, nil
	}
	for u.store.total+size > u.store.maxTotal {
		if len(u.turns) == 0 || u.turns[0] == u.current() {
			return false, nil
		}
		e := entry{Turn: u.turns[0].id, Mark: markForgotten}
		if err := u.store.append(e); err != nil {
			return false, err
		}
		u.replay(e)
		if err := u.store.sweep(u.hashes()); err != nil {
			return false, err
		}
	}
	return true, nil
}
