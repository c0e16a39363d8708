package instruct

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"assent/internal/prompt"
)

// Budget is how many bytes the instruction files of a project share. The
// user's own file has as many for itself.
const Budget = 32 << 10

// MaxDepth is how many imports may stand in a row.
const MaxDepth = 4

// maxImports bounds how many imports are looked at in all.
const maxImports = 64

// names are the files that count, the first that a folder has.
var names = []string{"AGENTS.override.md", "AGENTS.md", "CLAUDE.md"}

// Options say where to look. Only Dir is needed.
type Options struct {
	// Dir is the workspace.
	Dir string
	// User is the user's config folder; empty for none.
	User string
	// Deny says which files, by real path, must not be read as an import or
	// through a link; hidden files never are, but for Markdown behind a link.
	Deny func(real string) bool
	// Ignored says of a folder below the workspace, relative to it and with
	// slashes, that it is not the project's own work: its instructions are
	// somebody else's. node_modules and folders that begin with a dot always
	// are ignored; nil ignores no others.
	Ignored func(rel string) bool
	// Budget overrides the package's; 0 takes it.
	Budget int
}

// Found is what one look brought. Notices are for the user.
type Found struct {
	Files   []prompt.File
	Notices []string
}

// Finder gives each instruction file of a project once. Its methods may be
// called from several goroutines.
type Finder struct {
	o       Options
	dir     string   // real path of the workspace
	project *os.Root // the project's root
	top     string   // its real path

	mu      sync.Mutex
	left    int
	imports int
	dirs    map[string]bool // folders that were looked at, relative to top
	seen    map[string]bool // real paths
	texts   map[[sha256.Size]byte]bool
	all     []prompt.File
	found   Found // of the look that is going on
}

// New finds the project around a workspace.
func New(o Options) (*Finder, error) {
	dir, err := filepath.Abs(o.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("look for instructions: %w", err)
	}
	f := &Finder{
		o: o, dir: dir, top: projectRoot(dir), left: o.Budget,
		dirs: map[string]bool{}, seen: map[string]bool{}, texts: map[[sha256.Size]byte]bool{},
	}
	if f.left == 0 {
		f.left = Budget
	}
	if f.project, err = os.OpenRoot(f.top); err != nil {
		return nil, fmt.Errorf("look for instructions: %w", err)
	}
	return f, nil
}

// Close gives back the handle of the project's folder.
func (f *Finder) Close() error { return f.project.Close() }

// projectRoot is the nearest folder with a .git, a file in a worktree; without
// one it is the folder itself.
func projectRoot(dir string) string {
	for at := dir; ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			return dir
		}
		at = up
	}
}

// Start gives the files that hold from the beginning: the user's, then those
// of the project from its root down to the workspace.
func (f *Finder) Start() Found {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.user()
	rel, err := filepath.Rel(f.top, f.dir)
	if err != nil {
		return f.take()
	}
	at := "."
	f.folder(at)
	for _, part := range split(filepath.ToSlash(rel)) {
		at = path.Join(at, part)
		f.folder(at)
	}
	return f.take()
}

