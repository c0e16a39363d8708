package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"assent/internal/policy"
	"assent/internal/workspace"
)

// DeniedError says that a rule, or the built-in list of secret files, keeps a
// path from being read.
type DeniedError struct {
	Path string
	// Secret says that it was the built-in list.
	Secret bool
	Reason string
}

// Error names the path and the reason.
func (e *DeniedError) Error() string { return "read " + e.Path + ": " + e.Reason }

// Read reads a regular file that was planned, or that lies below a planned
// tree. Max is the most bytes; 0 takes the workspace's limit. The error is
// ErrNotPlanned, a *DeniedError, workspace.ErrChanged, or the workspace's.
func (h Hands) Read(name string, max int64) (workspace.File, error) {
	p, err := h.readable(name)
	if err != nil {
		return workspace.File{}, err
	}
	return h.s.gate.options.Workspace.Read(p, max)
}

// Stat describes a planned path, or one below a planned tree.
func (h Hands) Stat(name string) (fs.FileInfo, error) {
	p, err := h.readable(name)
	if err != nil {
		return nil, err
	}
	return h.s.gate.options.Workspace.Stat(p)
}

// Resolve tells where a planned name leads, without opening it.
func (h Hands) Resolve(name string) (workspace.Path, error) {
	p, _, err := h.find(name)
	return p, err
}

// Write replaces the content of a file that was planned to be written; see
// workspace.Write for what is kept of it. The content counts as seen by this
// conversation.
func (h Hands) Write(name string, data []byte, mode fs.FileMode) error {
	return h.write(name, data, func(w *workspace.Workspace, p workspace.Path) error { return w.Write(p, data, mode) })
}

// Replace is Write of content that was made from a file as it was read, nil for
// none; the error is workspace.ErrMeanwhile when it holds something else by now.
func (h Hands) Replace(name string, data []byte, mode fs.FileMode, was *workspace.File) error {
	return h.write(name, data, func(w *workspace.Workspace, p workspace.Path) error { return w.Replace(p, data, mode, was) })
}

// write is Write by a function of the workspace.
func (h Hands) write(name string, data []byte, do func(*workspace.Workspace, workspace.Path) error) error {
	p, err := h.writable(name)
	if err != nil {
		return err
	}
	if h.s.tries() {
		return h.s.gate.options.Workspace.TryWrite(p)
	}
	err = do(h.s.gate.options.Workspace, p)
	if _, acted := errors.AsType[*workspace.DoneError](err); err != nil && !acted {
		return err
	}
	h.s.gate.seen.mark(h.s.request.conversation(), p.Real, data)
	return err
}

// Move renames a file; both ends must have been planned to be written.
func (h Hands) Move(from, to string) error {
	a, err := h.writable(from)
	if err != nil {
		return err
	}
	b, err := h.writable(to)
	if err != nil {
		return err
	}
	if h.s.tries() {
		return h.s.gate.options.Workspace.TryMove(a, b)
	}
	if err := h.s.gate.options.Workspace.Move(a, b); err != nil {
		return err
	}
	h.s.gate.seen.move(h.s.request.conversation(), a.Real, b.Real)
	return nil
}

// Remove deletes a file that was planned to be written, never a folder.
func (h Hands) Remove(name string) error {
	p, err := h.writable(name)
	if err != nil {
		return err
	}
	if h.s.tries() {
		return h.s.gate.options.Workspace.TryRemove(p)
	}
	if err := h.s.gate.options.Workspace.Remove(p); err != nil {
		return err
	}
	h.s.gate.seen.forget(h.s.request.conversation(), p.Real)
	return nil
}

// Seen returns the hash (see Hash) of the content that this conversation last
// read or wrote of a planned file; ok is false when it never did.
func (h Hands) Seen(name string) (hash string, ok bool) {
	p, _, err := h.find(name)
	if err != nil {
		return "", false
	}
	return h.s.gate.seen.get(h.s.request.conversation(), p.Real)
}

