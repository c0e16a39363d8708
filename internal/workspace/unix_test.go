//go:build unix

package workspace_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"assent/internal/workspace"
)

const hardLinksKnown = true

// TestMain is also the program that TestFullDisk runs.
func TestMain(m *testing.M) {
	if dir := os.Getenv("WORKSPACE_TEST_FULL"); dir != "" {
		os.Exit(fullDisk(dir))
	}
	os.Exit(m.Run())
}

func TestReadNeverWaits(t *testing.T) {
	t.Parallel()
	w, dir := open(t, nil)
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "sock"))
	if err == nil {
		defer l.Close()
	}
	top := openAt(t, workspace.Options{Root: "/"})
	for _, c := range []struct {
		w          *workspace.Workspace
		name, kind string
	}{
		{w, "pipe", workspace.KindFIFO},
		{w, "sock", workspace.KindSocket},
		{top, "/dev/zero", workspace.KindDevice},
		{top, "/dev/tty", workspace.KindDevice},
	} {
		p := resolve(t, c.w, c.name)
		if !p.Exists {
			t.Logf("no %s here", c.name)
			continue
		}
		if _, err := c.w.Read(p, 0); kind(err) != c.kind {
			t.Errorf("read %s: %v", c.name, err)
		}
		if err := c.w.Write(p, []byte("x"), 0); kind(err) != c.kind {
			t.Errorf("write %s: %v", c.name, err)
		}
		if err := c.w.Remove(p); kind(err) != c.kind {
			t.Errorf("remove %s: %v", c.name, err)
		}
	}
}

// A write that fails half-way (no room) leaves the old content, no temporary
// file and no new folder. The limit on file size stands for the full disk.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	_, dir := open(t, map[string]string{"f": "old"})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WORKSPACE_TEST_FULL="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"f"}) || content(t, dir, "f") != "old" {
		t.Errorf("left: %v", got)
	}
}

func fullDisk(dir string) int {
	say := func(args ...any) int { println(strings.TrimSpace(errors.Join(errs(args)...).Error())); return 1 }
	limit := unix.Rlimit{Cur: 4096, Max: 4096}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return say(err)
	}
	w, err := workspace.Open(workspace.Options{Root: dir})
	if err != nil {
		return say(err)
	}
	for _, name := range []string{"f", "new/deep/g"} {
		p, err := w.Resolve(name, "")
		if err != nil {
			return say(err)
		}
		if err := w.Write(p, bytes.Repeat([]byte("x"), 10_000), 0); !errors.Is(err, unix.EFBIG) {
			return say(errors.New("wrote "+name), err)
		}
	}
	return 0
}

func errs(args []any) []error {
	var list []error
	for _, a := range args {
		if err, ok := a.(error); ok {
			list = append(list, err)
		}
	}
	return list
}

func TestReadOnlyFilesStay(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("everything may be written by this user")
	}
	w, dir := open(t, map[string]string{"f": "old"})
	if err := os.Chmod(filepath.Join(dir, "f"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(resolve(t, w, "f"), []byte("new"), 0); !errors.Is(err, os.ErrPermission) || content(t, dir, "f") != "old" {
		t.Errorf("%v", err)
	}
}

func TestWriteKeepsOwnerAndAttributes(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"f": "old"})
	full := filepath.Join(dir, "f")
	attr := unix.Setxattr(full, "user.origin", []byte("here"), 0)
	owned := os.Chown(full, 12345, 12346) == nil
	write(t, w, "f", "new")
	if attr == nil {
		value := make([]byte, 10)
		if n, err := unix.Getxattr(full, "user.origin", value); err != nil || string(value[:n]) != "here" {
			t.Errorf("attribute: %q %v", value, err)
		}
	}
	info, err := os.Stat(full)
	if err != nil {
		t.Fatal(err)
	}
	if s := info.Sys().(*syscall.Stat_t); owned && (s.Uid != 12345 || s.Gid != 12346) {
		t.Errorf("owner: %d:%d", s.Uid, s.Gid)
	}
}

// Between two file systems a move copies first.
func TestMoveAcrossFileSystems(t *testing.T) {
	t.Parallel()
	shm, err := os.MkdirTemp("/dev/shm", "ws") //nolint:usetesting // another file system is needed
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(shm) })
	_, dir := open(t, map[string]string{"f": "text"})
	if err := os.Chmod(filepath.Join(dir, "f"), 0o750); err != nil {
		t.Fatal(err)
	}
	link(t, "f", filepath.Join(dir, "l"))
	w := openAt(t, workspace.Options{Root: dir, Extra: []string{shm}})
	if err := w.Move(resolve(t, w, "f"), resolve(t, w, filepath.Join(shm, "d/f"))); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(shm, "d/f"))
	if err != nil || info.Mode().Perm() != 0o750 || content(t, shm, "d/f") != "text" || !slices.Equal(names(t, dir), []string{"l"}) {
		t.Errorf("%v %v", info, err)
	}
	if err := w.Move(resolve(t, w, "l"), resolve(t, w, filepath.Join(shm, "d/l"))); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(filepath.Join(shm, "d/l")); err != nil || to != "f" {
		t.Errorf("%q %v", to, err)
	}
}