// Below gives the files of the folders between the workspace and a file below
// it, the widest first, as far as they were not given before. rel is relative
// to the workspace, with slashes; what lies outside brings nothing.
func (f *Finder) Below(rel string) Found {
	rel = path.Clean(filepath.ToSlash(rel))
	if rel == "." || rel == ".." || strings.HasPrefix(rel, "../") || path.IsAbs(rel) || !filepath.IsLocal(filepath.FromSlash(rel)) {
		return Found{}
	}
	base, err := filepath.Rel(f.top, f.dir)
	if err != nil {
		return Found{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at, below := filepath.ToSlash(base), ""
	for _, part := range split(path.Dir(rel)) {
		at, below = path.Join(at, part), path.Join(below, part)
		if part == "node_modules" || strings.HasPrefix(part, ".") || f.o.Ignored != nil && f.o.Ignored(below) {
			break
		}
		f.folder(at)
	}
	return f.take()
}

// All gives every file that was found so far, in the order in which it was.
func (f *Finder) All() []prompt.File {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all[:len(f.all):len(f.all)]
}

// take ends a look.
func (f *Finder) take() Found {
	found := f.found
	f.found = Found{}
	f.all = append(f.all, found.Files...)
	return found
}

func split(rel string) []string {
	if rel == "." || rel == "" {
		return nil
	}
	return strings.Split(rel, "/")
}

func (f *Finder) notice(format string, args ...any) {
	f.found.Notices = append(f.found.Notices, fmt.Sprintf(format, args...))
}

// user reads the file in the user's config folder, which has a budget of its
// own and imports nothing.
func (f *Finder) user() {
	if f.o.User == "" {
		return
	}
	root, err := os.OpenRoot(f.o.User)
	if err != nil {
		return // there is no such folder
	}
	defer root.Close()
	left := Budget
	for _, name := range names {
		real := realPath(filepath.Join(f.o.User, name))
		if f.read(root, name, "the user's "+name, "", real, &left) != missing {
			return
		}
	}
}

// folder reads the file of one folder, and what it imports.
func (f *Finder) folder(dir string) {
	if f.dirs[dir] {
		return
	}
	f.dirs[dir] = true
	for _, name := range names {
		rel := path.Join(dir, name)
		real := f.real(rel)
		if f.disguised(rel, real) {
			f.notice("Instructions in %s were not read: it is a link to a file that may not be read.", rel)
			return
		}
		switch f.read(f.project, rel, rel, f.speaksFor(dir), real, &f.left) {
		case missing:
			continue
		case given:
			if name == "CLAUDE.md" {
				f.follow(rel, f.speaksFor(dir), 1)
			}
		case refused:
		}
		return
	}
}

// disguised says whether an instruction file is a link to what is none: a
// denied file, or a hidden one that is no Markdown. A repository could have
// such a file read without any call of a tool.
func (f *Finder) disguised(rel, real string) bool {
	if real == filepath.Join(f.top, filepath.FromSlash(rel)) {
		return false
	}
	if f.o.Deny != nil && f.o.Deny(real) {
		return true
	}
	inside, err := filepath.Rel(f.top, real)
	return err == nil && hidden(filepath.ToSlash(inside)) && !strings.HasPrefix(strings.ToLower(filepath.Ext(real)), ".md")
}

// hidden says whether a part of a name begins with a dot.
func hidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != "." && part != ".." {
			return true
		}
	}
	return false
}

// speaksFor is a folder of the project relative to the workspace; empty for
// the workspace itself and those above.
func (f *Finder) speaksFor(dir string) string {
	rel, err := filepath.Rel(f.dir, filepath.Join(f.top, filepath.FromSlash(dir)))
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (f *Finder) real(rel string) string {
	return realPath(filepath.Join(f.top, filepath.FromSlash(rel)))
}

func realPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// outcome says what became of a file.
type outcome int

const (
	missing outcome = iota
	given
	refused // there, but not given: a notice says why, or it was given before
)

// read gives one file. left is the budget that it draws on.
func (f *Finder) read(root *os.Root, rel, name, folder, real string, left *int) outcome {
	info, err := root.Stat(filepath.FromSlash(rel))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing
	case err != nil:
		f.notice("Instructions in %s were not read: they lie outside the project or cannot be opened.", name)
		return refused
	case !info.Mode().IsRegular():
		f.notice("Instructions in %s were not read: it is not a regular file.", name)
		return refused
	case f.seen[real]:
		return refused
	}
	f.seen[real] = true
	if *left <= 0 {
		f.notice("Instructions in %s were left out: the files before it used up the %d KiB that all may have.", name, Budget>>10)
		return refused
	}
	text, whole, err := load(root, filepath.FromSlash(rel), *left)
	if err != nil {
		f.notice("Instructions in %s were not read: %v.", name, err)
		return refused
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
	if strings.TrimSpace(text) == "" || f.texts[sum] {
		return given // nothing new in it; what it imports may be
	}
	f.texts[sum] = true
	*left -= len(text)
	if !whole {
		*left = 0
		f.notice("Instructions in %s were cut: all files together may have %d KiB.", name, Budget>>10)
	}
	f.found.Files = append(f.found.Files, prompt.File{Name: name, Text: text, Folder: folder, Cut: !whole})
	return given
}
