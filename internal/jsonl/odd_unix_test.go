//go:build unix

package jsonl_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent/internal/jsonl"
	"assent/internal/lock"
	"assent/internal/whole"
)

// What lies in place of a file or of its lock and is no ordinary file is told
// at once: nothing waits for a pipe, and nothing is written through a link.
func TestOddThingsInPlaceOfFileAndLock(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path, other string) error{
		"a link":        func(path, other string) error { return os.Symlink(other, path) },
		"a loose link":  func(path, _ string) error { return os.Symlink(path+".nowhere", path) },
		"a pipe":        func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":      func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"a device link": func(path, _ string) error { return os.Symlink("/dev/zero", path) },
	} {
		for _, place := range []string{"", ".lock"} {
			t.Run(name+place, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				path, other := filepath.Join(dir, "log.jsonl"), filepath.Join(dir, "precious")
				for _, p := range []string{path, other} {
					if err := os.WriteFile(p, []byte("{\"n\":0}\n"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				_ = os.Remove(path + place)
				if err := put(path+place, other); err != nil {
					t.Fatal(err)
				}
				quickly(t, func() {
					if f, err := jsonl.Open(path); err == nil {
						t.Error("opened")
						_ = f.Close()
					}
					if err := jsonl.Append(t.Context(), path, []byte(`{"n":1}`)); err == nil && name != "a link" {
						t.Error("appended")
					}
					if f, err := whole.Open(path); err == nil {
						if place == "" && name != "a link" {
							t.Error("read")
						}
						_ = f.Close()
					}
					if lock.Held(path) {
						t.Error("it is held by nobody")
					}
				})
				if b, err := os.ReadFile(other); err != nil || !strings.HasPrefix(string(b), "{\"n\":0}\n") || place == ".lock" && len(b) != 8 {
					t.Errorf("what the link names holds %q, %v", b, err)
				}
				if _, err := os.Stat(path + ".nowhere"); err == nil {
					t.Error("something was made through the link")
				}
			})
		}
	}
}

// quickly fails a test whose deed hangs.
func quickly(t *testing.T, deed func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); deed() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it hangs")
	}
}
