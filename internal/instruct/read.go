package instruct

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"assent/internal/late"
)

var errBinary = errors.New("it is not a text file")

// byteOrder may stand at the head of a text.
const byteOrder = "\xef\xbb\xbf"

// load reads at most limit bytes of a text; whole is false when there is more,
// and the text then ends with a line.
func load(root *os.Root, name string, limit int) (text string, whole bool, err error) {
	file, err := root.Open(name)
	if err != nil {
		return "", false, errors.New("it cannot be opened")
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+int64(len(byteOrder))+1))
	if err != nil {
		return "", false, errors.New("it cannot be read")
	}
	return decode(data, limit)
}

// decode makes at most limit bytes of text of the data. What is no text in a
// text is marked, and the marks count.
func decode(data []byte, limit int) (text string, whole bool, err error) {
	data = bytes.TrimPrefix(data, []byte(byteOrder))
	if bytes.IndexByte(data, 0) >= 0 {
		return "", false, errBinary
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(string(data), "\uFFFD"), "\r\n", "\n")
	if len(data) <= limit && len(text) <= limit {
		return text, true, nil
	}
	text = text[:min(limit, len(text))]
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[:i+1]
	}
	for r, n := utf8.DecodeLastRuneInString(text); r == utf8.RuneError && n == 1; r, n = utf8.DecodeLastRuneInString(text) {
		text = text[:len(text)-1] // a part of a letter
	}
	return text, false, nil
}

// follow gives what a file imports, and what that imports in turn. In an
// AGENTS.md an @ stays prose, also when it was itself imported.
func (f *Finder) follow(rel, folder string, depth int) {
	if strings.HasPrefix(path.Base(rel), "AGENTS.") {
		return
	}
	text, _, err := load(f.project, filepath.FromSlash(rel), Budget)
	if err != nil {
		return
	}
	for _, target := range imports(text) {
		if f.imports++; f.imports > maxImports {
			return
		}
		to, ok := f.target(path.Dir(rel), target)
		if !ok {
			f.notice("The import @%s in %s was not followed: it lies outside the project or may not be read.", target, rel)
			continue
		}
		if depth > MaxDepth {
			f.notice("The import @%s in %s was not followed: imports stand at most %d deep.", target, rel, MaxDepth)
			continue
		}
		switch f.read(f.project, to, to, folder, f.real(to), &f.left) {
		case given:
			f.follow(to, folder, depth+1)
		case missing:
			if strings.HasSuffix(to, ".md") {
				f.notice("The import @%s in %s was not followed: there is no such file.", target, rel)
			}
		case refused:
		}
	}
}

// target gives the path of an import in the project; ok is false when it is
// not in the project or must not be read.
func (f *Finder) target(dir, target string) (rel string, ok bool) {
	name := filepath.FromSlash(target)
	if strings.HasPrefix(target, "~/") || target == "~" {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(f.top, filepath.FromSlash(dir), name)
	}
	real := realPath(name)
	inside, err := filepath.Rel(f.top, real)
	if err != nil || !filepath.IsLocal(inside) {
		return "", false
	}
	if f.o.Deny != nil && f.o.Deny(real) {
		return "", false
	}
	// By the name as written and by the real one: neither may be hidden.
	if hidden(filepath.ToSlash(inside)) || hidden(filepath.ToSlash(target)) {
		return "", false
	}
	return filepath.ToSlash(inside), true
}

var (
	fence     = late.Regexp("^ {0,3}(```+|~~~+)")
	codeSpan  = late.Regexp("`+[^`]*`+")
	mention   = late.Regexp(`(?:^|[\s(])@([^\s()<>"'` + "`" + `]+)`)
	commented = late.Regexp(`(?s)<!--.*?-->`)
)

// imports finds the @paths of a text that stand outside code and comments. A
// name without a dot or a slash is prose.
func imports(text string) []string {
	var found []string
	open := ""
	for line := range strings.SplitSeq(commented().ReplaceAllString(text, " "), "\n") {
		if m := fence().FindStringSubmatch(line); m != nil {
			switch {
			case open == "":
				open = m[1]
				continue
			case m[1][0] == open[0] && len(m[1]) >= len(open):
				open = ""
				continue
			}
		}
		if open != "" {
			continue
		}
		line = codeSpan().ReplaceAllString(line, " ")
		for _, m := range mention().FindAllStringSubmatch(line, -1) {
			name := strings.TrimRight(m[1], ".,;:!?*_")
			if strings.ContainsAny(name, "./") {
				found = append(found, name)
			}
		}
	}
	return found
}
