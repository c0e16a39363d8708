package walk

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"assent/internal/gitconfig"
	"assent/internal/ignore"
)

// Setting is where a user's own ignore rules are looked for.
type Setting struct {
	// Home is the user's home folder; empty means that there is none.
	Home string
	// ConfigHome is XDG_CONFIG_HOME; empty means .config in Home.
	ConfigHome string
	// Top is the folder where the rules begin when no repository is around;
	// empty means the folder that is asked about.
	Top string
	// GitOnly leaves out .assentignore, which git does not know.
	GitOnly bool
}

// Rules returns the ignore rules that hold in a folder, for Options.Rules:
// those of the folders above it from the top of its repository on, of
// .git/info/exclude and of core.excludesFile. A folder that is ignored itself
// was asked for all the same, so in it only its own rules hold; ignored tells.
// What cannot be read counts as empty.
func Rules(folder string, s Setting) (rules *ignore.Folder, ignored bool) {
	top, gitDir := repository(folder)
	if gitDir == "" {
		if top = s.Top; top == "" || folder != top && !strings.HasPrefix(folder, withSeparator(top)) {
			top = folder
		}
	}
	o := s.options(gitDir)
	at := ignore.Top(o)
	rest := strings.Trim(strings.TrimPrefix(folder, top), string(filepath.Separator))
	if rest == "" {
		return at, false
	}
	dir := top
	at = at.Enter("", own(dir, ignore.GitFile), s.assent(dir))
	parts := strings.Split(rest, string(filepath.Separator))
	for i, name := range parts {
		if at.Ignored(name, true) && !at.Leads(name) {
			return ignore.Top(ignore.Options{Fold: o.Fold}), true
		}
		dir = filepath.Join(dir, name)
		if i == len(parts)-1 {
			return at.Enter(name, nil, nil), false // its own files are read by the walk
		}
		at = at.Enter(name, own(dir, ignore.GitFile), s.assent(dir))
	}
	return at, false
}

// Ignored reports whether the rules hide a file or folder by its absolute
// path, when it is not asked for by name.
func Ignored(name string, dir bool, s Setting) bool {
	rules, hidden := Rules(filepath.Dir(name), s)
	if hidden {
		return true
	}
	folder := filepath.Dir(name)
	at := rules.Enter("", own(folder, ignore.GitFile), s.assent(folder))
	return at.Ignored(filepath.Base(name), dir)
}

func withSeparator(dir string) string {
	return strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
}

func (s Setting) assent(dir string) []byte {
	if s.GitOnly {
		return nil
	}
	return own(dir, ignore.OwnFile)
}

// own reads an ignore file of a folder; a link in its place is not followed.
func own(dir, name string) []byte {
	name = filepath.Join(dir, name)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > mostRules {
		return nil
	}
	return text(name)
}

// text reads a regular file of a bounded size; anything else, such as a pipe
// that nobody writes to, is empty.
func text(name string) []byte {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > mostRules {
		return nil
	}
	b, _ := os.ReadFile(name) // unreadable is empty
	return b
}

// repository finds the top of the work tree around a folder, and where the
// configuration common to all its work trees lies.
func repository(folder string) (top, gitDir string) {
	for dir := folder; ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		if info, err := os.Stat(git); err == nil {
			if !info.IsDir() {
				git = linked(dir, git)
			}
			return dir, git
		}
		if filepath.Dir(dir) == dir {
			return "", ""
		}
	}
}

// linked reads the file .git of a further work tree.
func linked(dir, git string) string {
	to, ok := bytes.CutPrefix(bytes.TrimSpace(text(git)), []byte("gitdir: "))
	if !ok {
		return git
	}
	git = absolute(dir, string(to))
	if common := bytes.TrimSpace(text(filepath.Join(git, "commondir"))); len(common) > 0 {
		return absolute(git, string(common))
	}
	return git
}

func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// options reads what holds everywhere.
func (s Setting) options(gitDir string) ignore.Options {
	config := s.ConfigHome
	if config == "" && s.Home != "" {
		config = filepath.Join(s.Home, ".config")
	}
	var o ignore.Options
	excludes, fold := "", ""
	read := func(name string) {
		config := text(name)
		if v, ok := gitconfig.Last(config, "core", "excludesfile"); ok {
			excludes = v
		}
		if v, ok := gitconfig.Last(config, "core", "ignorecase"); ok {
			fold = strings.ToLower(v)
		}
	}
	read("/etc/gitconfig")
	if config != "" {
		excludes = filepath.Join(config, "git", "ignore")
		read(filepath.Join(config, "git", "config"))
	}
	if s.Home != "" {
		read(filepath.Join(s.Home, ".gitconfig"))
	}
	if gitDir != "" {
		read(filepath.Join(gitDir, "config"))
		o.Exclude = text(filepath.Join(gitDir, "info", "exclude"))
	}
	if rest, ok := strings.CutPrefix(excludes, "~/"); ok {
		excludes = filepath.Join(s.Home, rest)
	}
	if filepath.IsAbs(excludes) {
		o.Global = text(excludes)
	}
	o.Fold = fold == "true" || fold == "yes" || fold == "on" || fold == "1"
	return o
}
