package workspace_test

import (
	"bytes"
	"errors"
	"slices"
	"syscall"
	"testing"

	"assent/internal/workspace"
)

// On a disk that is really full a write fails whole, and the next one that
// fits succeeds. Mounting one needs rights that most test runs do not have;
// TestFullDisk covers the same without.
func TestFullFileSystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("cannot mount: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	w := openAt(t, workspace.Options{Root: dir})
	write(t, w, "f", "old")
	for _, name := range []string{"f", "new/deep/g"} {
		if err := w.Write(resolve(t, w, name), bytes.Repeat([]byte("x"), 200_000), 0); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := names(t, dir); !slices.Equal(got, []string{"f"}) || content(t, dir, "f") != "old" {
		t.Errorf("left: %v", got)
	}
	write(t, w, "new/deep/g", "fits")
	if content(t, dir, "new/deep/g") != "fits" {
		t.Error("not written")
	}
}
