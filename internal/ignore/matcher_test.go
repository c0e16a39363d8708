package ignore_test

import (
	"path"
	"strings"

	"assent/internal/ignore"
)

// source reads ignore files of the tree by their path relative to its root,
// slash separated. It must not follow links, as git does not.
type source interface {
	ReadFile(rel string) ([]byte, bool)
}

// matcher answers for single paths. It reads the ignore files of the folders
// on the way when they are first needed, and keeps what it read; it is used by
// one goroutine.
type matcher struct {
	source source
	root   *ignore.Folder
	known  map[string]*ignore.Folder // by path without a slash at its end
}

// newMatcher makes a matcher for the tree of a source, with the texts of
// .git/info/exclude and of the file that core.excludesFile names.
func newMatcher(source source, exclude, global []byte) *matcher {
	return newWith(source, ignore.Options{Exclude: exclude, Global: global})
}

// newWith is newMatcher with all options.
func newWith(source source, o ignore.Options) *matcher {
	m := &matcher{source: source, known: map[string]*ignore.Folder{}}
	m.root = m.enter(ignore.Top(o), "", "")
	return m
}

func (m *matcher) enter(above *ignore.Folder, dir, name string) *ignore.Folder {
	read := func(file string) []byte {
		text, _ := m.source.ReadFile(path.Join(dir, file)) // no file is no rules
		return text
	}
	return above.Enter(name, read(ignore.GitFile), read(ignore.OwnFile))
}

// Ignored reports whether a path relative to the root, slash separated, is
// ignored itself or lies in an ignored folder. Dir says that it is a folder.
func (m *matcher) Ignored(rel string, dir bool) bool {
	if rel = path.Clean("/" + rel)[1:]; rel == "" {
		return false
	}
	f := m.root
	for at := 0; ; {
		end := strings.IndexByte(rel[at:], '/')
		if end < 0 {
			return f.Ignored(rel[at:], dir)
		}
		name := rel[at : at+end]
		at += end + 1
		next, ok := m.known[rel[:at-1]]
		if !ok {
			if !f.Ignored(name, true) || f.Leads(name) {
				next = m.enter(f, rel[:at-1], name)
			}
			m.known[rel[:at-1]] = next
		}
		if next == nil {
			return true
		}
		f = next
	}
}
