package whole_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"assent/internal/whole"
)

// TestReadersDoNotHinder: a file that somebody reads just now is replaced as
// soon as it is closed; one that stays open is an error, and stays as it is.
func TestReadersDoNotHinder(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "f")
	if err := whole.Replace(name, []byte("old"), 0); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	closed := time.AfterFunc(300*time.Millisecond, func() { _ = reader.Close() })
	defer closed.Stop()
	if err := whole.Replace(name, []byte("new"), 0); err != nil {
		t.Errorf("while it is read: %v", err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
	again, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := whole.Replace(name, []byte("newer"), 0); err == nil {
		t.Skip("this system replaces open files")
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "new" {
		t.Errorf("%q, %v", text, err)
	}
}
