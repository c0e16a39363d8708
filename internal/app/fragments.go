package app

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"assent/internal/host"
)

// Bounds of the list of fragments: how many, and how much of each is looked at
// for its first line, in bytes.
const (
	mostFragments = 200
	fragmentHead  = 1 << 10
	aboutLimit    = 80
)

// contextFolder holds texts for "#name".
type contextFolder struct{ path, from string }

// contextFolders are the project's and the user's; the first that has a name
// gives its text.
func (q *answers) contextFolders() []contextFolder {
	return []contextFolder{
		{filepath.Join(q.loaded().root, ".assent", "context"), "project"},
		{filepath.Join(q.loaded().paths.Config, "context"), "user"},
	}
}

// fragments lists the texts that "#name" finds.
func (q *answers) fragments() host.FragmentList {
	var list host.FragmentList
	for _, dir := range q.contextFolders() {
		files, _ := filepath.Glob(filepath.Join(dir.path, "*.md")) // the pattern is sound
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".md")
			known := slices.ContainsFunc(list.Fragments, func(f host.Fragment) bool { return f.Name == name })
			if known || !typeable(name) || len(list.Fragments) >= mostFragments {
				continue
			}
			if about, ok := q.about(file); ok {
				list.Fragments = append(list.Fragments, host.Fragment{Name: name, About: about, From: dir.from})
			}
		}
	}
	return list
}

// typeable reports whether a name can be said as a word behind "#" that stands
// for nothing else.
func typeable(name string) bool {
	taken := slices.Contains([]string{"diff", "staged", "tree", "last"}, name)
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	}
	return !taken && name != "" && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".") &&
		strings.Trim(name, "0123456789") != "" && strings.IndexFunc(name, odd) < 0
}

// about is the first line of a text that says something; ok is false for a
// file that is none or too large.
func (q *answers) about(file string) (line string, ok bool) {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFragment {
		return "", false
	}
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, fragmentHead))
	if err != nil {
		return "", false
	}
	text, _ := q.app.masker(q.loaded()).String(strings.ToValidUTF8(string(head), ""))
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(strings.TrimLeft(l, "#-* \t")); l != "" {
			return clip(printable(l), aboutLimit), true
		}
	}
	return "", true
}
