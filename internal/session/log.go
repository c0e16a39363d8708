package session

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"assent/internal/jsonl"
	"assent/internal/llm"
)

// ErrNewer says that a file was written by a newer version of the program; it
// can be read but not continued.
var ErrNewer = errors.New("the session was written by a newer version of assent and is open for reading only; update assent, or fork it to go on")

// ErrClosed says that a log was used after Close.
var ErrClosed = errors.New("the session is closed")

// Log is the open file of one session. Its methods may be called from several
// goroutines; records are stored one after the other.
type Log struct {
	store  Store
	path   string
	faults Faults

	mu     sync.Mutex
	file   *jsonl.File // nil: read only or closed
	closed bool
	fresh  bool // made by this process, and nothing was said yet
	tree   Tree
	leaf   string
	turns  int
	title  string // the newest Title record's
	// voids are the responses since the branch was read that a reader leaves out.
	// Who appends has them in its conversation still.
	voids map[string]bool
}

// ID is the id of the session.
func (l *Log) ID() string { return l.tree.ID }

// Path is the file.
func (l *Log) Path() string { return l.path }

// Faults are the lines that were skipped when the file was opened.
func (l *Log) Faults() Faults { return l.faults }

// ReadOnly is ErrNewer when the file cannot be continued, else nil.
func (l *Log) ReadOnly() error {
	if l.tree.Header.Version > Version {
		return ErrNewer
	}
	return nil
}

// Header is the first line.
func (l *Log) Header() Header { return l.tree.Header }

// Tree gives what the session holds now.
func (l *Log) Tree() Tree {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tree.clone()
}

// Branch is the active branch, with its images.
func (l *Log) Branch() Branch {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tree.Branch(l.leaf)
}

// Leaf is the record that the next one will follow.
func (l *Log) Leaf() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leaf
}

// Move makes an earlier record the one that the next one follows. The move
// itself is not stored: it lasts once something is appended there.
func (l *Log) Move(id string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.tree.Entry(id); !ok {
		return fmt.Errorf("go back in session %s: it has no record %q", l.tree.ID, id)
	}
	l.leaf, l.voids = id, nil
	l.recount()
	return nil
}

// recount reads from the active branch what Append needs to know.
func (l *Log) recount() {
	l.turns, l.title = 0, ""
	for _, e := range l.tree.Branch(l.leaf).Entries {
		switch r := e.Record.(type) {
		case User:
			l.turns++
		case Title:
			l.title = r.Title
		default:
		}
	}
}

// talk are the items of the conversation that are not notes, each by the record
// it came from, so that a summary can say what it covers.
func (l *Log) talk() (ids []string) {
	b := l.tree.Branch(l.leaf)
	b.Blob = nil // the items are only counted
	f := foldAll(b)
	f.close()
	for _, p := range f.out {
		if _, note := p.item.(llm.Note); note || p.void && !l.voids[p.id] {
			continue
		}
		ids = append(ids, p.id)
	}
	return ids
}

// Append stores a record after the leaf and makes it the leaf. When it returns
// nil, the record survives this process; a synced one survives the machine.
func (l *Log) Append(r Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.append(r); err != nil {
		return fmt.Errorf("save %s record of session %s: %w", r.Type(), l.tree.ID, err)
	}
	return nil
}

func (l *Log) append(r Record) error {
	if l.file == nil {
		if err := l.ReadOnly(); err != nil && !l.closed {
			return err
		}
		return ErrClosed
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	e := Entry{Meta: Meta{ID: id.String(), Parent: l.leaf, Time: l.store.now()}, Record: l.complete(r)}
	e.Record = mask(e.Record, l.store.Redact)
	line, err := encode(e.Meta, e.Record)
	if err != nil {
		return err
	}
	if err := l.file.Append(line, r.Synced()); err != nil {
		return err
	}
	l.tree.add(e)
	l.leaf = e.ID
	l.note(e)
	return nil
}

// complete fills in what only the log knows.
func (l *Log) complete(r Record) Record {
	switch r := r.(type) {
	case User:
		r.Turn = l.turns + 1
		return r
	case Timing:
		r.Turns, r.Title = l.turns, l.title
		return r
	case Summary:
		if r.Through != "" {
			return r
		}
		talk := l.talk()
		if at := len(talk) - 1 - r.Keeps - r.Unheard; at >= 0 {
			r.Through = talk[at]
		}
		return r
	case Withdrawn:
		if r.Steers == nil {
			r.Steers = l.newestSteers(r.Count)
		}
		return r
	default:
		return r
	}
}

// newestSteers are the ids of the last n steers of the active branch that
// stand, newest first.
func (l *Log) newestSteers(n int) []string {
	var ids []string
	back := map[string]bool{}
	for at, ok := l.tree.index[l.leaf]; ok && at >= 0 && len(ids) < n; at, _ = l.tree.parent(at) {
		e := l.tree.Entries[at]
		switch r := e.Record.(type) {
		case Withdrawn:
			for _, id := range r.Steers {
				back[id] = true
			}
		case Steer:
			if !back[e.ID] {
				ids = append(ids, e.ID)
			}
		default:
		}
	}
	return ids
}

// note keeps count of what was stored.
func (l *Log) note(e Entry) {
	switch r := e.Record.(type) {
	case User:
		l.turns++
	case Assistant:
		if r.gone() {
			if l.voids == nil {
				l.voids = map[string]bool{}
			}
			l.voids[e.ID] = true
		}
	case Steer, Result, Withdrawn:
	case Title:
		l.title = r.Title
		return
	default:
		return
	}
	l.fresh = false
}

// Sync brings everything that was appended to the disk.
func (l *Log) Sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.Sync()
}

// Close syncs and gives the lock back. A session that this process made and in
// which nothing was said leaves no file behind.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	if l.fresh {
		return removeFiles(l.path, file.Discard)
	}
	return file.Close()
}

func (s Store) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}
