package gate

import (
	"os"
	"path/filepath"
	"slices"

	"assent/internal/policy"
	"assent/internal/workspace"
)

// homeSecrets are the files in a home that a hard link may give another name.
var homeSecrets = []string{
	".env", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".aws/credentials", ".ssh/id_rsa", ".ssh/id_ed25519", ".ssh/id_ecdsa",
}

// mostNames bounds the folders that are looked through for such names.
const mostNames = 2000

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
	var out []policy.Spelling
	try := func(name string) {
		other, err := os.Lstat(name)
		if err != nil || name == p.Real || !os.SameFile(info, other) {
			return
		}
		rel, err := filepath.Rel(d.Root(), name)
		if err != nil {
			rel = name
		}
		out = append(out, d.spell(filepath.ToSlash(rel), name))
	}
	own := filepath.Dir(p.Real)
	for _, dir := range slices.Compact([]string{own, d.Root()}) {
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		names, _ := f.Readdirnames(mostNames) // the rest is not looked at
		_ = f.Close()                         // it was only read
		for _, name := range names {
			if policy.Secret(name) {
				try(filepath.Join(dir, name))
			}
		}
	}
	if d.home != "" {
		for _, name := range homeSecrets {
			try(filepath.Join(d.home, filepath.FromSlash(name)))
		}
	}
	return out
}
