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

	"assent/internal/llm"
	"assent/internal/whole"
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
			if err = a.write(name, data, whole.Claim); err == nil {
				return name, nil
			}
			if errors.Is(err, fs.ErrExist) { // another was quicker
				old, err = a.read(name)
			}
		}
		if errors.Is(err, errOdd) && a.there() {
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
		err = a.write(file, data, whole.Replace)
	}
	if err != nil {
		return Image{}, fmt.Errorf("store image %s: %w", name, err)
	}
	return Image{MIME: mime, Name: name, Artifact: file}, nil
}

// there says that there is a folder, and that it is the session's.
func (a Artifacts) there() bool { return a.own() == nil }

// maxArtifact is the most that is read of one artifact, far above what any
// tool gives: a file that says it has more was not made here.
const maxArtifact = 256 << 20

// errOdd says that a name is that of something that was not stored here.
var errOdd = errors.New("it is no file that was stored here")

// Read gives what was stored under a name. What lies there and was not stored,
// such as a link or a pipe, is an error.
func (a Artifacts) Read(name string) ([]byte, error) {
	if name == "" || name != filepath.Base(name) || half(name) {
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
	if err := whole.Plain(path); err != nil {
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

// odd takes the path out of an error of whole.Plain.
func odd(err error) error {
	if kind := (*whole.KindError)(nil); errors.As(err, &kind) {
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

// make makes the folder, unless it would lie behind a link.
func (a Artifacts) make() error {
	if err := a.own(); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := whole.Mkdir(a.Dir); err != nil {
		return err
	}
	return a.own()
}

// half says that a name is that of a file which is being written, or that its
// writer was killed. Read gives none of them.
func half(name string) bool { return strings.HasPrefix(name, ".") }

// sweep removes what writers that were killed left half done. The caller holds
// the lock of the log, so nobody writes there.
func (a Artifacts) sweep() {
	if !a.there() {
		return
	}
	_ = whole.SweepFolder(a.Dir, 0) // it is only about room
}

// write puts a whole file under a name; nobody sees half of it, and it lasts
// once this returns, since a record that names it does. put is how: in the
// place of what is there, or only where nothing is.
func (a Artifacts) write(name string, data []byte, put func(path string, data []byte, mode fs.FileMode) error) error {
	if err := a.make(); err != nil {
		return err
	}
	return put(filepath.Join(a.Dir, name), data, 0o600)
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
