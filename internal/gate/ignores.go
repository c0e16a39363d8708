package gate

import (
	"io/fs"
	"path/filepath"
	"strings"

	"assent/internal/ignore"
	"assent/internal/workspace"
)

// Above are the ignore rules of a repository whose top lies above the
// workspace root.
type Above struct {
	// Exclude is the text of the repository's .git/info/exclude.
	Exclude []byte
	// Levels are the folders from the top of the repository down to the one
	// that holds the workspace root; none when the root is the top.
	Levels []Level
}

// Level is one folder above the workspace root.
type Level struct {
	// Name is the folder's name; that of the first does not matter.
	Name string
	// Git and Own are the texts of its .gitignore and .assentignore.
	Git, Own []byte
}

// mostIgnore is the size limit of an ignore file in bytes.
const mostIgnore = 1 << 20

// top is what holds above a root, and the name with which it is entered.
func (h *house) top(p workspace.Path) (*ignore.Folder, string) {
	w := h.options.Workspace
	o := ignore.Options{Global: h.options.Excludes, Exclude: h.options.Above.Exclude}
	if p.Root != 0 || len(h.options.Above.Levels) == 0 {
		root := w.Roots()[p.Root]
		o.Exclude, _ = h.text(filepath.Join(root, ".git", "info", "exclude")) // no file is no rules
		return ignore.Top(o), ""
	}
	f, name := ignore.Top(o), ""
	for i, l := range h.options.Above.Levels {
		if i > 0 {
			name = l.Name
		}
		f = f.Enter(name, l.Git, l.Own)
	}
	return f, filepath.Base(w.Root())
}

// text reads an ignore file; one that is a link does not count, as in git.
func (h *house) text(name string) ([]byte, error) {
	p, err := h.options.Workspace.Resolve(name, "")
	if err != nil {
		return nil, err
	}
	if p.Link || !p.Exists || p.Root < 0 {
		return nil, fs.ErrNotExist
	}
	f, err := h.options.Workspace.Read(p, mostIgnore)
	return f.Data, err
}

// enter goes down one folder and reads its ignore files.
func (h *house) enter(f *ignore.Folder, name, dir string) *ignore.Folder {
	git, _ := h.text(filepath.Join(dir, ignore.GitFile)) // no file is no rules
	own, _ := h.text(filepath.Join(dir, ignore.OwnFile))
	return f.Enter(name, git, own)
}

// rulesIn returns what the ignore rules say in a folder. ok is false when the
// folder is itself ignored: who asks for such a folder by name wants to see it.
func (h *house) rulesIn(p workspace.Path) (f *ignore.Folder, ok bool) {
	root := h.options.Workspace.Roots()[p.Root]
	f, name := h.top(p)
	f = h.enter(f, name, root)
	rel, err := filepath.Rel(root, p.Real)
	if err != nil || rel == "." {
		return f, true
	}
	dir := root
	for name := range strings.SplitSeq(rel, string(filepath.Separator)) {
		if f.Ignored(name, true) {
			return nil, false
		}
		dir = filepath.Join(dir, name)
		f = h.enter(f, name, dir)
	}
	return f, true
}

// Ignored says whether git, or .assentignore, ignores a path relative to the
// workspace root. What cannot be looked at is not ignored.
func (g *Gate) Ignored(rel string) bool {
	if g.options.Workspace == nil {
		return false
	}
	p, err := g.options.Workspace.Resolve(rel, "")
	if err != nil || p.Root < 0 {
		return false
	}
	root := g.options.Workspace.Roots()[p.Root]
	if p.Real == root {
		return false
	}
	parent, err := g.options.Workspace.Resolve(filepath.Dir(p.Real), "")
	if err != nil || parent.Root < 0 {
		return false
	}
	f, ok := g.rulesIn(parent)
	return !ok || f.Ignored(filepath.Base(p.Real), p.Dir)
}
