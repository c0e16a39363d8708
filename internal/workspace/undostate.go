package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
)

// state is what is at a path: enough to know it again and to bring it back.
type state struct {
	Kind   string      `json:"kind"`
	Hash   string      `json:"hash,omitempty"`   // of a file's content
	Mode   fs.FileMode `json:"mode,omitempty"`   // permission bits of a file
	Target rawPath     `json:"target,omitempty"` // of a link
}

// Kinds of state. A large file is known by its hash but was not kept.
const (
	kindAbsent = "absent"
	kindFile   = "file"
	kindLarge  = "large"
	kindLink   = "link"
	kindOther  = "other"
)

// absent is the state of a path where nothing is.
var absent = state{Kind: kindAbsent} //nolint:gochecknoglobals // a constant that Go cannot write as one

func fileState(data []byte, mode fs.FileMode) state {
	return state{Kind: kindFile, Hash: hashOf(data), Mode: mode.Perm()}
}

// hashSize is that of a hash in bytes.
const hashSize = sha256.Size

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// same reports whether two states hold the same: permissions are not compared,
// because changing them loses nothing.
func (s state) same(o state) bool {
	file := func(k string) bool { return k == kindFile || k == kindLarge }
	if s.Kind != o.Kind && (!file(s.Kind) || !file(o.Kind)) {
		return false
	}
	return s.Hash == o.Hash && s.Target == o.Target
}

// state looks at a real path of a root and gives the content of a file of at
// most max bytes.
func (w *Workspace) state(root int, path string, max int64) (state, []byte, error) {
	p := Path{Root: root, Real: path}
	dir, base, _, err := w.parent(p, path, false)
	if isMissing(err) || errors.Is(err, errNotFolder) {
		return absent, nil, nil
	}
	if err != nil {
		return state{}, nil, err
	}
	defer dir.close()
	info, err := dir.Lstat(base)
	if isMissing(err) {
		return absent, nil, nil
	}
	if err != nil {
		return state{}, nil, err
	}
	switch kindOf(info.Mode()) {
	case KindLink:
		target, err := dir.Readlink(base)
		return state{Kind: kindLink, Target: rawPath(target)}, nil, err
	case "":
	default:
		return state{Kind: kindOther}, nil, nil
	}
	f, info, err := openFile(dir.Root, base, p)
	if err != nil {
		return state{}, nil, err
	}
	defer f.Close()
	if info.Size() > max {
		return largeState(f, info)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return state{}, nil, err
	}
	return fileState(data, info.Mode()), data, nil
}

// largeState hashes a file without holding it.
func largeState(f *os.File, info fs.FileInfo) (state, []byte, error) {
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return state{}, nil, err
	}
	return state{Kind: kindLarge, Hash: hex.EncodeToString(h.Sum(nil)), Mode: info.Mode().Perm()}, nil, nil
}
