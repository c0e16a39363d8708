package gate

import (
	"os"
	"path/filepath"
	"strings"

	"assent/internal/policy"
)

// Tracked visits what git tracks below a folder. whole is false where that
// cannot be known: outside of repositories, and where the index is not
// understood.
func (d paths) Tracked(name, dir string, which policy.Tracks, visit func(policy.Place) bool) (whole bool) {
	if d.Workspace == nil || d.indexes == nil {
		return false
	}
	p, err := d.Resolve(name, dir)
	if err != nil {
		return false
	}
	top, git, ok := repositoryOf(filepath.Join(p.Real, "x"))
	below, err := filepath.Rel(top, p.Real)
	if !ok || err != nil {
		return false
	}
	x := d.indexes.read(filepath.Join(git, "index"))
	if x.opaque {
		return false
	}
	below = filepath.ToSlash(below)
	one := func(e indexed) bool {
		in := which.Repository || below == "." || e.name == below || strings.HasPrefix(e.name, below+"/")
		if !in || which.Changed && !e.changed(filepath.Join(top, filepath.FromSlash(e.name))) {
			return true
		}
		return visit(d.entry(top, e.name))
	}
	if which.Secrets {
		for _, i := range x.secrets {
			if !one(x.entries[i]) {
				break
			}
		}
		return true
	}
	for _, e := range x.entries {
		if !one(e) {
			break
		}
	}
	return true
}

// repositoryOf finds the nearest repository around a file: the top of its work
// tree and the folder of its index, which a worktree keeps elsewhere.
func repositoryOf(file string) (top, dir string, ok bool) {
	for top = filepath.Dir(file); ; top = filepath.Dir(top) {
		dir = filepath.Join(top, ".git")
		info, err := os.Lstat(dir)
		switch {
		case err == nil && info.IsDir():
			return top, dir, true
		case err == nil && info.Mode().IsRegular() && info.Size() < 4096:
			text, err := os.ReadFile(dir)
			at, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if !filepath.IsAbs(at) {
				at = filepath.Join(top, at)
			}
			return top, at, ok && err == nil
		case err == nil || filepath.Dir(top) == top:
			return "", "", false
		}
	}
}
