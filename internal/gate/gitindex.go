package gate

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"assent/internal/policy"
)

// Bounds of the index of git that a decision reads: its bytes, those of a name,
// and how many times longer than the file all names together may be. The fourth
// version writes a name as what it has more than the one before, so that a small
// file can name much.
const (
	mostIndex  = 64 << 20
	mostName   = 4096
	mostLonger = 4
)

// index is what is known of an index of git. opaque says that it could not be
// read, so that it may name anything; elsewhere that it is a sound one that
// keeps names in other files (a split one) or as whole folders (a sparse one).
type index struct {
	entries []indexed
	// secrets are the places in entries of names that may be those of secrets.
	secrets           []int
	opaque, elsewhere bool
	// written is when the file was written last.
	written time.Time
}

// indexed is one file in an index, with what git knows of it on disk.
type indexed struct {
	name           string
	made, modified moment
	inode          uint32
	size           uint32
}

// moment is a time as git keeps it, by the low bits.
type moment struct{ sec, nsec uint32 }

func momentOf(t time.Time) moment {
	return moment{uint32(t.Unix()), uint32(t.Nanosecond())} //nolint:gosec // git keeps the low 32 bits
}

// changed says whether the file at a path differs from what git knows of it,
// or may differ: it may be wrong only by saying true. Git takes a file for the
// same by what this looks at, and looks into one that is as young as the index.
func (e indexed) changed(file string, written time.Time) bool {
	info, err := os.Lstat(file)
	if err != nil {
		return true
	}
	at := info.ModTime()
	if uint32(info.Size()) != e.size || e.size == 0 || momentOf(at) != e.modified || !at.Before(written) { //nolint:gosec // git keeps the low 32 bits
		return true
	}
	id, made, ok := identity(info)
	return ok && (momentOf(made) != e.made || uint32(id.inode) != e.inode) //nolint:gosec // as above
}

// indexes keeps the indexes that were read for as long as their files stay the
// same.
type indexes struct {
	mu   sync.Mutex
	kept map[string]keptIndex
	// once are names of secrets that an index held once: whoever takes one out
	// of it does not take it out of the commits.
	once map[string]map[string]bool
}

// mostOnce bounds the names that are remembered of an index.
const mostOnce = 1000

type keptIndex struct {
	info os.FileInfo
	index
}

// settled is how old a file must be before its time tells two contents apart.
const settled = 2 * time.Second

