package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A panic leaves a report that its message names, for the user alone.
func TestACrashIsReported(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	a := New(Env{Version: "1.2.3", Lookup: func(name string) (string, bool) { return home, name == "ASSENT_HOME" || name == "HOME" }})
	err := a.Crash("broken\ninside", []byte("goroutine 7"))
	files, _ := filepath.Glob(filepath.Join(home, "*", "crashes", "*.txt"))
	if more, _ := filepath.Glob(filepath.Join(home, "crashes", "*.txt")); len(files) == 0 {
		files = more
	}
	if len(files) != 1 || !strings.Contains(err.Error(), files[0]) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%v, reports %v", err, files)
	}
	text, readErr := os.ReadFile(files[0])
	if readErr != nil {
		t.Fatal(readErr)
	}
	for _, want := range []string{"1.2.3", "panic: broken\ninside", "goroutine 7"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if info, _ := os.Stat(files[0]); info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v", info.Mode())
	}
}
