// Package trust remembers which projects the user trusts. What a project
// brings that can run code or loosen rules counts only after that.
//
// It owns the list of such files, their hash, and the store of the user's
// decisions. It knows nothing of what the files mean. Its law: trust is bound
// to the real path of the project and to the content of what it brings, as it
// was looked at, so a project that was moved, linked or changed must be looked
// at again.
package trust

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assent/internal/lock"
	"assent/internal/whole"
)

// Hooks is the file of a project's hooks.
const Hooks = ".assent/hooks.json"

// Files are the files of a project that can run code or loosen rules, by path
// below its root.
var Files = []string{
	".assent/config.json", Hooks, ".mcp.json",
	".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json",
}

// maxFile bounds what is read of one file. A larger one cannot be trusted.
const maxFile = 4 << 20

// State is what a project brings and whether it is trusted.
type State struct {
	// Root is the real path.
	Root string `json:"root"`
	// Brings are the files that are there.
	Brings []string `json:"brings"`
	Hash   string   `json:"hash"`
	// Trusted says that the user trusted exactly this content; Changed that it
	// was another content.
	Trusted bool `json:"trusted"`
	Changed bool `json:"changed"`
	// Texts are the contents of Brings, in their order: the very bytes that
	// Hash is of, so that what is shown is what is trusted.
	Texts [][]byte `json:"-"`
}

// Store keeps the user's decisions in one file.
type Store struct{ file string }

// Open names the file of the store; it need not exist.
func Open(file string) *Store { return &Store{file} }

// entry is a decision.
type entry struct {
	Hash    string    `json:"hash"`
	Trusted time.Time `json:"trusted"`
}

// Look reads what a project brings and what the user said of it.
func (s *Store) Look(root string) (State, error) {
	state, err := brings(root)
	if err != nil {
		return State{}, err
	}
	all, err := s.load()
	if err != nil {
		return State{}, err
	}
	e, known := all[state.Root]
	state.Trusted = known && e.Hash == state.Hash
	state.Changed = known && e.Hash != state.Hash
	return state, nil
}

// Trust trusts what was looked at. It reads nothing again: what the project
// brings by now may be something else, and then has not been trusted.
func (s *Store) Trust(ctx context.Context, seen State, now time.Time) (State, error) {
	if seen.Root == "" || seen.Hash == "" {
		return State{}, errors.New("trust a project: it was not looked at")
	}
	err := s.change(ctx, func(all map[string]entry) { all[seen.Root] = entry{seen.Hash, now.UTC()} })
	if err == nil {
		seen.Trusted, seen.Changed = true, false
	}
	return seen, err
}

// Revoke forgets a project. A folder that is gone is named by its path.
func (s *Store) Revoke(ctx context.Context, root string) (State, error) {
	state, err := brings(root)
	if err != nil {
		state = State{Root: filepath.Clean(root)}
	}
	return state, s.change(ctx, func(all map[string]entry) { delete(all, state.Root) })
}

// brings hashes the files of a project. Names and lengths are part of the
// hash, so that no two projects of different content share one.
func brings(root string) (State, error) {
	real, err := filepath.Abs(root)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return State{}, fmt.Errorf("find the project: %w", err)
	}
	state := State{Root: real, Brings: []string{}}
	sum := sha256.New()
	for _, name := range Files {
		text, err := read(filepath.Join(real, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return State{}, fmt.Errorf("read what the project brings: %w", err)
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(text))
		sum.Write(text)
		state.Brings, state.Texts = append(state.Brings, name), append(state.Texts, text)
	}
	state.Hash = hex.EncodeToString(sum.Sum(nil))
	return state, nil
}

// read reads a regular file of bounded size; anything else is an error, so
// that a project cannot hide behind a device or a pipe.
func read(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%s is no regular file of at most %d bytes", file, maxFile)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile { // it grew meanwhile
		err = fmt.Errorf("%s is larger than %d bytes", file, maxFile)
	}
	return text, err
}

func (s *Store) load() (map[string]entry, error) {
	all := map[string]entry{}
	text, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(bytes.TrimSpace(text)) == 0 {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the trusted projects: %w", err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("read the trusted projects: %s is damaged (%w); remove it to begin anew", s.file, err)
	}
	if all == nil { // the file says null
		all = map[string]entry{}
	}
	return all, nil
}

// change rewrites the store under a lock, so that two processes never lose
// each other's decisions.
func (s *Store) change(ctx context.Context, f func(map[string]entry)) error {
	if err := whole.Mkdir(filepath.Dir(s.file)); err != nil {
		return fmt.Errorf("keep the decision: %w", err)
	}
	held, err := lock.Wait(ctx, s.file, lock.Patience)
	if err != nil {
		return fmt.Errorf("keep the decision: %w", err)
	}
	defer func() { _ = held.Release() }() // closing the file unlocks it as well
	all, err := s.load()
	if err != nil {
		return err
	}
	f(all)
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = whole.Sweep(s.file)
	}
	if err == nil {
		err = whole.Replace(s.file, append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep the decision: %w", err)
	}
	return nil
}
