package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// folders are two open folders, the first with a file of size bytes and a link.
func folders(t *testing.T, size int64) (from, to *os.Root) {
	t.Helper()
	var list [2]*os.Root
	for i := range list {
		r, err := os.OpenRoot(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		list[i] = r
	}
	name := filepath.Join(list[0].Name(), "f")
	if err := errors.Join(os.WriteFile(name, []byte("head"), 0o640), os.Truncate(name, size)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("f", filepath.Join(list[0].Name(), "l")); err != nil {
		t.Skip(err)
	}
	return list[0], list[1]
}

// On another file system the old name goes only when the new one is safe, so
// that a power failure leaves one of them.
func TestCarryIsSafeBeforeItRemoves(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"f", "l"} {
		from, to := folders(t, 4)
		info, err := from.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		disk := errors.New("input/output error")
		err = carry(from, name, to, "new", info, Path{}, func(dir *os.Root) error {
			if _, err := to.Lstat("new"); dir != to || err != nil {
				t.Errorf("%s: synced before it was there: %v", name, err)
			}
			return disk
		})
		if !errors.Is(err, disk) {
			t.Errorf("%s: error is %v", name, err)
		}
		if _, err := from.Lstat(name); err != nil {
			t.Errorf("%s: the old name is gone though the new one is not safe", name)
		}
		if _, err := to.Lstat("new"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the copy stays", name)
		}
		if err := carry(from, name, to, "new", info, Path{}, syncFolder); err != nil {
			t.Fatal(err)
		}
		if _, err := from.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the old name stays", name)
		}
		if now, err := to.Lstat("new"); err != nil || now.Mode() != info.Mode() || now.Size() != info.Size() {
			t.Errorf("%s: %v %v", name, now, err)
		}
	}
}

// endless gives bytes without holding them, and notes the largest piece that it
// was asked for.
type endless struct{ left, largest int }

func (e *endless) Read(p []byte) (int, error) {
	e.largest = max(e.largest, len(p))
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	e.left -= n
	return n, nil
}

func (e *endless) Seek(int64, int) (int64, error) { return 0, errors.ErrUnsupported }

// What is copied is not held in memory.
func TestSpillHoldsNothing(t *testing.T) {
	t.Parallel()
	const size = 64 << 20
	_, to := folders(t, 0)
	e := &endless{left: size}
	name, err := spill(to, e, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := to.Lstat(name); err != nil || info.Size() != size || e.largest > 1<<20 {
		t.Errorf("%v %v, in pieces of %d", info, err, e.largest)
	}
}
