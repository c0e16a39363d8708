package workspace

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"slices"
	"unicode/utf8"
)

// entry is a line of the journal: a change (Before only for a turn's first
// change of the path), folders that were made, or a mark on a turn.
type entry struct {
	Turn   string  `json:"turn"`
	Path   rawPath `json:"path,omitempty"`
	Before *state  `json:"before,omitempty"`
	After  state   `json:"after,omitzero"`
	// Settled says that After was looked up after a change that failed.
	Settled bool      `json:"settled,omitempty"`
	Made    []rawPath `json:"made,omitempty"`
	Mark    string    `json:"mark,omitempty"`
}

// Marks on a turn.
const (
	markUndone    = "undone"
	markRedone    = "redone"
	markForgotten = "forgotten"
)

// rawPath is a path as the system has it. It need not be UTF-8, which JSON would
// turn into the path of another file.
type rawPath string

// MarshalJSON writes a string, or an object with the bytes of what is none.
func (p rawPath) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return json.Marshal(string(p))
	}
	return json.Marshal(odd{[]byte(p)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *rawPath) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("{")) {
		var o odd
		err := json.Unmarshal(text, &o)
		*p = rawPath(o.Base64)
		return err
	}
	var s string
	err := json.Unmarshal(text, &s)
	*p = rawPath(s)
	return err
}

type odd struct {
	Base64 []byte `json:"base64"`
}

func rawPaths(paths []string) []rawPath {
	list := make([]rawPath, len(paths))
	for i, p := range paths {
		list[i] = rawPath(p)
	}
	return list
}

func plainPaths(paths []rawPath) []string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = string(p)
	}
	return list
}

// sumLength is that of the check sum at the beginning of a line.
const sumLength = 2 * crc32.Size

func sumOf(text []byte) string {
	return fmt.Sprintf("%0*x", sumLength, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
}

// line is an entry as it stands in the journal, without its end: the check sum
// of the object, a blank, the object. Without the sum a damaged path would be
// one of another file.
func (e entry) line() ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return append([]byte(sumOf(text)+" "), text...), nil
}

// parseJournal reads the lines that are whole. One that is not, such as the
// torn last one after a crash, is skipped: the change that it announced had not
// begun.
func parseJournal(text []byte) []entry {
	var entries []entry
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if e, ok := parseEntry(line); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

func parseEntry(line []byte) (e entry, ok bool) {
	sum, text, ok := bytes.Cut(line, []byte(" "))
	if !ok || string(sum) != sumOf(text) || json.Unmarshal(text, &e) != nil {
		return entry{}, false
	}
	return e, e.sound()
}

// sound reports whether an entry says something that can be undone: a mark
// alone, or what became of an absolute path, and of folders around it.
func (e entry) sound() bool {
	if e.Mark != "" {
		return e.Path == "" && slices.Contains([]string{markUndone, markRedone, markForgotten}, e.Mark)
	}
	path := string(e.Path)
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return false
	}
	for _, folder := range e.Made {
		if rest, ok := below(string(folder), path); !ok || rest == "" {
			return false
		}
	}
	return (e.Before == nil || e.Before.sound()) && (len(e.Made) > 0 || e.After.sound())
}

// sound reports whether a state is one that a path can be in.
func (s state) sound() bool {
	switch s.Kind {
	case kindFile, kindLarge:
		sum, err := hex.DecodeString(s.Hash)
		return err == nil && len(sum) == hashSize
	case kindLink:
		return s.Target != ""
	case kindAbsent, kindOther:
		return s.Hash == ""
	}
	return false
}
