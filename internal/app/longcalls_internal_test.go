package app

import (
	"os"
	"path/filepath"
	"testing"

	"assent/internal/session"
)

// A call that is too long to be shown can be read beside its session, each by a
// name of its own.
func TestALongCallCanBeRead(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "artifacts", "id")
	keep := longCalls(session.Artifacts{Dir: folder})
	for _, text := range []string{"+one\n", "+two\n", "+one\n"} {
		file, err := keep(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%s holds %q, %v", file, got, err)
		}
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 2 {
		t.Errorf("%d files, %v", len(list), err)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if file, err := keep("+three\n"); err == nil {
		t.Errorf("it is said to be in %s", file)
	}
}
