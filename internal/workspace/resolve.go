package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// Path is a name as somebody wrote it, and where it leads. It is a value:
// having one gives no access, and using one checks again.
type Path struct {
	// Written is the name as it was given.
	Written string
	// Root is the index of the root that holds Real; -1 outside all.
	Root int
	// Abs is absolute and lexically cleaned; links are not followed.
	Abs string
	// Real is absolute after every link of the longest existing prefix, each
	// part spelled as the folder has it.
	Real string
	// Rel is Abs relative to the main root, slash separated ("../x" when it is
	// not below it): the first spelling that rules match.
	Rel string
	// RealRel is Real relative to the main root: the second spelling.
	RealRel string
	// Exists says that Real exists; Dir that it is a folder.
	Exists, Dir bool
	// Link says that the last part of the name is itself a symbolic link.
	Link bool

	// entry is where the name itself stands: links of its folders followed, a
	// link of the last part not.
	entry string
}

// Entry is the absolute place of the name itself: links of its folders
// followed, a link of the last part not. It differs from Real for a link only.
func (p Path) Entry() string { return p.entry }

// name is how messages call the path.
func (p Path) name() string {
	if p.Written != "" {
		return p.Written
	}
	return p.Real
}

// Resolve reads a name as a model or user wrote it: relative to dir (which is
// read the same way, empty for the main root), absolute, or beginning with "~".
// Parts are followed in order as the system would ("link/.." is the parent of
// the link's target). A name that leads outside the roots is no error: the
// Path says so with Root -1.
func (w *Workspace) Resolve(name, dir string) (Path, error) {
	full, err := w.absolute(name, dir)
	if err != nil {
		return Path{}, fmt.Errorf("resolve %q: %w", name, err)
	}
	at, err := w.walk.follow(full)
	if err != nil {
		return Path{}, fmt.Errorf("resolve %q: %w", name, err)
	}
	return w.place(name, w.rebase(filepath.Clean(full)), at), nil
}

// place fills in what follows from the two spellings of a path.
func (w *Workspace) place(name, abs string, at found) Path {
	p := Path{
		Written: name, Root: -1, Abs: abs, Real: at.real, entry: at.entry,
		Exists: at.exists, Dir: at.exists && at.info.IsDir(), Link: at.link,
		Rel: w.relative(abs), RealRel: w.relative(at.real),
	}
	for i, r := range w.roots {
		if _, ok := below(r.real, at.real); ok {
			p.Root = i
			break
		}
	}
	return p
}

// Child is the path of an entry of dir, as List gave it. It asks the disk
// again only for a link.
func (w *Workspace) Child(dir Path, e fs.DirEntry) (Path, error) {
	name := filepath.Join(dir.Written, e.Name())
	if dir.Written == "" {
		name = e.Name()
	}
	abs, here := filepath.Join(dir.Abs, e.Name()), filepath.Join(dir.Real, e.Name())
	if kindOf(e.Type()) == KindLink || kindOf(e.Type()) == KindSpecial {
		at, err := w.walk.follow(here)
		if err != nil {
			return Path{}, fmt.Errorf("resolve %q: %w", name, err)
		}
		return w.place(name, abs, at), nil
	}
	p := w.place(name, abs, found{real: here, entry: here})
	p.Exists, p.Dir = true, e.IsDir()
	return p, nil
}

// absolute joins name and dir to an absolute path and leaves "." and ".." in
// it, because what ".." means depends on the links before it.
func (w *Workspace) absolute(name, dir string) (string, error) {
	if strings.ContainsRune(name, 0) || strings.ContainsRune(dir, 0) {
		return "", fmt.Errorf("%w: it holds a zero byte", ErrName)
	}
	name = native(w.expand(filepath.FromSlash(name)), w.Root())
	if err := checkName(name); err != nil {
		return "", err
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	base := w.Root()
	if dir != "" {
		var err error
		if base, err = w.absolute(dir, ""); err != nil {
			return "", err
		}
	}
	if name == "" {
		return base, nil
	}
	return strings.TrimSuffix(base, string(filepath.Separator)) + string(filepath.Separator) + name, nil
}

// Readings are other names by which the programs of this system may open what
// a name stands for, also when Resolve refuses it: on Windows "f::$DATA" and
// "f." are f, and a share may be a drive of this machine. Whoever denies a
// path to a program asks for them. They are guesses on the side of caution and
// none where a name means one file.
func (w *Workspace) Readings(name string) []string { return readings(w.expand(name), w.Root()) }

// expand replaces a leading "~" or "~user" where there is such a user, as a
// shell would; anything else is a literal name.
func (w *Workspace) expand(name string) string {
	if !strings.HasPrefix(name, "~") {
		return name
	}
	first, rest := name, ""
	if i := strings.IndexFunc(name, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }); i >= 0 {
		first, rest = name[:i], name[i:]
	}
	if first == "~" {
		if w.home == "" {
			return name
		}
		return strings.TrimSuffix(w.home, string(filepath.Separator)) + rest
	}
	if u, err := user.Lookup(first[1:]); err == nil && u.HomeDir != "" {
		return strings.TrimSuffix(u.HomeDir, string(filepath.Separator)) + rest
	}
	return name
}

// rebase spells a path below a root as the user gave it (through a link, say)
// as one below the real root, so that both are judged alike.
func (w *Workspace) rebase(abs string) string {
	for _, r := range w.roots {
		if _, ok := below(r.real, abs); ok {
			return abs
		}
	}
	for _, r := range w.roots {
		if rest, ok := below(r.given, abs); ok {
			return filepath.Join(r.real, rest)
		}
	}
	return abs
}

// relative is a path as rules match it: from the main root, with slashes.
func (w *Workspace) relative(abs string) string {
	rel, err := filepath.Rel(w.Root(), abs)
	if err != nil { // another volume
		rel = abs
	}
	return filepath.ToSlash(rel)
}
