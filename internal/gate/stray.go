package gate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostGitFile bounds what is read of a file .git: git takes none that is longer.
const mostGitFile = 1 << 20

// Stray finds the repository that git would take in a folder, where it lies
// among the files of the workspace: whoever made these chose what its
// configuration runs. One in a folder .git is its owner's, and protected. The
// name is relative to the root; empty is none.
func (d paths) Stray(dir string) string {
	if d.Workspace == nil {
		return ""
	}
	p, err := d.Resolve(".", dir)
	if err != nil {
		return ""
	}
	for at := p.Real; ; at = filepath.Dir(at) {
		found, ok := gitAt(at)
		if ok || filepath.Dir(at) == at {
			if !ok || ofGit(found) {
				return ""
			}
			return d.within(found)
		}
	}
}

// within names a folder relative to the root; empty when it lies in no root.
func (d paths) within(dir string) string {
	p, err := d.Resolve(dir, "")
	if err != nil || p.Root < 0 {
		return ""
	}
	return p.RealRel
}

// ofGit says whether a folder lies in one that is named .git.
func ofGit(dir string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(dir), "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}

// gitAt is the folder of the repository that git finds at a folder, if any:
// the entry .git comes before the folder itself.
func gitAt(dir string) (string, bool) {
	entry := filepath.Join(dir, ".git")
	info, err := os.Stat(entry)
	switch {
	case err == nil && info.IsDir():
		real, err := filepath.EvalSymlinks(entry)
		if err != nil {
			return entry, true
		}
		return real, true
	case err == nil && info.Mode().IsRegular() && info.Size() <= mostGitFile:
		if text, err := os.ReadFile(entry); err == nil {
			if at, ok := gitFolder(text, dir); ok {
				return at, true
			}
		}
	}
	return dir, bare(dir)
}

// bare says whether git takes a folder for that of a repository. It looks at
// less than git does, so that no repository is missed.
func bare(dir string) bool {
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	return has("HEAD") && (has("objects") || has("commondir"))
}
