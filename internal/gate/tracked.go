package gate

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"

	"assent/internal/policy"
)

// mostIndex bounds the index of git that a decision reads.
const mostIndex = 64 << 20

// index is what is known of an index of git: its bytes in small letters, or
// that it could not be read, so that it may name anything.
type index struct {
	data   []byte
	opaque bool
}

// Tracked says whether git may track a place: true unless the index of the
// repository around each of its spellings is sure not to name it.
func (d paths) Tracked(p policy.Place) bool {
	for _, s := range p.Spellings {
		if s.Abs == "" || d.mayTrack(filepath.FromSlash(s.Abs)) {
			return true
		}
	}
	return len(p.Spellings) == 0
}

// mayTrack looks for a file in the index of the repository that holds it.
func (d paths) mayTrack(file string) bool {
	top, dir, ok := repositoryOf(file)
	rel, err := filepath.Rel(top, file)
	if !ok || err != nil {
		return true
	}
	at := filepath.Join(dir, "index")
	x, seen := d.indexes[at]
	if !seen {
		x = readIndex(at)
		if d.indexes != nil {
			d.indexes[at] = x
		}
	}
	return x.opaque || bytes.Contains(x.data, []byte(strings.ToLower(filepath.ToSlash(rel))+"\x00"))
}

// repositoryOf finds the nearest repository around a file: the top of its work
// tree and the folder of its index, which a worktree keeps elsewhere.
func repositoryOf(file string) (top, dir string, ok bool) {
	for top = filepath.Dir(file); ; top = filepath.Dir(top) {
		dir = filepath.Join(top, ".git")
		info, err := os.Lstat(dir)
		switch {
		case err == nil && info.IsDir():
			return top, dir, true
		case err == nil && info.Mode().IsRegular() && info.Size() < 4096:
			text, err := os.ReadFile(dir)
			at, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
			if !filepath.IsAbs(at) {
				at = filepath.Join(top, at)
			}
			return top, at, ok && err == nil
		case err == nil || filepath.Dir(top) == top:
			return "", "", false
		}
	}
}

// readIndex reads an index. Entries of the second and third version hold a
// name whole with a zero byte behind; what shortens names or keeps them in
// another file is not understood.
func readIndex(file string) index {
	info, err := os.Lstat(file)
	if os.IsNotExist(err) {
		return index{}
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostIndex {
		return index{opaque: true}
	}
	data, err := os.ReadFile(file)
	if err != nil || len(data) < 12 || string(data[:4]) != "DIRC" {
		return index{opaque: true}
	}
	if v := binary.BigEndian.Uint32(data[4:]); v != 2 && v != 3 || extended(data, "link") || extended(data, "sdir") {
		return index{opaque: true}
	}
	return index{data: bytes.ToLower(data)}
}

// extended says whether an index may have an extension of that name: the
// length of its content follows the name.
func extended(data []byte, name string) bool {
	for {
		i := bytes.Index(data, []byte(name))
		if i < 0 || i+8 > len(data) {
			return false
		}
		if data = data[i+4:]; int64(binary.BigEndian.Uint32(data)) <= int64(len(data)-4) {
			return true
		}
	}
}
