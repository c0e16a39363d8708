package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assent/internal/ignore"
	"assent/internal/policy"
	"assent/internal/workspace"
)

// WalkOptions says what a walk shows.
type WalkOptions struct {
	// Ignored shows what the ignore rules leave out.
	Ignored bool
	// Dirs shows folders too.
	Dirs bool
	// Depth is how many levels below the root are shown; 0 is all.
	Depth int
}

// Entry is one file or folder of a walk.
type Entry struct {
	// Name is the path to give to Read, relative to the workspace root (absolute
	// in an extra root); Rel is relative to the walked folder. Both are slash
	// separated.
	Name, Rel string
	Dir, Link bool
	// Mode holds the type, and the permissions where they cost nothing.
	Mode fs.FileMode

	entry fs.DirEntry
	path  workspace.Path
	span  *span
}

// Info tells size and time of a file; for a link, of the file that it leads to.
func (e Entry) Info() (size int64, modified time.Time, err error) {
	if e.span == nil || e.span.closed.Load() {
		return 0, time.Time{}, ErrClosed
	}
	var info fs.FileInfo
	if e.Link {
		info, err = e.span.gate.options.Workspace.Stat(e.path)
	} else {
		info, err = e.entry.Info()
	}
	if err != nil {
		return 0, time.Time{}, err
	}
	return info.Size(), info.ModTime(), nil
}

// Read reads the entry's file without resolving it again. Max is the most
// bytes; 0 takes the workspace's limit.
func (e Entry) Read(max int64) (workspace.File, error) {
	if e.span == nil || e.span.closed.Load() {
		return workspace.File{}, ErrClosed
	}
	return e.span.gate.options.Workspace.Read(e.path, max)
}

// Skipped counts what a walk left out.
type Skipped struct {
	// Secret counts files that the built-in denials hide, Denied those of the
	// rules, Ignored what the ignore rules hide (a folder counts once),
	// Unreadable folders that could not be listed.
	Secret, Denied, Ignored, Unreadable int
}

// Add returns the sum of two counts.
func (s Skipped) Add(t Skipped) Skipped {
	return Skipped{s.Secret + t.Secret, s.Denied + t.Denied, s.Ignored + t.Ignored, s.Unreadable + t.Unreadable}
}

// Walk calls fn for what lies below a planned tree, in the order of names, a
// folder before what it holds. Files that may not be read are left out and
// counted, and so is what git would ignore. The folder .git is never shown
// unless it is the root. Links are shown; links to folders are not followed.
// Fn may return fs.SkipDir for a folder, and fs.SkipAll. A root that is a file
// is shown alone.
func (h Hands) Walk(ctx context.Context, root string, o WalkOptions, fn func(Entry) error) (Skipped, error) {
	p, err := h.tree(root)
	if err != nil {
		return Skipped{}, err
	}
	w := walker{Context: ctx, span: h.s, o: o, fn: fn}
	if !p.Dir {
		err = w.single(p)
	} else {
		var rules *ignore.Folder
		if !o.Ignored {
			rules, _ = h.s.gate.rulesIn(p)
		}
		err = w.dir(p, "", 1, rules, "")
	}
	if errors.Is(err, fs.SkipAll) || errors.Is(err, fs.SkipDir) {
		err = nil
	}
	return w.skipped, err
}

// tree finds the root of a walk: a planned tree, or a place below one.
func (h Hands) tree(root string) (workspace.Path, error) {
	p, plan, err := h.find(root)
	switch {
	case err != nil:
		return p, err
	case !plan.tree || h.s.request.Effect != policy.Read:
		return p, fmt.Errorf("walk %s: %w", root, ErrNotPlanned)
	case p.Root < 0:
		return p, fmt.Errorf("walk %s: %w", root, workspace.ErrOutside)
	case !p.Exists:
		return p, fmt.Errorf("walk %s: %w", root, fs.ErrNotExist)
	}
	return p, nil
}

// mostIgnore is the size limit of an ignore file in bytes.
const mostIgnore = 4 << 20