// read gives the index at a path.
func (x *indexes) read(file string) index {
	info, err := os.Lstat(file)
	if os.IsNotExist(err) {
		return index{} // nothing is tracked yet
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostIndex {
		return index{opaque: true}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if k, ok := x.kept[file]; ok && os.SameFile(k.info, info) && k.info.Size() == info.Size() && k.info.ModTime().Equal(info.ModTime()) && sameMade(k.info, info) {
		return k.index
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return index{opaque: true}
	}
	read := parseIndex(data)
	read.written = info.ModTime()
	x.remember(file, read)
	delete(x.kept, file)
	if time.Since(info.ModTime()) > settled {
		if x.kept == nil {
			x.kept = map[string]keptIndex{}
		}
		x.kept[file] = keptIndex{info, read}
	}
	return read
}

// sameMade says whether nothing was written to a file since, whatever its time
// was set to.
func sameMade(a, b os.FileInfo) bool {
	_, was, _ := identity(a)
	_, is, _ := identity(b)
	return was.Equal(is)
}

// remember keeps the names of secrets in an index.
func (x *indexes) remember(file string, read index) {
	if len(read.secrets) == 0 {
		return
	}
	if x.once == nil {
		x.once = map[string]map[string]bool{}
	}
	names := x.once[file]
	if names == nil {
		names = map[string]bool{}
		x.once[file] = names
	}
	for _, i := range read.secrets {
		if len(names) < mostOnce {
			names[read.entries[i].name] = true
		}
	}
}

// remembered are the names of secrets that an index held once.
func (x *indexes) remembered(file string) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Sorted(maps.Keys(x.once[file]))
}

// parseIndex reads the versions 2 to 4, with hashes of either length.
func parseIndex(data []byte) index {
	for _, hash := range []int{20, 32} {
		if x, ok := parseIndexOf(data, hash); ok {
			if x.elsewhere {
				return index{opaque: true, elsewhere: true}
			}
			return x
		}
	}
	return index{opaque: true}
}

const (
	indexHead  = 12 // signature, version, number of entries
	indexStats = 40 // what an entry holds in front of its hash
)

// parseIndexOf reads an index whose hashes have so many bytes; false when it is none.
func parseIndexOf(data []byte, hash int) (index, bool) {
	if len(data) < indexHead+hash || string(data[:4]) != "DIRC" {
		return index{}, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), int(binary.BigEndian.Uint32(data[8:]))
	body := data[indexHead : len(data)-hash]
	if version < 2 || version > 4 || count > len(body)/(indexStats+hash) {
		return index{}, false
	}
	x := index{entries: make([]indexed, 0, count)}
	last, left := "", min(mostLonger*len(data), mostIndex)
	for range count {
		e, length, ok := parseEntry(body, hash, version, last)
		if left -= len(e.name); !ok || left < 0 {
			return index{}, false
		}
		body, last = body[length:], e.name
		if policy.Secret(e.name) {
			x.secrets = append(x.secrets, len(x.entries))
		}
		x.entries = append(x.entries, e)
	}
	whole := false
	whole, x.elsewhere = extensions(body)
	return x, whole
}

// parseEntry reads the entry in front of the data and gives its length.
func parseEntry(data []byte, hash int, version uint32, last string) (e indexed, length int, ok bool) {
	at := indexStats + hash + 2
	if len(data) < at {
		return e, 0, false
	}
	const extended = 0x4000
	if flags := binary.BigEndian.Uint16(data[at-2:]); flags&extended != 0 {
		at += 2
	}
	number := func(i int) uint32 { return binary.BigEndian.Uint32(data[i:]) }
	e = indexed{made: moment{number(0), number(4)}, modified: moment{number(8), number(12)}, inode: number(20), size: number(36)}
	prefix := ""
	if version == 4 {
		cut, n, ok := offset(data[min(at, len(data)):])
		if !ok || cut > len(last) {
			return e, 0, false
		}
		at, prefix = at+n, last[:len(last)-cut]
	}
	if at >= len(data) {
		return e, 0, false
	}
	end := bytes.IndexByte(data[at:], 0)
	if end < 0 {
		return e, 0, false
	}
	if len(prefix)+end > mostName {
		return e, 0, false
	}
	e.name = prefix + string(data[at:at+end])
	length = at + end + 1
	if version < 4 {
		length = (at + end + 8) / 8 * 8 // one to eight zero bytes
	}
	return e, length, e.name != "" && length <= len(data)
}

// offset is git's number of a variable length.
func offset(data []byte) (value, length int, ok bool) {
	for i, b := range data {
		if i > 4 {
			break
		}
		if i > 0 {
			value = (value + 1) << 7
		}
		value |= int(b & 0x7f)
		if b&0x80 == 0 {
			return value, i + 1, true
		}
	}
	return 0, 0, false
}

// extensions says whether what follows the entries is well formed, and whether
// some of it keeps entries elsewhere.
func extensions(data []byte) (whole, elsewhere bool) {
	for len(data) > 0 {
		if len(data) < 8 {
			return false, false
		}
		size := int64(binary.BigEndian.Uint32(data[4:]))
		if size > int64(len(data)-8) {
			return false, false
		}
		name := string(data[:4])
		elsewhere = elsewhere || name == "link" || name == "sdir"
		data = data[8+size:]
	}
	return true, elsewhere
}

// entry is where an entry lies.
func (d paths) entry(top, name string) policy.Place {
	abs := filepath.Join(top, filepath.FromSlash(name))
	rel, err := filepath.Rel(d.Root(), abs)
	if err != nil {
		rel = abs
	}
	return policy.Place{Spellings: []policy.Spelling{d.spell(filepath.ToSlash(rel), abs)}}
}
