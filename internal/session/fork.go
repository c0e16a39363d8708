package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assent/internal/jsonl"
	"assent/internal/whole"
)

// Fork begins a new session with a copy of the branch that ends at a record;
// the empty record takes the newest. The records keep their ids; the file, its
// id and its artifacts are new, and the header names where it came from. A
// session that is in use elsewhere, or of a newer format, can be forked too.
// cwd is the workspace of the copy; empty takes the original's.
func (s Store) Fork(ref, at, cwd string) (*Log, error) {
	path, err := s.Find(ref)
	if err != nil {
		return nil, err
	}
	l, err := s.fork(path, at, cwd)
	if err != nil {
		return nil, fmt.Errorf("fork session %s: %w", ref, err)
	}
	return l, nil
}

func (s Store) fork(path, at, cwd string) (*Log, error) {
	t, faults, err := Load(path)
	if err != nil {
		return nil, err
	}
	branch := t.Branch(at)
	if len(branch.Entries) == 0 {
		return nil, fmt.Errorf("it has no record %q", at)
	}
	if cwd == "" {
		cwd = t.Header.CWD
	}
	leaf := branch.Entries[len(branch.Entries)-1].ID
	l, err := s.create(cwd, &Origin{Session: t.ID, Record: leaf})
	if err != nil {
		return nil, err
	}
	l.faults = faults
	err = copyArtifacts(artifactsOf(path), artifactsOf(l.path))
	if err == nil {
		err = l.copyBranch(path, branch)
	}
	if err != nil {
		return nil, errors.Join(err, removeFiles(l.path, l.file.Discard))
	}
	l.fresh = false
	l.recount()
	return l, nil
}

// copyBranch appends the lines of a branch as they stand in the other file, so
// that fields of a newer format go along; only a parent that is no longer
// right is written anew.
func (l *Log) copyBranch(path string, b Branch) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	wanted := make(map[string]Entry, len(b.Entries))
	before := make(map[string]string, len(b.Entries)) // the record that each follows
	for i, e := range b.Entries {
		wanted[e.ID] = e
		if i > 0 {
			before[e.ID] = b.Entries[i-1].ID
		}
	}
	s := jsonl.NewScanner(f)
	for {
		line, ok := s.Next()
		if !ok {
			break
		}
		read, kind := decode(line.Data)
		e, want := wanted[read.ID]
		if kind != "" || !want {
			continue
		}
		delete(wanted, read.ID)
		if _, isHeader := e.Record.(Header); isHeader {
			continue
		}
		data := line.Data
		if prev, ok := before[e.ID]; !ok || e.Parent == prev {
			if data, err = reparent(line.Data, e.Parent, l.leaf); err != nil {
				return err
			}
			e.Parent = l.leaf
		} // else something is lost here, and the copy tells that as well
		if err := l.file.Append(data, false); err != nil {
			return err
		}
		l.tree.add(e)
		l.leaf = e.ID
	}
	return errors.Join(s.Err(), l.file.Sync())
}

// reparent changes the parent of a line and nothing else.
func reparent(line []byte, from, to string) ([]byte, error) {
	if from == to {
		return line, nil
	}
	was, now := appendID([]byte(`"parent":`), from), appendID([]byte(`"parent":`), to)
	// At the head of a line it is the record's own, and no word of a call.
	if i := bytes.Index(line, was); from != "" && i > 0 && !bytes.ContainsAny(line[1:i], `{[\`) {
		changed := bytes.Replace(line, was, now, 1)
		if e, kind := decode(changed); kind == "" && e.Parent == to {
			return changed, nil
		}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, err
	}
	fields["parent"] = appendID(nil, to)
	return json.Marshal(fields)
}

// copyArtifacts gives the copy its own names for the same contents: links
// where the file system can, for an artifact never changes.
func copyArtifacts(from, to string) error {
	if !(Artifacts{Dir: from}).there() {
		return nil
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := (Artifacts{Dir: to}).make(); err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || half(e.Name()) {
			continue
		}
		src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		if os.Link(src, dst) == nil {
			continue
		}
		data, err := os.ReadFile(src)
		if err == nil {
			err = whole.Replace(dst, data, 0o600)
		}
		if err != nil {
			return err
		}
	}
	whole.SyncFolder(to) // the log of the copy, which is synced, names them
	return nil
}