type walker struct {
	context.Context
	span    *span
	o       WalkOptions
	fn      func(Entry) error
	skipped Skipped
}

// single shows a root that is a file.
func (w *walker) single(p workspace.Path) error {
	if w.hidden(p) {
		return nil
	}
	info, err := w.span.gate.options.Workspace.Stat(p)
	if err != nil {
		return err
	}
	return w.fn(Entry{
		Name: name(p), Rel: info.Name(), Link: p.Link, Mode: info.Mode(),
		entry: fs.FileInfoToDirEntry(info), path: p, span: w.span,
	})
}

// dir shows what a folder holds. Rules are the ignore rules of the folder
// above, and name is the folder's name in it; the root of the walk has none.
// No rules ignore nothing.
func (w *walker) dir(dir workspace.Path, rel string, depth int, rules *ignore.Folder, name string) error {
	if err := w.Err(); err != nil {
		return err
	}
	list, err := w.span.gate.options.Workspace.List(dir)
	if err != nil {
		if rel == "" {
			return err
		}
		w.skipped.Unreadable++
		return nil
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if rules != nil {
		rules = rules.Enter(name, w.text(dir, list, ignore.GitFile), w.text(dir, list, ignore.OwnFile))
	}
	for _, e := range list {
		if e.Name() == ".git" {
			continue
		}
		err := w.entry(dir, e, join(rel, e.Name()), depth, rules)
		if errors.Is(err, fs.SkipDir) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entry shows one entry and goes into folders.
func (w *walker) entry(dir workspace.Path, e fs.DirEntry, rel string, depth int, rules *ignore.Folder) error {
	shown := true
	if rules != nil && rules.Ignored(e.Name(), e.IsDir()) {
		if !e.IsDir() || !rules.Leads(e.Name()) {
			w.skipped.Ignored++
			return nil
		}
		shown = false // entered for what is included again below it
	}
	p, err := w.span.gate.options.Workspace.Child(dir, e)
	if err != nil {
		w.skipped.Unreadable++
		return nil //nolint:nilerr // what cannot be read is counted, not fatal
	}
	if w.hidden(p) {
		return nil
	}
	if shown && (!e.IsDir() || w.o.Dirs) {
		err := w.fn(Entry{
			Name: name(p), Rel: rel, Dir: e.IsDir(), Link: e.Type()&fs.ModeSymlink != 0, Mode: e.Type(),
			entry: e, path: p, span: w.span,
		})
		if e.IsDir() && errors.Is(err, fs.SkipDir) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	if !e.IsDir() || w.o.Depth > 0 && depth >= w.o.Depth {
		return nil
	}
	return w.dir(p, rel, depth+1, rules, e.Name())
}

// text reads an ignore file of a listed folder, nil when there is none. One
// that is a link does not count, as in git.
func (w *walker) text(dir workspace.Path, list []fs.DirEntry, name string) []byte {
	i, ok := slices.BinarySearchFunc(list, name, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	if !ok || !list[i].Type().IsRegular() {
		return nil
	}
	p, err := w.span.gate.options.Workspace.Child(dir, list[i])
	if err != nil {
		return nil
	}
	f, err := w.span.gate.options.Workspace.Read(p, mostIgnore)
	if err != nil {
		return nil // what cannot be read has no rules, as in git
	}
	return f.Data
}

// hidden counts and reports a path that may not be read. A folder is hidden
// when the rules deny everything below it.
func (w *walker) hidden(p workspace.Path) bool {
	denied := w.span.gate.unreadable(w.span.request.Tool, p)
	switch {
	case denied == nil:
		return false
	case denied.Secret:
		w.skipped.Secret++
	default:
		w.skipped.Denied++
	}
	return true
}

// outward says that a relative path leads out of the workspace root.
func outward(rel string) bool { return rel == ".." || strings.HasPrefix(rel, "../") }

// name is the spelling of a path that Read takes.
func name(p workspace.Path) string {
	if outward(p.Rel) {
		return filepath.ToSlash(p.Abs)
	}
	return p.Rel
}
