package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// plainly runs f without the rights of root: on a thread of its own, which
// reaches files as somebody else does and ends with f.
func plainly(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked
		if os.Geteuid() == 0 {
			if err := unix.Setfsuid(65534); err != nil {
				t.Error(err)
				return
			}
		}
		f()
	}()
	<-done
}

func rootOf(t *testing.T, mode fs.FileMode, files map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = os.Chmod(dir, 0o700) // so that it can be removed
		_ = r.Close()
	})
	return r
}

func exists(r *os.Root, name string) bool {
	_, err := r.Lstat(name)
	return err == nil
}

// TestACopyGoesWhenTheOldNameStays: a move to another file system is done
// whole or not at all.
func TestACopyGoesWhenTheOldNameStays(t *testing.T) {
	t.Parallel()
	from := rootOf(t, 0o755, map[string]string{"f": "text"})
	if err := from.Symlink("f", "link"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(from.Name(), 0o555); err != nil {
		t.Fatal(err)
	}
	into := rootOf(t, 0o777, nil)
	for _, name := range []string{"f", "link"} {
		info, err := from.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		plainly(t, func() { err = carry(from, name, into, "new", info, Path{Written: name}, syncFolder) })
		if !errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "copy stays") {
			t.Errorf("%s: error is %v", name, err)
		}
		if !exists(from, name) || exists(into, "new") {
			t.Errorf("%s: the old name is there: %v, the new one: %v", name, exists(from, name), exists(into, "new"))
		}
	}
}

// TestACopyTakesItsOwnAttributes, not those of a file of its former name in the
// new folder.
func TestACopyTakesItsOwnAttributes(t *testing.T) {
	t.Parallel()
	from, into := rootOf(t, 0o755, map[string]string{"f": "text"}), rootOf(t, 0o755, map[string]string{"f": "other"})
	for dir, name := range map[*os.Root]string{from: "user.own", into: "user.other"} {
		if err := unix.Setxattr(filepath.Join(dir.Name(), "f"), name, []byte("x"), 0); err != nil {
			t.Skip("this file system keeps no attributes:", err)
		}
	}
	info, err := from.Lstat("f")
	if err != nil {
		t.Fatal(err)
	}
	if err := carry(from, "f", into, "new", info, Path{Written: "f"}, syncFolder); err != nil {
		t.Fatal(err)
	}
	list := make([]byte, 1000)
	n, err := unix.Listxattr(filepath.Join(into.Name(), "new"), list)
	if err != nil || !strings.Contains(string(list[:n]), "user.own") || strings.Contains(string(list[:n]), "user.other") {
		t.Errorf("attributes are %q, %v", list[:n], err)
	}
	if exists(from, "f") {
		t.Error("the old name stays")
	}
}

// TestAFolderThatCannotBeRead can be written: that it cannot be synced makes no
// failure of a write that happened.
func TestAFolderThatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := rootOf(t, 0o777, nil)
	w, err := Open(Options{Root: dir.Name()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p, err := w.Resolve("f", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir.Name(), 0o333); err != nil {
		t.Fatal(err)
	}
	plainly(t, func() {
		for _, text := range []string{"one", "two"} {
			if err := w.Write(p, []byte(text), 0); err != nil {
				t.Errorf("write %s: %v", text, err)
			}
		}
	})
	if got, err := os.ReadFile(filepath.Join(dir.Name(), "f")); err != nil || string(got) != "two" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	plainly(t, func() {
		if err := w.Remove(p); err != nil {
			t.Errorf("remove: %v", err)
		}
	})
	if exists(dir, "f") {
		t.Error("the file is still there")
	}
}

// TestWhatIsDoneSaysSo: an error that came after a change is told from one
// that prevented it, through every wrapping.
func TestWhatIsDoneSaysSo(t *testing.T) {
	t.Parallel()
	err := failed("write", Path{Written: "a.txt"}, errors.Join(done(&fs.PathError{Op: "sync", Path: ".", Err: unix.EIO})))
	is, ok := errors.AsType[*DoneError](err)
	if !ok || !errors.Is(err, unix.EIO) || !strings.Contains(err.Error(), "write a.txt: it is done, but") || strings.Contains(is.Error(), "sync .") {
		t.Errorf("error is %v", err)
	}
	if done(nil) != nil {
		t.Error("nothing is an error")
	}
}
