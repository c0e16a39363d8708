package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"assent/internal/host"
	"assent/internal/policy"
	"assent/internal/workspace"
)

// Bounds of the texts for "#name": the size of one in bytes, how many are
// listed, how many names a folder is asked for, and how much of a text is
// looked at for its first line.
const (
	maxFragment   = 64 << 10
	mostFragments = 200
	mostNames     = 2000
	fragmentHead  = 1 << 10
	aboutLimit    = 80
)

// errLeads says that a text for "#name" is not where its folder is.
var errLeads = errors.New("it leads out of its folder through a link; put the text itself there")

// contextFolder holds texts for "#name". read returns one of them, nil when
// there is none, and an error when there is one that must not be attached.
type contextFolder struct {
	path, from string
	read       func(ctx context.Context, file string) ([]byte, error)
}

// contextFolders are the project's and the user's; the first that has a name
// gives its text.
func (q *answers) contextFolders() []contextFolder {
	return []contextFolder{
		{filepath.Join(q.loaded().root, ".assent", "context"), "project", q.projectFragment},
		{filepath.Join(q.loaded().paths.Config, "context"), "user", userFragment},
	}
}

// fragment answers with the text NAME.md of the project or of the user.
func (q *answers) fragment(ctx context.Context, name string) (host.Expansion, error) {
	if name == "" || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") {
		return host.Expansion{}, nil
	}
	for _, dir := range q.contextFolders() {
		text, err := dir.read(ctx, filepath.Join(dir.path, name+".md"))
		if err != nil {
			return host.Expansion{}, err
		}
		if text != nil {
			masked, _ := q.app.masker(q.loaded()).String(string(text))
			return host.Expansion{OK: true, Label: "context " + name, Text: masked}, nil
		}
	}
	if !typeable(name) { // as the number of an issue
		return host.Expansion{}, nil
	}
	return host.Expansion{}, fmt.Errorf("no text is kept for it (at most %d KB of %s.md in .assent/context of the project, or in context beside your config)", maxFragment>>10, name)
}

// projectFragment reads a text that a repository brings: as read_file would,
// through the gate, and only what lies in the project after links.
func (q *answers) projectFragment(ctx context.Context, file string) ([]byte, error) {
	call, grant, err := q.admitted(ctx, "read_file", map[string]any{"path": file})
	if err != nil {
		return nil, err
	}
	hands, err := grant.Spend(call.Request().Tool, grant.Input())
	if err != nil {
		return nil, err
	}
	defer hands.Close()
	at, err := hands.Resolve(file)
	if err != nil {
		return nil, err
	}
	if at.Root != 0 { // a folder that was added is not the project
		return nil, errLeads
	}
	text, err := hands.Read(file, maxFragment)
	return present(text.Data, err)
}

// userFragment reads a text of the user's own, which lies in its folder after
// links and is no file of secrets.
func userFragment(_ context.Context, file string) ([]byte, error) {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return present(nil, err)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(file)) // it may be a link itself: the user's
	if err != nil {
		return present(nil, err)
	}
	rel, err := filepath.Rel(folder, real)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return nil, errLeads
	case policy.Secret(filepath.ToSlash(rel)):
		return nil, fmt.Errorf("%s is a file of secrets", rel)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(rel)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFragment {
		return present(nil, err)
	}
	f, err := root.Open(rel)
	if err != nil {
		return present(nil, err)
	}
	defer f.Close()
	return present(io.ReadAll(io.LimitReader(f, maxFragment)))
}

// present turns what is no text, and so stands for nothing, into nil: a file
// that is not there, is no regular one, or is too large.
func present(text []byte, err error) ([]byte, error) {
	var kind *workspace.KindError
	switch {
	case err == nil && text == nil:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &kind):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return text, nil
}

// fragments lists the texts that "#name" finds.
func (q *answers) fragments(ctx context.Context) host.FragmentList {
	var list host.FragmentList
	for _, dir := range q.contextFolders() {
		for _, file := range markdown(dir.path) {
			name := strings.TrimSuffix(file, ".md")
			known := slices.ContainsFunc(list.Fragments, func(f host.Fragment) bool { return f.Name == name })
			if known || !typeable(name) {
				continue
			}
			if len(list.Fragments) >= mostFragments || ctx.Err() != nil {
				return list
			}
			text, err := dir.read(ctx, filepath.Join(dir.path, file))
			if err == nil && text != nil {
				list.Fragments = append(list.Fragments, host.Fragment{Name: name, About: q.about(text), From: dir.from})
			}
		}
	}
	return list
}

// markdown lists the Markdown files of a folder by name; of a folder that
// holds too many, some.
func markdown(folder string) []string {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.Readdirnames(mostNames) // what could be read is what there is
	names := slices.DeleteFunc(entries, func(name string) bool { return !strings.HasSuffix(name, ".md") })
	slices.Sort(names)
	return names
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

// about is the first line of a text that says something.
func (q *answers) about(text []byte) string {
	head, _ := q.app.masker(q.loaded()).String(strings.ToValidUTF8(string(text[:min(len(text), fragmentHead)]), ""))
	for l := range strings.Lines(head) {
		if l = strings.TrimSpace(strings.TrimLeft(l, "#-* \t")); l != "" {
			return clip(printable(l), aboutLimit)
		}
	}
	return ""
}
