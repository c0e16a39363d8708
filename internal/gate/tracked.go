package gate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assent/internal/policy"
	"assent/internal/walk"
)

// Tracked visits what git tracks below a folder, and the secrets that it tracked
// at some time since the program began: commits still hold those.
func (d paths) Tracked(name, dir string, which policy.Tracks, visit func(policy.Place) bool) policy.Tracking {
	if d.Workspace == nil || d.indexes == nil {
		return policy.TrackedElsewhere
	}
	if which.Added {
		return d.added(name, dir, which.Secrets, visit)
	}
	p, err := d.Resolve(name, dir)
	if err != nil {
		return policy.TrackedElsewhere
	}
	top, git, ok := repositoryOf(filepath.Join(p.Real, "x"))
	below, err := filepath.Rel(top, p.Real)
	if !ok || err != nil {
		return policy.TrackedElsewhere
	}
	file := filepath.Join(git, "index")
	x := d.indexes.read(file)
	switch {
	case x.elsewhere:
		return policy.TrackedElsewhere
	case x.opaque:
		return policy.TrackedHidden
	}
	below = filepath.ToSlash(below)
	in := func(name string) bool {
		return which.Repository || below == "." || name == below || strings.HasPrefix(name, below+"/")
	}
	one := func(e indexed) bool {
		if !in(e.name) || which.Changed && !e.changed(filepath.Join(top, filepath.FromSlash(e.name)), x.written) {
			return true
		}
		return visit(d.entry(top, e.name))
	}
	more := true
	if which.Secrets {
		for i := 0; more && i < len(x.secrets); i++ {
			more = one(x.entries[x.secrets[i]])
		}
	} else {
		for i := 0; more && i < len(x.entries); i++ {
			more = one(x.entries[i])
		}
	}
	if which.Past {
		for _, name := range d.indexes.remembered(file) {
			if more && in(name) {
				more = visit(d.entry(top, name))
			}
		}
	}
	return policy.TrackedAll
}

// mostIgnored bounds the files whose ignore rules a decision reads; those beyond
// count as not ignored.
const mostIgnored = 500

// added visits what git would begin to track below a folder.
func (d paths) added(name, dir string, secrets bool, visit func(policy.Place) bool) policy.Tracking {
	looks := 0
	whole := d.Below(name, dir, func(p policy.Place) bool {
		s := p.Spellings[0]
		if secrets && !policy.Secret(s.Rel) {
			return true
		}
		if looks++; looks <= mostIgnored && d.ignored(filepath.FromSlash(s.Abs)) {
			return true
		}
		return visit(p)
	})
	if !whole {
		return policy.TrackedElsewhere
	}
	return policy.TrackedAll
}

// ignored says whether git ignores a file.
func (d paths) ignored(file string) bool {
	p, err := d.Resolve(file, "")
	if err != nil || p.Root < 0 || d.setting == nil {
		return false
	}
	s := d.setting(p)
	s.GitOnly = true
	return walk.Ignored(file, false, s)
}

// remember reads the indexes of the repositories that commands of git in a plan
// work on, so that the names in them are known also after these commands.
func (d paths) remember(plan policy.Plan) {
	if d.Workspace == nil {
		return
	}
	var dirs []string
	for _, s := range plan.Subjects {
		if s.Kind == policy.KindCommand && strings.Contains(s.Text, "git") && !slices.Contains(dirs, s.Dir) && len(dirs) < mostRepositories {
			dirs = append(dirs, s.Dir)
		}
	}
	for _, dir := range dirs {
		if p, err := d.Resolve(".", dir); err == nil {
			if _, git, ok := repositoryOf(filepath.Join(p.Real, "x")); ok {
				d.indexes.read(filepath.Join(git, "index"))
			}
		}
	}
}

// mostRepositories bounds how many folders of a plan are looked at for one.
const mostRepositories = 8

// repositoryOf finds the nearest repository around a file: the top of its work
// tree and the folder of its index, which a worktree keeps elsewhere.
func repositoryOf(file string) (top, dir string, ok bool) {
	for top = filepath.Dir(file); ; top = filepath.Dir(top) {
		dir = filepath.Join(top, ".git")
		info, err := os.Lstat(dir)
		switch {
		case err == nil && info.IsDir():
			return top, dir, true
		case err == nil && info.Mode().IsRegular() && info.Size() <= mostGitFile:
			text, err := os.ReadFile(dir)
			at, ok := gitFolder(text, top)
			return top, at, ok && err == nil
		case err == nil || filepath.Dir(top) == top:
			return "", "", false
		}
	}
}

// gitFolder reads the file .git of a further work tree, which names the folder
// of its repository.
func gitFolder(text []byte, top string) (dir string, ok bool) {
	dir, ok = strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(top, dir)
	}
	return dir, ok
}