// MarkSeen notes the content of a planned file that this conversation now
// knows: what its model was shown, whole or a window of it. A change of the
// file, also outside that window, makes it stale.
func (h Hands) MarkSeen(name string, data []byte) {
	if p, _, err := h.find(name); err == nil && !h.s.trial {
		h.s.gate.seen.mark(h.s.request.conversation(), p.Real, data)
	}
}

// Hash is the hash of content as Seen tells it.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// find resolves a name anew and returns where it leads and the plan's part
// that covers it. It refuses a path that was not planned, and one that leads
// elsewhere now than when it was judged.
func (h Hands) find(name string) (workspace.Path, planned, error) {
	if err := h.live(); err != nil {
		return workspace.Path{}, planned{}, err
	}
	if len(h.s.paths) == 0 { // also when there is no workspace
		return workspace.Path{}, planned{}, fmt.Errorf("open %s: %w", name, ErrNotPlanned)
	}
	now, err := h.s.gate.options.Workspace.Resolve(name, "")
	if err != nil {
		return workspace.Path{}, planned{}, err
	}
	plan := h.s.plan()
	if p, ok := plan.at[now.Abs]; ok {
		if p.path.Real != now.Real || p.path.Root != now.Root {
			return workspace.Path{}, planned{}, fmt.Errorf("open %s: %w", name, workspace.ErrChanged)
		}
		return now, p, nil
	}
	var tree *planned
	for i, p := range plan.trees {
		if below(now.Abs, p.path.Abs) {
			tree = &plan.trees[i]
		}
	}
	if tree == nil {
		return workspace.Path{}, planned{}, fmt.Errorf("open %s: %w", name, ErrNotPlanned)
	}
	root, err := h.s.gate.options.Workspace.Resolve(tree.path.Written, tree.dir)
	if err != nil {
		return workspace.Path{}, planned{}, err
	}
	if root.Real != tree.path.Real {
		return workspace.Path{}, planned{}, fmt.Errorf("open %s: %w", name, workspace.ErrChanged)
	}
	return now, planned{path: now, read: true, tree: true, under: true}, nil
}

// readable finds a path that may be read. What was planned to be read was
// judged then. What lies below a planned tree, and what was planned only to be
// written, is judged here: a grant to write a file is none to read a secret.
func (h Hands) readable(name string) (workspace.Path, error) {
	p, plan, err := h.find(name)
	if err != nil {
		return p, err
	}
	if e := h.s.request.Effect; e != policy.Read && e != policy.Write {
		return p, fmt.Errorf("read %s: %w", name, ErrNotPlanned)
	}
	if p.Root < 0 {
		return p, fmt.Errorf("read %s: %w", name, workspace.ErrOutside)
	}
	var denied *DeniedError
	switch {
	case plan.under:
		denied = h.s.gate.unreadable(h.s.request.Tool, p)
	case !plan.read: // a path that is named is judged by all its names
		denied = h.s.gate.unreadableAt(h.s.request.Tool, p, h.s.gate.disk().named(p))
	}
	switch {
	case denied != nil: // whether it is there or not
		return p, denied
	case !p.Exists:
		return p, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	}
	return p, nil
}

// writable finds a path that was planned to be written.
func (h Hands) writable(name string) (workspace.Path, error) {
	p, plan, err := h.find(name)
	switch {
	case err != nil:
		return p, err
	case !plan.write || h.s.request.Effect != policy.Write:
		return p, fmt.Errorf("write %s: %w", name, ErrNotPlanned)
	}
	return p, nil
}

// below reports whether a cleaned absolute path lies strictly below another.
func below(name, root string) bool {
	return strings.HasPrefix(name, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
}

// join puts a folder's slash-separated name before an entry's.
func join(dir, name string) string {
	if dir == "." || dir == "" {
		return name
	}
	return path.Join(dir, name)
}
