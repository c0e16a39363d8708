package gate

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"sync"
	"time"

	"assent/internal/policy"
)

// mostIndex bounds the index of git that a decision reads.
const mostIndex = 64 << 20

// index is what is known of an index of git. opaque says that it could not be
// read, so that it may name anything.
type index struct {
	entries []indexed
	// secrets are the places in entries of names that may be those of secrets.
	secrets []int
	opaque  bool
}

// indexed is one file in an index, with what git knows of it on disk.
type indexed struct {
	name       string
	sec, nsec  uint32
	size, mode uint32
}

// changed says whether the file at a path differs from what git knows of it,
// or may differ: it may be wrong only by saying true.
func (e indexed) changed(file string) bool {
	info, err := os.Lstat(file)
	if err != nil {
		return true
	}
	at := info.ModTime()
	return uint32(info.Size()) != e.size || e.size == 0 || uint32(at.Unix()) != e.sec || uint32(at.Nanosecond()) != e.nsec //nolint:gosec // git keeps the low 32 bits
}

// indexes keeps the indexes that were read for as long as their files stay the
// same.
type indexes struct {
	mu   sync.Mutex
	kept map[string]keptIndex
}

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
	if k, ok := x.kept[file]; ok && os.SameFile(k.info, info) && k.info.Size() == info.Size() && k.info.ModTime().Equal(info.ModTime()) {
		return k.index
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return index{opaque: true}
	}
	read := parseIndex(data)
	delete(x.kept, file)
	if time.Since(info.ModTime()) > settled {
		if x.kept == nil {
			x.kept = map[string]keptIndex{}
		}
		x.kept[file] = keptIndex{info, read}
	}
	return read
}

// parseIndex reads the versions 2 to 4, with hashes of either length.
func parseIndex(data []byte) index {
	for _, hash := range []int{20, 32} {
		if x, ok := parseIndexOf(data, hash); ok {
			return x
		}
	}
	return index{opaque: true}
}

const (
	indexHead  = 12 // signature, version, number of entries
	indexStats = 40 // what an entry holds in front of its hash
)

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
	last := ""
	for range count {
		e, length, ok := parseEntry(body, hash, version, last)
		if !ok {
			return index{}, false
		}
		body, last = body[length:], e.name
		if policy.Secret(e.name) {
			x.secrets = append(x.secrets, len(x.entries))
		}
		x.entries = append(x.entries, e)
	}
	return x, extensions(body)
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
	e = indexed{sec: number(8), nsec: number(12), mode: number(24), size: number(36)}
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

// extensions says whether what follows the entries is well formed, and none of
// it keeps entries elsewhere (a split index) or folders as a whole.
func extensions(data []byte) bool {
	for len(data) > 0 {
		if len(data) < 8 {
			return false
		}
		size := int64(binary.BigEndian.Uint32(data[4:]))
		if name := string(data[:4]); name == "link" || name == "sdir" || size > int64(len(data)-8) {
			return false
		}
		data = data[8+size:]
	}
	return true
}

// place is where an entry lies.
func (d paths) entry(top, name string) policy.Place {
	abs := filepath.Join(top, filepath.FromSlash(name))
	rel, err := filepath.Rel(d.Root(), abs)
	if err != nil {
		rel = abs
	}
	return policy.Place{Spellings: []policy.Spelling{d.spell(filepath.ToSlash(rel), abs)}}
}
