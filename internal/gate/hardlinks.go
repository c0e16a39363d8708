package gate

import (
	"os"
	"path/filepath"

	"assent/internal/policy"
	"assent/internal/workspace"
)

// homeSecrets are the files in a home that a hard link may give another name.
var homeSecrets = []string{
	".env", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".aws/credentials", ".ssh/id_rsa", ".ssh/id_ed25519", ".ssh/id_ecdsa",
}

// mostNames bounds what is looked through for such names in one folder, and
// mostLooks in all the folders of a decision.
const (
	mostNames = 2000
	mostLooks = 500_000
)

// fileID is which file it is, whatever its name.
type fileID struct{ device, inode uint64 }

// links are the names of secrets that a decision has met, by file. Each folder
// is looked through once: a pattern may stand for thousands of files in one.
type links struct {
	folders map[string]bool
	looks   int
	names   map[fileID][]string
}

// hardNames are the names of secrets that a file has by hard links. A file
// knows how many names it has and not which, so only the likely places are
// looked at: its own folder, the root, the home. Most files have one name, and
// cost one look.
func (d paths) hardNames(p workspace.Path) []policy.Spelling {
	if !p.Exists || p.Dir || p.Root < 0 {
		return nil
	}
	info, err := os.Stat(p.Real)
	if err != nil || !info.Mode().IsRegular() || linkCount(info) < 2 {
		return nil
	}
	id, _, ok := identity(info)
	if !ok {
		return nil
	}
	l := d.links
	if l == nil {
		l = &links{}
	}
	l.look(filepath.Dir(p.Real))
	l.look(d.Root())
	l.lookHome(d.home)
	var out []policy.Spelling
	for _, name := range l.names[id] {
		if name == p.Real {
			continue
		}
		rel, err := filepath.Rel(d.Root(), name)
		if err != nil {
			rel = name
		}
		out = append(out, d.spell(filepath.ToSlash(rel), name))
	}
	return out
}

// look notes the secrets in a folder that have other names.
func (l *links) look(dir string) {
	if !l.enters(dir) {
		return
	}
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	names, _ := f.Readdirnames(mostNames) // the rest is not looked at
	_ = f.Close()                         // it was only read
	l.looks += 1 + len(names)
	for _, name := range names {
		if policy.Secret(name) {
			l.add(filepath.Join(dir, name))
		}
	}
}

// lookHome does so for what lies in a home by convention.
func (l *links) lookHome(home string) {
	if home == "" || !l.enters("~") {
		return
	}
	for _, name := range homeSecrets {
		l.add(filepath.Join(home, filepath.FromSlash(name)))
	}
}

// enters says whether a folder is yet to be looked at.
func (l *links) enters(dir string) bool {
	if l.folders[dir] || l.looks >= mostLooks {
		return false
	}
	if l.folders == nil {
		l.folders, l.names = map[string]bool{}, map[fileID][]string{}
	}
	l.folders[dir] = true
	return true
}

func (l *links) add(name string) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || linkCount(info) < 2 {
		return
	}
	if id, _, ok := identity(info); ok {
		l.names[id] = append(l.names[id], name)
	}
}
