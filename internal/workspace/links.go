package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxLinks is how many links one name may lead through, as on Linux.
const maxLinks = 40

// walker follows names through a file system. It is made of functions so that
// a test can show it one that folds case.
type walker struct {
	lstat    func(string) (fs.FileInfo, error)
	readlink func(string) (string, error)
	names    func(dir string) ([]string, error)
	same     func(a, b fs.FileInfo) bool
	// stored asks the system for the name of an existing file as its folder has
	// it; where it cannot tell, or with nil, the folder is read instead.
	stored func(full string) (string, bool)
}

func disk() walker {
	return walker{
		lstat: os.Lstat, readlink: os.Readlink, same: os.SameFile, stored: storedName,
		names: func(dir string) ([]string, error) {
			f, err := os.Open(dir)
			if err != nil {
				return nil, err
			}
			names, err := f.Readdirnames(-1)
			_ = f.Close() // only read from
			return names, err
		},
	}
}

// found is where a name leads.
type found struct {
	real   string // links followed, as far as parts exist; the rest lexically
	entry  string // the same without following a link of the last part
	info   fs.FileInfo
	exists bool
	link   bool // the last part is a link
}

// follow walks an absolute path part by part. A part that does not exist, or
// that may not be looked at, ends the part of the path that is known; nothing
// is lost by that, because opening the path checks every part again.
func (k walker) follow(full string) (found, error) {
	links := 0
	return k.on(k.top(full), split(full), &links)
}

// top is the topmost folder of an absolute path.
func (k walker) top(full string) found {
	dir := capital(filepath.VolumeName(full)) + string(filepath.Separator)
	info, err := k.lstat(dir)
	return found{real: dir, entry: dir, info: info, exists: err == nil}
}

// split gives the parts of a path without its volume, without empty ones and
// ".", and with "..".
func split(full string) []string {
	var parts []string
	for part := range strings.SplitSeq(full[len(filepath.VolumeName(full)):], string(filepath.Separator)) {
		if part != "" && part != "." {
			parts = append(parts, part)
		}
	}
	return parts
}

// on walks on from a place that was found.
func (k walker) on(at found, parts []string, links *int) (found, error) {
	for i, part := range parts {
		if part == ".." {
			at = k.up(at)
			continue
		}
		next := k.into(at, part)
		target, ok := k.target(next)
		if !ok {
			at = next
			continue
		}
		if *links++; *links > maxLinks {
			return found{}, ErrLoop
		}
		from := at
		if filepath.IsAbs(target) {
			from = k.top(target)
		} else if target != "" && os.IsPathSeparator(target[0]) {
			from = k.top(at.real)
		}
		end, err := k.on(from, split(filepath.FromSlash(target)), links)
		if err != nil {
			return found{}, err
		}
		end.entry, end.link = next.entry, i == len(parts)-1
		at = end
	}
	return at, nil
}

// up is the parent folder; the parent of the topmost one is itself.
func (k walker) up(at found) found {
	dir := filepath.Dir(at.real)
	info, err := k.lstat(dir)
	return found{real: dir, entry: dir, info: info, exists: err == nil}
}

// into is the part below a folder, spelled as the folder has it.
func (k walker) into(at found, part string) found {
	here := filepath.Join(at.real, part)
	if at.exists && at.info.IsDir() {
		if info, err := k.lstat(here); err == nil {
			here = filepath.Join(at.real, k.spelling(at.real, part, info))
			return found{real: here, entry: here, info: info, exists: true}
		}
	}
	return found{real: here, entry: here}
}

// target reads a link. Windows shows junctions as special files.
func (k walker) target(at found) (string, bool) {
	if !at.exists || at.info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
		return "", false
	}
	target, err := k.readlink(at.real)
	return target, err == nil
}

// spelling is the name of a part as its folder has it, so that ".GIT" is
// judged as ".git" where the two are one file. The folder is read only when
// another spelling of the name leads to the same file.
func (k walker) spelling(dir, part string, info fs.FileInfo) string {
	if k.stored != nil {
		if name, ok := k.stored(filepath.Join(dir, part)); ok {
			return name
		}
	}
	if !k.folds(dir, part, info) {
		return part
	}
	names, err := k.names(dir)
	if err != nil {
		return part
	}
	like := ""
	for _, n := range names {
		if n == part {
			return part
		}
		if like == "" && strings.EqualFold(norm.NFC.String(n), norm.NFC.String(part)) {
			like = n
		}
	}
	if like != "" {
		return like
	}
	for _, n := range names { // a short name, or a folding that we do not know
		if i, err := k.lstat(filepath.Join(dir, n)); err == nil && k.same(i, info) {
			return n
		}
	}
	return part
}

// folds reports whether a name may have other spellings in its folder.
func (k walker) folds(dir, part string, info fs.FileInfo) bool {
	if shortNames && strings.Contains(part, "~") {
		return true
	}
	other := strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, part)
	composed := norm.NFC.String(part)
	if composed == part {
		composed = norm.NFD.String(part)
	}
	for _, alt := range []string{other, composed} {
		if alt == part {
			continue
		}
		if i, err := k.lstat(filepath.Join(dir, alt)); err == nil && k.same(i, info) {
			return true
		}
	}
	return false
}
