package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"assent/internal/lock"
	"assent/internal/whole"
)

// File is a record file that this process alone writes. Its methods may be
// called from several goroutines.
type File struct {
	mu   sync.Mutex
	path string
	f    *os.File
	lock *lock.Lock
	buf  []byte
	// whole says that the file is known to end with a line end; dirty that
	// something was written since the last sync.
	whole, dirty bool
	// junk is how many bytes of a failed write could not be taken back yet.
	junk int64
	cut  int64
}

// tries is how often a folder is made that others take away.
const tries = 20

// Create makes a new file, and its folders, and takes its lock. It is an error
// when the file exists. Files are 0600 and folders 0700.
func Create(path string) (*File, error) {
	var f *File
	for try := 1; ; try++ {
		err := whole.Mkdir(filepath.Dir(path))
		gone := errors.Is(err, fs.ErrExist)
		if err == nil {
			f, err = open(path, os.O_CREATE|os.O_EXCL)
		}
		if err == nil {
			break
		}
		// Who leaves the last file of the folder may take it away meanwhile,
		// also between two looks of MkdirAll, which then says that it exists.
		if gone = gone || errors.Is(err, fs.ErrNotExist); try == tries || !gone {
			return nil, fmt.Errorf("create record file: %w", err)
		}
	}
	f.whole = true
	whole.SyncFolder(filepath.Dir(path))
	return f, nil
}

// Open opens an existing file for appending and takes its lock; the error is a
// *lock.HeldError when somebody else holds it, and a *whole.KindError when the name is
// that of something else than a file. A link is no file here.
func Open(path string) (*File, error) {
	if err := whole.Plain(path); err != nil {
		return nil, fmt.Errorf("open record file: %w", err)
	}
	f, err := open(path, 0)
	if err != nil {
		return nil, fmt.Errorf("open record file: %w", err)
	}
	return f, nil
}

func open(path string, flag int) (*File, error) {
	mine, err := lock.Try(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|flag, 0o600)
	if err != nil {
		return nil, errors.Join(err, mine.Release())
	}
	mine.Sign(time.Now())
	return &File{path: path, f: f, lock: mine}, nil
}

// Append adds one line to a file that several processes share: it makes the
// file when it is missing, waits for the lock, and holds it for this line only.
func Append(ctx context.Context, path string, line []byte) error {
	if err := whole.Mkdir(filepath.Dir(path)); err != nil {
		return fmt.Errorf("append record: %w", err)
	}
	if err := whole.Target(path); err != nil { // a link to a file is the user's affair
		return fmt.Errorf("append record: %w", err)
	}
	mine, err := lock.Wait(ctx, path, 0)
	if err != nil {
		return fmt.Errorf("append record: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return errors.Join(fmt.Errorf("append record: %w", err), mine.Release())
	}
	file := &File{path: path, f: f, lock: mine}
	return errors.Join(file.Append(line, false), file.close(false))
}

// Append adds one line, which must not hold a line end; with sync it is on the
// disk itself before Append returns. After an error the file holds nothing of
// the line.
func (f *File) Append(line []byte, sync bool) error {
	if len(line) == 0 || bytes.IndexByte(line, '\n') >= 0 {
		return errors.New("append record: a record is one line that is not empty")
	}
	if len(line) > MaxLine { // no reader would hand it out
		return fmt.Errorf("append record: it has %d MB, and the most is %d", len(line)>>20, MaxLine>>20)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.mend(); err != nil {
		return fmt.Errorf("append record: %w", err)
	}
	f.buf = append(append(f.buf[:0], line...), '\n')
	n, err := f.f.Write(f.buf)
	if cap(f.buf) > keepLong {
		f.buf = nil
	}
	if err == nil && sync {
		err = f.f.Sync()
	}
	if err != nil {
		f.junk = int64(n)
		return errors.Join(fmt.Errorf("append record: %w", err), f.takeBack())
	}
	f.dirty = !sync
	return nil
}

// Sync brings everything that was appended to the disk.
func (f *File) Sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sync()
}

func (f *File) sync() error {
	if !f.dirty {
		return nil
	}
	if err := f.f.Sync(); err != nil {
		return fmt.Errorf("sync records: %w", err)
	}
	f.dirty = false
	return nil
}

// Cut is how many bytes of a torn last line were cut since the file was
// opened.
func (f *File) Cut() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cut
}

// Path is the name that the file was opened with.
func (f *File) Path() string { return f.path }

// Close syncs, closes and gives the lock back. A second Close does nothing.
func (f *File) Close() error { return f.close(true) }

// Discard closes a file that is removed, and takes its lock file away.
func (f *File) Discard() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lock == nil {
		return nil
	}
	err := errors.Join(f.f.Close(), f.lock.Remove())
	f.lock = nil
	return err
}

func (f *File) close(sync bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lock == nil {
		return nil
	}
	var err error
	if sync {
		err = f.sync()
	}
	err = errors.Join(err, f.f.Close(), f.lock.Release())
	f.lock = nil
	return err
}

// mend makes the file end with a line end before something is added to it:
// leftovers of a failed write go, a torn last line goes, a last line that
// only lacks its line end gets it.
func (f *File) mend() error {
	if err := f.takeBack(); err != nil {
		return err
	}
	if f.whole {
		return nil
	}
	size, err := f.size()
	if err != nil {
		return err
	}
	line, torn, err := lastLine(f.f, size)
	switch {
	case err != nil:
		return err
	case !torn:
	case len(line.Data) > 0 && line.Data[0] == '{' && json.Valid(line.Data):
		if n, err := f.f.Write([]byte{'\n'}); err != nil {
			f.junk = int64(n)
			return errors.Join(err, f.takeBack())
		}
	default:
		if err := f.truncate(line.Offset); err != nil {
			return fmt.Errorf("cut torn line: %w", err)
		}
		f.cut += size - line.Offset
	}
	f.whole = true
	return nil
}

// takeBack removes what a failed write left behind. It measures from the end
// of the file, so that it cannot reach what was acknowledged.
func (f *File) takeBack() error {
	if f.junk == 0 {
		return nil
	}
	size, err := f.size()
	if err != nil {
		return err
	}
	if err := f.truncate(size - f.junk); err != nil {
		return fmt.Errorf("take back a part of a record: %w", err)
	}
	f.junk = 0
	return nil
}

// truncate shortens the file. Where a handle that appends may not do that, as
// on Windows, it goes by the name.
func (f *File) truncate(size int64) error {
	if f.f.Truncate(size) == nil {
		return nil
	}
	return os.Truncate(f.path, size)
}

func (f *File) size() (int64, error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, fmt.Errorf("measure records: %w", err)
	}
	return info.Size(), nil
}

// lastLine finds the part after the last line end; torn says that there is one.
func lastLine(r io.ReaderAt, size int64) (line Line, torn bool, err error) {
	if size == 0 {
		return Line{}, false, nil
	}
	var last [1]byte
	if _, err := r.ReadAt(last[:], size-1); err != nil {
		return Line{}, false, fmt.Errorf("read the end of the records: %w", err)
	}
	if last[0] == '\n' {
		return Line{}, false, nil
	}
	t := NewTail(r, size)
	line, ok := t.Next()
	if t.Err() != nil {
		return Line{}, false, fmt.Errorf("read the end of the records: %w", t.Err())
	}
	if fs := t.Faults(); len(fs) > 0 {
		return Line{Offset: fs[0].Offset}, true, nil // too long to be a record
	}
	if !ok || line.Ended {
		// Blanks only after the last line end.
		return Line{Offset: size}, false, nil
	}
	return line, true, nil
}
