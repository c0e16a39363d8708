package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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

// A file that is carried is not held in memory.
func TestCarryHoldsNoFile(t *testing.T) { //nolint:paralleltest // counts what the process allocates
	const size = 64 << 20
	from, to := folders(t, size)
	info, err := from.Lstat("f")
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := carry(from, "f", to, "new", info, Path{}, syncFolder); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > size/8 {
		t.Errorf("%d bytes were allocated for %d", n, size)
	}
	if now, err := to.Lstat("new"); err != nil || now.Size() != size {
		t.Errorf("%v %v", now, err)
	}
}
