package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"assent/internal/jsonl"
	"assent/internal/llm"
)

// Artifacts is the folder beside a log that holds what is too big for it: raw
// outputs by name, images by the hash of their content.
type Artifacts struct {
	// Dir is the folder; it is made when the first thing is stored.
	Dir    string
	redact Redact
}

// artifactsOf is the folder of the session in a file: artifacts/<id> beside it.
func artifactsOf(path string) string {
	_, id, ok := splitName(filepath.Base(path))
	if !ok {
		id = strings.TrimSuffix(filepath.Base(path), ".jsonl")
	}
	return filepath.Join(filepath.Dir(path), "artifacts", id)
}

func (l *Log) artifacts() Artifacts {
	return Artifacts{Dir: artifactsOf(l.path), redact: l.store.Redact}
}

// Artifacts gives the folder beside the log.
func (l *Log) Artifacts() Artifacts { return l.artifacts() }

// Artifact stores raw output beside the log, masked, and returns the name
// under which it is found; the name is made safe, and unique when it is taken.
func (l *Log) Artifact(name string, data []byte) (string, error) {
	return l.artifacts().Store(name, data)
}

// Image stores a picture beside the log by the hash of its content.
func (l *Log) Image(mime, name string, data []byte) (Image, error) {
	return l.artifacts().Image(mime, name, data)
}

// Store writes data under a name that is made safe for every file system. The
// same content under the same name is stored once; other content gets a
// number. What is not text is named by its hash, so that it is stored once by
// whatever name it comes.
func (a Artifacts) Store(name string, data []byte) (string, error) {
	if !utf8.Valid(data) {
		im, err := a.Image(llm.ImageType(data), name, data)
		return im.Artifact, err
	}
	if a.redact != nil {
		data = []byte(a.redact(string(data)))
	}
	base, ext := safeName(name)
	for i := 1; i < 10_000; i++ {
		name := base + ext
		if i > 1 {
			name = fmt.Sprintf("%s-%d%s", base, i, ext)
		}
		old, err := a.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			if err = a.write(name, data, claim); err == nil {
				return name, nil
			}
			if errors.Is(err, fs.ErrExist) { // another was quicker
				old, err = a.read(name)
			}
		}
		if errors.Is(err, errOdd) && a.own() == nil {
			continue // the name is taken
		}
		if err != nil {
			return "", fmt.Errorf("store artifact %s: %w", name, err)
		}
		if bytes.Equal(old, data) {
			return name, nil
		}
	}
	return "", fmt.Errorf("store artifact %s: too many of this name", base+ext)
}

// Image stores a picture by the hash of its content. A file of that name with
// another content, such as one that a power failure left, is replaced.
func (a Artifacts) Image(mime, name string, data []byte) (Image, error) {
	sum := sha256.Sum256(data)
	file := hex.EncodeToString(sum[:]) + imageExt(mime)
	old, err := a.read(file)
	if err != nil || !bytes.Equal(old, data) {
		err = a.write(file, data, os.Rename)
	}
	if err != nil {
		return Image{}, fmt.Errorf("store image %s: %w", name, err)
	}
	return Image{MIME: mime, Name: name, Artifact: file}, nil
}

// maxArtifact is the most that is read of one artifact, far above what any
// tool gives: a file that says it has more was not made here.
const maxArtifact = 256 << 20

// errOdd says that a name is that of something that was not stored here.
var errOdd = errors.New("it is no file that was stored here")

// Read gives what was stored under a name. What lies there and was not stored,
// such as a link or a pipe, is an error.
func (a Artifacts) Read(name string) ([]byte, error) {
	if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return nil, fmt.Errorf("read artifact %q: %w", name, fs.ErrNotExist)
	}
	b, err := a.read(name)
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	if err != nil {
		return nil, fmt.Errorf("read artifact %q: %w", name, err)
	}
	return b, nil
}

func (a Artifacts) read(name string) ([]byte, error) {
	if err := a.own(); err != nil {
		return nil, err
	}
	path := filepath.Join(a.Dir, name)
	if err := jsonl.Plain(path); err != nil {
		return nil, odd(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > maxArtifact {
		return nil, errors.Join(err, errOdd)
	}
	return io.ReadAll(f)
}

// odd takes the path out of an error of jsonl.Plain.
func odd(err error) error {
	if kind := (*jsonl.KindError)(nil); errors.As(err, &kind) {
		return errOdd
	}
	return err
}

// own refuses a folder that is a link, or lies in one: it leads to files that
// are not the session's. One that is not there yet is fs.ErrNotExist.
func (a Artifacts) own() error {
	for _, dir := range []string{filepath.Dir(a.Dir), a.Dir} {
		info, err := os.Lstat(dir)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return fmt.Errorf("%s is no folder; move it away: %w", dir, errOdd)
		}
	}
	return nil
}

// half begins the names of files that are being written. Read gives none of
// them.
const half = ".tmp-"

// sweep removes what writers that were killed left half done. The caller holds
// the lock of the log, so nobody writes there.
func (a Artifacts) sweep() {
	if a.own() != nil {
		return
	}
	entries, err := os.ReadDir(a.Dir)
	if err != nil {
		return // it is only about room
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), half) && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(a.Dir, e.Name()))
		}
	}
}

// write puts a whole file under a name; nobody sees half of it, and it lasts
// once this returns, since a record that names it does. give is how the
// finished file gets its name.
func (a Artifacts) write(name string, data []byte, give func(temp, path string) error) error {
	if err := os.MkdirAll(a.Dir, 0o700); err != nil {
		return err
	}
	if err := a.own(); err != nil {
		return err
	}
	path := filepath.Join(a.Dir, name)
	tmp, err := os.CreateTemp(a.Dir, half+"*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = give(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	if dir, err := os.Open(a.Dir); err == nil {
		_ = dir.Sync() // not every system can, and the file itself is safe
		_ = dir.Close()
	}
	return nil
}

// claim gives a finished file a name that is free, fs.ErrExist when it is
// taken. Of several that claim one name at once, one gets it.
func claim(temp, path string) error {
	err := os.Link(temp, path)
	if err == nil {
		_ = os.Remove(temp) // it has its name; the other is only left over
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return fs.ErrExist
	}
	// A file system without links: the name is taken first, and empty until the
	// file is there.
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), os.Rename(temp, path)); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// safeName keeps letters, digits, dot, dash and underscore.
func safeName(name string) (base, ext string) {
	ext = clean(filepath.Ext(name))
	base = clean(strings.TrimSuffix(name, filepath.Ext(name)))
	if len(ext) > 12 {
		base, ext = base+ext, ""
	}
	base = strings.Trim(base, ".-")
	if base == "" {
		base = "output"
	}
	if len(base) > 100 {
		sum := sha256.Sum256([]byte(name))
		base = base[:80] + "-" + hex.EncodeToString(sum[:6])
	}
	return base, ext
}

func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '-'
	}, s)
}

func imageExt(mime string) string {
	switch mime {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/gif":
		return ".gif"
	case "image/webp":
		return ".webp"
	}
	return ".bin"
}
