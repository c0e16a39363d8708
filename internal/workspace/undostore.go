package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assent/internal/whole"
)

// store is the disk side of Undo: a journal, one entry a line, and one file for
// each content, named by its hash.
//
//	<dir>/journal.jsonl
//	<dir>/<hash>
type store struct {
	dir               *os.Root
	total             int64 // bytes of all contents
	written           int   // bytes of the journal when it was opened
	maxFile, maxTotal int64
}

const journal = "journal.jsonl"

func openStore(o UndoOptions) (*store, []entry, error) {
	if err := whole.Mkdir(o.Dir); err != nil {
		return nil, nil, err
	}
	dir, err := os.OpenRoot(o.Dir)
	if err != nil {
		return nil, nil, err
	}
	s := &store{dir: dir, maxFile: o.MaxFile, maxTotal: o.MaxTotal}
	entries, err := s.load()
	if err != nil {
		_ = dir.Close() // the load's error is the one to tell
		return nil, nil, err
	}
	return s, entries, nil
}

// load reads the journal and adds up the contents.
func (s *store) load() ([]entry, error) {
	f, err := s.dir.Open(".")
	if err != nil {
		return nil, err
	}
	files, err := f.ReadDir(-1)
	_ = f.Close() // only read from
	if err != nil {
		return nil, err
	}
	for _, e := range files {
		if info, err := e.Info(); err == nil && e.Name() != journal {
			s.total += info.Size()
		}
	}
	text, err := s.dir.ReadFile(journal)
	if err != nil && !isMissing(err) {
		return nil, err
	}
	s.written = len(text)
	return parseJournal(text), nil
}

// append adds a line to the journal. It begins with a line end, so that a torn
// line before it spoils nothing.
func (s *store) append(e entry) error {
	line, err := e.line()
	if err != nil {
		return err
	}
	f, err := s.dir.OpenFile(journal, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append([]byte("\n"), line...))
	if err == nil {
		err = f.Sync() // the change that it announces is synced as well
	}
	return errors.Join(err, f.Close())
}

// put keeps a content; one that is there already costs nothing.
func (s *store) put(hash string, data []byte) error {
	if s.has(hash) {
		return nil
	}
	temp, err := spill(s.dir, bytes.NewReader(data), nil, 0o600)
	if err != nil {
		return err
	}
	if err := s.name(temp, hash); err != nil {
		return err
	}
	s.total += int64(len(data))
	return nil
}

// name gives a finished file its name, to last.
func (s *store) name(temp, name string) error {
	if err := s.dir.Rename(temp, name); err != nil {
		_ = s.dir.Remove(temp) // the rename's error is the one to tell
		return err
	}
	return syncFolder(s.dir)
}

// rewrite replaces the journal, whole or not at all.
func (s *store) rewrite(entries []entry) error {
	var b bytes.Buffer
	for _, e := range entries {
		line, err := e.line()
		if err != nil {
			return err
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	temp, err := spill(s.dir, bytes.NewReader(b.Bytes()), nil, 0o600)
	if err != nil {
		return err
	}
	return s.name(temp, journal)
}

// has reports whether a content is kept.
func (s *store) has(hash string) bool {
	_, err := s.dir.Lstat(hash)
	return err == nil
}

// get gives a content and makes sure that it is the one it was.
func (s *store) get(hash string) ([]byte, error) {
	data, err := s.dir.ReadFile(hash)
	if err != nil {
		return nil, err
	}
	if hashOf(data) != hash {
		return nil, fmt.Errorf("kept content %s is damaged", filepath.Base(hash))
	}
	return data, nil
}

// sweep removes the contents that nothing needs any more.
func (s *store) sweep(used map[string]bool) error {
	f, err := s.dir.Open(".")
	if err != nil {
		return err
	}
	files, err := f.ReadDir(-1)
	_ = f.Close() // only read from
	if err != nil {
		return err
	}
	for _, e := range files {
		if e.Name() == journal || used[e.Name()] {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue
		}
		if err := s.dir.Remove(e.Name()); err != nil {
			return err
		}
		s.total -= info.Size()
	}
	return nil
}
